package mpi

import (
	"fmt"
	"go/version"
)

// faults lists calls that move wrong data or fail in a library's versions older than before. The numbers are those of
// the library's issues or changes.
var faults = []struct {
	library string
	before  string
	op      Op
	does    string
}{
	{"MPICH", "4.1.1", AllgatherInit, "sends wrong lengths after its first start"},                   // 6423
	{"MPICH", "4.2.3", GatherInit, "takes the root's block when it is made, not when it is started"}, // 7078
	{"MPICH", "4.3.2", ScatterInit, "fails after its first start"},                                   // 7550
}

// Fault returns a text on the known fault of the library's call, or "" if no fault is known.
func (l Library) Fault(op Op) string {
	for _, f := range faults {
		if f.op == op && f.library == l.Library && version.Compare("go"+l.Version, "go"+f.before) < 0 { // "go1.2"
			return fmt.Sprintf("%v, which in %s %s %s (%s is right)", op, l.Library, l.Version, f.does, f.before)
		}
	}
	return ""
}
