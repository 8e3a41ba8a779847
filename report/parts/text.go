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
		fmt.Fprintf(w, "warning: %s\n         remedy: %s\n", words.OneLine(x.Text), words.OneLine(x.Remedy))
	}
}

// Doubt returns what a reader of the last line alone must know of a result that isn't plainly valid; empty if it is.
// part is that of Standing.
func Doubt(v rating.Verdict, part float64) string {
	switch v.State() {
	case rating.IsNoisy:
		return ", " + strings.TrimPrefix(words.Within(part)+", noisy", ", ")
	case rating.IsModel:
		return ", computed by a model"
	case rating.IsNotValid:
		return ", NOT VALID (see above)"
	}
	return ""
}

// Standing returns the verdict in a line. part is the distance to an end of the rating's interval over the rating, NaN
// if it is not known.
func Standing(v rating.Verdict, part float64) string {
	switch v.State() {
	case rating.IsModel:
		return "computed by a model: nothing was measured"
	case rating.IsValid:
		return "valid for comparison" + inClass(v.Criteria)
	case rating.IsNoisy:
		text := "valid" + inClass(v.Criteria) + ", but noisy"
		if part > rating.TooNoisy {
			text = "too noisy to compare"
		}
		return strings.TrimSuffix(text+": "+words.Within(part), ": ")
	}
	return "NOT VALID for comparison"
}

// Verdict writes whether the result may be compared, and by which criteria and signs. part is that of Standing.
func Verdict(w io.Writer, v rating.Verdict, part float64) {
	fmt.Fprintln(w, Standing(v, part))
	for i, c := range v.Criteria {
		fmt.Fprintf(w, "  criterion %d: %s -- %s\n", i+1, words.OneLine(c.Text), words.OneLine(c.Met()))
	}
	for _, s := range signsOf(v) {
		fmt.Fprintf(w, "  noise: %s -- %s\n", words.OneLine(s.Text), words.Either(s.Quiet, "quiet", "NOISY"))
	}
}

// signsOf returns the signs of noise that are shown: those of a model are the model's own.
func signsOf(v rating.Verdict) []rating.Sign {
	if v.State() == rating.IsModel {
		return nil
	}
	return v.Signs
}

// inClass returns the words behind a valid verdict where it holds for a class alone.
func inClass(criteria []rating.Criterion) string {
	if class := rating.ClassOf(criteria); class != "" {
		return " in the class " + class
	}
	return ""
}
