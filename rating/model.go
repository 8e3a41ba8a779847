package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Model is the machine of a simulated result, and how its times were computed.
type Model struct {
	// Description of the machine (docs/models.md), with all changes applied.
	Machine string `json:"machine"`
	// How messages share the network. Either the messages of an exchange are limited by the busiest link on their way,
	// or each message is followed by itself, with a max-min fair part of the bandwidth.
	Sharing string `json:"sharing" jsonschema:"enum=busiest link,enum=message by message"`
	// Nodes of the network.
	Nodes int `json:"nodes" jsonschema:"minimum=1"`
	// Links of the network, one for each direction.
	Links int `json:"links" jsonschema:"minimum=0"`
}

// simulated is the code of the warning about a model.
const simulated = "simulated"

// IsModel reports whether the warning is that a model computed the figures.
func (w Warning) IsModel() bool { return w.Code == simulated }

// SimulatedWarning returns the warning about a result of an engine whose network is a model.
func SimulatedWarning(engine mpi.Library, machine string) []Warning {
	if !engine.Kind().Simulated {
		return nil
	}
	return []Warning{{Code: simulated, Text: fmt.Sprintf("computed by a model of the machine %s: nothing was measured",
		machine), Remedy: "compare it with a measured result before relying on it"}}
}
