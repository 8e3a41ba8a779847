package progress

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The lines of a short run are 5 seconds apart, each complete.
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
	d = withBar(&b, 80)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	time.Sleep(redrawn)
	b.Reset()
	d.Still(31 * time.Second)
	require.Contains(t, b.String(), "stands still for 31s, ring")
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

// Lines become rarer: a run of 45 minutes has some sixty, one of a day some four hundred.
func TestGrowingIntervals(t *testing.T) {
	for total, most := range map[time.Duration]int{45 * time.Minute: 60, 24 * time.Hour: 360} {
		var b bytes.Buffer
		d := New(&b)
		for at := time.Duration(0); at < total; at += time.Second {
			d.Show(float64(at)/float64(total), at, total-at, "ring")
		}
		lines := strings.Count(b.String(), "\n")
		require.LessOrEqual(t, lines, most, total)
		require.Greater(t, lines, most/2, total)
	}
}

func withBar(w io.Writer, width int) *Display {
	return &Display{w: w, width: func() int { return width }}
}

// The bar stays on one line, which it never fills, and disappears at the end. Percent and bar are first.
func TestBar(t *testing.T) {
	for _, width := range []int{40, 60, 80, 220} {
		var b bytes.Buffer
		d := withBar(&b, width)
		d.Show(0.5, time.Minute, time.Minute, "ring")
		require.Regexp(t, `^\r 50% \[=+ +\] 1m0s left, ring`, b.String())
		drawn := b.Len()
		d.Show(0.6, time.Minute, time.Minute, "ring")
		require.Equal(t, drawn, b.Len(), "drawn a few times a second at most")
		for _, part := range []float64{0.6, 1, 0.4, -1, 2} {
			d.drawn = time.Time{}
			d.Show(part, time.Minute, 0, strings.Repeat("long ", 50))
		}
		require.Contains(t, b.String(), " 60% [")
		d.End()
		require.NotContains(t, b.String(), "\n")
		drawings := strings.Split(b.String(), "\r")
		require.Equal(t, erase, drawings[len(drawings)-1])
		for _, text := range drawings {
			require.Less(t, len(strings.TrimSuffix(text, erase)), width)
		}
	}
}
