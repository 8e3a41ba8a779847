package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/watch"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/parts"
)

// counted is one process of a run whose measurement is a number of samples, and all that it prints.
type counted struct {
	*recording[int]
	stdout, stderr bytes.Buffer
}

// counting is the report of such a run: a text alone.
type counting struct {
	report.Report
	text string
}

func (c counting) Sealed(w io.Writer) error {
	_, err := io.WriteString(w, c.text)
	return err
}

func (c counting) Texts() []parts.Text { return nil }

func newCounted(e mpi.Engine, prefix string) (*counted, error) {
	c := &counted{}
	p := &process{stdout: &c.stdout, stderr: &c.stderr}
	text := func(m *int, run rating.Run) string { return fmt.Sprintf("%d samples: %v\n", *m, run.Err) }
	c.recording = &recording[int]{process: p, engine: e, out: &publish.Output{Endings: []string{".json"}},
		benchmark: &benchmark[int]{unit: "measurement", samples: func(m *int) int { return *m },
			since:  func(now, _ *int) (int, bool) { return *now, true },
			report: func(m *int, run rating.Run) report.Report { return counting{text: text(m, run)} },
			show: func(w io.Writer, m *int, run rating.Run, when moment) error {
				if when != final {
					return nil
				}
				_, err := io.WriteString(w, text(m, run))
				return err
			},
		}}
	_, err := job.Decide(e.World(), func() (struct{}, error) {
		err := c.out.Open(prefix, io.Discard)
		if err == nil {
			err = c.out.Journal.Begin(journal.Head{})
			c.ledger.begin(c.out, c.since, nil)
		}
		return struct{}{}, err
	})
	return c, err
}

// A run that has measured nothing leaves nothing, but what earlier parts of it have left stays.
func TestNothingMeasured(t *testing.T) {
	for _, joined := range [][]rating.Join{nil, {{Samples: 0}}} {
		prefix := filepath.Join(t.TempDir(), "run")
		require.NoError(t, local.Run(1, func(e mpi.Engine) error {
			r, err := newCounted(e, prefix)
			if err != nil {
				return err
			}
			r.about.Joined = joined
			none := 0
			require.ErrorIs(t, r.end(&none, rating.Stopped(1)), rating.ErrStopped)
			return nil
		}))
		_, err := os.Stat(prefix + journal.Suffix)
		require.Equal(t, joined != nil, err == nil)
	}
}

// A signal ends a run in order if the measurement in flight ends in time, and in its middle if not. Rank 0 writes what
// was kept, once, and says which it was.
func TestSignal(t *testing.T) {
	const stopped = "2 samples: stopped before the end\n"
	for name, c := range map[string]struct {
		inTime bool
		stderr string
	}{
		"in order":      {true, ""}, // the command prints the error that end returns
		"in the middle": {false, "beff: stopped before the end, in the middle of a measurement\n"},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			var ranks [2]*counted
			require.NoError(t, local.Run(len(ranks), func(e mpi.Engine) error {
				r, err := newCounted(e, prefix)
				if err != nil {
					return err
				}
				ranks[e.World().Rank()] = r
				if r.first() {
					r.keep(2)
				}
				if c.inTime {
					kept := 2
					if err := r.end(&kept, rating.Stopped(1)); err == nil || err.Error() != rating.ErrStopped.Error() {
						return fmt.Errorf("the run ended with: %v", err)
					}
				}
				if cut := r.cut(rating.ErrStopped,
					", in the middle of a measurement"); cut != (r.first() && !c.inTime) {
					return fmt.Errorf("rank %d was cut: %t", e.World().Rank(), cut)
				}
				return nil
			}))
			text, err := os.ReadFile(prefix + ".json")
			require.NoError(t, err)
			require.Equal(t, stopped, string(text))
			require.Equal(t, stopped, ranks[0].stdout.String())
			require.Equal(t, c.stderr, ranks[0].stderr.String())
			require.Empty(t, ranks[1].stderr.String())
		})
	}
}

// A journal whose file system doesn't answer blocks the run alone: the watch names the journal, and limits and signals
// end the process.
func TestStalledJournal(t *testing.T) {
	defer func(most time.Duration) { mostAtFile = most }(mostAtFile)
	mostAtFile = 100 * time.Millisecond
	for name, row := range map[string]struct {
		limit time.Duration
		end   func(*counted)
		line  string
	}{
		"hang limit": {200 * time.Millisecond, func(*counted) {},
			"ended by --hang-limit: rank 0 on .*: \\d+ s in writing run.journal"},
		"signal": {0, func(c *counted) { c.tell(syscall.SIGTERM); c.stop(syscall.SIGTERM) },
			"stopped before the end, after \\d+ s in writing run.journal"},
		"wall limit": {0, func(c *counted) {
			c.last(exit.Unfinished, rating.ErrWall, func() bool { return c.cut(rating.ErrWall, "") })
		}, "after \\d+ s in writing run.journal"},
		"an error that the others don't hear of": {0, func(c *counted) { c.watcher.failed(errors.New("disk full")) },
			"disk full; the other processes wait for this one, .*, after \\d+ s in writing run.journal"},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			require.NoError(t, local.Run(1, func(e mpi.Engine) error {
				c, err := newCounted(e, prefix)
				require.NoError(t, err)
				stderr, ended, thaw := &text{}, make(chan int), make(chan int)
				c.process.stderr, c.process.err = stderr, stderr
				c.process.exit = func(code int) { ended <- code; select {} }
				c.ledger.since = func(now, _ *int) (int, bool) { <-thaw; return *now, true }
				c.watcher, err = newWatcher(c.process, e, &job.Layout{}, watch.Rules{Patience: 50 * time.Millisecond,
					Limit: row.limit})
				require.NoError(t, err)
				c.watcher.hears.Store(&hearer{func(time.Duration) {}, c.note, c.hang})
				go c.keep(2)
				told := regexp.MustCompile(`(?m)^beff: rank 0 on .*: \d+ s in writing run.journal$`)
				spoken := func() bool { return told.MatchString(stderr.String()) }
				require.Eventually(t, spoken, time.Minute, time.Millisecond)
				go row.end(c)
				require.Positive(t, <-ended)
				require.Regexp(t, "(?m)^beff: .*"+row.line, stderr.String())
				require.Contains(t, stderr.String(), "--resume "+prefix+" measures what is missing")
				close(thaw)
				c.watcher.stop()
				for _, w := range c.watcher.waits() {
					require.False(t, w.Stopped)
				}
				return nil
			}))
		})
	}
}
