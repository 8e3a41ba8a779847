package plugins

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// A program is started with one of these arguments to load a plug-in and its MPI. The plug-in's path follows, and the
// path of its library, which is empty unless the plug-in is portable.
const (
	describeArgument = "describe-plug-in"
	startArgument    = "start-plug-in"
)

// patience is the time within which a plug-in must load.
const patience = time.Minute

// Describe executes this program again to load a plug-in in a separate process, because two libraries in one process
// mix up their symbols, and because a library that crashes must not end this process. It kills a process that takes
// too long. The program's main must begin with Load.
func Describe(files plugin.Files) (facts libmpi.Facts, err error) {
	text, err := load(describeArgument, files)
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	return facts, err
}

// Start initializes and finalizes the MPI of a plug-in in a separate process, as Describe does.
func Start(files plugin.Files) error {
	_, err := load(startArgument, files)
	return err
}

// load starts this program to load a plug-in, and returns its output.
func load(argument string, files plugin.Files) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run(exec.Command(self, argument, files.Path, files.Library), files.Path, patience)
}

// joins are the prefixes of the environment variables by which a process joins a launcher's job.
var joins = []string{"PMI_", "PMIX_", "OMPI_COMM_WORLD", "PALS_", "HYDI_"}

// run runs a program that loads a plug-in, for at most the time patience, and returns its output. The program doesn't
// join this process's job.
func run(c *exec.Cmd, path string, patience time.Duration) ([]byte, error) {
	c.Args[0] = os.Args[0]
	c.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return slices.ContainsFunc(joins, func(begin string) bool { return strings.HasPrefix(entry, begin) })
	})
	c.WaitDelay = time.Second // processes that the library started may keep the outputs open
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Start(); err != nil {
		return nil, err
	}
	late := time.AfterFunc(patience, func() { _ = c.Process.Kill() })
	err := c.Wait()
	if err == nil {
		return stdout.Bytes(), nil
	}
	if !late.Stop() {
		return nil, fmt.Errorf("%s: loading it took longer than %v", path, patience)
	}
	for line := range strings.Lines(stderr.String()) {
		if strings.ContainsFunc(line, unicode.IsLetter) { // Open MPI begins with a line of dashes
			return nil, errors.New(strings.TrimSpace(line))
		}
	}
	return nil, err
}

// Load loads a plug-in if args, os.Args[1:] of the program, ask for it: it starts the plug-in's MPI, or writes the
// library's facts to w. If asked is true, main must exit, with code 1 and err on standard error if err isn't nil.
func Load(args []string, w io.Writer) (asked bool, err error) {
	if len(args) != 3 || args[0] != describeArgument && args[0] != startArgument {
		return false, nil
	}
	files := plugin.Files{Path: args[1], Library: args[2]}
	if args[0] == startArgument {
		return true, libmpi.Run(files, func(mpi.Engine) error { return nil })
	}
	facts, err := libmpi.Describe(files)
	if err == nil {
		err = json.NewEncoder(w).Encode(facts)
	}
	return true, err
}
