package probe

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// later are the calls of MPI 4.0, with the libraries that have them.
var later = []struct {
	is  func(op mpi.Op) bool
	who string
}{
	{func(op mpi.Op) bool { return op.Parted() || op.Family() == mpi.Partition },
		"MPICH has it from 4.0 on, Open MPI from 5.0"},
	{mpi.Op.Large, "MPICH has it from 4.0 on, Open MPI from 6.0"},
	{mpi.Op.Persistent, "MPICH has it from 4.0 on, Open MPI from 5.0, and as an extension from 4.1"},
}

// lacks returns the reason of a kernel with a call that a library doesn't have, or not rightly: since when the standard
// has it, and which libraries.
func lacks(op mpi.Op, l mpi.Library) string {
	if fault := l.Fault(op); fault != "" {
		return "needs " + fault
	}
	for _, x := range later {
		if x.is(op) && l.Standard != "" && !l.Stated.SHMEM {
			return fmt.Sprintf("needs %v of MPI 4.0, which %s %s (MPI %s) doesn't have: %s", op, l.Library, l.Version,
				l.Standard, x.who)
		}
	}
	return fmt.Sprintf("needs %s (%v), which %s doesn't have", chapter(op), op, l.Library)
}

// chapter returns the part of MPI that a call belongs to, in words.
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

// sessionless returns the reason why a kernel can't measure the start of MPI: sessions are opened before MPI_Init, in a
// job of their own. "": it can, or doesn't.
func sessionless(k *kernel.Kernel, c *Config) string {
	if !k.Recipe.StartUp || c.Engine == nil {
		return ""
	}
	opened := false
	if e, is := c.Engine.(mpi.Sessioner); is {
		_, _, opened = e.Sessions()
	}
	switch l := c.Engine.Library(); {
	case k.Recipe.Sessions && !opened:
		return fmt.Sprintf("needs MPI_Session_init of MPI 4.0, which %s %s (MPI %s) doesn't have: MPICH has it from "+
			"4.0 on, Open MPI from 5.0", l.Library, l.Version, l.Standard)
	case !k.Recipe.Sessions && opened:
		return "needs a job of its own: MPI_Init behind sessions takes another time"
	}
	return ""
}

// threadless returns the reason of a kernel with several threads that the engine doesn't give its processes.
func threadless(k *kernel.Kernel, c *Config) string {
	if k.Recipe.Threads.Of == nil || c.Engine == nil {
		return ""
	}
	t := c.Settings.Threading
	n := max(k.Recipe.Threads.Of(t, 0), k.Recipe.Threads.Of(t, 1))
	e, threaded := c.Engine.(mpi.Threaded)
	switch {
	case n == 1:
		return ""
	case !threaded:
		return fmt.Sprintf("has %d threads of a process, and those of %s have one", n, c.Engine.Library().Library)
	}
	if err := e.Threads(n); err != nil {
		return fmt.Sprintf("can't have %d threads: %v", n, err)
	}
	return ""
}
