package ofior

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Plan writes the tests of a run over a library in a file system, before anything runs.
func Plan(w io.Writer, p *ior.Plan, fs ior.FileSystem, lib mpi.Library) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "tests of files by IOR's method on %s of %s\n\n", words.Processes(p.Processes),
		words.OneLine(lib.Library))
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "test\taccesses\trepetitions\tbytes at most\thow\t\n")
	for s := range lists.Elements(p.Tests) {
		var accesses []string
		for _, a := range ior.Accesses() {
			if s.Measures(a) {
				accesses = append(accesses, string(a))
			}
		}
		most := rating.Bytes(s.Bytes(p.Processes))
		if s.Stonewall > 0 { // the numbers of an IO500-like set are no limits
			most = "until the stonewall"
		} else if s.Of != "" {
			most = "those of " + s.Of
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%s\t\n", title(s), strings.Join(accesses, ", "), s.Repetitions, most,
			settings(s))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(b, "\nfile system: %s", words.OneLine(fs.Directory))
	if fs.Type != "" {
		fmt.Fprintf(b, ", %s", words.OneLine(fs.Type))
	}
	fmt.Fprintf(b, "; %s free", rating.Bytes(fs.Free))
	switch need := p.Bytes(); {
	case p.Room > 0:
		fmt.Fprintf(b, "; what is written until the stonewalls takes %s at most\n", rating.Bytes(p.Room))
	case need == 0:
		fmt.Fprint(b, "\n")
	case need <= fs.Free:
		fmt.Fprintf(b, ": %s fit\n", rating.Bytes(need))
	default:
		fmt.Fprintf(b, ": %s do NOT fit\n", rating.Bytes(need))
	}
	return b.Flush()
}
