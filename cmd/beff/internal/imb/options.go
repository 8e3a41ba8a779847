package imb

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/method"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// messages and files hold the defaults: messages of all components but IMB-IO, files of IMB-IO.
var messages, files = method.Guide().Defaults(kernel.MPI1), method.Guide().Defaults(kernel.IO)

// ofIO returns the text of a default of messages and of files.
func ofIO(show func(method.Defaults) string) string {
	return show(messages) + ", by the guide of IMB-IO " + show(files)
}

// table has the options of the guide ("Command-line Control"), then beff's own. Those that all commands have that
// measure are in none of the grammars: package main has them.
var table = []Option{
	{Name: "npmin", Group: Kernels, Value: "P", Example: "3",
		Help:    "the least active processes: benchmarks run on P, 2P, 4P, … and all",
		Default: fmt.Sprintf("%d, of IMB-IO %d", messages.LeastProcs, files.LeastProcs),
		set:     whole(func(r *probing.Request) *int { return &r.Settings.Who.Least })},
	{Name: "multi", Value: "0|1", Choices: []string{"0", "1", "-1"}, Example: "1",
		Help: "several groups at once. 0: the slowest group is shown, 1: all are; -1: one group",
		set: parsed(strconv.Atoi, func(r *probing.Request, outflag int) {
			r.Settings.Who.Multi = nil
			if outflag >= 0 {
				r.Settings.Who.Multi = &outflag
			}
		})},
	{Name: "off_cache", Group: Timing, Value: "SIZE[,LINE]", Example: "32MiB,128", unit: "MiB",
		Help: fmt.Sprintf("avoid the last level cache of that size, with lines of LINE bytes (%d if not given); -1: %s",
			settings.Default.CacheLine, short(size.Bytes(settings.Default.CacheSize))),
		set: setCache},
	{Name: "iter", Group: Timing, Value: "N[,VOL[,NONAGGR[,POLICY]]]", Example: "5,6,7,off",
		Help: "the most repetitions, the most that they move in units of 2^20 bytes, the most in non-aggregate mode",
		Default: ofIO(func(d method.Defaults) string {
			return fmt.Sprintf("%d,%d,%d", d.MsgsPer, d.OverallVol>>20, d.MsgsNonAggr)
		}),
		set: parsed(parseIter, func(r *probing.Request, i iter) { i.set(&r.Settings) })},
	{Name: "iter_policy", Value: "POLICY", Choices: policies, Default: string(settings.Default.Policy), Example: "auto",
		Help: "how repetitions become fewer where they would take too long: " + either(policies),
		set:  word(func(r *probing.Request) *settings.Policy { return &r.Settings.Repetitions.Policy })},
	{Name: "time", Group: Timing, flag: "sample-time", Value: "TIME", Example: "2.5",
		Help:    "how long a message length may take, such as 90s, or a number of seconds",
		Default: strconv.FormatFloat(settings.Default.SampleTime, 'g', -1, 64),
		set:     parsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Repetitions.SampleTime = s })},
	{Name: "mem", Group: Timing, flag: "memory", Value: "SIZE", Example: "3MiB", unit: "GiB",
		Help: "memory of a process for messages", Default: short(size.Bytes(settings.Default.Memory)),
		set: sized(func(r *probing.Request) *int64 { return &r.Settings.Memory.Most })},
	{Name: "msglog", Group: Kernels, Value: "[MIN:]MAX", Example: "2:4", Excepts: "lengths",
		Help:    "message lengths 0 and 2^MIN to 2^MAX bytes",
		Default: ofIO(func(d method.Defaults) string { return fmt.Sprintf("0:%d", d.LongestLog) }),
		set:     setLog},
	{Name: "msgsize", Group: Kernels, Value: "BYTES", Example: "1,4096", Excepts: "lengths",
		Help: "message lengths, separated by commas",
		set:  parsed(probing.ParseLengths, only)},
	{Name: "msgsz", Value: "SIZE", Example: "5k", Excepts: "lengths", only: Guide, of: p2p,
		Help: "a message length, besides those before it",
		set: parsed(probing.ParseLengths, func(r *probing.Request, lengths []int64) {
			file := r.Lengths
			only(r, append(r.Settings.Rows.Lengths, lengths...))
			r.Lengths = file
		})},
	{Name: "msglen", Value: "FILE", Example: "lengths", Excepts: "lengths",
		Help: "message lengths, one in a line",
		set:  word(func(r *probing.Request) *string { only(r, r.Settings.Rows.Lengths); return &r.Lengths })},
	{Name: "lengths", Group: Kernels, Own: true, Value: "LENGTHS", Example: "1:9:4", Excepts: "lengths",
		Help: "message lengths MIN:MAX:STRIDE, or adaptive:MIN:MAX[,DIFF[,STRIDE[,NUM]]]: few where the time is a " +
			fmt.Sprintf("straight line, more where it jumps by a part of DIFF (default: %g), at least STRIDE bytes ",
				settings.Default.Adaptive.Difference) +
			fmt.Sprintf("apart (%d), at most NUM (%d)", settings.Default.Adaptive.Stride,
				settings.Default.Adaptive.Most),
		set: setLengths},
	{Name: "map", Value: "PxQ", Example: "2x3",
		Help: "number the processes along the rows of a matrix",
		set:  parsed(parseMap, func(r *probing.Request, sides []int) { r.Settings.Who.Map = sides })},
	{Name: "include", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "benchmarks besides those that are named or run by default",
		set:  names(func(r *probing.Request) *[]string { return &r.Include })},
	{Name: "exclude", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "benchmarks that don't run",
		set:  names(func(r *probing.Request) *[]string { return &r.Exclude })},
	{Name: "input", Value: "FILE", Example: "names",
		Help: "names of benchmarks, one in a line",
		set:  word(func(r *probing.Request) *string { return &r.Input })},
	{Name: "thread_level", Value: "LEVEL", Choices: append(slices.Clone(mpi.ThreadLevels), noInit), Example: "funneled",
		Help: "MPI_Init_thread instead of MPI_Init, with the level " + either(mpi.ThreadLevels),
		set: func(r *probing.Request, value, _ string) error {
			if r.ThreadLevel = value; value == noInit {
				r.ThreadLevel = ""
				r.Notice("-thread_level %s is ignored: without MPI_Init there is no message", noInit)
			}
			return nil
		}},

	{Name: "sync", Value: "on|off", Example: "on", of: collective,
		Help:    "a barrier between two repetitions of a collective kernel, outside of the clock",
		Default: "on; by the guide off",
		set:     switched(func(r *probing.Request, on bool) { r.Settings.Sync = &on })},
	{Name: "root_shift", Value: "on|off", Example: "on", of: collective,
		Help:    "the root of collective kernels changes with each repetition",
		Default: "off; by the guide on",
		set:     switched(func(r *probing.Request, on bool) { r.Settings.RootShift = &on })},
	{Name: "imb_barrier", Value: "on|off", Default: "off", Example: "on", of: collective,
		Help: "the barrier of -sync is made of messages instead of MPI_Barrier",
		set:  switched(func(r *probing.Request, on bool) { r.Settings.OwnBarrier = on })},
	{Name: "data_type", Value: "TYPE", Choices: dataTypes, Default: dataTypes[0], Example: "int", of: mpi1,
		Help: "type of the data: " + either(dataTypes), set: typed("data_type", dataTypes[0], map[string]string{
			"float16": noSuchType + "bytes", "bfloat16": noSuchType + "bytes",
			"char": "the data are bytes, which move alike",
		}, func(r *probing.Request) *settings.DataType { return &r.Settings.DataType })},
	{Name: "red_data_type", Value: "TYPE", Choices: redDataTypes, Default: "float", Example: "double", of: mpi1,
		spellings: []string{"-data_type_for_reduction", "-red_data_type"},
		Help:      "type of the numbers that are reduced: " + either(redDataTypes),
		set: typed("red_data_type", "float", map[string]string{
			"float16": noSuchType + "floats", "bfloat16": noSuchType + "floats",
			"char": "the MPI standard doesn't add characters (MPI 4.1, 6.9.2); the numbers are floats",
		}, func(r *probing.Request) *settings.DataType { return &r.Settings.RedType })},
	{Name: "contig_type", Value: "TYPE", Choices: texts(contigTypes), Default: string(contigTypes[0]),
		Example: "resize", of: mpi1,
		Help: "how elements lie in memory: base, one behind the other; resize, each with a gap of its size behind " +
			"it; base_vec, resize_vec, the same as one MPI_Type_vector",
		set: chosen(contigTypes, func(r *probing.Request) *settings.ContigType { return &r.Settings.ContigType })},
	{Name: "window_size", Value: "N", Default: strconv.Itoa(settings.Default.Window), Example: "16", of: windows,
		Help: "messages of a repetition of Uniband and Biband, and 64 of UniBandMT and BiBandMT",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Window })},
	{Name: "zero_size", Value: "on|off", Default: "on", Example: "off",
		Help: "with a row of 0 bytes",
		set:  switched(func(r *probing.Request, on bool) { r.Settings.NoZero = !on })},
	{Name: "warm_up", Value: "on|off", Default: "on", Example: "off", only: Guide,
		Help: "repetitions before the timed ones",
		set: switched(func(r *probing.Request, on bool) {
			if r.Settings.Repetitions.WarmUp = nil; !on {
				r.Settings.Repetitions.WarmUp = new(int64)
			}
		})},
	{Name: "aggregate_mode", Value: "MODE", Choices: []string{"aggregate", "non_aggregate", "multi"},
		Default: "multi", Example: "aggregate", of: []kernel.Component{kernel.EXT, kernel.IO, kernel.RMA},
		Help: "the mode of kernels that have two: one completion behind many transfers, one behind each, or both " +
			"tables",
		set: parsed(func(v string) (settings.Mode, error) { return onlyModes[v], nil },
			func(r *probing.Request, mode settings.Mode) { r.Settings.OnlyMode = mode })},
	{Name: "msg_pause", Value: "on|off", Default: "off", Example: "on", only: Guide,
		Help: "pause behind each row: a tenth of its time, at least 0.1 s",
		set: switched(func(r *probing.Request, on bool) {
			if r.Settings.Pause = 0; on {
				r.Settings.Pause = 0.1
			}
		})},
	{Name: "msgwr", Value: "on|off", Default: "on", Example: "off", of: p2p,
		Help: "processes write into each line of a message before they send it",
		set:  switched(func(r *probing.Request, on bool) { r.Settings.NoTouchSent = !on })},
	{Name: "msgrd", Value: "on|off", Default: "on", Example: "off", of: p2p,
		Help: "processes read each line of a message that they have received",
		set:  switched(func(r *probing.Request, on bool) { r.Settings.NoTouchReceived = !on })},
	{Name: "pause", Value: "USEC", Default: "100000 of IMB-P2P, else none", Example: "250", only: Guide, of: p2p,
		Help: "microseconds of a pause before each row, and of another one behind it", set: setPauseAround},
	{Name: "stride", Value: "N", Default: "half of the processes", Example: "1", only: Guide, of: mt,
		Help: "ranks between the partners of IMB-MT",
		set:  fromZero(func(r *probing.Request) *int { return &r.Settings.Threading.Stride })},
	{Name: "repeat", Value: "N", Default: "1000", Example: "50", only: Guide, of: mt,
		Help: "timed repetitions of each length",
		set:  parsed(positive, func(r *probing.Request, n int64) { r.Settings.Repetitions.Most = n })},
	{Name: "untimed", Value: "N", Default: "100", Example: "5", only: Guide, of: mt, spellings: []string{"-warmup"},
		Help: "repetitions before the timed ones",
		set:  parsed(natural, func(r *probing.Request, n int64) { r.Settings.Repetitions.WarmUp = &n })},
	{Name: "elements", Value: "N", List: true, Default: "1,2,4,8", Example: "1,16", only: Guide, of: mt,
		spellings: []string{"-count"}, Help: "numbers of elements of a message of a thread",
		set: parsed(probing.ParseLengths, func(r *probing.Request, list []int64) {
			r.Elements = append(r.Elements, list...)
		})},
	{Name: "barrier", Value: "HOW", Choices: settings.ThreadBarriers, Default: settings.ThreadBarriers[0],
		Example: settings.BarrierSpecial, only: Guide, of: mt,
		Help: "the barrier before the clock of messages, and between collective calls: on, MPI_Barrier by the first " +
			"thread for all; special, made of messages; off, none",
		set: chosen(settings.ThreadBarriers, func(r *probing.Request) *string {
			return &r.Settings.Threading.Barrier
		})},
	{Name: "malloc_algo", Value: "HOW", Choices: settings.ThreadMemories, Default: settings.ThreadMemories[0],
		Example: settings.MemoryParallel, only: Guide, of: mt,
		Help: "how the threads' memory is made: serial, by the first thread; continuous, so without gaps between two " +
			"threads; parallel, by each thread its own",
		set: chosen(settings.ThreadMemories, func(r *probing.Request) *string { return &r.Settings.Threading.Memory })},
	{Name: "malloc_align", Value: "BYTES", Default: "64", Example: "128", only: Guide, of: mt,
		Help: "no effect up to the size of a page, at which memory begins",
		set: parsed(positive, func(r *probing.Request, n int64) {
			if n > pageSize {
				r.Notice("-malloc_align %d is ignored: memory begins at a page", n)
			}
		})},
	{Name: "check", Value: "on|off", Default: "off", Example: "on", only: Guide, of: mt, optional: true,
		Help: "no effect: data are always checked, outside of the clock",
		set:  switched(func(*probing.Request, bool) {})},
	{Name: "noheader", only: Guide, of: mt, Help: "the text has no header",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.Threading.NoHeader })},
	{Name: "datatype", Value: "TYPE", Choices: []string{"int", "char"}, Default: "int", Example: "char", only: Guide,
		of: mt, Help: "type of the data: int or char",
		set: typed("datatype", "int", nil,
			func(r *probing.Request) *settings.DataType { return &r.Settings.DataType })},
	{Name: "mem_alloc_type", Value: "TYPE", Choices: []string{"device", "host", "shared", "cpu"}, Default: "cpu",
		Example: "host", only: Guide, Help: "ignored: data are in the memory of the processors",
		set: func(r *probing.Request, value, _ string) error {
			if value != "cpu" {
				r.Notice("-mem_alloc_type %s is ignored: data are in the memory of the processors", value)
			}
			return nil
		}},
	{Name: "show_tail", Value: "on|off", Example: "on", only: Guide, optional: true,
		Help: "ignored: the text always has IMB's last line",
		set:  ignored("-show_tail", "the text always has IMB's last line")},
	{Name: "list", only: Guide, spellings: []string{"-l", "-list"}, Help: "show the benchmarks",
		set: flag(func(r *probing.Request) *bool { return &r.List })},
	{Name: "help", only: Guide, spellings: []string{"-h", "-help", "--help"}, Help: "show this",
		set: flag(func(r *probing.Request) *bool { return &r.Help })},

	{Name: "guide", Own: true, only: Guide,
		Help: "measure as the user's guide 4.0 says, not as IMB 2021.11 does: see docs/studies/imb.md",
		set:  func(r *probing.Request, _, _ string) error { r.Settings.Method = settings.ByGuide; return nil }},
	{Name: "method", Own: true, only: Beff, Value: "METHOD", Choices: methods, Example: string(settings.ByToday),
		Help:    "how calls become figures: by the rules of this suite, whichever suite a kernel is of",
		Default: "the rules of the kernel's own suite",
		set:     word(func(r *probing.Request) *settings.MethodName { return &r.Settings.Method })},
	{Name: "imb-mbytes", Own: true, Value: "BYTES", Choices: megabytes, Default: megabytes[0], Example: megabytes[1],
		Help: "bytes of a Mbyte in the text: 1e6 as in today's IMB, 2^20 as in the user's guide",
		set:  func(r *probing.Request, v, _ string) error { r.Settings.MegaBytesOf2 = v == megabytes[1]; return nil }},
	{Name: "timing", Group: Timing, Own: true, Value: "TIMING", Choices: texts(settings.Timings),
		Default: string(settings.Timings[0]), Example: "max",
		Help: "whose clock gives the time of a repetition: loop, all repetitions together as IMB does it; max, the " +
			"slowest process since a barrier; root, until the root knows that all are done; global, from the first " +
			"start to the last end",
		set: chosen(settings.Timings, func(r *probing.Request) *settings.Timing { return &r.Settings.Series.Timing })},
	{Name: "within", Group: Timing, Own: true, Value: "PART", Example: "5%",
		Help:    "time each repetition, and repeat until half of the interval of the mean is less than that part of it",
		Default: percent(settings.Default.Precision.Relative),
		set:     precise(parsePart, func(p *settings.Precision, v float64) { p.Relative = v })},
	{Name: "confidence", Own: true, Value: "LEVEL", Example: "99%",
		Help:    "confidence level of the intervals",
		Default: percent(settings.Default.Precision.Confidence),
		set:     precise(parsePart, func(p *settings.Precision, v float64) { p.Confidence = v })},
	{Name: "repetitions", Group: Timing, Own: true, Value: "MIN:MAX", Example: "10:1000",
		Help:    "the fewest and the most repetitions of --within; N for N:N, a fixed number",
		Default: fmt.Sprintf("%d:%d", settings.Default.Precision.Least, settings.Default.Precision.Most),
		set: precise(parseLimits, func(p *settings.Precision, l limits) {
			p.Least, p.Most = l.least, l.most
		})},
	{Name: "quantiles", Group: Timing, Own: true, Value: "P,…", Example: "50,99,99.9",
		Help: "the times that P percent of the repetitions don't exceed, with their intervals, of as many " +
			"repetitions as that needs unless --repetitions says how many. Times are counted in histograms: see " +
			"docs/load.md",
		set: parsed(parseQuantiles, func(r *probing.Request, list []float64) { r.Settings.Series.Quantiles = list })},
	{Name: "cold", Group: Timing, Own: true, of: []kernel.Component{kernel.IO},
		Help: "drop files from memory before they are read",
		set:  flag(func(r *probing.Request) *bool { return &r.Settings.Memory.Cold })},
	{Name: "skew", Group: Timing, Own: true, Value: "PATTERN", Example: "last:10us",
		Help: "let processes come late to each repetition: last:TIME, the last one; random:SEED:TIME, each by up " +
			"to that; FILE, with the seconds of each process in a line. Times begin when a process has come, so that " +
			"t_max is what those wait that come early",
		Default: "none is late", set: setSkew},
	{Name: "beside", Group: Kernels, Own: true, Value: "CONGESTOR,…", Example: "incast,stencil@10ms:0.3",
		Help: "measure kernels alone and beside congestors, by turns: " + either(settings.Congestors) +
			", with messages of BYTES as NAME:BYTES, in bursts as NAME@PERIOD:DUTY, several at once as NAME+NAME; " +
			settings.Nobody + " for no congestors. See docs/load.md",
		Default: "of the kernels load: " + strings.Join((&settings.Settings{}).Loads().Beside, ","),
		set: parsed(func(v string) ([]string, error) { return strings.Split(v, ","), nil },
			func(r *probing.Request, list []string) { r.Settings.Load.Beside = list })},
	{Name: "share", Own: true, Value: "PART", Example: "80%", Default: "50%",
		Help: "part of the nodes that are congestors, rounded down: 0 for victims alone, 1 for congestors alone",
		set:  parsed(parsePart, func(r *probing.Request, part float64) { r.Settings.Load.Share = &part })},
	{Name: "by", Own: true, Value: "UNIT", Choices: settings.LoadUnits, Default: settings.LoadUnits[0],
		Example: settings.LoadUnits[1], Help: "what is split into victims and congestors: nodes, or processes as on " +
			"a single node",
		set: chosen(settings.LoadUnits, func(r *probing.Request) *string { return &r.Settings.Load.By })},
	{Name: "order", Own: true, Value: "ORDER", Choices: settings.LoadOrders, Default: settings.LoadOrders[0],
		Example: settings.LoadOrders[2], Help: "which nodes are congestors: random ones, anew in each split, the " +
			"last ones (blocked), or every other one (interleaved)",
		set: chosen(settings.LoadOrders, func(r *probing.Request) *string { return &r.Settings.Load.Order })},
	{Name: "splits", Own: true, Value: "N", Example: "7", Default: "5",
		Help: "random splits of the nodes into victims and congestors",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Load.Splits })},
	{Name: "seed", Own: true, Value: "N", Example: "7", Default: "1", Help: "seed of the random splits",
		set: parsed(positive, func(r *probing.Request, n int64) { r.Settings.Load.Seed = uint64(n) })},
	{Name: "blocks", Own: true, Value: "N", Example: "2", Default: "4",
		Help: "blocks alone and beside the congestors, by turns, in each split",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Load.Blocks })},
	{Name: "inner", Own: true, Value: "N", Example: "10",
		Help:    "operations between two readings of the clock, where one is too short for it",
		Default: fmt.Sprint(settings.Default.Precision.Inner),
		set:     precise(positive, func(p *settings.Precision, n int64) { p.Inner = n })},
	{Name: "statistic", Own: true, Value: "STATISTIC", Choices: texts(statistics), Default: string(statistics[0]),
		Example: string(statistics[1]), Help: "the figure that must be precise, and that stands for all repetitions",
		set: precise(func(v string) (settings.Statistic, error) { return settings.Statistic(v), nil },
			func(p *settings.Precision, v settings.Statistic) { p.Statistic = v })},
	{Name: "passes", Group: Timing, Own: true, Value: "K", Default: "1", Example: "3",
		Help: "measure the whole list K times, so that the spread between the passes shows",
		set: parsed(positive, func(r *probing.Request, n int64) {
			if r.Settings.Passes = int(n); n == 1 {
				r.Settings.Passes = 0
			}
		})},
	{Name: "items", Own: true, only: Beff, Value: "N", Example: "50", of: meta,
		Help: "files or directories of each process", Default: fmt.Sprint((&settings.Metadata{}).All()),
		set: parsed(positive, func(r *probing.Request, n int64) { r.Settings.Metadata.Items = n })},
	{Name: "own-directories", Own: true, only: Beff, of: meta,
		Help: "each process has a tree of directories of its own; else all share one",
		set:  flag(func(r *probing.Request) *bool { return &r.Settings.Metadata.Own })},
	{Name: "depth", Own: true, only: Beff, Value: "N", Example: "2", of: meta, Default: "0",
		Help: "levels of directories below the first one", set: fromZero(func(r *probing.Request) *int {
			return &r.Settings.Metadata.Depth
		})},
	{Name: "branching", Own: true, only: Beff, Value: "N", Example: "3", of: meta, Default: "1",
		Help: "directories in each directory of a level", set: fromZero(func(r *probing.Request) *int {
			return &r.Settings.Metadata.Branching
		})},
	{Name: "leaves", Own: true, only: Beff, of: meta, Help: "the lowest level alone has files",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.Metadata.Leaves })},
	{Name: "stonewall", Own: true, only: Beff, Value: "TIME", Example: "300", of: meta,
		Help: "end the creation then; each process goes on until it has as many as the first one had",
		set:  parsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Metadata.Stonewall = s })},
	{Name: "shift", Own: true, only: Beff, Value: "N", Example: "1", of: meta, Default: "0",
		Help: "look at files of the process N further on, or N nodes; read those of twice that, remove those of " +
			"three times that", set: fromZero(func(r *probing.Request) *int { return &r.Settings.Metadata.Shift })},
	{Name: "read-bytes", Own: true, only: Beff, Value: "N", Example: "8", of: meta, Default: "all",
		Help: "bytes that are read of each file", set: parsed(natural, func(r *probing.Request, n int64) {
			r.Settings.Metadata.Read = &n
		})},
	{Name: "fsync", Own: true, only: Beff, of: meta, Help: "bring each file to storage before it is closed",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.Metadata.Synced })},
	{Name: "sync-phases", Own: true, only: Beff, of: meta,
		Help: "bring all data of the machine to storage at the end of each phase",
		set:  flag(func(r *probing.Request) *bool { return &r.Settings.Metadata.AllSynced })},
	{Name: "columns", Own: true, Value: "COLUMNS", Choices: texts(columns), Default: string(columns[0]),
		Example: string(columns[1]),
		Help: "columns of the text of series: the interval with the median and the extremes, the interval with " +
			"P50, P90 and P99, or those of MPIBlib; pgas for the layout of the PGAS suite",
		set: chosen(columns, func(r *probing.Request) *settings.Columns { return &r.Settings.Columns })},
	{Name: "warmup", Own: true, Value: "N", Example: "3",
		Help:    "untimed repetitions before the timed ones, of a series before each batch of them",
		Default: "1 of a series, else a tenth of the timed ones, at least ten; none of files",
		set:     parsed(natural, func(r *probing.Request, n int64) { r.Settings.Repetitions.WarmUp = &n })},
	{Name: "pairs", Group: Timing, Own: true, Value: "all|ring|N", Example: "ring",
		Help:    "pairs that Roundtrip_pairs and Oneway_pairs measure: all, those of neighbours, or N that are drawn",
		Default: "all; of more than 256 processes 16 of each",
		set:     word(func(r *probing.Request) *string { return &r.Settings.Pairs.Which })},
	{Name: "at-once", Own: true, Help: "measure disjoint pairs at the same time instead of one after the other",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.Pairs.AtOnce })},
	{Name: "cut", Group: Kernels, Own: true, Value: "CUT", Again: true, Example: "switch:s1",
		Help: "cut that the kernels of cut measure: halves; switches, groups or cells, the halves of each of these " +
			"at once; switch:NAME, one against others; group:NAME|NAME; grow, for all of them from switches up. All " +
			"but halves need --topology",
		Default: fabric.Halves,
		set: parsed(func(v string) (string, error) { return v, fabric.CheckName(v) },
			func(r *probing.Request, name string) { r.Settings.Pairs.Cuts = append(r.Settings.Pairs.Cuts, name) })},
	{Name: "steps", Own: true, Value: "N", Example: "8",
		Help:    "steps of a cut, in each of which all processes have other partners, at even distances",
		Default: "all, at most 256",
		set:     whole(func(r *probing.Request) *int { return &r.Settings.Pairs.Steps })},
	{Name: "threads", Own: true, Value: "N", Example: "2",
		Default: "1; of beff imb mt as many as OMP_NUM_THREADS says, or as a process has processors",
		of:      []kernel.Component{kernel.MT, kernel.OSU, kernel.New},
		Help: "threads of each process, of IMB-MT's kernels, Partitioned_threads, Fragments_threads and " +
			"osu_latency_mt, there those that receive. With several MPI is asked for MPI_THREAD_MULTIPLE",
		set: whole(func(r *probing.Request) *int { return &r.Settings.Threading.Threads })},
	{Name: "per", Group: Kernels, Own: true, Value: "PART", Choices: settings.Parts, Example: "node",
		Help: "one process takes part of each node, socket, core or network device (nic), and the others wait",
		set:  word(func(r *probing.Request) *string { return &r.Settings.Who.Per })},
	{Name: "neighbours", Own: true, Value: "GRID", Example: "cart:2:1", Default: "cart:1:1",
		Help: "of osu_neighbor_* and osu_ineighbor_*: cart:D:R, those up to R away in a periodic grid of D " +
			"dimensions, or graph:FILE, with a line SRC,DST for each edge",
		set: setNeighbours},
	{Name: "factors", Own: true, Value: "FILE|random:SEED|speed", Example: "random:7",
		Help: "lengths of the processes' blocks in kernels that have a v: the message length times a factor of the " +
			"process. A file has one in a line; random ones and speeds at computing have the mean 1",
		Default: "all 1", set: word(func(r *probing.Request) *string { return &r.Settings.Blocks.Factors })},
	{Name: "counts", Own: true, Value: "HOW", Choices: counts, Default: counts[0], Example: settings.CountsBroadcast,
		Help: "how processes of a tree know the blocks' lengths: from the start, by a broadcast of the root, by the " +
			"messages, or by these on a duplicated communicator, which is made and freed within the time",
		set: chosen(counts, func(r *probing.Request) *string { return &r.Settings.Blocks.Counts })},
	{Name: "library", Group: Kernels, Own: true, Value: "FILE", Example: "lib.so",
		Help: "shared library of functions that are measured in the place of MPI's collective calls, as in MPIBlib",
		set:  ofLibrary(func(l *settings.Library, v string) { l.File = v })},
	{Name: "function", Group: Kernels, Own: true, Value: "NAME", Again: true, Example: "my_Bcast",
		Help: "function of the library: its name contains that of the call whose arguments it takes",
		set:  ofLibrary(func(l *settings.Library, v string) { l.Functions = append(l.Functions, v) })},
	{Name: "suboptions", Own: true, Value: "TEXT", Example: "sgv=1",
		Help: "text for the library's function collectives_initialize",
		set:  ofLibrary(func(l *settings.Library, v string) { l.Options = v })},
	{Name: "tolerance", Own: true, Value: "RATIO", Example: "1.1", Default: fmt.Sprint(settings.Default.Tolerance),
		Help: "ratio of a guideline's call to its mock-up up to which the guideline is kept",
		set:  parsed(parseRatio, func(r *probing.Request, x float64) { r.Settings.Tolerance = x })},
	{Name: "relays", Own: true, Value: "R", Example: "3", Default: "2, or as many processes as there are",
		Help: "further processes of Relayed, each of which passes on a piece of the message",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Blocks.Relays })},
	{Name: "fragments", Own: true, Value: "K", Example: "8", Default: strconv.Itoa(settings.Default.Fragments),
		Help: "pieces of the message of Fragments",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Blocks.Fragments })},
	{Name: "fold", Own: true, Value: "SIZE", Example: "2MiB", Default: "memory of their own",
		of: []kernel.Component{kernel.New},
		Help: "messages of PingPong_c and Bcast_c that are longer lie in this memory, again and again: counts above " +
			"2^31 where there is no memory for them. Their times are those of caches",
		set: parsed(func(v string) (size.Bytes, error) { return size.Parse(v, "B") },
			func(r *probing.Request, bytes size.Bytes) { r.Settings.Rows.Fold = int64(bytes) })},
	{Name: "partitions", Own: true, Value: "N,…", Example: "1,16", Default: inWords(settings.Default.Partitions),
		Help: "parts of the messages of Partitioned and its sisters, with a row each",
		set:  parsed(parseStrides, func(r *probing.Request, list []int64) { r.Settings.Parts = list })},
	{Name: "delays", Own: true, Value: "TIME,…", Example: "0,1ms", Default: "0,100us",
		Help: "how late the last part of these messages is, with a table each",
		set:  parsed(parseDelays, func(r *probing.Request, list []float64) { r.Settings.PartsLate = list })},
	{Name: "offset", Own: true, Value: "Q", Example: "1",
		Help: "pair up processes Q ranks apart, all pairs at the same time: 1 for neighbours, 0 for half of the " +
			"processes. " +
			"For the kernels of PGAS, and others of two processes",
		Default: "0 in PGAS, else -multi's groups",
		set:     parsed(natural, func(r *probing.Request, q int64) { r.Settings.OneSided.Offset = new(int(q)) })},
	{Name: "completion", Own: true, Value: "WHEN", Choices: texts(settings.Completions),
		Default: string(settings.Completions[0]), Example: "all",
		Help: "when a put or get of PGAS counts as done: each at the target, local (the origin's memory is free), " +
			"all together at the target, or by request and wait",
		set: chosen(settings.Completions, func(r *probing.Request) *settings.Completion {
			return &r.Settings.OneSided.Completion
		})},
	{Name: "window", Own: true, Value: "KIND", Choices: texts(settings.WindowKinds),
		Default: string(settings.WindowKinds[0]), Example: "allocate",
		Help: "windows by MPI_Win_create or MPI_Win_allocate, whose memory libraries may share within a host",
		set: chosen(settings.WindowKinds, func(r *probing.Request) *settings.WindowKind {
			return &r.Settings.OneSided.Window
		})},
	{Name: "epoch", Own: true, Value: "HOW", Choices: texts(settings.Synchronizations), Example: "fence",
		Default: "flush; of puts both ways pscw, of accumulating calls lock",
		Help:    "how one-sided transfers of OSU are opened and completed",
		set:     word(func(r *probing.Request) *settings.Synchronization { return &r.Settings.OneSided.Sync })},
	{Name: "apart", Own: true, Help: "each message of a window of OSU has memory of its own",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.OSU.Apart })},
	{Name: "tests", Own: true, Value: "N", Example: "10", Default: "0",
		Help: "calls of MPI_Test while a process computes beside a nonblocking collective call of OSU",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.OSU.Tests })},
	{Name: "senders", Own: true, Value: "N", Example: "2", Default: "1", of: []kernel.Component{kernel.OSU},
		Help: "threads of osu_latency_mt that send",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Threading.Senders })},
	{Name: "target", Own: true, Value: "WORK", Choices: texts(settings.TargetWorks),
		Default: string(settings.TargetWorks[0]), Example: "compute",
		Help: "work of processes whose memory others access in PGAS: wait in MPI_Barrier, or compute without any call",
		set: chosen(settings.TargetWorks, func(r *probing.Request) *settings.TargetWork {
			return &r.Settings.OneSided.Target
		})},
	{Name: "block", Own: true, Value: "SIZE", Example: "8", unit: "B",
		Help: "length of a block of strided kernels", Default: fmt.Sprintf("%dB", settings.Default.Block),
		set: sized(func(r *probing.Request) *int64 { return &r.Settings.OneSided.Block })},
	{Name: "count", Own: true, Value: "N", Example: "100",
		Help: "blocks of a transfer of strided kernels", Default: fmt.Sprint(settings.Default.Count),
		set: parsed(positive, func(r *probing.Request, n int64) { r.Settings.OneSided.Count = n })},
	{Name: "strides", Own: true, Value: "S,…", Example: "1,3",
		Help: "distances of the starts of blocks, in blocks", Default: inWords(settings.Default.Strides),
		set: parsed(parseStrides, func(r *probing.Request, list []int64) { r.Settings.OneSided.Strides = list })},
	{Name: "self", Own: true, Help: "random kernels draw the process itself, too",
		set: flag(func(r *probing.Request) *bool { return &r.Settings.OneSided.Self })},
	{Name: "barriers", Own: true, Value: "N", Example: "3", Default: strconv.Itoa(settings.Default.Barriers),
		Help: "barriers right before the clock (IMB's N_BARR)",
		set:  whole(func(r *probing.Request) *int { return &r.Settings.Barriers })},
	{Name: "compute", Own: true, Value: "TIME", Example: "0.05", of: ofFiles,
		Help: "computing beside a nonblocking file call (IMB's TARGET_CPU_SECS), such as 5ms, or a number of " +
			"seconds",
		Default: fmt.Sprintf("%g; by the guide %g", method.Today().Compute, method.Guide().Compute),
		set:     parsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Compute = s })},
	{Name: "filename", Own: true, Value: "NAME", Example: "data", Default: settings.Default.FileName, of: ofFiles,
		Help: "name of the file of IMB-IO's benchmarks (IMB's FILENAME), to which groups and processes are added",
		set:  word(func(r *probing.Request) *string { return &r.Settings.FileName })},
	{Name: "hints", Own: true, Value: "KEY=VALUE", Again: true, Example: "striping_factor=4", of: informed,
		Help: "a hint for the MPI library, in the info of files and windows (IMB's User_Set_Info)",
		set: parsed(parseHint, func(r *probing.Request, h mpi.Hint) {
			r.Settings.Hints = append(r.Settings.Hints, h)
		})},
	{Name: "defects", Own: true, Value: "on|off", Default: "off", Example: "on",
		Help: "a column of the text with the largest difference of wrong data from right ones (IMB's -DCHECK), " +
			"relative to these; of bytes 1",
		set: switched(func(r *probing.Request, on bool) { r.Settings.DefectsColumn = on })},
	{Name: "directory", Group: Output, Short: "p", Own: true, Value: "DIR", Default: "the current one", Example: "disk",
		Help: "directory of the file system for the benchmarks of IMB-IO. All processes must see it; a scratch " +
			"directory is made in it, and removed at the end",
		set: word(func(r *probing.Request) *string { return &r.Directory })},
}
