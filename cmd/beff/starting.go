package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/plain"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/words"
)

// lastWords is the time between the two signals that end a job which took too long.
const lastWords = 10 * time.Second

// jobError says why a job failed.
type jobError struct{ why, line string }

func (e *jobError) Error() string { return e.why + "; " + e.line }

// runJob runs a command line, such as that of a launcher, and returns an error that says what it said first. A limit of
// 0 is none. What it prints goes to out, unless that is nil.
func runJob(line []string, limit time.Duration, out io.Writer) error {
	ctx := context.Background()
	if limit > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, limit)
		defer stop()
	}
	var said bytes.Buffer
	run := exec.CommandContext(ctx, line[0], line[1:]...)
	run.Stdout, run.Stderr = out, &said
	run.Cancel, run.WaitDelay = func() error { return run.Process.Signal(syscall.SIGTERM) }, lastWords
	err := run.Run()
	command := words.OneLine(quoted(line))
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return &jobError{fmt.Sprintf("not over after %v", limit), command}
	}
	if cause := why(said.String()); cause != "" {
		return &jobError{fmt.Sprintf("%v: %s", err, plain.Text(errors.New(cause))), command}
	}
	return &jobError{err.Error(), command}
}

// why returns the line of a failed run's stderr that says why: ours, or else the first one that isn't a launcher's
// frame.
func why(said string) string {
	first := ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if cause, ours := strings.CutPrefix(line, "beff: "); ours {
			return cause
		}
		if first == "" && strings.Trim(line, "-=") != "" {
			first = line
		}
	}
	return first
}

// quoted returns a command as the shell takes it.
func quoted(command []string) string {
	return report.Quoted(command)
}

// starter returns the words that start a run of a command line: those that were said, none of an engine without
// launcher, or the allocation's own.
func starter(said string, line []string) ([]string, error) {
	if said != "" {
		return splitWords(said)
	}
	if slices.ContainsFunc(line, func(w string) bool { return w == "--engine" || strings.HasPrefix(w, "--engine=") }) {
		return nil, nil
	}
	if a := launch.FindAllocation(os.Getenv); a != nil {
		return []string{a.Start}, nil
	}
	return nil, errors.New("no launcher: this is no job of several tasks: say how runs are started, such as --launch " +
		"'mpirun -n 4'")
}

// beginIn makes the directory of a campaign, and keeps in a file of it what the campaign is. It returns an error if
// there are others' results, because a campaign goes on with what it finds.
func beginIn(dir, name, others, mine string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return publish.Failed(err)
	}
	path := filepath.Join(dir, name)
	there, err := input.ReadAll(path, 1<<20)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return publish.Failed(publish.Replace(path, func(w io.Writer) error {
			_, err := io.WriteString(w, mine)
			return err
		}))
	case err != nil:
		return err
	case string(there) != mine:
		return exit.Misuse("%s has the %s (%s says which): give --into another directory", dir, others, name)
	}
	return nil
}
