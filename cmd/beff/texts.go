package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exchange"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/format/tools"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/sim/machine"
)

// auto is the rule by which --engine auto takes an engine.
const auto = "Auto takes MPI under mpirun or srun, else the embedded engine (local)."

// texts holds help texts that are too long for the tag of a field, and values that other packages know.
var texts = kong.Vars{
	"accept": "Judge results by a requirement sheet: met, missed or undecided.",
	"accept_baseline": "Print a sheet of what these results have, with tolerances from their spread, for nightly " +
		"checks. More of them are words behind it.",
	"accept_plan": "Print the commands that measure what is missing, one a line.",
	"accept_results": "Result files, or directories with results. All that have a figure of the sheet at its size " +
		"count, or are listed with the reason.",
	"accept_set": "Give a requirement another limit, such as latency='max 2 us', or the system's numbers, such as " +
		"system.nodes=256; may be given several times.",
	"ab_side": "A setting: variables NAME=VALUE first, then words that are added to the command line (--mpi " +
		"openmpi), --launch COMMAND and --beff FILE, a launcher and a binary of its own.",
	"ab_launch": "What starts a run, such as 'mpirun -n 4'; unasked srun or mpirun in a job of several tasks, and " +
		"nothing where --engine is given.",
	"ab_within":              "Pairs are added until the ratio is known to this part, or is less.",
	"ab_into":                "The directory of the runs; those that are there aren't made again.",
	"compare":                "Put results side by side, with ratios and their intervals.",
	"compare_any_difference": "With --fail-below: judge by the ratio alone, whatever its interval.",
	"compare_apart":          "Compare each result by itself, runs of one system and configuration too.",
	"compare_fail_below": "End with exit code 3 if any other result has less than RATIO times the first one's b_eff, " +
		"b_eff_io or, of probes, speed, such as 0.95 or 95%: if the upper end of the ratio's 95 % interval is " +
		"below. Exit code 5: they can't be judged; 6: more runs are needed.",
	"compare_results": "Two result files or more, or directories with results; the first is what the others are " +
		"compared with. Runs of one system " +
		"and configuration are one side, unless all are; or say it: a1.json a2.json vs b1.json b2.json.",
	"auto":   auto,
	"doctor": "Show what a run would find here: MPI, fabric, binding, noise.",
	"doctor_about": "Measure, and say what it means: links (which node or link is slow), noise (what takes " +
		"processors from processes), load (what others' messages cost), cuts (what goes through the middle of the " +
		"network), calls (which calls are slower than the library's own others). Default: look, without measuring.",
	"engines":       strings.Join(launch.Engines(), ","),
	"export":        "Write samples and figures as tables, a database or metrics.",
	"export_format": "csv, sqlite or openmetrics (default: by the ending of -o; csv).",
	"export_output": "FILE.csv: one table. FILE.sqlite: a database, which may be there. FILE.prom: OpenMetrics. A " +
		"directory: a CSV file for each table (default: one table on stdout).",
	"export_table": "Write these tables (default: all, or the one of the measurements): " +
		strings.Join(exchange.TableNames(), ", ") + ".",
	"formats":            publish.Names(publish.Without("kv")),
	"formats_of_results": publish.Names(publish.OfResults(probing.MPIBlib)),
	"hang_limit": "Keep the samples and end the run with exit code 1 once a process has not gone on for this time " +
		"(default: never).",
	"imb":          "Measure by IMB's own command lines: beff imb mpi1 ….",
	"mpiblib":      "Measure by MPIBlib's own command lines: beff mpiblib collective ….",
	"mpiblib_args": "The tool, and options as MPIBlib takes them: see -h.",
	"import":       "Turn output of other programs into a result document.",
	"import_file": "Output of programs, which is known by its contents, or directories of it; - for standard input. " +
		"Read are: " + strings.Join(tools.Names(), ", ") + ".",
	"import_output": "Write PATH.json, or PATH.json.gz if it ends so; DIR/ chooses the names, which several files " +
		"need (default: -, stdout).",
	"io":         "Measure b_eff_io, the bandwidth of a file system.",
	"io_at_most": "The time in which all rounds of --within end (default: 20 times that of a round).",
	"io_cold": "Read cold: processes read what those of another node wrote, and files are dropped from memory " +
		"before. Its results are a class of their own.",
	"io_directory": "Directory of the file system to rate (default: the current one); all processes must see it. A " +
		"scratch directory is made in it, and removed at the end.",
	"io_quantiles": "Count the time of each call, and give these percentages with intervals, such as 50,99,99.9.",
	"io_errors":    "Tell of so many wrong chunks of each pattern, up to 32. All are counted.",
	"io_fill":      "Part of the memory that --cold fills and touches, such as 80%.",
	"io_times_memory": "Times the memory of the nodes, without what --fill takes, that the files are to hold with " +
		"--cold, such as 1.5.",
	"io_hints": "File hints for the MPI library: lines <processes|all> <access|all> <type|all> <chunk> <key> " +
		"<value>.",
	"io_max_bytes": "Limit for data on disk at a time (default: leave 10 % of the file system free).",
	"io_memory": "Memory per process, such as 2GiB; chunks go up to 1/128 of it, at least to 2 MiB and at most to 1 " +
		"GiB (default: the node's memory, or the cgroup's limit, divided by the processes there).",
	"io_no_shared": "Measure type 1 without shared file pointers. Not valid as a rating.",
	"io_output": "Write PATH.json (everything) and PATH.sum (the summary of release 2.1); PATH.json.gz packs; DIR/ " +
		"chooses the names; - prints the document alone.",
	"io_partitions": "Numbers of processes to measure with (default: a small and a medium part of them, and all).",
	"io_rules": "2001: the paper's formula for the rating. 2.1: that of HLRS release 2.1. Both are always " +
		"shown.",
	"io_time": "Duration of the whole run, such as 45m or 90s, or a number of seconds (default: what a " +
		"rating needs, 15 minutes for each partition, by rules 2.1 30). 30m on three partitions is a class of its own.",
	"io_total_memory": "Memory of all nodes in use together, which the amount written is compared with (default: " +
		"found out).",
	"io_within": "Measure short rounds until half of b_eff_io's interval is so small, such as 5%. -T is the time of " +
		"a round (default: 15 s for each partition). Its results are a class of their own.",
	"io_verify": "Compare what is read with what was written: sampled (the marks of each chunk, and samples of the " +
		"data of each pattern's last call), or full (all bytes, in the time of the marks).",
	"trend": "Follow the figures of each system over time; find what changed.",
	"trend_baseline": "End with exit code 3 if the newest result of a figure is below what the results of the level " +
		"of a result file, or of a date, let expect, 5 if that can't be judged, 6 if more results are needed.",
	"trend_columns": "Follow these figures (default: b_eff, b_eff_io; latency and bandwidth of probes): " +
		strings.Join(ranking.FigureKeys(), ", ") + ".",
	"rank_reference": "Also rank the systems of the 2001 paper that have half to twice the processes of a result; " +
		"without results all.",
	"rank_all": "A row for each result, with its date, library and file, not one for each system.",
	"rank_columns": "Show these columns, or +NAME,… beside the usual ones, or several by a name (" +
		strings.Join(ranking.Choices(), ", ") + "): " + strings.Join(ranking.Columns(), ", ") + ".",
	"rank": "Rank the systems of many results.",
	"rank_sort": "Order the rows by a column, such as date; date:desc from the highest to the lowest (default: by " +
		"rank).",
	"site_most": "The most bytes of result documents in the site, compressed: those of the newest results (default: " +
		"80MB).",
	"since": "Take results of this date or later: 2026-10-31, 2026-10, or 30d, days before today.",
	"where": "Take results, or rows of them, for which this holds, such as 'processes=128, library~\"Open MPI\", " +
		"valid, b_eff>30 GB/s, date<2026-10': columns with = != < <= > >= or ~ !~ (regular expression); and, or, " +
		"not, (). May be given several times.",
	"results": "Result files, or directories with results (*.json, *.json.gz) in or below " +
		"them; - for standard input.",
	"mpi": "Plug-in of an MPI, or path of a library, as beff mpi list shows them (default: BEFF_MPI, or the one that " +
		"fits the launcher).",
	"mpi_add":     "Make the plug-in of an MPI by its compiler wrapper, beside beff or in the user's data directory.",
	"mpi_command": "Make (mpi add), list or remove plug-ins of MPIs.",
	"mpi_list": "Show the MPIs that are found: interface, library, version, which new calls it has, path, whether " +
		"it starts.",
	"mpi_mpicc": "Compiler wrapper of the MPI, such as mpicc.mpich or /opt/mpi/bin/mpicc, or OpenSHMEM's oshcc " +
		"(default: mpicc).",
	"mpi_name": "Name of the plug-in (default: the library's, such as openmpi).",
	"noise": "Before the run, watch for this time what else takes the processors from the processes, such as 2s: it " +
		"is in the result and in the verdict.",
	"note": "Anything a reader should know, such as the compiler, the network or the file system.",
	"patience": "Say which process waits in which call if it doesn't go on for this time, or if a measurement takes " +
		"this time and 20 times what it should; 0: never. SIGUSR1 asks at any time.",
	"probe": "Measure kernels of the Intel MPI Benchmarks (IMB); probe list.",
	"probe_file": "Campaign file: TOML with kernels and all other keys that beff probe keys explains. " +
		"Flags come before it.",
	"probe_output": "Write PATH.json (everything), PATH.txt (IMB's text, which is printed too) and PATH.csv (a line " +
		"for each row); PATH.json.gz packs; DIR/ chooses the names; - prints the document alone.",
	"probe_keys":   "Print a campaign file with all keys, each explained.",
	"probe_option": "Set a key of campaign files, such as offset=1 or at-once; may be given several times.",
	"probe_kernels": "Names of kernels in any case, with Multi- for the multiple mode, or whole components: " +
		"imb-mpi1, imb-ext, imb-io, imb-nbc, imb-rma, imb-p2p, mpiblib, pgas, noise, cut, guidelines, load. What " +
		"IMB-EXT and IMB-RMA both have is that of the component of the other names, or named with it: " +
		"ext:Accumulate, rma:Accumulate.",
	"probe_list":        "List the kernels: what they call, what their figures mean, whether they run here.",
	"probe_tree":        "Draw the tree of an algorithm, without measuring.",
	"probe_tree_blocks": "Bytes of each rank's block, separated by commas (default: 1 each).",
	"probe_tree_format": "text, or dot (of Graphviz).",
	"probe_tree_name": "Name of an algorithm, such as Scatterv_Traff, or of a shape: flat, binomial, binary, chain, " +
		"sorted_binomial_asc, sorted_binomial_dsc, Traff.",
	"report":       "Write text, CSV, Markdown, HTML, PDF, plots of results.",
	"report_apart": "A report of each result, of runs of one system and configuration too.",
	"report_results": "Result files that beff run -o, io -o or import -o wrote, directories with such files, or - " +
		"for standard input. Runs of one system and configuration are one report, with their mean and the interval " +
		"between them.",
	"publish_output": "Write files whose names begin with PATH; x.pdf: this one, in the format of its ending; DIR/: " +
		"there, with names of their own; - is stdout (the default).",
	"machine": "The machine of --engine sim: a file (docs/models.md), or " + presetNames() + ".",
	"ranks": "Ranks of the embedded engine (default: the cores, at least 2). Under mpirun or srun the launcher sets " +
		"them.",
	"resume":        "Go on with the run that wrote PREFIX.journal, and measure what is missing.",
	"resume_anyway": "Go on even if program, library or placement are not the same; the result says so.",
	"run_memory": "Memory per process, such as 2GiB; messages go up to 1/128 of it (default: the node's memory, or " +
		"the cgroup's limit, divided by the processes there).",
	"run_output": "Write PATH.json (everything) and PATH.txt (the report); PATH.json.gz packs; DIR/ chooses the " +
		"names; - prints the document alone.",
	"run_passes": "Measure the whole set of patterns K times in this job; the rating is the mean of the K (default: " +
		"as often as --at-most says; once with --quick, --rules 3.6, --engine sim, and where patterns or methods are " +
		"left out).",
	"run_methods": "Measure only these: sendrecv, alltoallv, nonblocking. With neighbour and persistent these calls " +
		"are measured behind the others and reported apart: b_eff isn't made of them.",
	"run_patterns": "Measure only these: ring, random, detail, names or globs of names. b_eff needs all rings and " +
		"randoms.",
	"run_within":  "Measure passes, three at least, until the interval of b_eff is ± this part of it, such as 2%.",
	"run_at_most": "Begin no pass behind the first one that would end later (default: 2m; with --within 10m).",
	"run_quick": "Measure a preview within 30 s if the machine allows: one repetition, short loops, messages up to 1 " +
		"MiB (shorter ones if more than 32 processes share a host's processors) unless --memory is given. Not valid " +
		"as a rating.",
	"run_rules":         "2001: the paper's loop lengths. 3.6: those of HLRS release 3.6.",
	"model":             "Compute b_eff of machines that are models (model run, scale, fit).",
	"model_run":         "Compute b_eff of a machine that is a model.",
	"model_compare":     "Print what each --set gives, and the elasticities of b_eff: which parameter moves it most.",
	"model_fit":         "Find the model machine that measured results are of.",
	"model_fit_result":  "Results of beff run and beff probe, of one machine; together they tell more of it.",
	"model_fit_against": "Another result, which the machine is to predict; may be given several times.",
	"model_fit_output":  "Write the machine, which beff model run takes, to PATH.yaml, or to DIR/machine.yaml.",
	"model_scale":       "Compute b_eff of model machines over the number of processes.",
	"model_scale_ranks": "Numbers of processes (default: 16,64,256,1024).",
	"model_machine":     "A machine: a file that describes it (docs/models.md), or " + presetNames() + ".",
	"model_messages":    "Follow each message, so that processes drift apart: exact, slow beyond 64 processes.",
	"model_ranks":       "Processes (default: all of the machine, if it says how many nodes it has).",
	"model_seed":        "Seed of the random patterns, the noise and random placements.",
	"model_set": "Change a value of the machine: KEY=VALUE, KEY*=FACTOR or KEY/=FACTOR; may be given " +
		"several times.",
	"run_seed": "Seed of the random patterns (default: a new one for each run; the result tells it).",
	"topology": "Map of the nodes: lines NODES SWITCH [GROUP [CELL]], Slurm's topology.conf, or what scontrol show " +
		"topology prints (docs/load.md). The result says what each node is behind.",
	"verify": "Prove that figures follow from samples.",
	"wall": "End in order before TIME has passed since the start: what doesn't fit is not begun (default: the end " +
		"of the batch job, as Slurm's and PBS's variables say it).",
}

