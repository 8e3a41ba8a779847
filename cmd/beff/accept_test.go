package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The files of a requirement's next run are new ones, or those of a run that was cut off.
func TestAcceptPrefix(t *testing.T) {
	c := &acceptCommand{Into: t.TempDir()}
	there := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(c.Into, name), []byte("x"), 0o600))
	}
	for _, step := range []struct {
		made, want string
		resume     bool
	}{{"", "a-1", false}, {"a-1.json", "a-2", false}, {"a-2.json", "a-3", false}, {"a-2.journal", "a-2", true}} {
		if step.made != "" {
			there(step.made)
		}
		prefix, resume := c.prefix("a")
		require.Equal(t, filepath.Join(c.Into, step.want), prefix)
		require.Equal(t, step.resume, resume)
	}
}
