package rating

import (
	"fmt"
	"time"
)

// Wait is a time in which a process of a run made no progress.
type Wait struct {
	// Rank in the world.
	Rank int    `json:"rank" jsonschema:"minimum=0"`
	Host string `json:"host"`
	// When it was first seen.
	Since time.Time `json:"since"`
	// Seconds until it made progress, or until the document was written.
	Seconds float64 `json:"seconds" jsonschema:"minimum=0"`
	// Library call in which the process was, with its partners; empty if none.
	Call string `json:"call,omitempty"`
	// The measurement under way.
	During string `json:"during,omitempty"`
	// Seconds that the measurement should have taken, if the measurement was slow while the process made progress.
	Expected float64 `json:"expected,omitempty" jsonschema:"minimum=0"`
	// The process itself was stopped, or got no processor.
	Stopped bool `json:"stopped,omitempty"`
}

// MaxWaits is the number of waits that a result names.
const MaxWaits = 20

// Words describes a wait, as in "rank 17 on n3: 41 s in MPI_Sendrecv with rank 4 on n1, ring-1*8, 65536 bytes".
func (w Wait) Words() string {
	text := fmt.Sprintf("rank %d on %s: %.0f s", w.Rank, w.Host, w.Seconds)
	switch {
	case w.Expected > 0:
		text += " instead of the expected " + Rounded(w.Expected, 2) + " s"
	case w.Stopped:
		text += " stopped, or without a processor"
	case w.Call != "":
		text += " in " + w.Call
	default:
		text += " outside of any call"
	}
	if w.During != "" {
		text += ", " + w.During
	}
	return text
}

// WaitWarning returns the warning about processes that made no progress for some time, if there are any.
func WaitWarning(waits []Wait) []Warning {
	if len(waits) == 0 {
		return nil
	}
	longest := waits[0]
	for _, other := range waits[1:] {
		if other.Seconds > longest.Seconds {
			longest = other
		}
	}
	text := "a process made no progress for some time: " + longest.Words()
	if n := len(waits) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more of this kind", n)
	}
	return []Warning{{Code: "wait", Text: text,
		Remedy: "check this process's node, network and storage, and measure again"}}
}