// presetNames returns the names of the machines that come with beff.
func presetNames() string { return strings.Join(machine.Presets(), ", ") }

// guide is what the help of a command shows first: lines of examples, and the flags that most users need. Without flags
// it shows all.
type guide struct{ examples, flags string }

// guides are those of commands, by their words.
var guides = map[string]guide{
	"run": {`mpirun -n 64 beff run -o mymachine        over an MPI, some 2 minutes
mpirun -n 64 beff run --quick             a preview of half a minute
mpirun -n 64 beff run --resume mymachine  what is missing of it`,
		"memory quick within passes verbose output system resume wall dry-run force mpi ranks patience hang-limit"},
	"io": {`mpirun -n 64 beff io -p /scratch -o myscratch  a rating: 45 minutes
mpirun -n 64 beff io -p /scratch --quick       a preview of half a minute
mpirun -n 64 beff io -p /scratch --dry-run     what it would write, and how much`,
		"directory time quick partitions max-bytes memory verbose output system resume wall dry-run force mpi ranks " +
			"patience hang-limit"},
	"probe": {`mpirun -n 2 beff probe PingPong                 one kernel, as IMB prints it
mpirun -n 64 beff probe Allreduce --msgsize 8,1024 -o reduce
mpirun -n 64 beff probe Bcast --within 2%       until the mean is known to 2 %
mpirun -n 64 beff probe cut --topology map.txt  all pairs across a cut of the machine`,
		"file msgsize msglog lengths iter within passes npmin output system resume wall dry-run force mpi ranks " +
			"patience hang-limit"},
	"model run": {`beff model run t3e -n 64                        a machine that comes with beff
beff model run fat-tree-100g -n 64 --set 'link.bandwidth*=2'
beff model run mymachine.yaml -o model          a machine that a file describes`, ""},
	"report": {`beff report mymachine.json                    the text
beff report mymachine.json -o mymachine.html  a page; .pdf, .csv, .md too
beff report mymachine.json --format plots -o plots/  pictures for slides`, ""},
	"compare": {`beff compare old.json new.json                  which is faster, and by how much
beff compare a1.json a2.json a3.json vs b1.json b2.json b3.json  runs of each
beff compare old.json new.json --fail-below 95%  for tests: exit code 3`, ""},
	"rank": {`beff rank results/ --reference                  with the systems of the 2001 paper
beff rank results/ --where 'processes=64' --sort date:desc`, ""},
	"trend": {`beff trend results/                             what changed since last month
beff trend results/ --baseline 2026-10-01       for tests: exit code 3`, ""},
	"accept": {`beff accept sheet.toml --check                  what it wants
beff accept sheet.toml results/ --plan          the commands that measure what is missing
beff accept sheet.toml results/ -o verdict.pdf  the page to be signed; .html, .csv, .xml too`,
		"set check plan baseline format output verbose where force"},
	"export": {`beff export mymachine.json                      every sample as CSV
beff export results/ --format sqlite -o results.db
beff export mymachine.json --format openmetrics  for Prometheus`, ""},
	"import": {`beff import imb.txt -o imb.json`, ""},
	"site":   {`beff site results/ -o public  pages of all results`, ""},
	"verify": {`beff verify mymachine.json  do the figures follow?`, ""},
	"mpi add": {`beff mpi add                             of mpicc
beff mpi add --mpicc /opt/mpi/bin/mpicc  of another MPI`, ""},
}

