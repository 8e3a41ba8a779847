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

// Programs that load a plug-in and its MPI are started by one of these arguments, the plug-in's path and its library's,
// which is empty if the plug-in names it. Their main must then only call Load.
const (
	describeArgument = "describe-plug-in"
	startArgument    = "start-plug-in"
)

// Loads reports whether a program was started to load a plug-in, by its first argument.
func Loads(argument string) bool { return argument == describeArgument || argument == startArgument }

// patience is the time in which a plug-in must load.
const patience = time.Minute

// Describe loads a plug-in in a process of its own, because two libraries in one process mix up their symbols, and one
// that crashes must not end this one. One that takes too long is ended.
func Describe(files plugin.Files) (facts libmpi.Facts, err error) {
	text, err := load(describeArgument, files)
	if err == nil {
		err = json.Unmarshal(text, &facts)
	}
	return facts, err
}

// Start initializes and finalizes the MPI of a plug-in, in a process of its own.
func Start(files plugin.Files) error {
	_, err := load(startArgument, files)
	return err
}

// load returns what this program prints when it loads a plug-in.
func load(argument string, files plugin.Files) ([]byte, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return run(exec.Command(self, argument, files.Path, files.Library), files.Path, patience)
}

// joins are the beginnings of the names of variables by which a process joins a launcher's job.
var joins = []string{"PMI_", "PMIX_", "OMPI_COMM_WORLD", "PALS_", "HYDI_"}

// run returns what a program prints that loads a plug-in, in at most a time. It joins no job that this process is in.
func run(c *exec.Cmd, path string, patience time.Duration) ([]byte, error) {
	c.Args[0] = os.Args[0]
	c.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return slices.ContainsFunc(joins, func(begin string) bool { return strings.HasPrefix(entry, begin) })
	})
	c.WaitDelay = time.Second // what the library started may keep its outputs open
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
		if strings.ContainsFunc(line, unicode.IsLetter) { // Open MPI begins with a rule
			return nil, errors.New(strings.TrimSpace(line))
		}
	}
	return nil, err
}

// Load loads a plug-in as an argument says, and writes its library's facts or starts it.
func Load(argument string, files plugin.Files, w io.Writer) error {
	if argument == startArgument {
		return libmpi.Run(files, func(mpi.Engine) error { return nil })
	}
	facts, err := libmpi.Describe(files)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(facts)
}
