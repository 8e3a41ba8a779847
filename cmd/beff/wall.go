package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
)

// wallLimit is a time at which a run is ended by others, or by its user's wish.
type wallLimit struct {
	left time.Duration
	by   string // who told
}

// margin is the time before the end of a batch job in which nothing is begun.
const margin = 30 * time.Second

// batch holds a function for each batch system that says when a job ends. It returns false if the job isn't one of it.
var batch = []struct {
	name string
	left func(getenv func(string) string, now time.Time) (time.Duration, bool)
}{
	{"SLURM_JOB_END_TIME", slurm},
	{"squeue", squeue},
	{"PBS_WALLTIME", pbs},
	{"flux job timeleft", flux},
}

// slurm takes the end of the job in seconds since 1970, which newer versions of Slurm set; 22.05 doesn't.
func slurm(getenv func(string) string, now time.Time) (time.Duration, bool) {
	end, err := strconv.ParseInt(getenv("SLURM_JOB_END_TIME"), 10, 64)
	if err != nil {
		return 0, false
	}
	return time.Unix(end, 0).Sub(now), true
}

// squeue asks a Slurm that doesn't set the variable: by the time that is left (squeue(1), field %L).
func squeue(getenv func(string) string, _ time.Time) (time.Duration, bool) {
	id := getenv("SLURM_JOB_ID")
	if id == "" || getenv("SLURM_JOB_END_TIME") != "" {
		return 0, false
	}
	text, ok := answer("squeue", "--noheader", "--jobs="+id, "--format=%L")
	parts := remaining.FindStringSubmatch(text)
	if !ok || parts == nil {
		return 0, false
	}
	var left time.Duration
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(parts[1+i]) // a missing part is none
		left += time.Duration(n) * unit
	}
	return left, true
}

// remaining is a time of squeue(1), such as 1-02:03:04, 2:03:04 or 3:04. Words such as UNLIMITED are none.
var remaining = regexp.MustCompile(`^(?:(\d{1,5})-)?(?:(\d\d?):)?(\d\d?):(\d\d)$`)

// answer returns what a batch system's command prints in one line. It doesn't wait for one that is busy.
func answer(name string, args ...string) (string, bool) {
	const patience = 5 * time.Second
	within, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	text, err := exec.CommandContext(within, name, args...).Output()
	return string(bytes.TrimSpace(text)), err == nil
}

// pbs takes the seconds that the job may take (OpenPBS and Torque). The job began with its script, the first of the
// processes of this user that led to this one.
func pbs(getenv func(string) string, now time.Time) (time.Duration, bool) {
	seconds, err := strconv.ParseInt(getenv("PBS_WALLTIME"), 10, 64)
	if err != nil {
		return 0, false
	}
	return host.Ancestry("/", now).Add(time.Duration(seconds) * time.Second).Sub(now), true
}

// flux asks Flux (flux-job(1)), whose jobs have no variable for it.
func flux(getenv func(string) string, _ time.Time) (time.Duration, bool) {
	if getenv("FLUX_JOB_ID") == "" {
		return 0, false
	}
	text, ok := answer("flux", "job", "timeleft")
	if !ok {
		return 0, false
	}
	seconds, err := strconv.ParseFloat(text, 64)
	const most = 1e9
	if err != nil || !(seconds >= 0 && seconds < most) {
		return 0, false
	}
	return time.Duration(seconds * float64(time.Second)), true
}

// limits returns the nearest limit of this run; ok is false if there is none.
func limits(o *order, getenv func(string) string, now time.Time) (l wallLimit, ok bool) {
	if o.Wall != nil {
		l, ok = wallLimit{time.Duration(*o.Wall) - now.Sub(begun), "--wall"}, true
	}
	for _, b := range batch {
		if left, found := b.left(getenv, now); found && (!ok || left-margin < l.left) {
			l, ok = wallLimit{left - margin, b.name}, true
		}
	}
	return l, ok
}

// begun is when this process began.
var begun = time.Now()

// left returns the function that says how much time is left, nil without a limit. It tells of a batch system's limit.
func (r *recording[M]) left(o *order) func() time.Duration {
	if !r.first() {
		return nil
	}
	now := time.Now()
	l, ok := limits(o, os.Getenv, now)
	if !ok {
		return nil
	}
	if !strings.HasPrefix(l.by, "--") {
		fmt.Fprintf(r.stderr, "beff: by %s this run has %v left: what doesn't fit is not begun\n", l.by,
			max(l.left, 0).Round(time.Second))
	}
	return func() time.Duration { return l.left - time.Since(now) }
}
