// Package plugin is the C side of the engine over MPI: a shared library that is compiled once for each installed MPI
// and loaded when a program starts.
//
// The directory c has its sources, which are embedded. Build compiles them with an MPI's compiler wrapper. Open loads a
// plug-in without cgo. Its interface is the functions of plugin.h (Library), which take numbers and records, and the
// records on the C heap (records.go, loop.h), whose layout doesn't depend on the MPI. A plug-in contains the version of
// its sources, and a program only loads plug-ins built from its own sources.
package plugin
