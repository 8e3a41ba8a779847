package ofbeff

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// assumedRate is the bandwidth, in bytes per second, at which Expected assumes that each process sends messages.
const assumedRate = 2e9

// Expected returns the expected time of a run, at least one second, and the expected number of passes.
func Expected(p *beff.Plan) (time.Duration, int) {
	expected, passes := p.Expected(assumedRate)
	return max(expected.Round(time.Second), time.Second), passes
}

// PlanRemarks returns remarks about a rating before it starts: why it will not be valid, or which class it will be in.
func PlanRemarks(p *beff.Plan, run rating.Run) (list []string) {
	if p.Quick {
		return nil
	}
	for _, c := range beff.NewResult(p, &beff.Measured{}, run).Criteria {
		switch {
		case c.Reached || !slices.Contains([]string{"methods", "processors", "times", "lmax"}, c.Name):
		case c.Class != "":
			list = append(list, "this rating will be in the class "+c.Class+", and is ranked only there: "+c.Text)
		default:
			list = append(list, "this rating will not be valid: "+c.Why()+": "+c.Remedy)
		}
	}
	return list
}

// Plan writes the measurements of a run that has not begun.
func Plan(w io.Writer, p *beff.Plan, lib mpi.Library) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "b_eff by rules %s%s on %d processes of %s, seed %d\n\n", p.Rules,
		words.Either(p.Quick, ", quick,", ""), p.Processes, lib.Library, p.Seed)
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "pattern (name for --patterns)\tkind\tprocesses\tmessages\t\n")
	for _, pattern := range p.Patterns {
		inWords := nameOf(beff.Pattern{Name: pattern.Name, Processes: pattern.Processes})
		fmt.Fprintf(t, "%s (%s)\t%s\t%d\t%d\t\n", inWords, pattern.Name, pattern.Kind, pattern.Processes,
			pattern.Messages)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprint(b, "\nmessage lengths in bytes:")
	for _, l := range p.Lengths {
		fmt.Fprintf(b, " %d", l)
	}
	fmt.Fprint(b, "\nmethods:")
	for _, m := range p.Methods {
		fmt.Fprintf(b, " %v", m)
	}
	for i, m := range p.SeparateMethods() {
		fmt.Fprintf(b, "%s %v", words.Either(i == 0, "; measured separately:", ""), m)
	}
	fmt.Fprintf(b, "\nmemory per process: %s, two buffers of %s each\n", rating.Bytes(p.Memory),
		rating.Bytes(p.BufferSize()))
	fmt.Fprintf(b, "measurements: %d%s; repetitions: %d", p.Measurements(),
		words.Either(p.AtMost > 0, " in the first pass", ""), p.Repetitions)
	expected, passes := Expected(p)
	switch {
	case p.Within > 0:
		fmt.Fprintf(b, "; passes: at least %d, until b_eff is known within %.3g %% or %v are over",
			rating.MinPasses, 100*p.Within, p.AtMost)
	case p.AtMost > 0:
		fmt.Fprintf(b, "; passes: at least one, and as many as end within %v", p.AtMost)
	case p.Passes > 1:
		fmt.Fprintf(b, "; passes: %d", p.Passes)
	}
	fmt.Fprintf(b, "\nexpected time: about %v%s if each process has a separate core and moves %.0f GB/s\n", expected,
		words.Either(p.AtMost > 0, " ("+words.Count(passes, "pass")+")", ""), assumedRate/1e9)
	return b.Flush()
}
