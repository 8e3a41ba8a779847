package foreign

import "strings"

// ProbeProgram is the program of results of beff probe. Its kernels have the names that the original programs give
// them.
const ProbeProgram = "beff probe"

// ofIMB has the operations and ways of kernels of the Intel MPI Benchmarks, other than collective calls.
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

// OfIMB returns the operation and the way of a kernel of the Intel MPI Benchmarks, in one group of processes or in
// several at once. It returns "" if no other program measures the same.
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
	case strings.HasSuffix(kernel, "_pure"): // without overlapped computing, which no other program measures
		return "", ""
	}
	return call, Overlapped
}
