package report

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
	"github.com/effective-bandwidth/beff/report/ofbeffio"
	"github.com/effective-bandwidth/beff/report/ofprobe"
)

// Each text that a run writes can be made from its result document, byte for byte. The results have kernels of all
// components, tables of groups, wrong data, and runs that ended early.
func TestTexts(t *testing.T) {
	results := map[string]Report{}
	for name, r := range fixture.Results() {
		results["b_eff "+name] = ofbeff.Report{Result: r}
	}
	for name, r := range fixture.IOResults() {
		results["b_eff_io "+name] = ofbeffio.Report{Result: r}
	}
	for name, r := range fixture.Probed() {
		results["probe "+name] = ofprobe.Report{Result: r}
	}
	for name, r := range results {
		t.Run(name, func(t *testing.T) {
			var document bytes.Buffer
			require.NoError(t, r.Sealed(&document))
			f := Read(file(t, t.TempDir(), "a.json", document.String()))
			require.True(t, f.Usable, f.Problem)
			texts := f.Texts()
			require.Len(t, texts, len(r.Texts()))
			for i, text := range r.Texts() {
				var of, again bytes.Buffer
				require.NoError(t, text.Write(&of))
				require.NoError(t, texts[i].Write(&again))
				require.NotEmpty(t, of.String())
				require.Equal(t, of.String(), again.String(), text.Name)
			}
		})
	}
}

// derivedAgain returns the document of a result that isn't proven, with its figures computed again from its samples.
// Read marks such a result as not valid, so the caller must say whether it is valid.
func derivedAgain(t *testing.T, f *File, valid bool) string {
	t.Helper()
	require.NotNil(t, f.report, "%s: %v", f.Path, f.Problem)
	f.report.Header().Verdict.Valid = valid
	var b bytes.Buffer
	require.NoError(t, f.report.Sealed(&b))
	return b.String()
}

// A document of each kind, written by a real run or an import, is proven. If one isn't, because the rules changed,
// -update keeps its samples and computes the rest again.
func TestOneOfEach(t *testing.T) {
	files, err := filepath.Glob("../testdata/*-1.json")
	require.NoError(t, err)
	require.Len(t, files, len(all))
	for _, name := range files {
		if f := Read(name); f.Problem != nil {
			require.NotNil(t, f.report, "%s: %v", name, f.Problem)
			_, valid := f.report.(ofprobe.Report) // the others aren't
			fixture.GoldenFile(t, name, derivedAgain(t, f, valid))
		}
		require.NoError(t, Read(name).Problem, name)
	}
}
