package parts_test

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/parts"
)

var started = time.Date(2026, 11, 25, 8, 30, 0, 0, time.UTC)

func skampi(t *testing.T, blocks ...parts.SKaMPIBlock) string {
	var b bytes.Buffer
	require.NoError(t, parts.SKaMPI(&b, "beff 1", started, 12, blocks))
	return b.String()
}

func TestSKaMPI(t *testing.T) {
	require.Equal(t, `# SKaMPI Version 5.0 format, written by beff 1

# Started at Wed Nov 25 08:30:00 2026


# begin result "PingPong"
count= 1024     1024     2.000     0.577        3
# end result "PingPong"

# begin result "Bcast"
nodes= 4 count= 8        8     1.500     0.000        1
# end result "Bcast"

# begin result "Barrier"
nodes= 4        0     3.250     0.000      100
# end result "Barrier"


# Finished at Wed Nov 25 08:30:12 2026
# Total runtime 12 seconds

`, skampi(t, parts.SKaMPIBlock{Name: "PingPong", Pair: true, Rows: []parts.SKaMPIRow{parts.SKaMPIRowOf(2, 1024,
		[]float64{1e-6, 2e-6, 3e-6})}},
		parts.SKaMPIBlock{Name: "Bcast", Rows: []parts.SKaMPIRow{parts.SKaMPIRowOf(4, 8, []float64{1.5e-6})}},
		parts.SKaMPIBlock{Name: "Barrier", Bare: true, Rows: []parts.SKaMPIRow{{Processes: 4, Seconds: 3.25e-6,
			Repetitions: 100}}}))
}

// Programs for SKaMPI's files look for the beginning of a result and take the columns after the parameters.
func TestSKaMPIAwk(t *testing.T) {
	awk, err := exec.LookPath("awk")
	require.NoError(t, err)
	c := exec.Command(awk, `/begin result/ {split($0, part, "\""); name = part[2]} /^nodes=/ {print name, $2, $5, $6}`)
	c.Stdin = strings.NewReader(skampi(t, parts.SKaMPIBlock{Name: "MPI Bcast", Rows: []parts.SKaMPIRow{
		parts.SKaMPIRowOf(4, 8, []float64{1.5e-6}), parts.SKaMPIRowOf(4, 16, []float64{2.5e-6})}}))
	out, err := c.Output()
	require.NoError(t, err)
	require.Equal(t, "MPI Bcast 4 8 1.500\nMPI Bcast 4 16 2.500\n", string(out))
}

// A name with a line break doesn't begin a new line.
func TestSKaMPIOneLine(t *testing.T) {
	require.NotContains(t, skampi(t, parts.SKaMPIBlock{Name: "a\nnodes= 1"}), "\nnodes=")
}
