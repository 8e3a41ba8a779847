// Package imb reads what users of the Intel MPI Benchmarks write: command lines, benchmark names, lists of message
// lengths (IMB user's guide 4.0, "Command-line Control"). Its table of options (Option) makes the flags of beff probe,
// too. It opens the files that users name, and measures nothing.
//
// Options that IMB got after the guide are refused, not ignored: a job script that needs them would get other figures
// than it asks for.
package imb
