// Command beff measures the communication and the file system of a parallel machine over MPI. It rates each by one
// number, b_eff and b_eff_io, and measures single MPI calls.
package main

import "os"

func main() { os.Exit(run(commandLine(os.Args[0], os.Args[1:]), os.Stdout, os.Stderr)) }
