//go:build linux

package flow

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// Before the first sample a run prints the load by other programs, but nothing on a quiet machine.
func TestWarnBusy(t *testing.T) {
	for hundredths, want := range map[int]string{
		34: "beff: other programs keep 1.6 of 2 processors of n1 busy: the figures will be noisy, and too low\n",
		10: "",
	} {
		synctest.Test(t, func(t *testing.T) {
			root, stderr := t.TempDir(), &bytes.Buffer{}
			stat := filepath.Join(root, "proc", "stat")
			require.NoError(t, os.Mkdir(filepath.Dir(stat), 0o755))
			used := func(user int) {
				require.NoError(t, os.WriteFile(stat, fmt.Appendf(nil, "cpu %d 0 9 9 0 0 0 0 0 0\n"+
					"cpu0 %[1]d 0 9 9 0 0 0 0 0 0\ncpu1 0 0 9 9 0 0 0 0 0 0\n", user), 0o600))
			}
			used(1000)
			time.AfterFunc(time.Millisecond, func() { used(1000 + hundredths) })
			require.NoError(t, local.Run(1, func(e mpi.Engine) error {
				j := &Job{Process: &process.Process{Stderr: stderr}, Engine: e,
					Layout: &job.Layout{Placement: []job.Placement{{Host: "n1"}}, Ranks: [][]int{{0}}}}
				return j.warnBusy(root)
			}))
			require.Equal(t, want, stderr.String())
		})
	}
}
