// Package suites defines the kernels of each suite: the Intel MPI Benchmarks, the OSU micro-benchmarks, MPIBlib, the
// PGAS Microbenchmark Suite, and users' functions. A suite is a list of rows (table_*.go) and the builders of their
// programs (programs_*.go). The package measures nothing.
package suites
