package ofbeff

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// Of passes that are 2 % apart, text, report, lines for scripts and ranking have the rating of each, their mean and the
// interval between them.
func TestPasses(t *testing.T) {
	m := fixture.Cluster("a")
	m.Config.Passes, m.Slower = 3, 0.02
	r := m.Result()
	require.InEpsilon(t, 1.04, r.Derived.Passes[0].BEff/r.Derived.Passes[2].BEff, 1e-9)
	part := r.Derived.BEffInterval.Part(r.Derived.BEff)
	require.InDelta(t, 0.05, part, 0.002, "4.303 times 1.96 %, over the root of 3")

	var b strings.Builder
	require.NoError(t, Summary(&b, r))
	require.Contains(t, b.String(), "± 5 % (between the passes of this run)")
	require.Contains(t, b.String(), "seed 42 and on, 3 passes")
	require.Regexp(t, `(?m)^pass 3, seed 44 +\d+\.\d{3} MB/s ± `, b.String())
	require.Contains(t, b.String(), aboutPasses(r))
	require.Contains(t, b.String(), "noise: half of the interval of b_eff between the passes: 5.0 %")

	b.Reset()
	require.NoError(t, KeyValue(&b, r, true))
	require.Contains(t, b.String(), "\npasses=3\npass_1_MBps=")

	d := Report{r}.Document()
	require.NoError(t, d.Validate())
	require.Contains(t, d.Headline.Note, "between the passes of this run")

	e := Report{r}.Entry()
	require.Len(t, e.Passes, 3)
	e.System.Name = "a"
	row := ranking.Rank([]ranking.Entry{e}, true)[0].Rows[0]
	require.Equal(t, 3, row.Runs)
	require.InEpsilon(t, r.Derived.BEff, row.Rating, 1e-12)
	require.InEpsilon(t, r.Derived.BEffInterval.High, row.Between.High, 1e-12)
	require.Equal(t, "a", row.System.Name)

	m.Config.Passes = 2
	b.Reset()
	require.NoError(t, Summary(&b, m.Result()))
	require.Contains(t, b.String(), "it needs three passes or more")
}