// withExamples puts the examples into the help of commands and the pages of the manual. Flags without a group say what
// is measured.
func withExamples(k *kong.Kong) error {
	for _, node := range k.Model.Leaves(false) {
		g := guides[node.Path()]
		if g.examples != "" {
			node.Detail = "For example:\n\n  " + strings.ReplaceAll(g.examples, "\n", "\n  ")
		}
		for _, f := range node.Flags {
			if f.Group == nil && g.flags != "" {
				at := slices.IndexFunc(groups, func(of kong.Group) bool { return of.Key == imb.Kernels })
				f.Group = &groups[at]
			}
		}
	}
	return nil
}

// longText is the least length of a text that kong doesn't get as a variable.
const longText = 32

// inPlace returns the short ones of vars, and an option that puts the long ones where help texts name them. kong goes
// through all variables once for each flag, by a regular expression: 100 long texts for each of some 300 flags took
// 20 ms of each process' start.
func inPlace(vars kong.Vars) (short kong.Vars, long kong.Option) {
	short = kong.Vars{}
	var pairs []string
	for name, text := range vars {
		if len(text) < longText {
			short[name] = text
			continue
		}
		pairs = append(pairs, "${"+name+"}", text)
	}
	texts := strings.NewReplacer(pairs...)
	return short, kong.PostBuild(func(k *kong.Kong) error {
		return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			switch x := node.(type) {
			case *kong.Node:
				x.Help = texts.Replace(x.Help)
			case *kong.Value:
				for name, text := range x.Tag.Vars {
					x.Tag.Vars[name] = texts.Replace(text)
					x.Help = strings.ReplaceAll(x.Help, "${"+name+"}", x.Tag.Vars[name])
				}
				x.Help = texts.Replace(x.Help)
			}
			return next(nil)
		})
	})
}
