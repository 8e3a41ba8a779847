package ranking

import (
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// paper is Table 1 of Rabenseifner and Koniges, Effective Communication and File-I/O Bandwidth Benchmarks, LNCS 2131,
// 2001: system, processors, b_eff, b_eff per process, Lmax in MiB, ping-pong (0: not given), then at Lmax: b_eff, per
// process, and per process over rings only. Bandwidths are in MB/s = 10^6 bytes per second. All figures are as printed.
// One figure of the SX-4 with 8 processors must be a misprint, since 5766/8 is 721, not 641.
var paper = []struct {
	system                                           string
	processes                                        int
	beff, perProcess                                 float64
	lmax                                             int64
	pingPong, atLmax, atLmaxOfEach, ringsAtLmaxOfOne float64
}{
	{"Cray T3E/900-512", 512, 19919, 39, 1, 330, 50018, 98, 193},
	{"Cray T3E/900-512", 256, 10056, 39, 1, 330, 22738, 89, 190},
	{"Cray T3E/900-512", 128, 5620, 44, 1, 330, 12664, 99, 195},
	{"Cray T3E/900-512", 64, 3159, 49, 1, 330, 7044, 110, 192},
	{"Cray T3E/900-512", 24, 1522, 63, 1, 330, 3407, 142, 205},
	{"Cray T3E/900-512", 2, 183, 91, 1, 330, 421, 210, 210},
	{"Hitachi SR 8000 round-robin", 128, 3695, 29, 8, 776, 11609, 90, 105},
	{"Hitachi SR 8000 round-robin", 24, 915, 38, 8, 741, 2764, 115, 110},
	{"Hitachi SR 8000 sequential", 24, 1806, 75, 8, 954, 5415, 226, 400},
	{"Hitachi SR 2201", 16, 528, 33, 2, 0, 1451, 91, 96},
	{"NEC SX-5/8B", 4, 5439, 1360, 2, 0, 35047, 8762, 8758},
	{"NEC SX-4/32", 16, 9670, 604, 2, 0, 50250, 3141, 3242},
	{"NEC SX-4/32", 8, 5766, 641, 2, 0, 28439, 3555, 3552},
	{"NEC SX-4/32", 4, 2622, 656, 2, 0, 14254, 3564, 3552},
	{"HP-V 9000", 7, 435, 62, 8, 0, 1135, 162, 162},
	{"SGI Cray SV1-B/16-8", 15, 1445, 96, 4, 994, 5591, 373, 375},
}

// paperIO has the b_eff_io figures below Figure 3 of the same paper: system, processes, bandwidth in MB/s. The text has
// no others. For the SP the paper prints nodes; we assume one process on each.
var paperIO = []struct {
	system    string
	processes int
	rated     float64
	note      string
}{
	{"IBM RS 6000/SP blue Pacific", 128, 63, "128 nodes; the paper does not print the number of processes"},
	{"NEC SX5-5Be/32M2", 4, 60, ""},
	{"Cray T3E/900-512", 32, 57, ""},
}

// Reference returns the systems of the 2001 paper, which gives neither memory nor latency.
func Reference() (list []Entry) {
	entry := func(benchmark, rules, system string, processes int, figures map[string]float64) *Entry {
		e := Entry{Class: rating.Class{Benchmark: benchmark, Rules: rules}, System: rating.System{Name: system},
			Processes: processes, Status: Published, Figures: rating.Values{}}
		for key, x := range figures {
			if x > 0 {
				e.Figures[key] = rating.Value{Value: x * words.Mega}
			}
		}
		list = append(list, e)
		return &list[len(list)-1]
	}
	const misprint = 0.02 // relative; more than any rounding in the paper
	for _, p := range paper {
		e := entry(bEff, usualRules[bEff], p.system, p.processes, map[string]float64{bEff: p.beff,
			"b_eff_per_process": p.perProcess, "at_lmax": p.atLmax, "at_lmax_per_process": p.atLmaxOfEach,
			"rings_at_lmax_per_process": p.ringsAtLmaxOfOne, "ping_pong_at_lmax": p.pingPong})
		e.Longest = p.lmax * words.Mebi
		if off := math.Abs(p.beff/float64(p.processes) - p.perProcess); off > max(misprint*p.perProcess, 1) {
			e.System.Note = fmt.Sprintf("as printed, but %.0f / %d is %.0f", p.beff, p.processes,
				p.beff/float64(p.processes))
		}
	}
	for _, p := range paperIO {
		e := entry(bEffIO, usualRules[bEffIO], p.system, p.processes, map[string]float64{bEffIO: p.rated})
		e.System.Note = p.note
	}
	return list
}

// likeSize is the largest ratio between the numbers of processes of a reference and of a result that it is shown with.
const likeSize = 2

// ReferencesFor returns the systems of the paper to show with results: systems of the same benchmarks with half to
// twice as many processes as some result. Without results it returns all.
func ReferencesFor(results []Entry) []Entry {
	return slices.DeleteFunc(Reference(), func(p Entry) bool {
		return len(results) > 0 && !slices.ContainsFunc(results, func(e Entry) bool {
			return e.Benchmark == p.Benchmark && e.Processes <= likeSize*p.Processes &&
				p.Processes <= likeSize*e.Processes
		})
	})
}
