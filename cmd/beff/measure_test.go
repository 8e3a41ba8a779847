package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/rating"
)

// counted is one process of a run whose measurement is a number of samples, and all that it prints.
type counted struct {
	*recording[int]
	stdout, stderr bytes.Buffer
}

func newCounted(e mpi.Engine, prefix string) (*counted, error) {
	c := &counted{}
	p := &process{stdout: &c.stdout, stderr: &c.stderr}
	text := func(m *int, run rating.Run) string { return fmt.Sprintf("%d samples: %v\n", *m, run.Err) }
	c.recording = &recording[int]{process: p, engine: e, out: &publish.Output{Endings: []string{".json"}},
		benchmark: &benchmark[int]{unit: "measurement", samples: func(m *int) int { return *m },
			since: func(now, _ *int) (int, bool) { return *now, true },
			files: func(m *int, run rating.Run) []publish.File {
				return []publish.File{{Ending: ".json", Write: func(w io.Writer) error {
					_, err := io.WriteString(w, text(m, run))
					return err
				}}}
			},
			show: func(w io.Writer, m *int, run rating.Run, when moment) error {
				if when != final {
					return nil
				}
				_, err := io.WriteString(w, text(m, run))
				return err
			},
		}}
	_, err := job.Decide(e.World(), func() (struct{}, error) {
		err := c.out.Open(&prefix, io.Discard)
		c.ledger.file, c.ledger.since = c.out.Journal, c.since
		return struct{}{}, err
	})
	return c, err
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
