package foreign

import (
	"fmt"
	"slices"
	"strings"
)

// Operation is what was measured, in a word that all programs share.
type Operation string

// Operations other than collective ones, which have the name of the MPI call in lower case without MPI_.
const (
	Message         Operation = "message"             // from one process to another
	BothWays        Operation = "both_ways"           // messages between two processes in both directions at once
	SeveralPairs    Operation = "several_pairs"       // messages of several pairs of processes at once
	FanIn           Operation = "fan_in"              // messages of several processes to one
	FanOut          Operation = "fan_out"             // messages of one process to several
	Put             Operation = "put"                 // one-sided
	Get             Operation = "get"                 // one-sided
	PutBothWays     Operation = "put_both_ways"       // one-sided
	Accumulate      Operation = "accumulate"          // one-sided
	GetAccumulate   Operation = "get_accumulate"      // one-sided
	FetchAndOp      Operation = "fetch_and_op"        // one-sided
	CompareAndSwap  Operation = "compare_and_swap"    // one-sided
	NaturalRing     Operation = "natural_ring"        // all processes with their neighbours by rank
	RandomRing      Operation = "random_ring"         // all processes with random neighbours
	Init            Operation = "init"                // MPI_Init
	Write           Operation = "write"               // files, with new data
	Rewrite         Operation = "rewrite"             // files, over existing data
	Read            Operation = "read"                // files
	EffectiveRate   Operation = "effective_bandwidth" // b_eff's figures
	CreateFiles     Operation = "create_files"
	StatFiles       Operation = "stat_files"
	ReadFiles       Operation = "read_files" // opening and reading small or empty files
	RemoveFiles     Operation = "remove_files"
	CreateDirectory Operation = "create_directories"
	StatDirectory   Operation = "stat_directories"
	RemoveDirectory Operation = "remove_directories"
	RenameDirectory Operation = "rename_directories"
	FindFiles       Operation = "find_files"
)

// Labels of b_eff's figures in tables of EffectiveRate: bandwidths, and latencies of an exchange of a process.
const (
	BEff              = "b_eff"
	AtLmax            = "at Lmax"
	RingsAtLmax       = "rings at Lmax"
	PingPongAtLmax    = "ping-pong at Lmax"
	LatencyOfBoth     = "rings and randoms"
	LatencyOfRings    = "rings"
	LatencyOfPingPong = "ping-pong"
)

// BEffIO is the name of b_eff_io's rating by the rules of release 2.1, which differs from the rating by other rules.
const BEffIO = "b_eff_io by release 2.1"

// Pattern2 is the table of b_eff_io's pattern whose length in memory differs from the one on disk.
const Pattern2 = "pattern 2: scatter, 1 MiB on disk, 2 MiB in memory"

// MemoryPerProcess is the name of a setting of b_eff and b_eff_io.
const MemoryPerProcess = "memory per process"

// ByType returns the name of b_eff_io's table for an access method, with a row for each pattern type.
func ByType(access string) string { return access + " by type" }

// ByChunk returns the name of b_eff_io's table for an access method and a type, with a row for each chunk size.
func ByChunk(access, kind string) string { return access + ", " + kind }

// BandwidthsOf returns a table of b_eff_io without rows. If test is an access method, it is for the mean over pattern
// types.
func BandwidthsOf(test string, processes int, settings []Setting) Table {
	t := Table{Test: test, Processes: processes, Settings: settings, Rows: []Row{},
		Columns: []Column{{Name: "bandwidth", Quantity: BytesPerSecond, Printed: "MB/s", Main: true}}}
	if o := Operation(test); o == Write || o == Rewrite || o == Read {
		t.Operation, t.Way = o, WeightedTypes
	}
	return t
}

// titles has the titles of operations other than collective ones.
var titles = map[Operation]string{
	Message: "message between two processes", BothWays: "messages both ways between two processes",
	SeveralPairs: "messages of several pairs at once", FanIn: "messages of several processes to one",
	FanOut: "messages of one process to several", Put: "one-sided put", Get: "one-sided get",
	PutBothWays: "one-sided put both ways", Accumulate: "one-sided accumulate",
	GetAccumulate: "one-sided get and accumulate", FetchAndOp: "one-sided fetch and op",
	CompareAndSwap: "one-sided compare and swap", NaturalRing: "ring of all processes by rank",
	RandomRing: "ring of all processes in random order", Init: "MPI_Init",
	EffectiveRate: "effective bandwidth", Write: "writing files", Rewrite: "writing files again",
	Read: "reading files", CreateFiles: "creating files",
	StatFiles: "stat of files", ReadFiles: "opening and reading small files", RemoveFiles: "removing files",
	CreateDirectory: "creating directories", StatDirectory: "stat of directories",
	RemoveDirectory: "removing directories", RenameDirectory: "renaming directories", FindFiles: "finding files",
}

