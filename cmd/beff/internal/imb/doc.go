// Package imb parses the input of the Intel MPI Benchmarks: command lines, names of benchmarks, lists of message
// lengths (IMB user's guide 4.0, "Command-line Control"). Its table of options (Option) also defines the flags of beff
// probe. It opens the files that users name, and measures nothing.
//
// The table also has the options of today's IMB that are newer than the guide. Those without an effect here are taken
// with a notice (Request.Notices), so that job scripts run on.
package imb
