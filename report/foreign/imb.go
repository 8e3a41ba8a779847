package foreign

import "strings"

// Ours is the name of the program of results of beff probe, whose kernels have the names that their programs give them.
const Ours = "beff probe"

// ofIMB has what kernels of the Intel MPI Benchmarks measure besides collective calls, and in which way.
var ofIMB = map[string]struct {
	operation Operation
	way       Way
}{
	"PingPong":               {Message, HalfRoundTrip},
	"PingPongSpecificSource": {Message, HalfRoundTrip},
	"Uniband":                {Message, Window},
	"Biband":                 {BothWays, Window},
	"PingPing":               {BothWays, EachReversed},
	"Sendrecv":               {NaturalRing, SimpleExchange},
	"Unidir_put":             {Put, Epoch},
	"Unidir_get":             {Get, Epoch},
	"Bidir_put":              {PutBothWays, Epoch},
	"Accumulate":             {Accumulate, Epoch},
	"Get_accumulate":         {GetAccumulate, Epoch},
	"Fetch_and_op":           {FetchAndOp, Epoch},
	"Compare_and_swap":       {CompareAndSwap, Epoch},
}

// OfIMB returns what a kernel of the Intel MPI Benchmarks measures, in one group of processes or in several at once,
// and in which way; "" if no other program measures it.
func OfIMB(kernel string, several bool) (Operation, Way) {
	if several {
		if kernel == "PingPong" {
			return SeveralPairs, HalfRoundTrip
		}
		return "", ""
	}
	if x, is := ofIMB[kernel]; is {
		return x.operation, x.way
	}
	call := Collective(strings.TrimSuffix(kernel, "_pure"))
	switch {
	case call == "":
		return "", ""
	case call[0] != 'i':
		return call, BackToBack
	case strings.HasSuffix(kernel, "_pure"): // without computing beside it: a time of its own
		return "", ""
	}
	return call, Overlapped
}
