// Package plugin is the C side of the engine over MPI: a shared library of its own, which is compiled once for each
// installed MPI and loaded when a program starts.
//
// The directory c has its sources, which are embedded. Build compiles them with an MPI's compiler wrapper. Open loads a
// plug-in without cgo. The interface is small: functions (Library, plugin.h) that take numbers and records, and records
// on the C heap (records.go, loop.h), whose layout doesn't depend on the MPI. A plug-in bears the version of the
// sources that it was made of, and a program loads only those of its own sources.
package plugin
