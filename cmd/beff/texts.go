package main

import (
	"fmt"
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

// auto explains how --engine auto chooses an engine.
const auto = "auto means MPI under mpirun or srun, and the embedded engine (local) otherwise."

// texts holds help texts that are too long for the tag of a field, and values from other packages.
var texts = kong.Vars{
	"accept": "Judge results by a requirement sheet as met, missed or undecided.",
	"accept_baseline": "Print a sheet of requirements that these results meet, with tolerances from their spread, " +
		"for nightly checks. Further results can follow as arguments.",
	"accept_plan": "Print the commands that measure the missing results, one per line.",
	"accept_results": "Judge these result files, or directories with results. Each result that has a figure of the " +
		"sheet at the sheet's size counts, or is listed with the reason why it doesn't.",
	"accept_set": "Give a requirement another limit, such as latency='max 2 us', or change a number of the system, " +
		"such as system.nodes=256. May be repeated.",
	"ab_side": "Measure this setting as A. A setting is a list of variables NAME=VALUE, followed by words that are " +
		"added to the command line, such as --mpi openmpi. --launch COMMAND and --beff FILE give the setting a " +
		"different launcher and a different binary.",
	"ab_launch": "Start each run with this launcher, such as 'mpirun -n 4' (default srun or mpirun in a job of " +
		"several tasks, and no launcher if --engine is given).",
	"ab_within":              "Add pairs until the ratio is known to ± PART or better.",
	"ab_into":                "Keep the runs in this directory. beff doesn't repeat the runs that are already there.",
	"compare":                "Put results side by side, with ratios and their intervals.",
	"compare_sheet":          "Judge the results by this requirement sheet, too; the verdict is the last page.",
	"compare_any_difference": "Make --fail-below judge only by the ratio, whatever its interval.",
	"compare_apart":          "Compare each result by itself, even runs of one system and configuration.",
	"compare_fail_below": "End with exit code 3 if another result has less than RATIO times the first one's b_eff, " +
		"b_eff_io or (for probes) speed. RATIO is a number such as 0.95 or 95%, and beff compares it with the upper " +
		"end of the ratio's 95 % interval. Exit code 5 means that the results can't be judged, and 6 that more runs " +
		"are needed.",
	"compare_results": "Compare these result files, or directories with results. Give two or more; the first one is " +
		"the reference. Runs of one system and configuration form one side, unless all results are such runs. To " +
		"choose the sides yourself, write vs between them, as in a1.json a2.json vs b1.json b2.json. If all words " +
		"are directories, each is a system, which is compared by all of its results. A file may also be a log of one " +
		"run that beff import would read.",
	"auto":   auto,
	"doctor": "Show the MPI, fabric, binding and noise that a run would find here.",
	"doctor_about": "Measure one thing and explain the result. links finds slow nodes and links, noise the processor " +
		"time that other programs take from processes, load the effect of other programs' messages, cuts the " +
		"bandwidth through the middle of the network, and calls the calls that are slower than the library's " +
		"alternatives. Each ends within five minutes. The file of a result, which has a slash in its name or ends in " +
		".json or .json.gz, is explained. By default doctor only looks, without measuring.",
	"doctor_buffers": "Look for the devices of this memory (cuda, rocm, level_zero), and exchange messages between " +
		"two of them.",
	"doctor_output": "Write the probe's result to PATH.json and its texts, as beff probe -o does.",
	"engines":       strings.Join(launch.Engines(), ","),
	"export":        "Write samples and figures as tables, a database or metrics.",
	"export_public": "Write result documents in which names of hosts, users and directories are replaced.",
	"export_format": "Write csv, sqlite or openmetrics (default by the ending of -o, otherwise csv).",
	"export_output": "Write to FILE.csv (one table), FILE.sqlite (a database, which may already exist), FILE.prom " +
		"(OpenMetrics), or a directory (a CSV file for each table). Without -o, one table goes to stdout.",
	"export_table": "Write only these tables (default all tables, or one file with the table of measurements). The " +
		"tables are " + strings.Join(exchange.TableNames(), ", ") + ".",
	"formats":            publish.Names(publish.Without("kv")),
	"formats_of_results": publish.Names(publish.OfResults(probing.MPIBlib)),
	"formats_of_sheets":  publish.Names(publish.OfSheets(verdictTexts(nil)...)),
	"hang_limit": "Keep the samples and end the run with exit code 1 once a process has made no progress for TIME " +
		"(default never).",
	"imb":          "Measure with IMB's command lines, as in beff imb mpi1.",
	"mpiblib":      "Measure with MPIBlib's command lines, as in beff mpiblib p2p.",
	"mpiblib_args": "Run this tool with MPIBlib's options, which -h lists.",
	"import":       "Turn output of other programs into result documents.",
	"import_file": "Read these files, directories, or - for standard input. beff finds the runs in a log by their " +
		"first lines, whatever is around them, and reads output of " + strings.Join(tools.Names(), ", ") + ".",
	"import_output": "Write PATH.json, or PATH.json.gz if PATH ends so. With DIR/ beff chooses the names, which is " +
		"needed for several files or runs (default -, which is stdout).",
	"io":         "Measure b_eff_io, the bandwidth of a file system.",
	"io_at_most": "End all rounds of --within in this time (default 20 times the time of a round).",
	"io_cold": "Read cold. Processes read data that processes of another node wrote, and beff drops the files from " +
		"memory before. Cold results form a separate class.",
	"io_directory": "Rate the file system of this directory, which all processes must see (default the current " +
		"directory). beff makes a scratch directory there, and removes it at the end.",
	"io_quantiles": "Count the time of each call, and report these percentages with intervals, such as 50,99,99.9.",
	"io_errors":    "Describe up to N wrong chunks of each pattern, at most 32. beff counts all of them.",
	"io_fill":      "Let --cold fill and touch this part of the memory, such as 80%.",
	"io_times_memory": "Let the files of --cold hold K times the memory of the nodes, such as 1.5, not counting the " +
		"memory that --fill takes.",
	"io_hints": "Give the MPI library file hints from FILE, which has lines <processes|all> <access|all> <type|all> " +
		"<chunk> <key> <value>.",
	"io_max_bytes": "Limit the data on disk at a time (by default 10 % of the file system stay free). If the limit " +
		"ends patterns early, the result is not valid as a rating.",
	"io_memory": "Assume this memory per process, such as 2GiB. Chunks go up to 1/128 of it, at least to 2 MiB and " +
		"at most to 1 GiB (default the node's memory, or the cgroup's limit, divided by the processes there).",
	"io_no_shared": "Measure type 1 without shared file pointers. The result is not valid as a rating.",
	"io_output": "Write PATH.json (everything) and PATH.sum (the summary of release 2.1). PATH.json.gz is " +
		"compressed, with DIR/ beff chooses the names, and - prints only the document.",
	"io_partitions": "Measure with these numbers of processes (default a small and a medium part of the processes, " +
		"and all).",
	"io_rules": "Rate by the paper's formula (2001) or by the formula of HLRS release 2.1. Results show both.",
	"io_time": "Let the whole run take this time, such as 45m or 90s, or a number of seconds (default the time that " +
		"a rating needs, 15 minutes for each partition, or 30 by rules 2.1). A run of 30m on three partitions is in " +
		"a separate class.",
	"io_total_memory": "Compare the amount written with this memory of all nodes in use together (by default beff " +
		"finds it out).",
	"io_within": "Measure short rounds until half of b_eff_io's interval is no larger than PART, such as 5%. -T is " +
		"then the time of a round (default 15 s for each partition). Such results are in a separate class.",
	"io_verify": "Compare the data read with the data written. sampled compares the marks of each chunk, and samples " +
		"of the data of each pattern's last call. full compares all bytes of each chunk, inside the loop.",
	"trend": "Follow the figures of each system over time and find changes.",
	"trend_baseline": "End with exit code 3 if the newest result of a figure is lower than expected from the results " +
		"of one level, which you name by a result file or a date. Exit code 5 means that the figure can't be judged, " +
		"and 6 that more results are needed, that a newer result is in no series of the baseline, or that the newest " +
		"result is older than AGE, such as 26h for a nightly run.",
	"trend_columns": "Follow these figures (default b_eff, b_eff_io, and latency and bandwidth of probes). The " +
		"figures are " + strings.Join(ranking.FigureKeys(), ", ") + ".",
	"rank_reference": "Also rank the systems of the 2001 paper that have half to twice the processes of a result, or " +
		"all of them if there are no results.",
	"rank_all": "Show a row for each result, with its date, library and file, instead of one for each system.",
	"rank_columns": "Show these columns, or with +NAME,… add columns to the usual ones. Some names choose several " +
		"columns (" + strings.Join(ranking.Choices(), ", ") + "). The columns are " +
		strings.Join(ranking.Columns(), ", ") + ".",
	"rank": "Rank the systems of many results.",
	"rank_sort": "Order the rows by a column, such as date, or date:desc from the highest to the lowest (default by " +
		"rank).",
	"site_most": "Include result documents of at most this size in total, compressed, starting with the newest " +
		"results (default 80MB).",
	"since": "Take results of this date or later, such as 2026-10-31, 2026-10, or 30d for 30 days before today. " +
		"Local times of imported results count as UTC.",
	"where": "Take results, or rows of them, for which a condition holds, such as 'processes=128, library~\"Open " +
		"MPI\", valid, b_eff>30 GB/s, date<2026-10'. It compares columns by = != < <= > >= or by a regular " +
		"expression (~ !~), and combines comparisons with and, or, not and (). May be repeated.",
	"results": "Read these result files, the results (*.json, *.json.gz) in or below these directories, or - for " +
		"standard input.",
	"mpi": "Use this plug-in of an MPI, or the library with this path, as beff mpi list shows them (default " +
		"BEFF_MPI, or the plug-in that fits the launcher).",
	"mpi_add":     "Make the plug-in of an MPI with its compiler wrapper, next to beff or in your data directory.",
	"mpi_command": "Make (mpi add), list or remove plug-ins of MPIs.",
	"mpi_list": "Show each MPI that beff finds with its interface, library, version, new calls and path, and whether " +
		"it starts.",
	"mpi_mpicc": "Compile with this wrapper of the MPI, such as mpicc.mpich or /opt/mpi/bin/mpicc, or with " +
		"OpenSHMEM's oshcc (default mpicc).",
	"mpi_name": "Give the plug-in this name (default the library's name, such as openmpi).",
	"noise": "Measure before the run, for this time, such as 2s, how much other work takes from the processes. The " +
		"result contains the figure, and the verdict considers it.",
	"note": "Note anything a reader should know, such as the compiler, the network or the file system.",
	"patience": "Report which process waits in which call if a process makes no progress for TIME, or if a " +
		"measurement takes TIME and 20 times as long as expected. 0 means never. SIGUSR1 requests the report at any " +
		"time.",
	"probe": "Measure kernels of the Intel MPI Benchmarks (IMB); probe list.",
	"probe_file": "Read this campaign file, which is TOML with kernels and all other keys that beff probe keys " +
		"explains. Flags take precedence over it.",
	"probe_output": "Write PATH.json (everything), PATH.txt (IMB's text, which is printed too) and PATH.csv (a line " +
		"for each row). PATH.json.gz is compressed, with DIR/ beff chooses the names, and - prints only the document.",
	"probe_keys":   "Print a campaign file with all keys, each explained.",
	"probe_option": "Set a key of campaign files, such as offset=1 or at-once. May be repeated.",
	"probe_kernels": "Measure these kernels, in upper or lower case, with Multi- for the multiple mode, or whole " +
		"components (imb-mpi1, imb-ext, imb-io, imb-nbc, imb-rma, imb-p2p, mpiblib, pgas, noise, cut, guidelines, " +
		"load). A name that IMB-EXT and IMB-RMA share is taken from the component of the other names, or needs a " +
		"prefix, as in ext:Accumulate and rma:Accumulate.",
	"probe_list": "List the kernels with the calls that they make, the meaning of their figures, and whether they " +
		"run here.",
	"probe_tree":        "Draw the tree of an algorithm, without measuring.",
	"probe_tree_blocks": "Give each rank's block a number of bytes, separated by commas (default 1 each).",
	"probe_tree_format": "Draw as text, or as dot (for Graphviz).",
	"probe_tree_name": "Draw this algorithm, such as Scatterv_Traff, or this shape (flat, binomial, binary, chain, " +
		"sorted_binomial_asc, sorted_binomial_dsc, Traff).",
	"report":       "Write results as text, CSV, Markdown, HTML, PDF or plots.",
	"report_apart": "Write a report for each result, even if several are runs of one system and configuration.",
	"report_results": "Report these result files that beff run -o, io -o or import -o wrote, directories with such " +
		"files, or - for standard input. Runs of one system and configuration share one report, with their mean and " +
		"the interval between them. A directory with different results of one system gives one report with a section " +
		"for each.",
	"publish_output": "Write files whose names begin with PATH. A name such as x.pdf writes this file, in the format " +
		"of its ending. With DIR/ beff writes there and chooses the names. - is stdout (the default).",
	"machine": "Let --engine sim simulate this machine, a file (docs/models.md) or one of " + presetNames() + ".",
	"ranks": "Start P ranks of the embedded engine (default the number of cores, at least 2). Under mpirun or srun " +
		"the launcher sets the number.",
	"resume": "Resume the run that wrote PREFIX.journal, and measure the missing parts.",
	"force": "Overwrite existing output files, or resume even if the program, library, GPUs or placement differ, " +
		"which the result records.",
	"buffers": "Send from and receive into this memory: host, or a device's (cuda, rocm, level_zero), pinned " +
		"(cuda:host) or managed (cuda:managed, level_zero:shared) memory.",
	"staged": "Copy messages through the host's memory, within the time, as programs do if their MPI doesn't take a " +
		"device's memory.",
	"device": "Give the processes of a node these devices in turn, by numbers in the order of PCI addresses, or the " +
		"devices near their processors (default all in turn).",
	"run_memory": "Assume this memory per process, such as 2GiB. Messages go up to 1/128 of it (default the node's " +
		"memory, or the cgroup's limit, divided by the processes there).",
	"run_output": "Write PATH.json (everything) and PATH.txt (the report). PATH.json.gz is compressed, with DIR/ " +
		"beff chooses the names, and - prints only the document.",
	"run_passes": "Measure the whole set of patterns K times in this job, and rate by the mean of the K (default as " +
		"often as --at-most allows, but once with --quick, --rules 3.6, --engine sim, or if patterns or methods are " +
		"left out).",
	"run_methods": "Measure only these methods (sendrecv, alltoallv, nonblocking). If you add neighbour and " +
		"persistent, beff measures them after the others and reports them separately, and b_eff doesn't include them.",
	"run_patterns": "Measure only these patterns, given by ring, random, detail, by name or by glob. b_eff needs all " +
		"rings and randoms.",
	"run_within": "Measure passes, at least three, until the interval of b_eff is ± PART of b_eff, such as 2%.",
	"run_at_most": "Start no pass after the first one that would end later than TIME (default 2m, or 10m with " +
		"--within).",
	"run_quick": "Measure a preview within 30 s if the machine allows it, with one repetition, short loops, and " +
		"messages up to 1 MiB (shorter ones if more than 32 processes share a host's processors) unless --memory is " +
		"given. The result is not valid as a rating.",
	"run_prove": "Check the data of every loop with --buffers, also of the timed ones. The times contain the checks, " +
		"so the result is not valid as a rating.",
	"run_rules": "Choose the loop lengths of the paper (2001) or of HLRS release 3.6.",
	"model":     "Compute b_eff of machines that are models (model run, scale, fit).",
	"model_run": "Compute b_eff of a machine that is a model.",
	"model_compare": "Print the result of each --set, and the elasticities of b_eff, which show the parameter that " +
		"moves it most.",
	"model_fit":         "Fit a model machine to measured results.",
	"model_fit_result":  "Fit the machine to these results of beff run, all of one machine.",
	"model_fit_output":  "Write the machine, which beff model run reads, to PATH.yaml, or to DIR/machine.yaml.",
	"model_scale":       "Compute b_eff of model machines over the number of processes.",
	"model_scale_ranks": "Compute b_eff for these numbers of processes (default 16,64,256,1024).",
	"model_machine": "Simulate this machine, a file that describes it (docs/models.md) or one of " + presetNames() +
		".",
	"model_messages": "Follow each message, so that processes drift apart. This is exact, but slow with more than 64 " +
		"processes.",
	"model_ranks": "Simulate P processes (default all that the machine has, if its number of nodes is known).",
	"model_seed":  "Draw the random patterns, the noise and random placements from this seed.",
	"model_set":   "Change a value of the machine by KEY=VALUE, KEY*=FACTOR or KEY/=FACTOR. May be repeated.",
	"run_seed":    "Draw the random patterns from this seed (default a new one per run, which the result records).",
	"topology": "Read a map of the nodes from FILE, which has lines NODES SWITCH [GROUP [CELL]], or is Slurm's " +
		"topology.conf or the output of scontrol show topology (docs/load.md). The result records the switch, group " +
		"and cell of each node.",
	"verify": "Prove that figures follow from samples.",
	"wall": "End in order before TIME has passed since the start, and begin nothing that doesn't fit (default the " +
		"end of the batch job, from the variables of Slurm or Torque).",
}

// presetNames returns the names of the machines that come with beff.
func presetNames() string { return strings.Join(machine.Presets(), ", ") }

// guide is a part of a command's help: lines of examples, the page of docs to read on, and the flags that most users
// need. If flags is empty, the help shows all flags.
type guide struct{ examples, page, flags string }

// guides holds the guides of commands by their words.
var guides = map[string]guide{
	"run": {`mpirun -n 64 beff run -o mymachine        over an MPI, about 2 minutes
mpirun -n 64 beff run --quick             a preview of half a minute
mpirun -n 64 beff run --resume mymachine  resume a run that ended early`, "rating.md",
		"memory quick within passes verbose output system resume wall dry-run force mpi ranks patience hang-limit"},
	"io": {`mpirun -n 64 beff io -p /scratch -o myscratch  a rating: 45 minutes
mpirun -n 64 beff io -p /scratch --quick       a preview of half a minute
mpirun -n 64 beff io -p /scratch --dry-run     only print the plan and its bytes`, "files.md",
		"directory time quick partitions max-bytes memory verbose output system resume wall dry-run force mpi ranks " +
			"patience hang-limit"},
	"probe": {`mpirun -n 2 beff probe PingPong                 one kernel, as IMB prints it
mpirun -n 64 beff probe Allreduce --msgsize 8,1024 -o reduce
mpirun -n 64 beff probe Bcast --within 2%       until the mean is known to 2 %
mpirun -n 64 beff probe cut --topology map.txt  all pairs across a cut of the machine`, "calls.md",
		"file msgsize msglog lengths iter within passes npmin output system resume wall dry-run force mpi ranks " +
			"patience hang-limit"},
	"model run": {`beff model run t3e -n 64                        a machine that comes with beff
beff model run fat-tree-100g -n 64 --set 'link.bandwidth*=2'
beff model run mymachine.yaml -o model          a machine that a file describes`, "models.md", ""},
	"report": {`beff report mymachine.json                    the text
beff report mymachine.json -o mymachine.html  a page; .pdf, .csv, .md too
beff report mymachine.json --format plots -o plots/  pictures for slides`, "results.md", ""},
	"compare": {`beff compare old.json new.json                  which is faster, and by how much
beff compare a1.json a2.json a3.json vs b1.json b2.json b3.json  runs of each
beff compare old.json new.json --fail-below 95%  for tests: exit code 3`, "compare.md", ""},
	"rank": {`beff rank results/ --reference                  with the systems of the 2001 paper
beff rank results/ --where 'processes=64' --sort date:desc`, "compare.md#rank", ""},
	"trend": {`beff trend results/                             changes over time
beff trend results/ --baseline 2026-10-01       for tests: exit code 3
beff trend results/ --baseline 2026-10-01,26h   each night`, "compare.md#follow-over-time", ""},
	"accept": {`beff accept sheet.toml --check                  its requirements
beff accept sheet.toml results/ --plan          the commands that measure the missing results
beff accept sheet.toml results/ -o verdict.pdf  the page to be signed; .html, .csv, .xml too`, "accept.md",
		"set check plan baseline format output verbose where force"},
	"export": {`beff export mymachine.json                      every sample as CSV
beff export results/ --format sqlite -o results.db
beff export mymachine.json --format openmetrics  for Prometheus`, "export.md", ""},
	"import": {`beff import imb.txt -o imb.json`, "others.md#import", ""},
	"site":   {`beff site results/ -o public  pages of all results`, "export.md#a-web-site", ""},
	"verify": {`beff verify mymachine.json  do the figures follow?`, "reliability.md#what-verify-proves", ""},
	"mpi add": {`beff mpi add                             for the MPI of mpicc
beff mpi add --mpicc /opt/mpi/bin/mpicc  for another MPI`, "install.md#plug-ins", ""},
	"probe list": {`beff probe list              all kernels
mpirun -n 1 beff probe list  and whether this MPI has their calls`, "calls.md", ""},
	"probe keys": {`beff probe keys >campaign.toml  a campaign to be changed`, "calls.md#campaigns", ""},
	"probe tree": {`beff probe tree Scatterv_Traff -n 8`, "calls.md#algorithms-of-collective-calls", ""},
	"imb mpi1":   {`mpirun -n 4 beff imb mpi1 -msglog 3:7 Bcast`, imbPage, ""},
	"imb ext":    {`mpirun -n 2 beff imb ext Unidir_Put`, imbPage, ""},
	"imb io":     {`mpirun -n 4 beff imb io C_Write_Indv`, imbPage, ""},
	"imb nbc":    {`mpirun -n 4 beff imb nbc Iallreduce`, imbPage, ""},
	"imb rma":    {`mpirun -n 2 beff imb rma Unidir_put`, imbPage, ""},
	"imb mpi4":   {`mpirun -n 4 beff imb mpi4 Allreduce_persist`, "mpi4.md#persistent-calls", ""},
	"imb p2p":    {`mpirun -n 2 beff imb p2p PingPong`, imbPage, ""},
	"imb mt":     {`mpirun -n 2 beff imb mt PingPingMT`, "mpi4.md#threads", ""},
	"mpiblib": {`mpirun -n 2 beff mpiblib p2p -M 65536
mpirun -n 16 beff mpiblib collective -O Bcast`, "others.md", ""},
	"doctor": {`mpirun -n 64 beff doctor        look, without measuring
mpirun -n 64 beff doctor links  find slow nodes and links`, "install.md#doctor", ""},
	"ab": {`beff ab --a 'OMPI_MCA_pml=ucx' --b 'OMPI_MCA_pml=ob1' --launch 'mpirun -n 64' -- run`,
		"ab.md#compare-a-with-b", ""},
	"mpi list":    {`beff mpi list`, "install.md#plug-ins", ""},
	"mpi remove":  {`beff mpi remove openmpi`, "install.md#plug-ins", ""},
	"model scale": {`beff model scale fat-tree-100g t3e -n 16,64,256 -o growth.html`, "models.md", ""},
	"model fit": {`beff model fit mymachine.json -o fitted
beff model run fitted.yaml`, "models.md#fit-a-machine-to-results", ""},
	"config":     {`beff config --example >beff.toml`, "jobs.md#befftoml", ""},
	"version":    {`beff version`, "install.md", ""},
	"help":       {`beff help run`, "tutorial.md", ""},
	"completion": {`beff completion fish >~/.config/fish/completions/beff.fish`, "install.md#completion", ""},
}

// imbPage is the page of IMB's command lines.
const imbPage = "others.md#imbs-command-lines"

// withGuides adds the examples, and the page to read on, to the help of commands and the pages of the manual. If a
// command has a list of flags for most users, its flags without a group get the group of measurements.
func withGuides(k *kong.Kong) error {
	for _, node := range k.Model.Leaves(false) {
		g := guides[node.Path()]
		if g.examples != "" {
			node.Detail = fmt.Sprintf("For example:\n\n  %s\n\nRead on in docs/%s.",
				strings.ReplaceAll(g.examples, "\n", "\n  "), g.page)
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

// detailOf returns the examples of a command with its own grammar, and the page to read on, as a part of its help.
func detailOf(node *kong.Node) string {
	if node.Detail == "" {
		return ""
	}
	return node.Detail + "\n\n"
}

// longText is the least length of a text that kong doesn't get as a variable.
const longText = 32

// inPlace returns the short texts of vars, and an option that inserts the long ones into help texts. kong searches all
// variables once for each flag, with a regular expression: with 100 long texts and some 300 flags that took 20 ms of
// each process's start.
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
