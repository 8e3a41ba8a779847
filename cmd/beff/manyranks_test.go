package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/prove"
)

// hooked is a rating whose measurement a test changes.
type hooked struct {
	*communication
	hook func(rank int, watch *rating.Observer[beff.Measured])
}

func (h *hooked) Measure(directory string, watch rating.Observer[beff.Measured]) (*beff.Measured, error) {
	h.hook(h.engine.World().Rank(), &watch)
	return h.communication.Measure(directory, watch)
}

// watchedText is a standard error output that calls seen with all of its text so far.
type watchedText struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen func(text string)
}

func (s *watchedText) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(data)
	s.seen(s.text.String())
	return len(data), nil
}

// A rating of ten thousand processes, which share one plan, stops early, with a document and a journal. It resumes,
// although a process hangs for some time. beff reports this in few lines, and the document verifies.
func TestTenThousandRanks(t *testing.T) {
	processes := 10_000
	if testing.Short() {
		processes = 1_000
	}
	config := beff.Config{Rules: beff.Rules2001, Memory: 512 << 10, Seed: 7, Quick: true,
		Patterns: []string{"ring-*2fix"}, Methods: []string{"sendrecv"}}
	plan, err := beff.NewPlan(processes, config)
	require.NoError(t, err)
	prefix := filepath.Join(t.TempDir(), "run")
	measure := func(files flow.Files, patience time.Duration, stderr io.Writer,
		hook func(rank int, watch *rating.Observer[beff.Measured])) error {
		return flow.Measure(process.New(nil, io.Discard, stderr), &flow.Spec{Name: beff.Benchmark, MinRanks: 2,
			Command: []string{"run"}, None: ofbeff.Report{}, Flags: flow.Flags{Files: files,
				Processes: flow.Processes{Engine: "local", Ranks: &processes, Patience: size.Time(patience)}}},
			func(j *flow.Job, before *flow.Earlier) (flow.Benchmark[beff.Measured], error) {
				decided, err := flow.Decide(j, before,
					func(*beff.Config) (beff.Config, error) { return plan.Config, nil })
				return &hooked{&communication{plan, decided, j.Engine, ""}, hook}, err
			})
	}
	read := func() *beff.Result {
		text, err := os.ReadFile(prefix + ".json")
		require.NoError(t, err)
		r, err := prove.Decoded[beff.Result](text, ofbeff.Shape())
		require.NoError(t, err)
		return r
	}

	err = measure(flow.Files{Output: &prefix}, 0, io.Discard, func(rank int, watch *rating.Observer[beff.Measured]) {
		kept, keep := 0, watch.Keep
		watch.Keep = func(m beff.Measured) { kept++; keep(m) }
		watch.Stop = func() bool { return kept > 2 }
	})
	require.ErrorIs(t, err, rating.ErrStopped)
	part := read()
	require.False(t, part.Complete)
	files, err := filepath.Glob(prefix + ".*")
	require.NoError(t, err)
	again := prefix + "-again"
	for _, name := range files { // this process holds the lock of the journal until it ends
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(again+strings.TrimPrefix(name, prefix), text, 0o600))
	}
	prefix = again

	reported := make(chan struct{})
	resume := sync.OnceFunc(func() { close(reported) })
	summary := regexp.MustCompile(`(?m)^beff: ranks? .* in MPI_`)
	stderr := &watchedText{seen: func(text string) {
		if summary.MatchString(text) {
			resume()
		}
	}}
	err = measure(flow.Files{Resume: &prefix}, 2*time.Second, stderr,
		func(rank int, watch *rating.Observer[beff.Measured]) {
			if rank == processes/2 {
				<-reported // the others wait for this process
			}
		})
	require.NoError(t, err, stderr.text.String())
	require.Less(t, bytes.Count(stderr.text.Bytes(), []byte{'\n'}), processes/4)
	require.NoError(t, report.Read(prefix+".json").Problem)
	whole := read()
	require.Equal(t, processes, whole.Processes)
	require.Len(t, whole.Samples, plan.Measurements())
	require.Equal(t, part.Samples, whole.Samples[:len(part.Samples)])
}
