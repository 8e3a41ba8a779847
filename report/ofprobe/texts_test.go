package ofprobe_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// text writes one of a result's own formats; there is false if it has none of this name.
func text(t *testing.T, r *probe.Result, name string) (s string, there bool) {
	for _, x := range (ofprobe.Report{Result: r}).Texts() {
		if x.Name == name {
			var b strings.Builder
			require.NoError(t, x.Write(&b))
			return b.String(), true
		}
	}
	return "", false
}

// A run's factors are a file that --factors reads; a run without any has none.
func TestFactors(t *testing.T) {
	r := fixture.Probed()["pingpong"]
	_, there := text(t, r, "factors")
	require.False(t, there)
	r.Factors = []float64{0.25, 1, 1.75}
	s, _ := text(t, r, "factors")
	require.Equal(t, "# beff 0.1.0\n0.25\n1\n1.75\n", s)
}

// Each table is a result of SKaMPI, with the parameters that its kernels have there.
func TestSKaMPI(t *testing.T) {
	list := fixture.Probed()
	for name, want := range map[string]string{
		"pingpong":   "# begin result \"PingPong\"\ncount= 0        0 ",
		"allreduce":  "# begin result \"Allreduce\"\nnodes= 3 count= 0        0 ",
		"barrier":    "# begin result \"Barrier\"\nnodes= 4        0 ",
		"unidir_put": "# begin result \"Unidir_Put-non-aggregate\"\n",
	} {
		s, _ := text(t, list[name], "skampi")
		require.Contains(t, s, want, name)
		require.Equal(t, strings.Count(s, "# begin"), strings.Count(s, "# end"))
	}
}
