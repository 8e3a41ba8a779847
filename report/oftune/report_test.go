package oftune

import (
	"bytes"
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
		"OMPI_MCA_x=1", "two_proc is left out: it hung", "1521", "64 4 0 0 # ring"} {
		require.Contains(t, text.String(), want)
	}
	require.NoError(t, Report{read}.KeyValue(&keys, true))
	require.Regexp(t, `(?m)^rules_gain=2\.\d+$`, keys.String())
	require.Contains(t, keys.String(), "Allreduce_4_rule_64=ring\n")
	made, err := Compared([]string{"a", "b"}, [][]*tune.Result{{read}, {read}})
	require.NoError(t, err)
	require.Len(t, made.Document.Figures(), 3, "by default, by ring, with the file")

	for want, alter := range map[string]func(){
		"derived.rules[0].algorithm.name is other": func() { r.Derived.Rules[0].Algorithm.Name = "other" },
		"something is gained: true":                func() { r.Use = nil },
		"sample 0 is of no job of the plan":        func() { r.Samples[0].Setting = "tree" },
	} {
		r = fixture.Tuning()
		alter()
		_, err = verified()
		require.ErrorContains(t, err, want)
	}
}
