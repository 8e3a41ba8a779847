// Package imb parses the input of the Intel MPI Benchmarks: command lines, names of benchmarks, lists of message
// lengths (IMB user's guide 4.0, "Command-line Control"). Its table of options (Option) also defines the flags of beff
// probe. It opens the files that users name, and measures nothing.
//
// Options that are newer than the guide are refused, not ignored: a job script that uses them would get other figures
// than it asks for.
package imb