// collectives are the MPI calls that are operations with their own name, each also with a leading i.
var collectives = strings.Fields("allgather allgatherv allreduce alltoall alltoallv alltoallw barrier bcast exscan " +
	"gather gatherv reduce reduce_scatter reduce_scatter_block scan scatter scatterv neighbor_allgather " +
	"neighbor_allgatherv neighbor_alltoall neighbor_alltoallv neighbor_alltoallw comm_dup")

// Collective returns the operation of a collective call, such as MPI_Allreduce, allreduce or Iallreduce; otherwise "".
func Collective(call string) Operation {
	name := Operation(strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(call, "MPI_"), "mpi_")))
	if name.collective() {
		return name
	}
	return ""
}

func (o Operation) collective() bool {
	return slices.ContainsFunc(collectives, func(c string) bool { return string(o) == c || string(o) == "i"+c })
}

// Known reports whether there is such an operation.
func (o Operation) Known() bool { return titles[o] != "" || o.collective() }

// Title returns the operation in words.
func (o Operation) Title() string {
	if t := titles[o]; t != "" {
		return t
	}
	return "MPI_" + strings.ToUpper(string(o[:1])) + string(o[1:])
}

// Way is how an operation was measured. Figures of one operation by different ways differ on the same machine.
type Way string

// The ways.
const (
	HalfRoundTrip  Way = "half_round_trip"
	RoundTrip      Way = "round_trip"
	Window         Way = "window"
	FullQueue      Way = "full_queue"
	SimpleExchange Way = "exchange"
	EachReversed   Way = "simultaneous"
	Epoch          Way = "epoch"
	BackToBack     Way = "back_to_back"
	ByBarrier      Way = "barrier_each"
	Overlapped     Way = "overlapped"
	BestOfMethods  Way = "best_of_methods"
	RingExchange   Way = "ring_exchange"
	WholePhase     Way = "whole_phase"
	Stonewalled    Way = "stonewalled"
	WorstPair      Way = "worst_pair"
	BySeries       Way = "series"
	SlowestWorker  Way = "slowest_worker"
	WeightedTypes  Way = "weighted_types"
	Timed          Way = "timed"
)

// ways describes each way. %s is the number of messages of a window, if known.
var ways = map[Way]string{
	HalfRoundTrip:  "half of the round trip of one message at a time",
	RoundTrip:      "the whole round trip of one message at a time",
	Window:         "a window of %s messages under way at once, then an answer",
	FullQueue:      "a queue of %s messages that is kept full",
	SimpleExchange: "each process sends one message and receives one, again and again",
	EachReversed:   "one message each way at the same time, again and again",
	Epoch:          "one transfer and its completion at a time",
	BackToBack:     "repetitions one after the other between two readings of the clock, the slowest process",
	ByBarrier:      "each repetition after a barrier, the mean over the processes",
	Overlapped:     "during computation that takes as long as the communication",
	BestOfMethods:  "the best of three methods and of all repetitions, a time is length over bandwidth",
	RingExchange:   "all processes at once, each with both neighbours, the best of two methods",
	WholePhase:     "all bytes over the time from the first process's open to the last one's close",
	Stonewalled:    "all bytes over the time of a phase that a time limit ends, with opening and closing",
	WorstPair:      "half of the round trip of one message at a time, the worst of many pairs",
	BySeries:       "each repetition timed separately after a barrier, until their mean is precise enough",
	SlowestWorker:  "all bytes over the time of the slowest worker",
	WeightedTypes:  "a mean over access patterns and chunk sizes, with opening, closing and syncing",
	Timed:          "the number of calls over the time of the slowest process",
}

// Words describes how a table was measured.
func (t *Table) Words() string {
	text := ways[t.Way]
	switch {
	case !strings.Contains(text, "%s"):
	case t.Window > 0:
		text = fmt.Sprintf(text, fmt.Sprint(t.Window))
	default:
		text = strings.Replace(text, "%s ", "", 1)
		for _, s := range t.Settings {
			if s.Name == WindowSize {
				text += " (" + s.Name + " " + s.Value + ")"
			}
		}
	}
	return text
}

// WindowSize is the name of the setting that explains why a window's size isn't known.
const WindowSize = "window size"

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
