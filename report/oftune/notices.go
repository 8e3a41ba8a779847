package oftune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// OfDefault returns a sentence for each variable of the default that chooses algorithms itself.
func OfDefault(r *tune.Result) (list []string) {
	for _, v := range r.Variables {
		name, value, _ := strings.Cut(words.OneLine(v), "=")
		switch {
		case value == "":
		case strings.HasSuffix(name, "_dynamic_rules_filename"), strings.HasSuffix(name, "_TUNING_JSON_FILE"):
			list = append(list, fmt.Sprintf("The default has rules of its own, %s: the new file stands in their "+
				"place, and where it has no rule the library decides.", value))
		case strings.HasPrefix(name, "OMPI_MCA_coll_tuned_") && strings.Contains(name, "_algorithm"):
			list = append(list, fmt.Sprintf("The default has %s=%s, which holds where the new file has no "+
				"rule.", name, value))
		case strings.HasPrefix(name, "MPIR_CVAR_") && strings.HasSuffix(name, "_INTRA_ALGORITHM"):
			list = append(list, fmt.Sprintf("The default has %s=%s: with a new file for that call the library decides "+
				"where the file has no rule.", name, value))
		}
	}
	return list
}

// Against says how evidence contradicts a rule.
func Against(e *tune.Evidence) string {
	why := "a file in which the rule is wrong ends no job, or the file itself ends one"
	if e.Calls > 0 {
		why = fmt.Sprintf("%d calls send %s with the file, and %d by other ways where it is forced", e.Calls,
			words.Count(int(e.Ruled), "message"), e.Forced)
	}
	return fmt.Sprintf("%s, %d bytes: the library doesn't take %s from the file, so there is no rule: %s",
		what(e.Collective, e.Processes), e.Bytes, e.Algorithm, why)
}

// refuted reports whether a rule of a collective on as many processes isn't taken.
func refuted(r *tune.Result, collective string, processes int) bool {
	return slices.ContainsFunc(r.Evidence, func(e tune.Evidence) bool {
		return e.Collective == collective && e.Processes == processes && e.Contradicts()
	})
}

// countedCalls says of what messages are counted.
func countedCalls(r *tune.Result) string {
	for i := range r.Evidence {
		if n := r.Evidence[i].Calls; n > 0 {
			return fmt.Sprintf("Of %d calls: the difference of two jobs, one of which makes as many more.", n)
		}
	}
	return "Of 20 calls and what the program around them sends."
}

// notices say what the default has of its own, what disturbed the jobs, and what was left out.
func notices(r *tune.Result) (list []document.Notice) {
	for _, text := range OfDefault(r) {
		list = append(list, document.Notice{Level: document.Note, Text: text})
	}
	for _, w := range r.Disturbed {
		list = append(list, document.Notice{Level: document.Warning, Text: words.OneLine(w.Text),
			Remedy: words.OneLine(w.Remedy)})
	}
	for i := range r.Evidence {
		if e := &r.Evidence[i]; e.Contradicts() {
			list = append(list, document.Notice{Level: document.Warning, Text: Against(e)})
		}
	}
	for _, s := range r.Skipped {
		list = append(list, document.Notice{Level: document.Note, Text: fmt.Sprintf("%s: %s is left out: %s",
			what(s.Collective, s.Processes), s.Algorithm, words.OneLine(s.Reason))})
	}
	return list
}
