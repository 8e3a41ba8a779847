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

// messages and files hold the defaults for messages, which all components except IMB-IO use, and for IMB-IO's files.
var messages, files = method.Guide().Defaults(kernel.MPI1), method.Guide().Defaults(kernel.IO)

// ofIO returns the text of a default for messages and for files.
func ofIO(show func(method.Defaults) string) string {
	return show(messages) + ", for IMB-IO by the guide " + show(files)
}

// table has the options of the guide ("Command-line Control"), then beff's own. Options of all commands that measure
// are in neither grammar: package main has them.
var table = []Option{
	{Name: "npmin", Group: Kernels, Value: "P", Example: "3",
		Help:    "take P as the minimum number of active processes; benchmarks run on P, 2P, 4P, … and all",
		Default: fmt.Sprintf("%d, for IMB-IO %d", messages.MinProcs, files.MinProcs),
		set:     setPositive(func(r *probing.Request) *int { return &r.Settings.Who.MinProcesses })},
	{Name: "multi", Value: "0|1", Choices: []string{"0", "1", "-1"}, Example: "1",
		Help: "measure several groups at once, and show the slowest group (0) or all (1); -1 measures one group",
		set: setParsed(strconv.Atoi, func(r *probing.Request, outflag int) {
			r.Settings.Who.Multi = nil
			if outflag >= 0 {
				r.Settings.Who.Multi = &outflag
			}
		})},
	{Name: "off_cache", Group: Timing, Value: "SIZE[,LINE]", Example: "32MiB,128", unit: "MiB",
		Help: fmt.Sprintf("avoid a last level cache of SIZE, with lines of LINE bytes (%d if not given). -1 means %s",
			settings.Default.CacheLine, short(size.Bytes(settings.Default.CacheSize))),
		set: setCache},
	{Name: "iter", Group: Timing, Value: "N[,VOL[,NONAGGR[,POLICY]]]", Example: "5,6,7,off",
		Help: "limit the repetitions, the volume that they move in units of 2^20 bytes, and the repetitions in " +
			"non-aggregate mode",
		Default: ofIO(func(d method.Defaults) string {
			return fmt.Sprintf("%d,%d,%d", d.MsgsPer, d.OverallVol>>20, d.MsgsNonAggr)
		}),
		set: setParsed(parseIter, func(r *probing.Request, i iter) { i.set(&r.Settings) })},
	{Name: "iter_policy", Value: "POLICY", Choices: policies, Default: string(settings.Default.Policy), Example: "auto",
		Help: "reduce repetitions that would take too long by the policy " + either(policies),
		set:  setName(func(r *probing.Request) *settings.Policy { return &r.Settings.Repetitions.Policy })},
	{Name: "time", Group: Timing, flag: "sample-time", Value: "TIME", Example: "2.5",
		Help:    "limit the time for a message length, such as 90s, or a number of seconds",
		Default: strconv.FormatFloat(settings.Default.SampleTime, 'g', -1, 64),
		set:     setParsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Repetitions.SampleTime = s })},
	{Name: "mem", Group: Timing, flag: "memory", Value: "SIZE", Example: "3MiB", unit: "GiB",
		Help: "limit the memory of a process for messages", Default: short(size.Bytes(settings.Default.Memory)),
		set: setSize(func(r *probing.Request) *int64 { return &r.Settings.Memory.Limit })},
	{Name: "buffers", Group: Kernels, Own: true, Value: "MEMORY", Example: "cuda",
		Help: "send from and receive into this memory: host, or a device's (cuda, rocm, level_zero), pinned " +
			"(cuda:host) or managed (cuda:managed, level_zero:shared) memory. Two kinds, such as cuda,host, are for " +
			"the first and the second process of each pair",
		Default: "host", set: setParsed(mpi.ParseMessageMemory, func(r *probing.Request, m mpi.MessageMemory) {
			r.Settings.Memory.Buffers, r.Settings.Memory.Other = m.Buffers, m.Other
		})},
	{Name: "staged", Group: Kernels, Own: true,
		Help: "copy messages through the host's memory, within the time, as programs do if their MPI doesn't take a " +
			"device's memory",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.Memory.Staged })},
	{Name: "device", Group: Kernels, Own: true, Value: "N,…|near", Example: "0,1",
		Help: "give the processes of a node these devices in turn, by numbers in the order of PCI addresses, or the " +
			"devices near their processors", Default: "all in turn",
		set: setName(func(r *probing.Request) *string { return &r.Devices })},
	{Name: "msglog", Group: Kernels, Value: "[MIN:]MAX", Example: "2:4", Excludes: "lengths",
		Help:    "measure the message lengths 0 and 2^MIN to 2^MAX bytes",
		Default: ofIO(func(d method.Defaults) string { return fmt.Sprintf("0:%d", d.LongestLog) }),
		set:     setLog},
	{Name: "msgsize", Group: Kernels, Value: "BYTES", Example: "1,4096", Excludes: "lengths",
		Help: "measure these message lengths, separated by commas",
		set:  setParsed(probing.ParseLengths, replaceLengths)},
	{Name: "msgsz", Value: "SIZE", Example: "5k", Excludes: "lengths", only: Guide, of: p2p,
		Help: "measure a message length, in addition to the lengths before it",
		set: setParsed(probing.ParseLengths, func(r *probing.Request, lengths []int64) {
			file := r.Lengths
			replaceLengths(r, append(r.Settings.Rows.Lengths, lengths...))
			r.Lengths = file
		})},
	{Name: "msglen", Value: "FILE", Example: "lengths", Excludes: "lengths",
		Help: "read message lengths from FILE, one per line",
		set: setName(func(r *probing.Request) *string {
			replaceLengths(r, r.Settings.Rows.Lengths)
			return &r.Lengths
		})},
	{Name: "lengths", Group: Kernels, Own: true, Value: "LENGTHS", Example: "1:9:4", Excludes: "lengths",
		Help: "measure the message lengths MIN:MAX:STRIDE, or adaptive:MIN:MAX[,DIFF[,STRIDE[,NUM]]], which are few " +
			fmt.Sprintf("along a straight line of times, and more at jumps by a part of DIFF (default %g), ",
				settings.Default.Adaptive.Difference) +
			fmt.Sprintf("at least STRIDE bytes apart (default %d), and at most NUM (default %d)",
				settings.Default.Adaptive.Stride, settings.Default.Adaptive.MaxLengths),
		set: setLengths},
	{Name: "map", Value: "PxQ", Example: "2x3",
		Help: "number the processes along the rows of a matrix",
		set:  setParsed(parseMap, func(r *probing.Request, sides []int) { r.Settings.Who.Map = sides })},
	{Name: "include", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "run these benchmarks in addition to the named or default ones",
		set:  addNames(func(r *probing.Request) *[]string { return &r.Include })},
	{Name: "exclude", Value: "NAME", List: true, Example: "Bcast,Barrier",
		Help: "leave out these benchmarks",
		set:  addNames(func(r *probing.Request) *[]string { return &r.Exclude })},
	{Name: "input", Value: "FILE", Example: "names",
		Help: "read names of benchmarks from FILE, one per line",
		set:  setName(func(r *probing.Request) *string { return &r.Input })},
	{Name: "thread_level", Value: "LEVEL", Choices: append(slices.Clone(mpi.ThreadLevels), noInit), Example: "funneled",
		Help: "call MPI_Init_thread instead of MPI_Init, with the level " + either(mpi.ThreadLevels),
		set: func(r *probing.Request, value, _ string) error {
			if r.ThreadLevel = value; value == noInit {
				r.ThreadLevel = ""
				r.Notice("-thread_level %s is ignored: without MPI_Init there is no message", noInit)
			}
			return nil
		}},

	{Name: "sync", Value: "on|off", Example: "on", of: collective,
		Help:    "make a barrier between two repetitions of a collective kernel, outside of the clock",
		Default: "on, by the guide off",
		set:     setSwitch(func(r *probing.Request, on bool) { r.Settings.Sync = &on })},
	{Name: "root_shift", Value: "on|off", Example: "on", of: collective,
		Help:    "change the root of collective kernels with each repetition",
		Default: "off, by the guide on",
		set:     setSwitch(func(r *probing.Request, on bool) { r.Settings.RootShift = &on })},
	{Name: "imb_barrier", Value: "on|off", Default: "off", Example: "on", of: collective,
		Help: "make the barrier of -sync from messages instead of MPI_Barrier",
		set:  setSwitch(func(r *probing.Request, on bool) { r.Settings.OwnBarrier = on })},
	{Name: "data_type", Value: "TYPE", Choices: dataTypes, Default: dataTypes[0], Example: "int", of: mpi1,
		Help: "send data of the type " + either(dataTypes), set: setType("data_type", dataTypes[0], map[string]string{
			"float16": noSuchType + "bytes", "bfloat16": noSuchType + "bytes",
			"char": "the data are bytes, which move alike",
		}, func(r *probing.Request) *settings.DataType { return &r.Settings.DataType })},
	{Name: "red_data_type", Value: "TYPE", Choices: redDataTypes, Default: "float", Example: "double", of: mpi1,
		spellings: []string{"-data_type_for_reduction", "-red_data_type"},
		Help:      "reduce numbers of the type " + either(redDataTypes),
		set: setType("red_data_type", "float", map[string]string{
			"float16": noSuchType + "floats", "bfloat16": noSuchType + "floats",
			"char": "the MPI standard doesn't add characters (MPI 4.1, 6.9.2); the numbers are floats",
		}, func(r *probing.Request) *settings.DataType { return &r.Settings.RedType })},
	{Name: "contig_type", Value: "TYPE", Choices: toStrings(contigTypes), Default: string(contigTypes[0]),
		Example: "resize", of: mpi1,
		Help: "lay out elements in memory one after the other (base), each with a gap of its size after it " +
			"(resize), or the same as one MPI_Type_vector (base_vec, resize_vec)",
		set: setChoice(contigTypes, func(r *probing.Request) *settings.ContigType { return &r.Settings.ContigType })},
	{Name: "window_size", Value: "N", Default: strconv.Itoa(settings.Default.Window), Example: "16", of: windows,
		Help: "send N messages in a repetition of Uniband and Biband (64 in UniBandMT and BiBandMT by default)",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Window })},
	{Name: "zero_size", Value: "on|off", Default: "on", Example: "off",
		Help: "include a row of 0 bytes",
		set:  setSwitch(func(r *probing.Request, on bool) { r.Settings.NoZero = !on })},
	{Name: "warm_up", Value: "on|off", Default: "on", Example: "off", only: Guide,
		Help: "make repetitions before the timed ones",
		set: setSwitch(func(r *probing.Request, on bool) {
			if r.Settings.Repetitions.WarmUp = nil; !on {
				r.Settings.Repetitions.WarmUp = new(int64)
			}
		})},
	{Name: "aggregate_mode", Value: "MODE", Choices: []string{"aggregate", "non_aggregate", "multi"},
		Default: "multi", Example: "aggregate", of: []kernel.Component{kernel.EXT, kernel.IO, kernel.RMA},
		Help: "choose a mode of the kernels that have two, with one completion after many transfers (aggregate), " +
			"one after each (non_aggregate), or both tables (multi)",
		set: setParsed(func(v string) (settings.Mode, error) { return onlyModes[v], nil },
			func(r *probing.Request, mode settings.Mode) { r.Settings.OnlyMode = mode })},
	{Name: "msg_pause", Value: "on|off", Default: "off", Example: "on", only: Guide,
		Help: "pause after each row for a tenth of its time, at least 0.1 s",
		set: setSwitch(func(r *probing.Request, on bool) {
			if r.Settings.Pause = 0; on {
				r.Settings.Pause = 0.1
			}
		})},
	{Name: "msgwr", Value: "on|off", Default: "on", Example: "off", of: p2p,
		Help: "write into each line of a message before it is sent",
		set:  setSwitch(func(r *probing.Request, on bool) { r.Settings.NoTouchSent = !on })},
	{Name: "msgrd", Value: "on|off", Default: "on", Example: "off", of: p2p,
		Help: "read each line of a received message",
		set:  setSwitch(func(r *probing.Request, on bool) { r.Settings.NoTouchReceived = !on })},
	{Name: "pause", Value: "USEC", Default: "100000 for IMB-P2P, otherwise none", Example: "250", only: Guide, of: p2p,
		Help: "pause for USEC microseconds before each row, and again after it", set: setPauseAround},
	{Name: "stride", Value: "N", Default: "half of the processes", Example: "1", only: Guide, of: mt,
		Help: "pair up ranks of IMB-MT that are N apart",
		set:  setNatural(func(r *probing.Request) *int { return &r.Settings.Threading.Stride })},
	{Name: "repeat", Value: "N", Default: "1000", Example: "50", only: Guide, of: mt,
		Help: "make N timed repetitions of each length",
		set:  setParsed(positive, func(r *probing.Request, n int64) { r.Settings.Repetitions.Max = n })},
	{Name: "untimed", Value: "N", Default: "100", Example: "5", only: Guide, of: mt, spellings: []string{"-warmup"},
		Help: "make N repetitions before the timed ones",
		set:  setParsed(natural, func(r *probing.Request, n int64) { r.Settings.Repetitions.WarmUp = &n })},
	{Name: "elements", Value: "N", List: true, Default: "1,2,4,8", Example: "1,16", only: Guide, of: mt,
		spellings: []string{"-count"}, Help: "give a thread's message these numbers of elements",
		set: setParsed(probing.ParseLengths, func(r *probing.Request, list []int64) {
			r.Elements = append(r.Elements, list...)
		})},
	{Name: "barrier", Value: "HOW", Choices: settings.ThreadBarriers, Default: settings.ThreadBarriers[0],
		Example: settings.BarrierSpecial, only: Guide, of: mt,
		Help: "make the barrier before the clock of messages, and between collective calls, by MPI_Barrier of " +
			"the first thread for all (on), by messages (special), or not at all (off)",
		set: setChoice(settings.ThreadBarriers, func(r *probing.Request) *string {
			return &r.Settings.Threading.Barrier
		})},
	{Name: "malloc_algo", Value: "HOW", Choices: settings.ThreadMemories, Default: settings.ThreadMemories[0],
		Example: settings.MemoryParallel, only: Guide, of: mt,
		Help: "let the first thread make the threads' memory (serial), also without gaps between two threads " +
			"(continuous), or let each thread make its part (parallel)",
		set: setChoice(settings.ThreadMemories, func(r *probing.Request) *string {
			return &r.Settings.Threading.Memory
		})},
	{Name: "malloc_align", Value: "BYTES", Default: "64", Example: "128", only: Guide, of: mt,
		Help: "align memory, which has no effect up to the size of a page, at which memory begins",
		set: setParsed(positive, func(r *probing.Request, n int64) {
			if n > pageSize {
				r.Notice("-malloc_align %d is ignored: memory begins at a page", n)
			}
		})},
	{Name: "check", Value: "on|off", Default: "off", Example: "on", only: Guide, of: mt, optional: true,
		Help: "do nothing, since data are always checked, outside of the clock",
		set:  setSwitch(func(*probing.Request, bool) {})},
	{Name: "noheader", only: Guide, of: mt, Help: "leave out the header of the text",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.Threading.NoHeader })},
	{Name: "datatype", Value: "TYPE", Choices: []string{"int", "char"}, Default: "int", Example: "char", only: Guide,
		of: mt, Help: "send data of the type int or char",
		set: setType("datatype", "int", nil,
			func(r *probing.Request) *settings.DataType { return &r.Settings.DataType })},
	{Name: "mem_alloc_type", Value: "TYPE", Choices: []string{"device", "host", "shared", "cpu"}, Default: "cpu",
		Example: "host", only: Guide, Help: "do nothing, since data are in the memory of the processors",
		set: func(r *probing.Request, value, _ string) error {
			if value != "cpu" {
				r.Notice("-mem_alloc_type %s is ignored: data are in the memory of the processors", value)
			}
			return nil
		}},
	{Name: "show_tail", Value: "on|off", Example: "on", only: Guide, optional: true,
		Help: "do nothing, since the text always has IMB's last line",
		set: func(r *probing.Request, _, _ string) error {
			r.Notice("-show_tail is ignored: the text always has IMB's last line")
			return nil
		}},
	{Name: "list", only: Guide, spellings: []string{"-l", "-list"}, Help: "show the benchmarks",
		set: setTrue(func(r *probing.Request) *bool { return &r.List })},
	{Name: "help", only: Guide, spellings: []string{"-h", "-help", "--help"}, Help: "show this",
		set: setTrue(func(r *probing.Request) *bool { return &r.Help })},

	{Name: "guide", Own: true, only: Guide,
		Help: "measure by the user's guide 4.0, not as IMB 2021.11 does (docs/studies/imb.md)",
		set:  func(r *probing.Request, _, _ string) error { r.Settings.Method = settings.ByGuide; return nil }},
	{Name: "method", Own: true, only: Beff, Value: "METHOD", Choices: methods, Example: string(settings.ByIMB2021),
		Help:    "compute figures from calls by the rules of this suite, whichever suite has the kernel",
		Default: "the rules of the kernel's own suite",
		set:     setName(func(r *probing.Request) *settings.MethodName { return &r.Settings.Method })},
	{Name: "imb-mbytes", Own: true, Value: "BYTES", Choices: megabytes, Default: megabytes[0], Example: megabytes[1],
		Help: "count this many bytes as a Mbyte of the text, 1e6 as in IMB 2021.11 or 2^20 as in the user's guide",
		set:  func(r *probing.Request, v, _ string) error { r.Settings.MegaBytesOf2 = v == megabytes[1]; return nil }},
	{Name: "timing", Group: Timing, Own: true, Value: "TIMING", Choices: toStrings(settings.Timings),
		Default: string(settings.Timings[0]), Example: "max",
		Help: "time a repetition as a part of all repetitions, as IMB does (loop), by the slowest process since " +
			"a barrier (max), until the root knows that all are done (root), or from the first start to the last end " +
			"(global)",
		set: setChoice(settings.Timings, func(r *probing.Request) *settings.Timing {
			return &r.Settings.Series.Timing
		})},
	{Name: "within", Group: Timing, Own: true, Value: "PART", Example: "5%",
		Help: "time each repetition, and repeat until half of the interval of the mean is less than this part of " +
			"the mean",
		Default: percent(settings.Default.Precision.Relative),
		set:     setPrecision(parsePart, func(p *settings.Precision, v float64) { p.Relative = v })},
	{Name: "confidence", Own: true, Value: "LEVEL", Example: "99%",
		Help:    "set the confidence level of the intervals",
		Default: percent(settings.Default.Precision.Confidence),
		set:     setPrecision(parsePart, func(p *settings.Precision, v float64) { p.Confidence = v })},
	{Name: "repetitions", Group: Timing, Own: true, Value: "MIN:MAX", Example: "10:1000",
		Help:    "limit the repetitions of --within to MIN to MAX; N means N:N, a fixed number",
		Default: fmt.Sprintf("%d:%d", settings.Default.Precision.Min, settings.Default.Precision.Max),
		set: setPrecision(parseLimits, func(p *settings.Precision, l limits) {
			p.Min, p.Max = l.least, l.most
		})},
	{Name: "quantiles", Group: Timing, Own: true, Value: "P,…", Example: "50,99,99.9",
		Help: "show the times that P percent of the repetitions don't exceed, with their intervals. beff makes " +
			"as many repetitions as this needs, unless --repetitions is given, and counts times in histograms " +
			"(docs/load.md)",
		set: setParsed(parseQuantiles, func(r *probing.Request, list []float64) {
			r.Settings.Series.Quantiles = list
		})},
	{Name: "cold", Group: Timing, Own: true, of: []kernel.Component{kernel.IO},
		Help: "drop files from memory before they are read",
		set:  setTrue(func(r *probing.Request) *bool { return &r.Settings.Memory.Cold })},
	{Name: "skew", Group: Timing, Own: true, Value: "PATTERN", Example: "last:10us",
		Help: "let processes arrive late at each repetition. last:TIME delays the last process, random:SEED:TIME " +
			"delays each by up to TIME, and FILE has the seconds of each process in a line. Times begin when a " +
			"process arrives, so t_max includes the waiting time of early processes",
		Default: "no process is late", set: setSkew},
	{Name: "beside", Group: Kernels, Own: true, Value: "CONGESTOR,…", Example: "incast,stencil@10ms:0.3",
		Help: "measure kernels by turns without and with congestors, which are " + either(settings.Congestors) + ". " +
			"NAME:BYTES sets the length of messages, NAME@PERIOD:DUTY makes bursts, NAME+NAME combines several, and " +
			settings.Nobody + " means no congestors (docs/load.md)",
		Default: "for the kernels load " + strings.Join((&settings.Settings{}).Loads().Congestors, ","),
		set: setParsed(func(v string) ([]string, error) { return strings.Split(v, ","), nil },
			func(r *probing.Request, list []string) { r.Settings.Load.Congestors = list })},
	{Name: "share", Own: true, Value: "PART", Example: "80%", Default: "50%",
		Help: "make this part of the nodes congestors, rounded down; 0 means only victims, 1 only congestors",
		set:  setParsed(parsePart, func(r *probing.Request, part float64) { r.Settings.Load.Share = &part })},
	{Name: "by", Own: true, Value: "UNIT", Choices: settings.LoadUnits, Default: settings.LoadUnits[0],
		Example: settings.LoadUnits[1], Help: "split the nodes into victims and congestors, or the processes, as " +
			"on a single node",
		set: setChoice(settings.LoadUnits, func(r *probing.Request) *string { return &r.Settings.Load.By })},
	{Name: "order", Own: true, Value: "ORDER", Choices: settings.LoadOrders, Default: settings.LoadOrders[0],
		Example: settings.LoadOrders[2], Help: "choose as congestors random nodes, anew in each split (random), " +
			"the last ones (blocked), or every other one (interleaved)",
		set: setChoice(settings.LoadOrders, func(r *probing.Request) *string { return &r.Settings.Load.Order })},
	{Name: "splits", Own: true, Value: "N", Example: "7", Default: "5",
		Help: "make N random splits of the nodes into victims and congestors",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Load.Splits })},
	{Name: "seed", Own: true, Value: "N", Example: "7", Default: "1", Help: "draw the random splits from this seed",
		set: setParsed(positive, func(r *probing.Request, n int64) { r.Settings.Load.Seed = uint64(n) })},
	{Name: "blocks", Own: true, Value: "N", Example: "2", Default: "4",
		Help: "make N blocks without and with congestors, by turns, in each split",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Load.Blocks })},
	{Name: "inner", Own: true, Value: "N", Example: "10",
		Help:    "make N operations between two readings of the clock, if one is too short for it",
		Default: fmt.Sprint(settings.Default.Precision.Inner),
		set:     setPrecision(positive, func(p *settings.Precision, n int64) { p.Inner = n })},
	{Name: "statistic", Own: true, Value: "STATISTIC", Choices: toStrings(statistics), Default: string(statistics[0]),
		Example: string(statistics[1]), Help: "make this figure precise, and let it represent all repetitions",
		set: setPrecision(func(v string) (settings.Statistic, error) { return settings.Statistic(v), nil },
			func(p *settings.Precision, v settings.Statistic) { p.Statistic = v })},
	{Name: "passes", Group: Timing, Own: true, Value: "K", Default: "1", Example: "3",
		Help: "measure the whole list K times, so that the spread between the passes shows",
		set: setParsed(positive, func(r *probing.Request, n int64) {
			if r.Settings.Passes = int(n); n == 1 {
				r.Settings.Passes = 0
			}
		})},
	{Name: "items", Own: true, only: Beff, Value: "N", Example: "50", of: meta,
		Help: "make N files or directories per process", Default: fmt.Sprint((&settings.Metadata{}).All()),
		set: setParsed(positive, func(r *probing.Request, n int64) { r.Settings.Metadata.Items = n })},
	{Name: "own-directories", Own: true, only: Beff, of: meta,
		Help: "give each process a separate tree of directories, instead of one for all",
		set:  setTrue(func(r *probing.Request) *bool { return &r.Settings.Metadata.OwnTree })},
	{Name: "depth", Own: true, only: Beff, Value: "N", Example: "2", of: meta, Default: "0",
		Help: "make N levels of directories below the first one", set: setNatural(func(r *probing.Request) *int {
			return &r.Settings.Metadata.Depth
		})},
	{Name: "branching", Own: true, only: Beff, Value: "N", Example: "3", of: meta, Default: "1",
		Help: "make N directories in each directory of a level", set: setNatural(func(r *probing.Request) *int {
			return &r.Settings.Metadata.Branching
		})},
	{Name: "leaves", Own: true, only: Beff, of: meta, Help: "put files only into the lowest level",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.Metadata.Leaves })},
	{Name: "stonewall", Own: true, only: Beff, Value: "TIME", Example: "300", of: meta,
		Help: "end the creation at this time; each process then continues until it has as many as the first one " +
			"had",
		set: setParsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Metadata.Stonewall = s })},
	{Name: "shift", Own: true, only: Beff, Value: "N", Example: "1", of: meta, Default: "0",
		Help: "look at files of the process N further on, or N nodes further on, read files of the process twice " +
			"as far, and remove files of the process three times as far",
		set: setNatural(func(r *probing.Request) *int { return &r.Settings.Metadata.Shift })},
	{Name: "read-bytes", Own: true, only: Beff, Value: "N", Example: "8", of: meta, Default: "all",
		Help: "read N bytes of each file", set: setParsed(natural, func(r *probing.Request, n int64) {
			r.Settings.Metadata.Read = &n
		})},
	{Name: "fsync", Own: true, only: Beff, of: meta, Help: "bring each file to storage before it is closed",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.Metadata.Synced })},
	{Name: "sync-phases", Own: true, only: Beff, of: meta,
		Help: "bring all data of the machine to storage at the end of each phase",
		set:  setTrue(func(r *probing.Request) *bool { return &r.Settings.Metadata.AllSynced })},
	{Name: "columns", Own: true, Value: "COLUMNS", Choices: toStrings(columns), Default: string(columns[0]),
		Example: string(columns[1]),
		Help: "show series in the text with the interval, the median and the extremes, with the interval, P50, " +
			"P90 and P99, with the columns of MPIBlib, or in the layout of the PGAS suite (pgas)",
		set: setChoice(columns, func(r *probing.Request) *settings.Columns { return &r.Settings.Columns })},
	{Name: "warmup", Own: true, Value: "N", Example: "3",
		Help:    "make N untimed repetitions before the timed ones, in a series before each batch",
		Default: "1 in a series, otherwise a tenth of the timed ones and at least ten, none for files",
		set:     setParsed(natural, func(r *probing.Request, n int64) { r.Settings.Repetitions.WarmUp = &n })},
	{Name: "pairs", Group: Timing, Own: true, Value: "all|ring|N", Example: "ring",
		Help:    "measure these pairs in Roundtrip_pairs and Oneway_pairs, all, neighbours, or N random ones",
		Default: "all, with more than 256 processes 16 of each",
		set:     setName(func(r *probing.Request) *string { return &r.Settings.Pairs.Which })},
	{Name: "at-once", Own: true, Help: "measure disjoint pairs at the same time instead of one after the other",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.Pairs.AtOnce })},
	{Name: "cut", Group: Kernels, Own: true, Value: "CUT", Repeatable: true, Example: "switch:s1",
		Help: "let the kernels of cut measure this cut. halves cuts the machine, and switches, groups or cells " +
			"cut each of these into halves, all at once. switch:NAME cuts one switch from the others, " +
			"group:NAME|NAME two groups from each other, and grow takes all cuts from switches up. All but halves " +
			"need --topology",
		Default: fabric.Halves,
		set: setParsed(func(v string) (string, error) { return v, fabric.CheckName(v) },
			func(r *probing.Request, name string) { r.Settings.Pairs.Cuts = append(r.Settings.Pairs.Cuts, name) })},
	{Name: "steps", Own: true, Value: "N", Example: "8",
		Help:    "measure a cut in N steps, in each of which all processes have other partners, at even distances",
		Default: "all, at most 256",
		set:     setPositive(func(r *probing.Request) *int { return &r.Settings.Pairs.Steps })},
	{Name: "threads", Own: true, Value: "N", Example: "2",
		Default: "1, in beff imb mt OMP_NUM_THREADS, or as many as a process has processors",
		of:      []kernel.Component{kernel.MT, kernel.OSU, kernel.New},
		Help: "use N threads per process for the kernels of IMB-MT, Partitioned_threads, Fragments_threads and " +
			"the receivers of osu_latency_mt. For several threads beff asks MPI for MPI_THREAD_MULTIPLE",
		set: setPositive(func(r *probing.Request) *int { return &r.Settings.Threading.Threads })},
	{Name: "per", Group: Kernels, Own: true, Value: "PART", Choices: settings.Parts, Example: "node",
		Help: "let one process of each node, socket, core or network device (nic) take part, while the others wait",
		set:  setName(func(r *probing.Request) *string { return &r.Settings.Who.Per })},
	{Name: "neighbours", Own: true, Value: "GRID", Example: "cart:2:1", Default: "cart:1:1",
		Help: "choose the neighbours in osu_neighbor_* and osu_ineighbor_*. cart:D:R takes processes up to R " +
			"away in a periodic grid of D dimensions, and graph:FILE reads a line SRC,DST for each edge",
		set: setNeighbours},
	{Name: "factors", Own: true, Value: "FILE|random:SEED|speed", Example: "random:7",
		Help: "multiply the message length by a factor of each process, for the blocks of kernels that have a v. " +
			"FILE has one factor per line; random factors and speeds at computing have the mean 1",
		Default: "all 1", set: setName(func(r *probing.Request) *string { return &r.Settings.Blocks.Factors })},
	{Name: "counts", Own: true, Value: "HOW", Choices: counts, Default: counts[0], Example: settings.CountsBroadcast,
		Help: "give the processes of a tree the blocks' lengths from the start, by a broadcast of the root, by " +
			"the messages, or by messages on a duplicated communicator, which is made and freed within the time",
		set: setChoice(counts, func(r *probing.Request) *string { return &r.Settings.Blocks.Counts })},
	{Name: "library", Group: Kernels, Own: true, Value: "FILE", Example: "lib.so",
		Help: "measure functions of this shared library in place of MPI's collective calls, as MPIBlib does",
		set:  setLibrary(func(l *settings.Library, v string) { l.File = v })},
	{Name: "function", Group: Kernels, Own: true, Value: "NAME", Repeatable: true, Example: "my_Bcast",
		Help: "measure this function of the library. Its name contains the name of the call whose arguments it " +
			"takes",
		set: setLibrary(func(l *settings.Library, v string) { l.Functions = append(l.Functions, v) })},
	{Name: "suboptions", Own: true, Value: "TEXT", Example: "sgv=1",
		Help: "pass TEXT to the library's function collectives_initialize",
		set:  setLibrary(func(l *settings.Library, v string) { l.Options = v })},
	{Name: "tolerance", Own: true, Value: "RATIO", Example: "1.1", Default: fmt.Sprint(settings.Default.Tolerance),
		Help: "accept a guideline up to this ratio of its call to its mock-up",
		set:  setParsed(parseRatio, func(r *probing.Request, x float64) { r.Settings.Tolerance = x })},
	{Name: "relays", Own: true, Value: "R", Example: "3", Default: "2, or as many processes as there are",
		Help: "use R further processes in Relayed, each of which passes on a piece of the message",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Blocks.Relays })},
	{Name: "fragments", Own: true, Value: "K", Example: "8", Default: strconv.Itoa(settings.Default.Fragments),
		Help: "cut the message of Fragments into K pieces",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Blocks.Fragments })},
	{Name: "fold", Own: true, Value: "SIZE", Example: "2MiB", Default: "separate memory for all",
		of: []kernel.Component{kernel.New},
		Help: "put longer messages of PingPong_c and Bcast_c into this memory, again and again, so that counts " +
			"above 2^31 need no memory for all data. The times are then times of caches",
		set: setParsed(func(v string) (size.Bytes, error) { return size.Parse(v, "B") },
			func(r *probing.Request, bytes size.Bytes) { r.Settings.Rows.Fold = int64(bytes) })},
	{Name: "partitions", Own: true, Value: "N,…", Example: "1,16", Default: joinNumbers(settings.Default.Partitions),
		Help: "cut the messages of Partitioned and related kernels into N parts, with a row for each N",
		set:  setParsed(parseStrides, func(r *probing.Request, list []int64) { r.Settings.Parts = list })},
	{Name: "delays", Own: true, Value: "TIME,…", Example: "0,1ms", Default: "0,100us",
		Help: "delay the last part of these messages by TIME, with a table for each",
		set:  setParsed(parseDelays, func(r *probing.Request, list []float64) { r.Settings.LastPartDelays = list })},
	{Name: "offset", Own: true, Value: "Q", Example: "1",
		Help: "pair up processes Q ranks apart, all pairs at the same time; 1 pairs neighbours, 0 processes half " +
			"of all ranks apart. This is for the kernels of PGAS, and others of two processes",
		Default: "0 in PGAS, otherwise -multi's groups",
		set:     setParsed(natural, func(r *probing.Request, q int64) { r.Settings.OneSided.Offset = new(int(q)) })},
	{Name: "completion", Own: true, Value: "WHEN", Choices: toStrings(settings.Completions),
		Default: string(settings.Completions[0]), Example: "all",
		Help: "count a put or get of PGAS as done at the target (each), when the origin's memory is free " +
			"(local), all together at the target (all), or by request and wait (request)",
		set: setChoice(settings.Completions, func(r *probing.Request) *settings.Completion {
			return &r.Settings.OneSided.Completion
		})},
	{Name: "window", Own: true, Value: "KIND", Choices: toStrings(settings.WindowKinds),
		Default: string(settings.WindowKinds[0]), Example: "allocate",
		Help: "make windows by MPI_Win_create, or by MPI_Win_allocate, whose memory libraries may share within a " +
			"host",
		set: setChoice(settings.WindowKinds, func(r *probing.Request) *settings.WindowKind {
			return &r.Settings.OneSided.Window
		})},
	{Name: "epoch", Own: true, Value: "HOW", Choices: toStrings(settings.Synchronizations), Example: "fence",
		Default: "flush, for puts both ways pscw, for accumulating calls lock",
		Help:    "open and complete one-sided transfers of OSU in this way",
		set:     setName(func(r *probing.Request) *settings.Synchronization { return &r.Settings.OneSided.Sync })},
	{Name: "apart", Own: true, Help: "give each message of a window of OSU separate memory",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.OSU.Apart })},
	{Name: "tests", Own: true, Value: "N", Example: "10", Default: "0",
		Help: "call MPI_Test N times while a process computes during a nonblocking collective call of OSU",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.OSU.Tests })},
	{Name: "senders", Own: true, Value: "N", Example: "2", Default: "1", of: []kernel.Component{kernel.OSU},
		Help: "let N threads of osu_latency_mt send",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Threading.Senders })},
	{Name: "target", Own: true, Value: "WORK", Choices: toStrings(settings.TargetWorks),
		Default: string(settings.TargetWorks[0]), Example: "compute",
		Help: "let processes whose memory others access in PGAS wait in MPI_Barrier, or compute without any call",
		set: setChoice(settings.TargetWorks, func(r *probing.Request) *settings.TargetWork {
			return &r.Settings.OneSided.Target
		})},
	{Name: "block", Own: true, Value: "SIZE", Example: "8", unit: "B",
		Help: "make blocks of strided kernels this long", Default: fmt.Sprintf("%dB", settings.Default.Block),
		set: setSize(func(r *probing.Request) *int64 { return &r.Settings.OneSided.Block })},
	{Name: "count", Own: true, Value: "N", Example: "100",
		Help: "transfer N blocks at once in strided kernels", Default: fmt.Sprint(settings.Default.Count),
		set: setParsed(positive, func(r *probing.Request, n int64) { r.Settings.OneSided.Count = n })},
	{Name: "strides", Own: true, Value: "S,…", Example: "1,3", Default: joinNumbers(settings.Default.Strides),
		Help: "place the starts of blocks at these distances, in blocks",
		set:  setParsed(parseStrides, func(r *probing.Request, list []int64) { r.Settings.OneSided.Strides = list })},
	{Name: "self", Own: true, Help: "let random kernels draw the process itself, too",
		set: setTrue(func(r *probing.Request) *bool { return &r.Settings.OneSided.Self })},
	{Name: "barriers", Own: true, Value: "N", Example: "3", Default: strconv.Itoa(settings.Default.Barriers),
		Help: "make N barriers right before the clock (IMB's N_BARR)",
		set:  setPositive(func(r *probing.Request) *int { return &r.Settings.Barriers })},
	{Name: "compute", Own: true, Value: "TIME", Example: "0.05", of: ofFiles,
		Help: "compute during a nonblocking file call for this time (IMB's TARGET_CPU_SECS), such as 5ms, or a " +
			"number of seconds",
		Default: fmt.Sprintf("%g, by the guide %g", method.IMB2021().Compute, method.Guide().Compute),
		set:     setParsed(parseTime, func(r *probing.Request, s float64) { r.Settings.Compute = s })},
	{Name: "filename", Own: true, Value: "NAME", Example: "data", Default: settings.Default.FileName, of: ofFiles,
		Help: "name the file of IMB-IO's benchmarks (IMB's FILENAME); groups and processes are added to the name",
		set:  setName(func(r *probing.Request) *string { return &r.Settings.FileName })},
	{Name: "hints", Own: true, Value: "KEY=VALUE", Repeatable: true, Example: "striping_factor=4", of: informed,
		Help: "give the MPI library a hint, in the info of files and windows (IMB's User_Set_Info)",
		set: setParsed(parseHint, func(r *probing.Request, h mpi.Hint) {
			r.Settings.Hints = append(r.Settings.Hints, h)
		})},
	{Name: "defects", Own: true, Value: "on|off", Default: "off", Example: "on",
		Help: "add a column to the text with the largest difference of wrong data from right ones, relative to " +
			"these (IMB's -DCHECK), which is 1 for bytes",
		set: setSwitch(func(r *probing.Request, on bool) { r.Settings.DefectsColumn = on })},
	{Name: "directory", Group: Output, Short: "p", Own: true, Value: "DIR", Default: "the current one", Example: "disk",
		Help: "run the benchmarks of IMB-IO in the file system of this directory, which all processes must see. " +
			"beff makes a scratch directory there, and removes it at the end",
		set: setName(func(r *probing.Request) *string { return &r.Directory })},
}
