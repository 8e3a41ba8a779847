package plugins

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
)

// DescribeArgument is the first argument of a program that is started to load the plug-in that the second one names.
// Its main must then only call BeDescriber.
const DescribeArgument = "describe-plug-in"

// patience is the time in which a plug-in must load.
const patience = time.Minute

// Describe loads a plug-in in a process of its own, because two libraries in one process mix up their symbols, and one
// that crashes must not end this one. One that takes too long is ended.
func Describe(path string) (mpi.Library, error) {
	self, err := os.Executable()
	if err != nil {
		return mpi.Library{}, err
	}
	return describe(self, path, patience)
}

// describe runs a program as a describer of a plug-in for at most a time.
func describe(self, path string, patience time.Duration) (mpi.Library, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, self, DescribeArgument, path)
	c.Args[0] = os.Args[0]
	c.WaitDelay = time.Second // what the library started may keep its outputs open
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		switch {
		case ctx.Err() != nil:
			return mpi.Library{}, fmt.Errorf("%s: loading it took longer than %v", path, patience)
		case line != "":
			return mpi.Library{}, errors.New(line)
		}
		return mpi.Library{}, err
	}
	var facts mpi.Library
	if err := json.Unmarshal(stdout.Bytes(), &facts); err != nil {
		return mpi.Library{}, fmt.Errorf("%s: %w", path, err)
	}
	return facts, nil
}

// BeDescriber loads a plug-in and writes its library's facts.
func BeDescriber(path string, w io.Writer) error {
	facts, err := libmpi.Describe(path)
	if err != nil {
		return err
	}
	return json.NewEncoder(w).Encode(facts)
}
