package publish

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
	first := &Output{Endings: []string{".json"}}
	require.NoError(t, first.Open(&prefix))
	require.NoError(t, first.Keep([]File{{".json", func(w io.Writer) error {
		fmt.Fprint(w, "be")
		second := &Output{Endings: []string{".json"}, Force: true}
		if err := second.Open(&prefix); err != nil {
			return err
		}
		if err := second.Keep([]File{{".json", func(w io.Writer) error {
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
