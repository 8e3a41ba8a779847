package tools

import (
	"errors"
	"fmt"
	"io"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Reader reads the output of a program.
type Reader struct {
	Program string // name of the program
	Reads   string // kinds of output that it reads, in words
	// first matches text at the beginning of a run. It is tried only for lines with one of the signs.
	first words.Regexp
	signs []string
	// start returns the state of a run, whose result already has Identity, Imported and Program.
	start  func(*run) reading
	joins  bool         // the program makes a run for each table
	within string       // in a run of this program, a line that first matches doesn't begin a run
	brace  bool         // first may match text that begins with a brace at the end of a line
	lead   words.Regexp // matches a line that may precede a run, with any lines between them; nil for none
}

// Readers has a row for each program and format. A new program needs a row here, and a file.
var Readers = []Reader{
	{Program: "b_eff_io 2.1", Reads: ".sum file", first: sumTitle, signs: []string{sumSign}, start: newSum},
	{Program: "OSU Micro-Benchmarks", Reads: "text of versions 5 to 7", first: osuFirst, start: newOSU, joins: true,
		signs: []string{"# OSU ", "Dimensions size = ", "create topology graph"}},
	{Program: "b_eff 3.6", Reads: ".sum file", first: beffFirst, start: newBEff,
		signs: []string{"b_eff.c, Revision "}},
	{Program: "MPIBlib", Reads: "text of its tools collective and p2p", first: mpiblibFirst, start: newMPIBlib,
		signs: []string{"wtick", "#P\t", "#Precision", "#beff\t", "#msg\t", "#parallel"}, within: "IMB"},
	{Program: "GPCNeT", Reads: "text of network_test and network_load_test", first: gpcnetTitle, start: newGPCNeT,
		signs: []string{" Tests v"}},
	{Program: "HPCC", Reads: "hpccoutf.txt: its latencies and bandwidths", first: hpccFirst, start: newHPCC,
		signs: []string{"HPC Challenge Benchmark", "Begin of Summary section."}},
	{Program: "IOR", Reads: "text", first: iorTitle, start: newIOR, signs: []string{"IOR-"}},
	{Program: "IOR", Reads: "JSON", first: iorBrace, start: newIORJSON, brace: true,
		signs: []string{`"tests"`}},
	{Program: "mdtest", Reads: "text", first: mdtestFirst, start: newMDTest,
		signs: []string{"-- started at ", "mdtest-"}},
	{Program: "IO500", Reads: "result_summary.txt, result.txt", first: io500First, start: newIO500,
		signs: []string{"IO500 version ", "[RESULT", "[ior-easy-write]", "[SCORE", "[run]"}},
	{Program: "elbencho", Reads: "CSV", first: elbenchoHead, start: newElbencho, signs: []string{"ISO date,label,"}},
	{Program: "IMB", Reads: "text of versions 3.2 to 2021, and beff's text in its form", first: imbFirst, start: newIMB,
		joins: true, signs: []string{"# Benchmarking", "MPI Benchmark", "#bytes", "#    beff probe "}},
	{Program: "nccl-tests", Reads: "text of all_reduce_perf and the others, of rccl-tests too", first: ncclFirst,
		start: newNCCL, lead: ncclCommand,
		signs: []string{"# nThread ", "ccl-tests version", "# Collective test starting", "_perf"}},
	{Program: "perftest", Reads: "text of ib_write_bw and the others", first: perftestFirst, start: newPerftest,
		joins: true, lead: perftestDevice,
		signs: []string{"BW Test", "BW forwarding", "BW Multicast", "Latency Test", " buffer "}},
}

// Names returns the programs with the kinds of output that beff reads.
func Names() []string {
	return lists.Each(Readers, func(p Reader) string { return p.Program + " (" + p.Reads + ")" })
}

// ErrUnknown is the error for a file that no reader recognises, ErrEmpty for an empty one.
var ErrUnknown, ErrEmpty = errors.New("its format isn't known"), errors.New("it is empty")

// Limits in bytes for a line, and for a run in JSON. No program prints more.
const (
	longest = 16 << 20
	most    = 64 << 20
)

// Read reads a file with one run. Errors have the line number, but not the file's name.
func Read(rd io.Reader, name string) (*foreign.Result, error) {
	var all []Found
	if err := Log(rd, name, func(f Found) error { all = append(all, f); return nil }); err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, fmt.Errorf("it has %d runs, of which one begins at line %d", len(all), all[1].Line)
	}
	return all[0].Result, all[0].Err
}

// lineError is an error in a line.
type lineError struct {
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

func (e *lineError) Unwrap() error { return e.err }
