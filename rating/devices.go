package rating

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
)

// Devices describes the devices in whose memory a run had its messages.
type Devices struct {
	// Version of the driver on process 0.
	Driver string `json:"driver"`
	// Each kind of place once.
	Places []DevicePlace `json:"places" jsonschema:"maxItems=256"`
	// What the MPI library of process 0 answered when asked about such memory. It is recorded, and decides nothing.
	Says []mpi.Answer `json:"library_says,omitempty"`
}

// DevicePlace is what some processes have in common: their device has this name, and this number on its node.
type DevicePlace struct {
	// Ranks in the form of a placement.
	Ranks string `json:"ranks"`
	// Number of the device on its node, in the order of PCI addresses.
	Number int    `json:"number" jsonschema:"minimum=0"`
	Name   string `json:"name"`
	// Address on the node's PCI bus.
	PCI string `json:"pci"`
	// Identifiers, in hexadecimal digits, of the devices of these processes; left out if there are more than 8.
	UUIDs []string `json:"uuids,omitempty" jsonschema:"maxItems=8"`
	// NUMA node of the device; left out if it isn't known.
	NUMA *int `json:"numa,omitempty" jsonschema:"minimum=0"`
	// Processes that use the device, if there are several.
	SharedBy int `json:"shared_by,omitempty" jsonschema:"minimum=2"`
	// Bytes.
	Memory int64 `json:"memory" jsonschema:"minimum=0"`
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
