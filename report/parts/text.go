package parts

import (
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Sections writes what each function writes of a result, with an empty line behind; but nothing behind nothing.
func Sections[R any](w io.Writer, r R, list ...func(io.Writer, R)) {
	for _, section := range list {
		var text strings.Builder
		section(&text, r)
		if text.Len() > 0 {
			fmt.Fprintln(w, text.String())
		}
	}
}

// OfSystem returns the remark that names a system behind its host; nothing if it has no name.
func OfSystem(s *rating.System) string {
	if s == nil || s.Name == "" {
		return ""
	}
	return ", system " + words.OneLine(s.Name)
}

// Placement returns the ranks of the first hosts, and how many more hosts there are.
func Placement(list []job.Placement) string {
	const most = 4
	var parts []string
	for i, p := range list {
		if i == most && len(list) > most+1 {
			parts = append(parts, fmt.Sprintf("and %d more hosts", len(list)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("%s: ranks %s", p.Host, shortened(p.Ranks)))
	}
	return strings.Join(parts, "; ")
}

// shortened returns a list of ranks, cut off if it is long.
func shortened(ranks string) string {
	const most = 60
	if len(ranks) <= most {
		return ranks
	}
	return ranks[:strings.LastIndex(ranks[:most], ",")+1] + "…"
}

// Warnings writes each warning with its remedy.
func Warnings(w io.Writer, list []rating.Warning) {
	for _, x := range list {
		fmt.Fprintf(w, "warning: %s\n         remedy: %s\n", x.Text, x.Remedy)
	}
}

// Standing returns the verdict in a line. part is the distance to an end of the rating's interval over the rating, NaN
// if it is not known.
func Standing(v rating.Verdict, part float64) string {
	switch v.State() {
	case rating.IsValid:
		return "valid for comparison" + inClass(v.Criteria)
	case rating.IsNoisy:
		return strings.TrimSuffix("valid"+inClass(v.Criteria)+", but noisy: "+words.Within(part), ": ")
	}
	return "NOT VALID for comparison"
}

// Verdict writes whether the result may be compared, and by which criteria and signs. part is that of Standing.
func Verdict(w io.Writer, v rating.Verdict, part float64) {
	fmt.Fprintln(w, Standing(v, part))
	for i, c := range v.Criteria {
		met := "met"
		switch {
		case !c.Reached && c.Class != "":
			met = "NOT met: of the class " + c.Class
		case !c.Reached:
			met = "NOT met"
		}
		fmt.Fprintf(w, "  criterion %d: %s -- %s\n", i+1, c.Text, met)
	}
	for _, s := range v.Signs {
		fmt.Fprintf(w, "  noise: %s -- %s\n", s.Text, words.Either(s.Quiet, "quiet", "NOISY"))
	}
}

// inClass returns the words behind a valid verdict where it holds for a class alone.
func inClass(criteria []rating.Criterion) string {
	if class := rating.Class(criteria); class != "" {
		return " in the class " + class
	}
	return ""
}
