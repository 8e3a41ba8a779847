package flow

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
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

// counted is one process of a run whose measurement is a number of samples, with everything that the process prints.
type counted struct {
	*run[int]
	stdout, stderr bytes.Buffer
}

// counter is the benchmark of a counted run. It measures nothing.
type counter struct{}

var _ Live[int] = counter{}

func (counter) Decided() any                  { return nil }
func (counter) JournalBytes() int64           { return 0 }
func (counter) Unit() string                  { return "measurement" }
func (counter) Describe(io.Writer) error      { return nil }
func (counter) Samples(m *int) int            { return *m }
func (counter) Seconds(*int) float64          { return 0 }
func (counter) Since(now, _ *int) (int, bool) { return *now, true }
func (counter) Add(m *int, news int)          { *m += news }
func (counter) Begin(io.Writer)               {}

func (counter) Measure(string, rating.Observer[int]) (*int, error) { return nil, nil }

func (counter) Report(m *int, about rating.Run) report.Report {
	return counting{text: textOf(m, about)}
}

func (counter) Show(w io.Writer, m *int, about rating.Run, final bool) error {
	if !final {
		return nil
	}
	_, err := io.WriteString(w, textOf(m, about))
	return err
}

func textOf(m *int, about rating.Run) string { return fmt.Sprintf("%d samples: %v\n", *m, about.Err) }

// counting is the report of a counted run, which only has a text.
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
	p := &process.Process{Stdout: &c.stdout, Stderr: &c.stderr}
	c.run = &run[int]{Job: &Job{Process: p, Engine: e}, spec: &Spec{}, benchmark: counter{},
		out: &publish.Output{Endings: []string{".json"}}}
	_, err := job.Decide(e.World(), func() (struct{}, error) {
		err := c.out.Open(prefix, io.Discard)
		if err == nil {
			err = c.out.Journal.Begin(journal.Head{})
			c.journal.begin(c.out, c.benchmark.Since, nil)
		}
		return struct{}{}, err
	})
	return c, err
}

// A run that has measured nothing leaves nothing, but keeps the files of its earlier parts.
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
			require.ErrorIs(t, r.finish(&none, rating.Stopped(1)), rating.ErrStopped)
			return nil
		}))
		_, err := os.Stat(prefix + journal.Suffix)
		require.Equal(t, joined != nil, err == nil)
	}
}

// A signal ends a run in order if the current measurement ends in time, and otherwise in its middle. Rank 0 writes the
// samples once, and prints how the run ended.
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
					err := r.finish(&kept, rating.Stopped(1))
					if err == nil || err.Error() != rating.ErrStopped.Error() {
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

// A journal whose file system doesn't answer only blocks the run: the watcher names the journal, and limits and signals
// end the process.
func TestStalledJournal(t *testing.T) {
	defer func(most time.Duration) { fileTimeout = most }(fileTimeout)
	fileTimeout = 100 * time.Millisecond
	for name, row := range map[string]struct {
		limit time.Duration
		end   func(*counted)
		line  string
	}{
		"hang limit": {200 * time.Millisecond, func(*counted) {},
			"ended by --hang-limit: rank 0 on .*: \\d+ s in writing run.journal"},
		"signal": {0, func(c *counted) { c.signalled(syscall.SIGTERM); c.stop(syscall.SIGTERM) },
			"stopped before the end, after \\d+ s in writing run.journal"},
		"wall limit": {0, func(c *counted) {
			c.endWithin(exit.Unfinished, rating.ErrWall, func() bool { return c.cut(rating.ErrWall, "") })
		}, "after \\d+ s in writing run.journal"},
		"an error that the others don't hear of": {0, func(c *counted) { c.watch.failed(errors.New("disk full")) },
			"disk full; the other processes wait for this one, .*, after \\d+ s in writing run.journal"},
	} {
		t.Run(name, func(t *testing.T) {
			prefix := filepath.Join(t.TempDir(), "run")
			require.NoError(t, local.Run(1, func(e mpi.Engine) error {
				c, err := newCounted(e, prefix)
				require.NoError(t, err)
				stderr, ended, thaw := &text{}, make(chan int), make(chan int)
				c.Stderr, c.Err = stderr, stderr
				c.Exit = func(code int) { ended <- code; select {} }
				c.journal.since = func(now, _ *int) (int, bool) { <-thaw; return *now, true }
				c.watch, err = newWatcher(c.Process, e, &job.Layout{}, watch.Rules{Patience: 50 * time.Millisecond,
					Limit: row.limit})
				require.NoError(t, err)
				c.watch.listener.Store(&listener{func(time.Duration) {}, c.keepWaits, c.hang})
				go c.keep(2)
				told := regexp.MustCompile(`(?m)^beff: rank 0 on .*: \d+ s in writing run.journal$`)
				spoken := func() bool { return told.MatchString(stderr.String()) }
				require.Eventually(t, spoken, time.Minute, time.Millisecond)
				go row.end(c)
				require.Positive(t, <-ended)
				require.Regexp(t, "(?m)^beff: .*"+row.line, stderr.String())
				require.Contains(t, stderr.String(), "--resume "+prefix+" measures the missing parts")
				close(thaw)
				c.watch.stop()
				// On a busy machine the watcher itself may have been stopped, too, which is a separate wait.
				require.True(t, slices.ContainsFunc(c.watch.waits(), func(w rating.Wait) bool {
					return !w.Stopped && w.Call == "writing run.journal"
				}))
				return nil
			}))
		})
	}
}

// text is a buffer to which several goroutines may write.
type text struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (t *text) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.Write(p)
}

func (t *text) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.b.String()
}
