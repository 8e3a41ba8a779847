package main

// verbose holds the flag of commands that print what they rated.
type verbose struct {
	Verbose bool `short:"v" group:"output" help:"Print the whole report, not its main lines."`
}
