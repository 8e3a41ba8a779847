// Package imb has the options of the Intel MPI Benchmarks (IMB user's guide 4.0, "Command-line Control"), which put a
// command line's values into the request of a probe. Its table (Option) also defines the flags of beff probe, and the
// keys of campaign files.
//
// The table also has the options of IMB 2021.11 that are newer than the guide. Options without an effect here only give
// a notice (Request.Notices), so that job scripts still run.
package imb
