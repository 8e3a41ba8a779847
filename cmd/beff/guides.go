package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
)

// guide is what the help of a command shows first: lines of examples, and the flags that most users need. Without flags
// it shows all.
type guide struct{ examples, flags string }

// guides are those of commands, by their words.
var guides = map[string]guide{
	"run": {`mpirun -n 64 beff run -o mymachine        over an MPI, some 2 minutes
mpirun -n 64 beff run --quick             a preview of seconds
mpirun -n 64 beff run --resume mymachine  what is missing of it`,
		"memory quick within passes verbose output system resume wall dry-run force mpi ranks patience hang-limit"},
	"io": {`mpirun -n 64 beff io -p /scratch -o myscratch  30 minutes on a file system
mpirun -n 64 beff io -p /scratch --quick       a preview of a minute
mpirun -n 64 beff io -p /scratch --dry-run     what it would write, and how much`,
		"directory time quick partitions max-bytes memory verbose output system resume wall dry-run force mpi ranks " +
			"patience hang-limit"},
	"probe run": {`mpirun -n 2 beff probe PingPong                 one kernel, as IMB prints it
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
		g := guides[wordsOf(node)]
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
