package flow

import (
	"cmp"
	"encoding/hex"
	"slices"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/mpi/libmpi"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// MemoryFlags holds the flags for the memory of messages.
type MemoryFlags struct {
	Buffers string `placeholder:"MEMORY" default:"host" help:"${buffers}"`
	Staged  bool   `help:"${staged}"`
	Device  string `placeholder:"N,…|near" help:"${device}"`
}

// Choice returns the choice of the flags.
func (m MemoryFlags) Choice() (c libmpi.DeviceChoice, err error) {
	switch c.MessageMemory, err = mpi.ParseMessageMemory(m.Buffers); {
	case err != nil:
		return c, exit.Misuse("--buffers: %w", err)
	case c.Other != "":
		return c, exit.Misuse("--buffers %s: two kinds are for pairs in beff probe and beff imb", m.Buffers)
	}
	c.Staged, c.Of = m.Staged, m.Device
	return c, nil
}

// memoryArguments returns the flags of a choice, or nil for the host's memory.
func memoryArguments(d libmpi.DeviceChoice) (line []string) {
	if d.Buffers == "" {
		return nil
	}
	line = []string{"--buffers", d.Names()}
	if d.Staged {
		line = append(line, "--staged")
	}
	if d.Of != "" {
		line = append(line, "--device", d.Of)
	}
	return line
}

// SameMemory returns an error if the run to resume had its messages in another memory.
func SameMemory(was, now mpi.MessageMemory) error {
	if was == now {
		return nil
	}
	return exit.Misuse("the run that --resume continues had its messages in memory of %s: repeat --buffers %s%s",
		cmp.Or(was.Place(), "host"), was.Names(), words.Either(was.Staged, " and --staged", ""))
}

// held is the device of a process: its UUID, a digest of its host, and a digest of the facts that devices of the same
// kind share.
type held struct {
	Host, Kind uint64
	UUID       [16]byte
}

// findDevices sets, on rank 0, the devices of all processes that have one and, unless messages are in memory of the
// host, the memory that a process has on its device. It does nothing if no driver allocates memory. It is collective.
func (j *Job) findDevices(m mpi.MessageMemory) error {
	p, is := j.Engine.(mpi.Placer)
	if !is || m.Buffers == "" {
		return nil
	}
	ofHost := m.Buffers.OfHost() && m.Other.OfHost()
	world := j.Engine.World()
	d, err := p.Device()
	if err != nil {
		err = exit.Misuse("--buffers: rank %d on %s: %w", world.Rank(), j.Engine.Host(), err)
	}
	if err := job.Agree(world, err); err != nil {
		return err
	}
	d = cmp.Or(d, &mpi.Device{}) // some processes may have none
	mine := held{digestOf(j.Engine.Host()), digestOf([]any{d.Number, d.Name, d.PCI, d.NUMA, d.Memory}), d.UUID}
	all, err := job.GatherNumbers(world, []held{mine})
	if err != nil {
		return err
	}
	users := map[held]int{} // of the memory of each device
	for _, h := range all {
		if !ofHost {
			users[h[0].device()]++
		}
	}
	alike := lists.Each(all, func(h []held) []place {
		return []place{{Node: digestOf([]uint64{h[0].Kind, uint64(users[h[0].device()])})}}
	})
	list, err := kinds(world, alike, *d, func(p place) uint64 { return p.Node })
	if err != nil || !j.first() {
		return err
	}
	list = slices.DeleteFunc(list, func(k kind[mpi.Device]) bool { return k.fact == mpi.Device{} })
	j.Devices = &rating.Devices{Driver: list[0].fact.Driver, Says: p.LibrarySays()}
	for _, k := range list {
		j.Devices.Places = append(j.Devices.Places, placeOf(k.fact, k.ranks, all, users))
	}
	if share := j.Devices.Share(); !ofHost && (m.Other == "" || share < j.Layout.Memory) {
		j.Layout.Memory = share
	}
	return nil
}

// device returns the part of h that identifies the device.
func (h held) device() held { return held{Host: h.Host, UUID: h.UUID} }

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
		if !slices.Contains(p.UUIDs, id) && len(p.UUIDs) < rating.MaxUUIDs {
			p.UUIDs = append(p.UUIDs, id)
		}
	}
	return p
}
