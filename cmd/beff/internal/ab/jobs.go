package ab

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/terminal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
)

// killDelay is the time between the two signals that end a job.
const killDelay = 10 * time.Second

// jobs starts the jobs of a campaign, until a signal ends it.
type jobs struct{ context.Context }

// inCampaign calls body, which starts jobs. A signal that ends a run ends the running job and then the campaign. The
// results stay in the directory, where the same command resumes.
func inCampaign(p *process.Process, dir string, body func(jobs) error) error {
	running, end := context.WithCancel(context.Background())
	defer end()
	_, release := p.HandleSignals(true, func(s os.Signal) {
		fmt.Fprintf(p.Stderr, "beff: %v: ending the job that runs\n", s)
	}, func(os.Signal) { end() })
	defer release()
	err := body(jobs{running})
	if err != nil && running.Err() != nil {
		return fmt.Errorf("stopped: the same command resumes with the runs in %s", dir)
	}
	return err
}

// run runs a command line, such as a launcher's. Its error gives the reason that the job printed. The job's output goes
// to out, unless that is nil. The launcher may be a script, so all of its processes get the signals that end it.
func (j jobs) run(line []string, out io.Writer) error {
	var said bytes.Buffer
	run := exec.CommandContext(j, line[0], line[1:]...)
	run.Stdout, run.Stderr = out, &said
	run.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	run.Cancel, run.WaitDelay = func() error { return syscall.Kill(-run.Process.Pid, syscall.SIGTERM) }, killDelay
	err := run.Run()
	if j.Err() != nil && run.Process != nil {
		_ = syscall.Kill(-run.Process.Pid, syscall.SIGKILL) // there may be no process left
	}
	switch {
	case err == nil:
		return nil
	case j.Err() != nil:
		return j.Err()
	}
	text := err.Error()
	if cause := reason(said.String()); cause != "" {
		text += ": " + terminal.Plain(errors.New(cause))
	}
	return failed(text, line)
}

// failed returns the error of a job from its reason and its command line.
func failed(why string, line []string) error {
	return fmt.Errorf("%s; %s", why, words.OneLine(words.ShellQuoted(line)))
}

// measured returns the result whose files begin with prefix. If there is none yet, it runs a job. line returns the
// command line of that job; cut means that an earlier one was cut off.
func (j jobs) measured(prefix string, out io.Writer, line func(cut bool) []string) (*report.File, error) {
	if left := publish.LeftAt(prefix); left != publish.Whole {
		command := line(left == publish.Cut)
		if err := j.run(command, out); err != nil {
			return nil, err
		}
		if publish.LeftAt(prefix) == publish.Nothing {
			return nil, failed("it ended without a result: is it beff, and does the launcher belong to beff's library?",
				command)
		}
	}
	f := report.Read(prefix + ".json")
	if f.Problem != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), f.Problem)
	}
	return f, nil
}

// orderOf returns the two settings of a pair in the order in which they run. The seed determines it.
func orderOf(seed uint64, pair int) [2]int {
	if rand.New(rand.NewPCG(seed, uint64(pair))).IntN(2) == 1 {
		return [2]int{1, 0}
	}
	return [2]int{0, 1}
}

// reason returns the line of a failed run's stderr that gives the reason: the last line from beff, or otherwise the
// first line that isn't a launcher's frame. Lines about stopping and resuming don't count, unless there are no others.
// A launcher that ends its processes prints a reason itself.
func reason(said string) string {
	ours, first, stopped := "", "", ""
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		switch cause, of := strings.CutPrefix(line, "beff: "); {
		case of && strings.Contains(cause, ": stopped"):
			stopped = cause
		case of && !strings.HasPrefix(cause, "--resume"):
			ours = cause
		case !of && first == "" && strings.Trim(line, "-=") != "":
			first = line
		}
	}
	return cmp.Or(ours, first, stopped)
}

// launcherOf returns the words that start a run of a command line: the given ones, no words for an engine without
// launcher, or the launcher of the allocation.
func launcherOf(said string, line []string) ([]string, error) {
	if said != "" {
		return splitWords(said)
	}
	if slices.ContainsFunc(line, func(w string) bool { return w == "--engine" || strings.HasPrefix(w, "--engine=") }) {
		return nil, nil
	}
	if a := launch.FindAllocation(os.Getenv); a != nil {
		return []string{a.Start}, nil
	}
	return nil, errors.New("no launcher: this is no job of several tasks; give --launch to start runs")
}
