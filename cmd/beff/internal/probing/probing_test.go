package probing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// A noisy probe prints the signs of noise after its text, each with a remedy. A quiet or an invalid probe prints none.
func TestNoiseOfProbe(t *testing.T) {
	quiet := rating.NewSign("steal", "ask", 0, 1, "little")
	noisy := rating.NewSign("load", "run alone", 2, 1, "much")
	other := rating.Warning{Code: "embedded", Text: "no MPI", Remedy: "make a plug-in"}
	for name, x := range map[string]struct {
		signs []rating.Sign
		valid bool
		want  string
	}{
		"quiet":     {[]rating.Sign{quiet}, true, ""},
		"noisy":     {[]rating.Sign{quiet, noisy}, true, "beff: valid, but noisy: much: run alone\n"},
		"not valid": {[]rating.Sign{noisy}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			r := &probe.Result{Warnings: append(rating.Warnings(x.signs), other), Judged: probe.Judged{
				Valid: x.valid, Noisy: rating.Noisy(x.signs), Signs: rating.WithoutRemedies(x.signs)}}
			printNoise(&stderr, r.Verdict())
			require.Equal(t, x.want, stderr.String())
		})
	}
}

// A journal, which may come from anybody, can't make a run load a library: the command line must name it.
func TestJournalLoadsNoLibrary(t *testing.T) {
	require.NoError(t, local.Run(1, func(e mpi.Engine) error {
		layout, err := flow.Locate(e)
		require.NoError(t, err)
		job := &flow.Job{Engine: e, Layout: layout}
		library := &settings.Library{File: "/tmp/x.so", Functions: []string{"my_Bcast"}}
		was := decidedProbe{Request: &Request{Settings: settings.Settings{Library: library}}}
		text, err := json.Marshal(was)
		require.NoError(t, err)
		before := &flow.Earlier{Journal: &journal.Journal{Head: journal.Head{Decided: text}}}
		_, _, err = probePlan(job, &Request{}, before)
		require.ErrorContains(t, err, "functions of /tmp/x.so, which a journal can't load by itself")
		require.Equal(t, exit.Usage, exit.Code(err))
		before.Selective = true // the command line is compared
		_, _, err = probePlan(job, &Request{Settings: settings.Settings{Library: library}}, before)
		require.NotContains(t, fmt.Sprint(err), "which a journal alone")
		return nil
	}))
}
