package ofbeff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// If passes are 2 % apart, the text, the report and the lines for scripts have the rating of each pass, and the mean
// with its interval. The run has one entry in a ranking.
func TestPasses(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Passes, m.SlowerPerPass = 3, 0.02
	r := m.Result()
	require.InEpsilon(t, 1.04, r.Derived.Passes[0].BEff/r.Derived.Passes[2].BEff, 1e-9)
	part := r.Derived.BEffInterval.RelativeHalfWidth(r.Derived.BEff)
	require.InDelta(t, 0.05, part, 0.002, "4.303 times 1.96 %, over the root of 3")

	var b strings.Builder
	d := Report{r}.Document()
	require.NoError(t, d.Validate())
	require.Contains(t, d.Headline.Note, "± 5 % (95 %, within this run)")
	require.NoError(t, document.PlainText(&b, d))
	text := strings.Join(strings.Fields(b.String()), " ")
	require.Regexp(t, ` 3 \| \d+\.\d+ \| `, text)
	require.Contains(t, text, aboutPasses(r))
	require.Contains(t, text, "this run determines b_eff only to")

	b.Reset()
	require.NoError(t, Report{r}.KeyValue(&b, true))
	require.Contains(t, b.String(), "\npasses=3\npass_1_MBps=")

	e := Report{r}.Entry()
	e.System.Name = "a"
	row := ranking.Rank([]ranking.Entry{e}, true)[0].Rows[0]
	require.Equal(t, 1, row.Runs)
	require.InEpsilon(t, r.Derived.BEff, row.Rating(), 1e-12)
	require.Equal(t, r.Derived.BEffInterval, row.Within())
	require.Nil(t, row.Between)
	require.Equal(t, "a", row.System.Name)

	m.Config.Passes = 2
	require.Contains(t, headline(m.Result()).Note, "± 2.6 % (95 %, within this run)")
}

// A rating of fewer than three passes has a note about states of the machine that it can't reveal, and the reason. A
// rating that doesn't count has no such note.
func TestUnseenStates(t *testing.T) {
	of := func(change func(r *beff.Result)) string {
		r := fixture.Cluster("a").Result()
		r.WallSeconds = 33
		change(r)
		return unseenStates(r)
	}
	const text = "1 pass of 33 s in all can't reveal states of the machine that last longer than 11 s: "
	require.Equal(t, text+"measure three passes (--passes 3)", of(func(*beff.Result) {}))
	require.Equal(t, text+"no further pass fitted into the time (--at-most) or the wall limit",
		of(func(r *beff.Result) { r.AtMost = 90 }))
	require.Equal(t, text+"the run ended early", of(func(r *beff.Result) { r.Complete = false }))
	require.Contains(t, of(func(r *beff.Result) { r.Derived.Passes = make([]beff.Pass, 2) }), "2 passes of 33 s")
	for name, change := range map[string]func(r *beff.Result){
		"three": func(r *beff.Result) { r.Derived.Passes = make([]beff.Pass, 3) },
		"quick": func(r *beff.Result) { r.Quick = true },
		"rules": func(r *beff.Result) { r.Rules = beff.Rules36 },
		"ended": func(r *beff.Result) { r.Complete, r.Valid = false, false },
		"simulated": func(r *beff.Result) {
			r.Engine = mpi.Library{Engine: "sim", Stated: mpi.EngineKind{Simulated: true}}
		},
	} {
		require.Empty(t, of(change), name)
	}
}
