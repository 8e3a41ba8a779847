package settings

import (
	"math"
)

// Limits of a user's choices.
const (
	maxPieces     = 1 << 16         // of a message of MPIBlib's variants
	LongestLog    = 40              // log2 of the longest length. IMB's lengths are ints and end at 30
	longestLength = 1 << LongestLog // bytes
	longestTime   = 1e9             // seconds that a length may take: 30 years
	MaxMemory     = 1 << 62         // bytes of a process's buffers: above any memory
	MaxCount      = math.MaxInt32   // repetitions and processes, which are ints in IMB
)

// RoundUp returns the least multiple of a unit that is not less than n.
func RoundUp(n, unit int64) int64 { return (n + unit - 1) / unit * unit }

// The values of Settings.Counts for trees whose processes don't know the counts of others.
const (
	CountsBroadcast = "bcast"   // the root broadcasts them first
	CountsMessage   = "message" // they travel with the data
	CountsDuplicate = "dup"     // they travel with the data, after a duplication of the communicator
)

// CountsWays lists all of these values.
var CountsWays = []string{CountsBroadcast, CountsMessage, CountsDuplicate}
