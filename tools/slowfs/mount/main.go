// Command mount shows a directory at a place, where its reads and writes take a set time, until it is interrupted or
// the place is unmounted. Then it prints the calls that it received. SIGUSR1 makes all calls wait for -stall. See
// docs/studies/cold.md.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/tools/slowfs"
)

var (
	steps  = flag.String("takes", "", "times such as 10ms,40ms/10,200ms/100: a call takes 10 ms, each tenth 40 ms, …")
	direct = flag.Bool("direct", false, "bypass the page cache")
	stall  = flag.Duration("stall", time.Second, "how long SIGUSR1 makes all calls wait")
)

func main() {
	flag.Parse()
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(1)
	}
}

func serve() error {
	if flag.NArg() != 2 {
		return fmt.Errorf("want a directory and the place to show it at")
	}
	list, err := slowfs.Steps(*steps)
	if err != nil {
		return err
	}
	s := &slowfs.Server{Steps: list, Direct: *direct}
	if err := s.Mount(flag.Arg(0), flag.Arg(1)); err != nil {
		return err
	}
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1)
	go func() {
		for what := range signals {
			if what == syscall.SIGUSR1 {
				s.Stall(*stall)
			} else if err := s.Unmount(); err != nil {
				fmt.Fprintln(os.Stderr, "mount:", err)
			}
		}
	}()
	s.Wait()
	fmt.Printf("reads %d bytes %d writes %d bytes %d\n", s.Reads.Load(), s.BytesRead.Load(), s.Writes.Load(),
		s.BytesWritten.Load())
	return nil
}
