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

// Facts is what a library says of itself.
type Facts = mpi.Library

// DescribeArgument is the first argument of a program that is started to load the plug-in that the second one names.
// Its main must then only call BeDescriber.
const DescribeArgument = "describe-plug-in"

// patience is the time in which a plug-in must load.
const patience = time.Minute

// Describe loads a plug-in in a process of its own, because two libraries in one process mix up their symbols, and one
// that crashes must not end this one.
func Describe(path string) (Facts, error) {
	self, err := os.Executable()
	if err != nil {
		return Facts{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := exec.CommandContext(ctx, self, DescribeArgument, path)
	c.Args[0] = os.Args[0]
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		if line, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); line != "" {
			return Facts{}, errors.New(line)
		}
		return Facts{}, err
	}
	var facts Facts
	if err := json.Unmarshal(stdout.Bytes(), &facts); err != nil {
		return Facts{}, fmt.Errorf("%s: %w", path, err)
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
