package rating

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
)

// Devices describes the devices in whose memory a run had its messages.
type Devices struct {
	// Version of the driver on the first of these processes.
	Driver string `json:"driver"`
	// Each kind of place once.
	Places []DevicePlace `json:"places" jsonschema:"maxItems=256"`
	// What the MPI library of process 0 answered when asked about such memory. It is recorded, and decides nothing.
	Says []mpi.Answer `json:"library_says,omitempty"`
}

// DevicePlace describes the devices of some processes, which have the same name, and the same number on their nodes.
type DevicePlace struct {
	// Ranks in the form of a placement.
	Ranks string `json:"ranks"`
	// Number of the device on its node, in the order of PCI addresses.
	Number int    `json:"number" jsonschema:"minimum=0"`
	Name   string `json:"name"`
	// Address on the node's PCI bus.
	PCI string `json:"pci"`
	// Identifiers, in hexadecimal digits, of the devices of these processes, of 8 at most.
	UUIDs []string `json:"uuids,omitempty" jsonschema:"maxItems=8"`
	// NUMA node of the device; left out if it isn't known.
	NUMA *int `json:"numa,omitempty" jsonschema:"minimum=0"`
	// Processes that use the device's memory, if there are several.
	SharedBy int `json:"shared_by,omitempty" jsonschema:"minimum=2"`
	// Bytes.
	Memory int64 `json:"memory" jsonschema:"minimum=0"`
}

// CheckMemory returns an error if a document has devices for messages in the host's memory, or for others lacks them or
// has them with another driver.
func (e *Environment) CheckMemory(m mpi.MessageMemory) error {
	if m.Check() != nil || m.Staged && !m.Stages() || e != nil && (e.Devices == nil) != (m.Buffers == "") ||
		e != nil && e.Devices != nil && !e.Devices.driverIs(m.Driver()) {
		return fmt.Errorf("messages are in memory of %q, which doesn't go with the devices", m.Place())
	}
	return nil
}

// MemoryCriteria returns the criteria of a rating with messages in memory that a driver allocates, or none for other
// memory of the host. Processes may share a device if messages are in pinned memory.
func (e *Environment) MemoryCriteria(m mpi.MessageMemory) []Criterion {
	if m.Buffers == "" {
		return nil
	}
	list := []Criterion{{Name: "memory", Class: m.Place() + " memory", Text: "messages are in the host's memory"}}
	if m.Buffers.OfHost() {
		return list
	}
	known := e != nil && e.Devices != nil
	return append(list, Criterion{Name: "devices", Text: "every process has its own device", Unknown: !known,
		Not: "processes share devices", Reached: known && !e.Devices.Shared(),
		Remedy: "start as many processes per node as there are devices"})
}

// driverIs reports whether the devices have a driver, such as level_zero for "Level Zero 1.9".
func (d *Devices) driverIs(name string) bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(d.Driver, " ", "_")), name)
}

// Shared reports whether processes share a device.
func (d *Devices) Shared() bool {
	return d != nil && slices.ContainsFunc(d.Places, func(p DevicePlace) bool { return p.SharedBy > 0 })
}

// Share returns the least memory of a device for each process that uses it.
func (d *Devices) Share() int64 {
	return slices.Min(lists.Each(d.Places, func(p DevicePlace) int64 { return p.Memory / int64(max(1, p.SharedBy)) }))
}

// MaxUUIDs is the largest number of identifiers of a DevicePlace.
const MaxUUIDs = 8

// String describes the devices in a line.
func (d *Devices) String() string {
	places := lists.Each(d.Places, func(p DevicePlace) string {
		text := fmt.Sprintf("ranks %s: device %d, %s at %s", p.Ranks, p.Number, p.Name, p.PCI)
		if p.NUMA != nil {
			text += fmt.Sprintf(" on NUMA node %d", *p.NUMA)
		}
		if p.SharedBy > 0 {
			text += fmt.Sprintf(", shared by %d processes", p.SharedBy)
		}
		return text
	})
	return d.Driver + "; " + strings.Join(places, "; ")
}
