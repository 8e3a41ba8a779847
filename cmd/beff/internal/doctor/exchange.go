package doctor

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// Exchange exchanges messages between the memories of the devices of ranks 0 and 1, and prints whether the data are
// right. It does nothing on one process. A library that doesn't take such memory crashes. It is collective.
func Exchange(j *flow.Job, memory mpi.MemoryKind, w io.Writer) error {
	world := j.Engine.World()
	if world.Size() < 2 {
		return nil
	}
	for _, n := range []int64{8, 1 << 20} { // libraries send short and long messages in different ways
		var err error
		if world.Rank() < 2 {
			err = exchange(j.Engine, memory, n)
		}
		if err = job.Agree(world, err); err != nil {
			return err
		}
	}
	return job.Do(world, func() error {
		lines := row("exchange", "8 B and 1 MiB between the devices of ranks 0 and 1: right", maxRowLines)
		if _, err := fmt.Fprintln(w, strings.Join(lines, "\n")); err != nil {
			return fmt.Errorf("stdout: %w", err)
		}
		return nil
	})
}

// exchange exchanges n bytes between ranks 0 and 1.
func exchange(e mpi.Engine, memory mpi.MemoryKind, n int64) error {
	b, err := memory.NewBuffer(e, 2*n)
	if err != nil {
		return err
	}
	defer b.Free()
	other := 1 - e.World().Rank()
	content := func(rank int) []byte { return bytes.Repeat([]byte{byte(rank + 1)}, int(n)) }
	mpi.Store(b, 0, content(1-other))
	r, err := e.Compile(&mpi.Program{Comm: e.World(),
		Places: []mpi.Place{{Space: b, Length: n, Peer: other}, {Space: b, Offset: n, Length: n, Peer: other}},
		Loop:   []mpi.Call{{Op: mpi.Sendrecv, Send: mpi.One(0), Recv: mpi.One(1)}}})
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := r.Run(mpi.Loops{Timed: 1}); err != nil {
		return err
	}
	arrived := mpi.Load(b, n, n)
	if _, err = e.(mpi.Placer).Device(); err == nil && !bytes.Equal(arrived, content(other)) {
		err = fmt.Errorf("%d bytes from the device of rank %d arrived wrong", n, other)
	}
	return err
}
