//go:build !linux

package host

import (
	"os"
	"runtime"

	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Facts are what Go knows of this machine.
func Facts(string) rating.Host {
	name, _ := os.Hostname()
	return rating.Host{System: runtime.GOOS, Name: name, Machine: runtime.GOARCH, Cores: runtime.NumCPU()}
}

// CPUs is empty: which processors this process may run on is not known here.
func CPUs() job.CPUs { return job.CPUs{} }

// Memory is 0: it is not known here, and --memory has to tell it.
func Memory(string) int64 { return 0 }
