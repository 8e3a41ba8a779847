// Package job is what is true of any benchmark's run, whatever it measures: where the processes are, how much memory
// each may use, and what a result says of its run beside figures: host, warnings, criteria. It measures nothing and
// prints nothing.
package job
