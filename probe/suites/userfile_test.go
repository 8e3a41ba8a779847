package suites

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/programfile"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// userPingPong is PingPong as a user would write it.
const userPingPong = `program: pingpong
memory: {out: bytes, in: bytes}
calls:
  - {when: rank == 0, do: [{send: {of: out, to: 1}}, {recv: {into: in, from: 1}}]}
  - {when: rank == 1, do: [{recv: {into: in, from: 0}}, {send: {of: out, to: 0}}]}
check: {when: rank < 2, that: in == out of 1-rank}
`

// The file for PingPong gives the kernel's own program.
func TestPingPongFile(t *testing.T) {
	f, err := programfile.Parse("f", userPingPong)
	require.NoError(t, err)
	k := UserKernel(f)
	for rank := range 2 {
		want := sceneOf(t, kernel.MPI1, "PingPongSpecificSource", settings.Plain, rank, 2, 24, 5)
		s := *want
		s.Kernel = k
		own, file := want.Program(want.Kernel.Recipe.Build(want)), s.Program(k.Recipe.Build(&s))
		require.Equal(t, steps(own, own.Loop), steps(file, file.Loop))
	}
}
