package progress

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A longer run writes a line every 5 seconds, each complete.
func TestLines(t *testing.T) {
	var b bytes.Buffer
	d := New(&b)
	for second := range 14 {
		at := time.Duration(second) * time.Second
		d.Show(float64(second)/20, at, 20*time.Second-at, "ring")
	}
	d.End()
	require.Equal(t, "beff:  25 %  ring, elapsed 5s, left about 15s\nbeff:  50 %  ring, elapsed 10s, left about 10s\n",
		b.String())
}

// While nothing moves no line says how much is left. The time is told when it has doubled.
func TestStill(t *testing.T) {
	var b bytes.Buffer
	d := New(&b)
	d.Show(0.5, 6*time.Second, 6*time.Second, "ring")
	for second := range 40 {
		d.Still(time.Duration(second) * time.Second)
	}
	d.Show(0.5, 46*time.Second, 6*time.Second, "ring")
	d.Still(6 * time.Second)
	require.Equal(t, "beff:  50 %  ring, elapsed 6s, left about 6s\n"+
		"beff:  50 %  ring, stands still for 5s\nbeff:  50 %  ring, stands still for 10s\n"+
		"beff:  50 %  ring, stands still for 20s\n"+
		"beff:  50 %  ring, elapsed 46s, left about 6s\nbeff:  50 %  ring, stands still for 6s\n", b.String())

	b.Reset()
	d = withBar(&b)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	time.Sleep(250 * time.Millisecond) // it is drawn a few times a second at most
	b.Reset()
	d.Still(31 * time.Second)
	require.Contains(t, b.String(), "ring, stands still for 31s")
	require.NotContains(t, b.String(), "left")
}

func TestShortRun(t *testing.T) {
	var b bytes.Buffer
	d := New(&b)
	d.Show(0, 0, 0, "start")
	d.Show(0.99, every-1, 1, "ring")
	d.End()
	require.Empty(t, b.String())
}

// A file gets lines, not a bar.
func TestFile(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	require.NoError(t, err)
	defer f.Close()
	d := New(f)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	d.End()
	data, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Equal(t, "beff:  50 %  ring, elapsed 1m0s, left about 1m0s\n", string(data))
}

// A display that can't be written does not end the run.
func TestClosed(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	d := New(f)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	d.End()
}

// The bar stays on one line and disappears at the end.
func TestBar(t *testing.T) {
	var b bytes.Buffer
	d := withBar(&b)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	require.Contains(t, b.String(), "ring, 1m0s left")
	drawn := b.Len()
	d.Show(0.6, time.Minute, time.Minute, "ring")
	require.Equal(t, drawn, b.Len(), "drawn a few times a second at most")
	time.Sleep(250 * time.Millisecond)
	d.Show(0.6, time.Minute, time.Minute, "ring")
	require.Contains(t, b.String(), "60%")
	for _, part := range []float64{1, 0.4, -1, 2} {
		d.Show(part, time.Minute, 0, "end")
	}
	d.End()
	require.NotContains(t, b.String(), "\n")
	last := b.String()[strings.LastIndex(b.String(), "\r"):]
	require.Empty(t, strings.TrimSpace(last))
}
