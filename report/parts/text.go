package parts

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// OfSystem returns the remark that names a system behind its host; nothing if it has no name.
func OfSystem(s *rating.System) string {
	if s == nil || s.Name == "" {
		return ""
	}
	return ", system " + words.OneLine(s.Name)
}

// Placement returns the ranks of the first hosts, and how many more hosts there are.
func Placement(list []job.Placement) string {
	var parts []string
	for _, p := range list {
		parts = append(parts, fmt.Sprintf("%s: ranks %s", p.Host, shortened(p.Ranks)))
	}
	return words.First(4, parts, "; ", "hosts")
}

// shortened returns a list of ranks, cut off if it is long.
func shortened(ranks string) string {
	const most = 60
	if len(ranks) <= most {
		return ranks
	}
	return ranks[:strings.LastIndex(ranks[:most], ",")+1] + "…"
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
