package terminal

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The lines of a short run are 5 seconds apart, each complete.
func TestProgressLines(t *testing.T) {
	var b bytes.Buffer
	d := NewProgress(&b)
	for second := range 14 {
		at := time.Duration(second) * time.Second
		d.Show(float64(second)/20, at, 20*time.Second-at, "ring")
	}
	d.End()
	require.Equal(t, "beff:  25 %  ring, elapsed 5s, left about 15s\nbeff:  50 %  ring, elapsed 10s, left about 10s\n",
		b.String())
}

// While there is no progress, no line has an estimate. A line with the time without progress appears whenever this time
// has doubled.
func TestStill(t *testing.T) {
	var b bytes.Buffer
	d := NewProgress(&b)
	d.Show(0.5, 6*time.Second, 6*time.Second, "ring")
	for second := range 40 {
		d.Still(time.Duration(second) * time.Second)
	}
	d.Show(0.5, 46*time.Second, 6*time.Second, "ring")
	d.Still(6 * time.Second)
	require.Equal(t, "beff:  50 %  ring, elapsed 6s, left about 6s\n"+
		"beff:  50 %  ring, no progress for 5s\nbeff:  50 %  ring, no progress for 10s\n"+
		"beff:  50 %  ring, no progress for 20s\n"+
		"beff:  50 %  ring, elapsed 46s, left about 6s\nbeff:  50 %  ring, no progress for 6s\n", b.String())

	b.Reset()
	d = withBar(&b, 80)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	time.Sleep(redrawn)
	b.Reset()
	d.Still(31 * time.Second)
	require.Contains(t, b.String(), "no progress for 31s, ring")
	require.NotContains(t, b.String(), "left")
}

func TestShortRun(t *testing.T) {
	var b bytes.Buffer
	d := NewProgress(&b)
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
	d := NewProgress(f)
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
	d := NewProgress(f)
	d.Show(0.5, time.Minute, time.Minute, "ring")
	d.End()
}

// Lines become rarer: a run of 45 minutes has some sixty, one of a day some four hundred.
func TestGrowingIntervals(t *testing.T) {
	for total, most := range map[time.Duration]int{45 * time.Minute: 60, 24 * time.Hour: 360} {
		var b bytes.Buffer
		d := NewProgress(&b)
		for at := time.Duration(0); at < total; at += time.Second {
			d.Show(float64(at)/float64(total), at, total-at, "ring")
		}
		lines := strings.Count(b.String(), "\n")
		require.LessOrEqual(t, lines, most, total)
		require.Greater(t, lines, most/2, total)
	}
}

func withBar(w io.Writer, width int) *Progress {
	return &Progress{w: w, width: func() int { return width }}
}

// The bar stays on one line, which it never fills, and disappears at the end. Percent and bar are first.
func TestBar(t *testing.T) {
	for _, width := range []int{40, 60, 80, 220} {
		var b bytes.Buffer
		d := withBar(&b, width)
		d.Show(0.5, time.Minute, time.Minute, "ring")
		require.Regexp(t, `^ 50% \[=+ +\] 1m0s left, ring`, shown(t, &b)[1])
		drawn := b.Len()
		d.Show(0.6, time.Minute, time.Minute, "ring")
		require.Equal(t, drawn, b.Len(), "drawn a few times a second at most")
		for _, part := range []float64{0.6, 1, 0.4, -1, 2} {
			redraw(d, part, strings.Repeat("long ", 50))
			screen := shown(t, &b)
			require.Len(t, screen, 2)
			require.Empty(t, screen[0])
			require.Less(t, len(screen[1]), width)
		}
		require.Contains(t, b.String(), " 60% [")
		d.End()
		require.Equal(t, []string{""}, shown(t, &b))
	}
}

func redraw(d *Progress, part float64, what string) {
	d.drawn = time.Time{}
	d.Show(part, time.Minute, time.Minute, what)
}

// Lines of other programs stay whole, wherever they end, and so does the bar below them.
func TestBarAmongOthers(t *testing.T) {
	const osc, warning = "[vm:00021] OSC UCX component priority set inside component query failed ", "WARNING: "
	var b bytes.Buffer
	d := withBar(&b, 100)
	b.WriteString("$ mpirun\n")
	redraw(d, 0.1, "ring")
	b.WriteString(osc + "\n")
	redraw(d, 0.2, "ring")
	b.WriteString(warning)
	redraw(d, 0.3, "ring")
	redraw(d, 0.4, "random")
	b.WriteString("slow\n")
	redraw(d, 0.5, "random")
	screen := shown(t, &b)
	require.Equal(t, []string{"$ mpirun", osc, warning + "slow", ""}, screen[:4])
	require.Regexp(t, `^ 50% \[=+ +\] 1m0s left, random$`, screen[4])
	require.Len(t, screen, 5)
	d.End()
	b.WriteString("beff: stopping\n")
	require.Equal(t, []string{"$ mpirun", osc, warning + "slow", "beff: stopping", ""}, shown(t, &b))
}

// A nil Progress shows nothing.
func TestNone(*testing.T) {
	var d *Progress
	d.Still(time.Minute)
	d.End()
}

// shown returns the lines on a terminal after a text. It knows only the sequences that Progress uses.
func shown(t *testing.T, text *bytes.Buffer) []string {
	lines, row, column, kept := [][]rune{nil}, 0, 0, [2]int{}
	down := func() {
		if row++; row == len(lines) {
			lines = append(lines, nil)
		}
	}
	for rest := text.String(); rest != ""; {
		sequence := regexp.MustCompile(`^(?s:\x1b\[J|\x1b[DM78]|\r|\n|.)`).FindString(rest)
		rest = rest[len(sequence):]
		switch sequence {
		case "\x1b[J":
			lines = lines[:row+1]
			lines[row] = lines[row][:min(column, len(lines[row]))]
		case "\x1bD":
			down()
		case "\x1bM":
			row--
		case "\x1b7":
			kept = [2]int{row, column}
		case "\x1b8":
			row, column = kept[0], kept[1]
		case "\r":
			column = 0
		case "\n":
			down()
			column = 0
		default:
			require.NotEqual(t, "\x1b", sequence, "a sequence that this terminal doesn't know: %q", rest)
			for len(lines[row]) <= column {
				lines[row] = append(lines[row], ' ')
			}
			lines[row][column] = []rune(sequence)[0]
			column++
		}
	}
	var list []string
	for _, line := range lines {
		list = append(list, string(line))
	}
	return list
}
