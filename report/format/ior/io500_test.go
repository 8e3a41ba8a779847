package ior_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/ior"
	iortext "github.com/effective-bandwidth/beff/report/format/ior"
)

// The lines of an IO500-like set are IO500's: names in 20 characters, figures in 15, and what breaks a rule is invalid.
func TestWriteIO500(t *testing.T) {
	r := &ior.Result{Tests: ior.IO500(ior.POSIX, 2<<20, 300, 0, 1, func(name string) string { return name })}
	for i := range r.Tests {
		a := ior.Write
		for _, x := range ior.Accesses() {
			if r.Tests[i].Measures(x) {
				a = x
			}
		}
		s := ior.Sample{Test: i, Access: a, Bytes: 300 << 30, Transfers: 600_000, Seconds: 300, Move: 300}
		if s.Test == 1 {
			s.Seconds, s.Move = 299, 299
		}
		r.Samples = append(r.Samples, s)
	}
	r.Beff, r.Derived = "1.0", ior.Derive(r)
	var b strings.Builder
	require.NoError(t, iortext.WriteIO500(&b, r))
	lines := strings.Split(b.String(), "\n")
	require.Len(t, lines, 16)
	require.Equal(t, "IO500-like set by beff 1.0", lines[0])
	require.Equal(t, "[RESULT]       ior-easy-write        1.000000 GiB/s : time 300.000 seconds", lines[1])
	require.Equal(t, "[RESULT]    mdtest-easy-write        2.006689 kIOPS : time 299.000 seconds [INVALID]", lines[2])
	require.Equal(t, "[RESULT]                 find        2.000000 kIOPS : time 300.000 seconds", lines[5])
	require.Equal(t, "[      ]  ior-rnd4K-easy-read        1.000000 GiB/s : time 300.000 seconds", lines[13])
	require.Equal(t, "[SCORE ] Bandwidth 1.000000 GiB/s : IOPS 2.000835 kiops : TOTAL 1.414509 [INVALID]", lines[14])
}
