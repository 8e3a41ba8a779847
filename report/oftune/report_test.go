package oftune

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/tune"
)

// A result is proven if all in it follows from its samples; else a report of it can be made, by what does follow.
func TestVerify(t *testing.T) {
	r := fixture.Tuning()
	verified := func() (*tune.Result, error) {
		var b bytes.Buffer
		require.NoError(t, Form.Seal(&b, r))
		return Verify(b.Bytes())
	}
	read, err := verified()
	require.NoError(t, err)
	var text, keys bytes.Buffer
	require.NoError(t, document.PlainText(&text, Report{read}.Document()))
	for _, want := range []string{"the file of rules is better than the default: +100.", "64 bytes ring",
		"OMPI_MCA_x=1", "two_proc is left out: it hung", "480", "3 of 24 jobs: the hypervisor",
		"Of 20 calls: the difference of two jobs", "\n64 4 0 0 # ring\n", "\n\nOMPI_MCA_x=1\n\n",
		"corrected", "  4 processes: 64 bytes ring, else default\n", "MPIBlib has no algorithms of Allreduce.",
		"Allreduce on 4 processes: the default's time over the algorithm's"} {
		require.Contains(t, text.String(), want)
	}
	var brief bytes.Buffer
	require.NoError(t, document.Brief(40, false)(&brief, Report{read}.Document()))
	require.True(t, strings.HasSuffix(brief.String(), "\nOMPI_MCA_x=1\n"), brief.String())
	two := *read
	two.Processes = []int{2, 4}
	require.Equal(t, "2 and 4 processes", Report{&two}.Head().OnProcesses())
	require.NoError(t, Report{read}.KeyValue(&keys, true))
	require.Regexp(t, `(?m)^rules_gain=2\.\d+$`, keys.String())
	require.Contains(t, keys.String(), "Allreduce_4_rule_64=ring\n")
	read.Evidence[0].Ruled, read.Evidence[0].Apart = 160, 640
	text.Reset()
	require.NoError(t, document.PlainText(&text, Report{read}.Document()))
	require.Regexp(t, `20\s+calls\s+send\s+160\s+messages\s+with`, text.String())
	require.Contains(t, text.String(), "no: there is no rule")
	read.Evidence[0].Calls, read.Evidence[0].Ruled, read.Evidence[0].Apart = 0, 480, 0
	text.Reset()
	require.NoError(t, document.PlainText(&text, Report{read}.Document()))
	require.Contains(t, text.String(), "Of 20 calls and what the program around them sends.", "an older result")
	made, err := Compared([]string{"a", "b"}, [][]*tune.Result{{read}, {read}})
	require.NoError(t, err)
	require.Len(t, made.Document.Figures(), 3, "by default, by ring, with the file")

	for want, alter := range map[string]func(){
		"derived.rules[0].algorithm.name is other": func() { r.Derived.Rules[0].Algorithm.Name = "other" },
		"something is gained: true":                func() { r.Use = nil },
		"sample 0 is of no job of the plan":        func() { r.Samples[0].Setting = "tree" },
		"derived.rules":                            func() { r.Evidence[0].Ruled, r.Evidence[0].Apart = 160, 640 },
	} {
		r = fixture.Tuning()
		alter()
		_, err = verified()
		require.ErrorContains(t, err, want)
	}
}
