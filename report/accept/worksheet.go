package accept

import (
	"encoding/json"
	"io"
	"math"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Worksheet writes a CSV line for each requirement and system, with everything that the verdict depends on.
func Worksheet(w io.Writer, list []*Acceptance) error {
	out := words.NewCSV(w)
	out.Texts("system", "requirement", "title", "figure", "bytes", "processes", "nodes", "threshold", "unit", "least",
		"most", "value", "low", "high", "margin", "verdict", "error", "runs", "values", "more", "reason",
		"beff_version")
	for _, a := range list {
		for _, j := range a.Judged {
			a.worksheet(out, j)
		}
	}
	return out.Flush()
}

// worksheet writes the line of a requirement.
func (a *Acceptance) worksheet(out *words.CSV, j *Judged) {
	in := func(x float64) any {
		if math.IsInf(x, 0) {
			return nil
		}
		return rounded(j.Unit.In(x))
	}
	low, high := any(nil), any(nil)
	if j.Threshold.Given() {
		low, high = in(j.Threshold.Low), in(j.Threshold.High)
	}
	out.Line(a.System, j.ID, j.Title, j.Name, known(j.Bytes), positive(j.Processes), positive(j.Nodes),
		j.Threshold.Text, j.Unit.Shown, low, high, in(j.Value), in(j.Low), in(j.High), rounded(j.Margin),
		string(j.Verdict), rounded(j.PValue), j.Used, j.Units, words.Either[any](j.MoreUnits >= 0, j.MoreUnits, nil),
		j.Reason, rating.Release)
}

// rounded rounds a number to nine digits, since the conversion from logarithms makes further ones meaningless.
func rounded(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	const digits = 9
	scale := math.Pow10(digits - 1 - int(math.Floor(math.Log10(math.Abs(x)))))
	if r := math.Round(x*scale) / scale; !math.IsNaN(r) && !math.IsInf(r, 0) {
		return r
	}
	return x
}

func known(n int64) any {
	if n < 0 {
		return nil
	}
	return n
}

func positive(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// name returns the name of the test in its program, or of the figure.
func (r *Requirement) name() string {
	if r.of == nil {
		return r.Name
	}
	return r.test
}

// JSON writes the sheet with its verdicts on each system and all runs for programs. Values are in base units.
func JSON(w io.Writer, all []*Acceptance) error {
	type run struct {
		File    string  `json:"file"`
		Digest  string  `json:"digest,omitempty"`
		Date    string  `json:"date,omitempty"`
		Value   float64 `json:"value"`
		Counts  bool    `json:"counts"`
		Refused string  `json:"refused,omitempty"`
	}
	type requirement struct {
		ID        string   `json:"id"`
		Figure    string   `json:"figure"`
		Unit      string   `json:"unit,omitempty"`
		Bytes     any      `json:"bytes,omitempty"`
		Processes int      `json:"processes,omitempty"`
		Nodes     int      `json:"nodes,omitempty"`
		Threshold string   `json:"threshold,omitempty"`
		Verdict   Verdict  `json:"verdict"`
		Reason    string   `json:"reason,omitempty"`
		Value     *float64 `json:"value,omitempty"`
		Low       *float64 `json:"low,omitempty"`
		High      *float64 `json:"high,omitempty"`
		Margin    *float64 `json:"margin,omitempty"`
		Wrong     *float64 `json:"error,omitempty"`
		Used      int      `json:"runs_used"`
		Units     int      `json:"values"`
		More      int      `json:"more"`
		Attest    []string `json:"attest,omitempty"`
		Runs      []run    `json:"runs"`
	}
	finite := func(x float64) *float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		return &x
	}
	type system struct {
		Verdict      Verdict       `json:"verdict"`
		System       string        `json:"system,omitempty"`
		Library      string        `json:"library,omitempty"`
		Results      int           `json:"results_read"`
		Requirements []requirement `json:"requirements"`
	}
	var systems []system
	for _, a := range all {
		list := []requirement{}
		for _, j := range a.Judged {
			r := requirement{ID: j.ID, Figure: j.Name, Unit: j.Unit.Base, Bytes: known(j.Bytes), Processes: j.Processes,
				Nodes: j.Nodes, Threshold: j.Threshold.Text, Verdict: j.Verdict, Reason: j.Reason,
				Value: finite(j.Value), Low: finite(j.Low), High: finite(j.High), Margin: finite(j.Margin),
				Wrong: finite(j.PValue), Used: j.Used, Units: j.Units, More: j.MoreUnits, Attest: j.Attest,
				Runs: []run{}}
			for _, x := range j.Runs {
				one := run{File: x.File, Digest: x.Digest, Value: x.Value, Counts: x.Refused == "", Refused: x.Refused}
				if !x.Date.IsZero() {
					one.Date = words.Timestamp(words.InUTC(x.Date))
				}
				r.Runs = append(r.Runs, one)
			}
			list = append(list, r)
		}
		systems = append(systems, system{a.Verdict, a.System, a.Library, len(a.read), list})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	sheet := all[0].Sheet
	return e.Encode(struct {
		Beff       string   `json:"beff_version"`
		Title      string   `json:"title"`
		Version    string   `json:"version,omitempty"`
		Source     string   `json:"source,omitempty"`
		Digest     string   `json:"sheet_sha256"`
		Confidence float64  `json:"confidence"`
		Unit       string   `json:"unit"`
		Verdict    Verdict  `json:"verdict"`
		Systems    []system `json:"systems"`
	}{rating.Release, sheet.Title, sheet.Version, sheet.Source, sheet.digest, sheet.Confidence, sheet.Unit,
		Overall(all), systems})
}
