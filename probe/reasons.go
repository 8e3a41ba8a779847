package probe

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// later are the calls of MPI 4.0, with the libraries that have them.
var later = []struct {
	matches   func(op mpi.Op) bool
	libraries string
}{
	{func(op mpi.Op) bool { return op.Partitioned() || op.Family() == mpi.Partition },
		"MPICH has it since 4.0, Open MPI since 5.0"},
	{mpi.Op.Large, "MPICH has it since 4.0, Open MPI since 6.0"},
	{mpi.Op.Persistent, "MPICH has it since 4.0, Open MPI since 5.0, and as an extension since 4.1"},
}

// missingCall returns the reason why a kernel can't use a call that a library lacks or has wrong. It names the version
// of the standard that introduced the call, and the libraries that have it.
func missingCall(op mpi.Op, l mpi.Library) string {
	if fault := l.Fault(op); fault != "" {
		return "needs " + fault
	}
	for _, x := range later {
		if x.matches(op) && l.Standard != "" && !l.Stated.SHMEM {
			return fmt.Sprintf("needs %v of MPI 4.0, which %s %s (MPI %s) doesn't have: %s", op, l.Library, l.Version,
				l.Standard, x.libraries)
		}
	}
	return fmt.Sprintf("needs %s (%v), which %s doesn't have", chapter(op), op, l.Library)
}

// chapter names the part of MPI that a call belongs to.
func chapter(op mpi.Op) string {
	switch {
	case op.OnWindow():
		return "one-sided communication"
	case op.Family() == mpi.PointToPoint || op.Family() == mpi.Completion || op.Family() == mpi.Partition:
		return "messages"
	case op.Family() == mpi.NonblockingCollective:
		return "nonblocking collective communication"
	case op.OnPath():
		return "files"
	case op.OnFile(), op.Family() == mpi.FileState:
		return "parallel I/O"
	}
	return "collective communication"
}

// sessionReason returns the reason why a kernel can't measure the start of MPI, or "". Sessions are opened before
// MPI_Init, in their own job.
func sessionReason(k *kernel.Kernel, c *Config) string {
	if !k.Builder.StartUp || c.Engine == nil {
		return ""
	}
	opened := false
	if e, is := c.Engine.(mpi.Sessioner); is {
		_, _, opened = e.Sessions()
	}
	switch l := c.Engine.Library(); {
	case k.Builder.Sessions && !opened:
		return fmt.Sprintf("needs MPI_Session_init of MPI 4.0, which %s %s (MPI %s) doesn't have: MPICH has it since "+
			"4.0, Open MPI since 5.0", l.Library, l.Version, l.Standard)
	case !k.Builder.Sessions && opened:
		return "needs a separate job, because MPI_Init after sessions takes a different time"
	}
	return ""
}

// threadReason returns the reason why the engine can't give its processes the threads of a kernel, or "".
func threadReason(k *kernel.Kernel, c *Config) string {
	if k.Builder.Threads.Of == nil || c.Engine == nil {
		return ""
	}
	t := c.Settings.Threading
	n := max(k.Builder.Threads.Of(t, 0), k.Builder.Threads.Of(t, 1))
	e, threaded := c.Engine.(mpi.Threaded)
	switch {
	case n == 1:
		return ""
	case !threaded:
		return fmt.Sprintf("has %d threads per process, but a process of %s has one", n, c.Engine.Library().Library)
	}
	if err := e.Threads(n); err != nil {
		return fmt.Sprintf("can't have %d threads: %v", n, err)
	}
	return ""
}

// memoryReason returns the reason why a kernel's messages can't be in a device's memory, or "".
func memoryReason(k *kernel.Kernel, s *settings.Settings) string {
	r, own, windows := k.Builder, false, k.Builder.Access.Window != kernel.NoSide
	unstaged := r.Data.InPlace || r.Rows == kernel.Strided || settings.ContigForms[s.ContigType].Stride() > 1
	if s.Memory.Buffers == "" {
		return ""
	}
	for _, op := range k.OpsFor(s) {
		own = own || slices.Contains([]mpi.Op{mpi.Combine, mpi.TouchSend, mpi.TouchRecv, mpi.Compare, mpi.Stamp}, op)
		unstaged = unstaged || op.Partitioned() || op == mpi.RecvEach
	}
	switch {
	case own || r.File != nil || r.Path != nil || r.Threads.Of != nil || r.StartUp || k.Function ||
		k.Class == kernel.CallAndMockUp || s.Rows.Fold > 0:
		return fmt.Sprintf("has files, threads, a user's function, mock-ups, repeated memory, data that the process "+
			"itself works on, or no messages: only messages between processes can be in memory of %s: leave "+
			"--buffers out", s.Memory.Place())
	case windows && k.OneSided(s).Window == settings.Allocated:
		return fmt.Sprintf("has a window whose memory the MPI library allocates, not %s: leave window out",
			s.Memory.Place())
	case windows && s.Memory.Staged:
		return "has transfers from and to a window, which aren't staged through the host's memory: leave --staged out"
	case s.Memory.Other != "" && (!k.HasSides() || suites.Way(s, k).Splits):
		return "has processes that are neither the first nor the second one of a pair, so its messages can't be in " +
			"two kinds of memory: give --buffers one kind"
	case s.Memory.Staged && unstaged:
		return "has messages in place, in parts, with gaps or from all processes at once, which aren't staged " +
			"through the host's memory: leave --staged out"
	}
	return ""
}
