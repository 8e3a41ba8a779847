package flow

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
)

// The nearest limit counts: the user's limit exactly, a batch system's with a margin before it.
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

// A job of PBS began before this process, with the first process of its user.
func TestPBS(t *testing.T) {
	now := time.Now()
	left, ok := pbs(func(string) string { return "3600" }, now)
	require.True(t, ok)
	require.LessOrEqual(t, left, time.Hour)
}
