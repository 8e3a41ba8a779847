package flow

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
)

// The nearest limit counts: the user's to the second, that of a batch system with a margin before it.
func TestLimits(t *testing.T) {
	now := begun.Add(time.Minute)
	hour := size.Time(time.Hour)
	for name, c := range map[string]struct {
		wall    *size.Time
		env     map[string]string
		longest time.Duration // the benchmark's own
		left    time.Duration // 0: no limit
		by      string
	}{
		"none": {},
		"user": {wall: &hour, left: 59 * time.Minute},
		"Slurm": {env: map[string]string{"SLURM_JOB_END_TIME": epoch(now.Add(time.Hour))}, left: time.Hour - margin,
			by: "SLURM_JOB_END_TIME"},
		"Slurm before": {wall: &hour, env: map[string]string{"SLURM_JOB_END_TIME": epoch(now.Add(time.Minute))},
			left: time.Minute - margin, by: "SLURM_JOB_END_TIME"},
		"Slurm later": {wall: &hour, env: map[string]string{"SLURM_JOB_END_TIME": epoch(now.Add(2 * time.Hour))},
			left: 59 * time.Minute},
		"benchmark":        {longest: 3 * time.Hour, left: 3 * time.Hour},
		"benchmark before": {wall: &hour, longest: time.Minute, left: time.Minute},
		"benchmark later":  {wall: &hour, longest: 3 * time.Hour, left: 59 * time.Minute},
		"no number":        {env: map[string]string{"SLURM_JOB_END_TIME": "soon", "PBS_WALLTIME": "01:00:00"}},
	} {
		t.Run(name, func(t *testing.T) {
			l, ok := limits(c.wall, c.longest, func(name string) string { return c.env[name] }, now)
			require.Equal(t, c.left != 0, ok)
			require.Equal(t, c.by, l.by)
			require.InDelta(t, c.left.Seconds(), l.left.Seconds(), 1, "the variable has whole seconds")
		})
	}
}

func epoch(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }

// A job of PBS has begun before this process, with the first of its user's.
func TestPBS(t *testing.T) {
	now := time.Now()
	left, ok := pbs(func(string) string { return "3600" }, now)
	require.True(t, ok)
	require.LessOrEqual(t, left, time.Hour)
}

// Flux is asked by its command.
func TestFlux(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "flux"), []byte("#!/bin/sh\n[ \"$*\" = 'job timeleft' ] && "+
		"echo 90.5\n"), 0o700))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	env := func(string) string { return "f1" }
	left, ok := flux(env, time.Now())
	require.True(t, ok)
	require.Equal(t, 90500*time.Millisecond, left)
	_, ok = flux(func(string) string { return "" }, time.Now())
	require.False(t, ok, "no job of Flux")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "flux"), []byte("#!/bin/sh\nexit 1\n"), 0o700))
	_, ok = flux(env, time.Now())
	require.False(t, ok)
}

// A Slurm that doesn't set the variable is asked by its command.
func TestSqueue(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	says := func(answer string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "squeue"), []byte("#!/bin/sh\n"+
			"[ \"$*\" = '--noheader --jobs=17 --format=%L' ] && "+answer+"\n"), 0o700))
	}
	job := map[string]string{"SLURM_JOB_ID": "17"}
	env := func(name string) string { return job[name] }
	for text, want := range map[string]time.Duration{"1-02:03:04": 26*time.Hour + 3*time.Minute + 4*time.Second,
		"2:03:04": 2*time.Hour + 3*time.Minute + 4*time.Second, "0:59": 59 * time.Second} {
		says("echo " + text)
		left, ok := squeue(env, time.Now())
		require.True(t, ok, text)
		require.Equal(t, want, left, text)
	}
	for _, answer := range []string{"echo UNLIMITED", "echo", "echo 5", "exit 1"} {
		says(answer)
		_, ok := squeue(env, time.Now())
		require.False(t, ok, answer)
	}
	says("echo 0:59")
	job["SLURM_JOB_END_TIME"] = "1"
	_, ok := squeue(env, time.Now())
	require.False(t, ok, "the variable is enough")
	_, ok = squeue(func(string) string { return "" }, time.Now())
	require.False(t, ok, "no job of Slurm")
}
