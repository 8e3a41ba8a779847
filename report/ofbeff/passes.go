package ofbeff

import (
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// ofPasses returns the number of passes behind a seed, empty of one.
func ofPasses(r *beff.Result) string {
	if r.Passes < 2 {
		return ""
	}
	return fmt.Sprintf(" and on, %d passes", r.Passes)
}

// aboutPasses returns the sentences about the ratings of passes.
func aboutPasses(r *beff.Result) string {
	text := "Each pass is a rating of its own. b_eff and all figures are the geometric means of the passes' figures."
	if n := len(r.Derived.Passes); n < r.Passes {
		text += fmt.Sprintf(" %d of %d passes were measured whole, and no others count.", n, r.Passes)
	}
	return text
}

// writePasses writes the rating of each pass, nothing of a run of one.
func writePasses(w io.Writer, r *beff.Result) {
	for i, p := range r.Derived.Passes {
		fmt.Fprintln(w, strings.TrimSpace(fmt.Sprintf("%-44s %12.3f MB/s %s", fmt.Sprintf("pass %d, seed %d", i+1,
			p.Seed), p.BEff/words.Mega, words.Within(p.BEffInterval.Part(p.BEff)))))
	}
	if len(r.Derived.Passes) > 0 {
		fmt.Fprintln(w, aboutPasses(r))
	}
}

// passesTable returns the table of the ratings of passes.
func passesTable(r *beff.Result) *document.Table {
	t := &document.Table{ID: "averages-passes", Caption: aboutPasses(r) + " The interval is the one within each pass.",
		Columns: parts.Columns("pass", [2]string{"seed"}, [2]string{"b_eff", "MB/s"}, [2]string{"interval", "± %"})}
	for i, p := range r.Derived.Passes {
		t.Rows = append(t.Rows, []document.Cell{document.Text(fmt.Sprint(i + 1)),
			document.Number(float64(p.Seed), fmt.Sprint(p.Seed)), parts.Bandwidth(p.BEff),
			parts.Number(100*p.BEffInterval.Part(p.BEff), 1)})
	}
	return t
}
