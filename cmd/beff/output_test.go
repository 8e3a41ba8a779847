package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run that begins while another one writes its next version of the same files leaves that alone.
func TestOutputsAtOnce(t *testing.T) {
	prefix := filepath.Join(t.TempDir(), "a")
	first := &output{endings: []string{".json"}}
	require.NoError(t, first.open(&prefix))
	require.NoError(t, first.keep([]outFile{{".json", func(w io.Writer) error {
		fmt.Fprint(w, "be")
		second := &output{endings: []string{".json"}, force: true}
		if err := second.open(&prefix); err != nil {
			return err
		}
		if err := second.keep([]outFile{{".json", func(w io.Writer) error {
			_, err := fmt.Fprint(w, "second")
			return err
		}}}); err != nil {
			return err
		}
		_, err := fmt.Fprint(w, "ff")
		return err
	}}}))
	data, err := os.ReadFile(prefix + ".json")
	require.NoError(t, err)
	require.Equal(t, "beff", string(data))
	left, err := os.ReadDir(filepath.Dir(prefix))
	require.NoError(t, err)
	require.Len(t, left, 1, "no part is left")
}
