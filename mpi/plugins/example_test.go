package plugins_test

import (
	"fmt"
	"os"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/plugins"
)

// A program that mpirun starts measures with the MPI of a plug-in.
func ExampleFind() {
	list, refused := plugins.Find(plugins.Directories(os.Getenv), plugins.LibraryDirectories(os.Getenv, nil))
	for _, err := range refused {
		fmt.Fprintln(os.Stderr, err)
	}
	p := plugins.Named(list, "openmpi")
	if p == nil {
		fmt.Fprintln(os.Stderr, "no plug-in for Open MPI; plug-ins:", plugins.Names(list))
		return
	}
	err := libmpi.Run(p.Files, func(e mpi.Engine) error {
		fmt.Println("process", e.World().Rank(), "of", e.World().Size())
		return nil // beff.NewPlan, Measure and NewResult go here
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
