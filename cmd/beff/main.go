// Command beff rates the communication of a parallel machine by one number, b_eff.
package main

import "os"

func main() { os.Exit(run(commandLine(os.Args[0], os.Args[1:]), os.Stdout, os.Stderr)) }
