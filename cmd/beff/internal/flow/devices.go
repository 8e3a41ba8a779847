package flow

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// checkDevice returns, on all processes, the error of one that can't have its device. It is collective.
func checkDevice(e mpi.Engine) error {
	p, is := e.(mpi.Placer)
	if !is {
		return nil
	}
	_, err := p.Device()
	if err != nil {
		err = exit.Misuse("--buffers: rank %d on %s: %w", e.World().Rank(), e.Host(), err)
	}
	return job.Agree(e.World(), err)
}

// held is the device of a process: its UUID, and digests of its host, and of what processes with alike devices share.
type held struct {
	Host, Kind uint64
	UUID       [16]byte
}

// devices returns, on rank 0, the devices of all processes, or nil if messages are in the host's memory. It is
// collective.
func (j *Job) devices() (*rating.Devices, error) {
	p, is := j.Engine.(mpi.Placer)
	if !is {
		return nil, nil
	}
	d, err := p.Device()
	if d == nil || err != nil { // the same on all processes (checkDevice)
		return nil, err
	}
	world := j.Engine.World()
	mine := held{Host: digestOf(j.Engine.Host()), Kind: digestOf([]any{d.Number, d.Name, d.PCI, d.NUMA, d.Memory})}
	if id, err := hex.DecodeString(d.UUID); err == nil {
		copy(mine.UUID[:], id)
	}
	all, err := job.GatherNumbers(world, []held{mine})
	if err != nil {
		return nil, err
	}
	users := map[held]int{} // of each device
	for _, h := range all {
		users[h[0].device()]++
	}
	groups := groupHeld(all, users)
	firsts, err := job.Decide(world, func() ([]int, error) {
		return lists.Each(groups, func(ranks []int) int { return ranks[0] }), nil
	})
	result := &rating.Devices{Driver: d.Driver, Says: p.LibrarySays()}
	for i, rank := range firsts {
		about, err := job.DecideOn(world, rank, func() (mpi.Device, error) { return *d, nil })
		if err != nil {
			return nil, err
		}
		if j.first() {
			result.Places = append(result.Places, placeOf(about, groups[i], all, users))
		}
	}
	return result, err
}

// device returns what identifies the device.
func (h held) device() held { return held{Host: h.Host, UUID: h.UUID} }

// groupHeld returns the groups of ranks with devices of the same kind that equally many processes use, ordered by their
// first ranks. It leaves out all groups after the first maxKinds ones.
func groupHeld(all [][]held, users map[held]int) [][]int {
	return groupRanks(lists.Each(all, func(h []held) []place {
		return []place{{Node: h[0].Kind, Cores: int32(users[h[0].device()])}}
	}), func(p place) uint64 { return digestOf([]uint64{p.Node, uint64(p.Cores)}) })
}

// placeOf returns what the devices of some ranks have in common.
func placeOf(about mpi.Device, ranks []int, all [][]held, users map[held]int) rating.DevicePlace {
	p := rating.DevicePlace{Ranks: job.Ranges(ranks), Number: about.Number, Name: about.Name, PCI: about.PCI,
		Memory: about.Memory}
	if about.NUMA >= 0 {
		p.NUMA = &about.NUMA
	}
	if n := users[all[ranks[0]][0].device()]; n > 1 {
		p.SharedBy = n
	}
	for _, rank := range ranks {
		id := hex.EncodeToString(all[rank][0].UUID[:])
		if !slices.Contains(p.UUIDs, id) && len(p.UUIDs) <= rating.MaxUUIDs {
			p.UUIDs = append(p.UUIDs, id)
		}
	}
	if len(p.UUIDs) > rating.MaxUUIDs {
		p.UUIDs = nil
	}
	return p
}

// warnShared prints a line if processes share a device.
func warnShared(j *Job, d *rating.Devices) {
	if d == nil {
		return
	}
	for _, p := range d.Places {
		if p.SharedBy > 0 {
			fmt.Fprintf(j.Stderr, "beff: %d processes share device %d (%s): start as many processes per node as there "+
				"are devices\n", p.SharedBy, p.Number, p.Name)
			return
		}
	}
}
