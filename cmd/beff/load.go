package main

import (
	"bytes"
	"encoding/binary"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/host"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// loadOf returns the load of a job's hosts on rank 0, nil on the others. All processes call it, each with the use that
// it sees; rank 0 alone has the layout.
func loadOf(e mpi.Engine, layout *job.Layout, use host.Use) (*rating.Load, error) {
	var mine bytes.Buffer
	if err := binary.Write(&mine, binary.LittleEndian, use); err != nil {
		return nil, err
	}
	world := e.World()
	var all []byte
	if world.Rank() == 0 {
		all = make([]byte, world.Size()*mine.Len())
	}
	if err := world.Gather(mine.Bytes(), all, 0); err != nil || world.Rank() != 0 {
		return nil, err
	}
	uses := make([]host.Use, world.Size())
	if err := binary.Read(bytes.NewReader(all), binary.LittleEndian, uses); err != nil {
		return nil, err
	}
	return host.Load(layout, host.Governor("/"), uses), nil
}
