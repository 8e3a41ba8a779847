package rating

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
)

// Model is the machine of a simulated result, and how its times were computed.
type Model struct {
	// Description of the machine (docs/models.md), with all changes applied.
	Machine string `json:"machine"`
	// How messages share the network: max-min fair in each exchange, the same for each message by itself, or a bound by
	// the busiest link for some patterns or all.
	Sharing string `json:"sharing" jsonschema:"enum=max-min fair,enum=message by message,enum=busiest link"`
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
