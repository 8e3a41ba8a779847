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
	show, end := New(&b)
	for second := range 14 {
		at := time.Duration(second) * time.Second
		show(float64(second)/20, at, 20*time.Second-at, "ring")
	}
	end()
	require.Equal(t, "beff:  25 %  ring, elapsed 5s, left about 15s\nbeff:  50 %  ring, elapsed 10s, left about 10s\n",
		b.String())
}

func TestShortRun(t *testing.T) {
	var b bytes.Buffer
	show, end := New(&b)
	show(0, 0, 0, "start")
	show(0.99, every-1, 1, "ring")
	end()
	require.Empty(t, b.String())
}

// A file gets lines, not a bar.
func TestFile(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	require.NoError(t, err)
	defer f.Close()
	show, end := New(f)
	show(0.5, time.Minute, time.Minute, "ring")
	end()
	data, err := os.ReadFile(f.Name())
	require.NoError(t, err)
	require.Equal(t, "beff:  50 %  ring, elapsed 1m0s, left about 1m0s\n", string(data))
}

// A display that can't be written does not end the run.
func TestClosed(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/stderr")
	require.NoError(t, err)
	require.NoError(t, f.Close())
	show, end := New(f)
	show(0.5, time.Minute, time.Minute, "ring")
	end()
}

// The bar stays on one line and disappears at the end.
func TestBar(t *testing.T) {
	var b bytes.Buffer
	show, end := bar(&b)
	show(0.5, time.Minute, time.Minute, "ring")
	require.Contains(t, b.String(), "ring, 1m0s left")
	drawn := b.Len()
	show(0.6, time.Minute, time.Minute, "ring")
	require.Equal(t, drawn, b.Len(), "drawn a few times a second at most")
	time.Sleep(250 * time.Millisecond)
	show(0.6, time.Minute, time.Minute, "ring")
	require.Contains(t, b.String(), "60%")
	for _, part := range []float64{1, 0.4, -1, 2} {
		show(part, time.Minute, 0, "end")
	}
	end()
	require.NotContains(t, b.String(), "\n")
	last := b.String()[strings.LastIndex(b.String(), "\r"):]
	require.Empty(t, strings.TrimSpace(last))
}
