// Command smpi compares the model of package sim/model with SimGrid's SMPI (Degomme et al., Simulating MPI
// applications: the SMPI approach, IEEE TPDS 28(8), 2017), which simulates a C program of rings message by message on
// the same platforms. It needs smpicc and smpirun (Debian's libsimgrid-dev), and prints a table in Markdown.
//
//	cd tools && go run ./smpi
package main

import (
	"embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

//go:embed c/rings.c
var source embed.FS

// platform is a network that SimGrid and beff can describe.
type platform struct {
	name      string
	processes int
	cluster   string // SimGrid's attributes of the shape (empty: use beff's links and routes)
	topology  string // in beff's form
}

var platforms = []platform{
	{"fat tree, 16 nodes", 16, `topology="FAT_TREE" topo_parameters="2;4,4;1,4;1,1"`,
		"{kind: fat-tree, down: [4, 4], up: [1, 4]}"},
	{"fat tree, 64 nodes, half the uplinks", 64, `topology="FAT_TREE" topo_parameters="2;8,8;1,4;1,1"`,
		"{kind: fat-tree, down: [8, 8], up: [1, 4]}"},
	{"torus, 16 nodes", 16, "", "{kind: torus, dims: [4, 4]}"},
	{"torus, 64 nodes", 64, "", "{kind: torus, dims: [4, 4, 4]}"},
}

// lengths of messages in bytes.
var lengths = []int64{1 << 10, 1 << 14, 1 << 17, 1 << 20, 8 << 20}

// names of the compared patterns; ring-whole is the last ring.
var names = []string{"ring-2", "ring-4", "ring-8", "ring-16", "ring-32", "ring-whole", "random-01", "random-02",
	"random-03", "random-04", "random-05", "random-06", "random-07", "random-08"}

// bandwidth and latency of a link, the only properties that platforms have.
const (
	bandwidth = 1e9
	latency   = 1e-6
)

// loops is the number of loops before the timed loops, and of timed loops.
const loops = "20"

// seed draws the random patterns.
const seed = 1

func main() {
	dir, err := os.MkdirTemp("", "beff-smpi")
	if err == nil {
		err = run(os.Stdout, dir)
		os.RemoveAll(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "smpi:", err)
		os.Exit(1)
	}
}

// run compiles the program, runs it on each platform, and writes the table.
func run(w io.Writer, dir string) error {
	text, err := source.ReadFile("c/rings.c")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "rings.c"), text, 0o600); err != nil {
		return err
	}
	if _, err := output(dir, "smpicc", "-O1", "-DSMPI_NO_OVERRIDE_MALLOC=1", "-o", "rings", "rings.c"); err != nil {
		return err
	}
	fmt.Fprintln(w, "| platform | patterns | model | method |", heads(), "|")
	fmt.Fprintln(w, "|---|---|---|---|"+strings.Repeat("---:|", len(lengths)))
	for _, p := range platforms {
		if err := p.compare(w, dir); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return nil
}

// heads returns the headings of the columns for the lengths.
func heads() string {
	var list []string
	for _, l := range lengths {
		list = append(list, strconv.FormatInt(l>>10, 10)+" KiB")
	}
	return strings.Join(list, " | ")
}

// output returns what a command prints.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %s", name, err, text)
	}
	return string(text), nil
}

// chosen returns the compared patterns, each with its name in the table.
func (p *platform) chosen() (list []patterns.Pattern, err error) {
	all, err := patterns.BEff(p.processes, seed)
	if err != nil {
		return nil, err
	}
	rings := 0
	for _, x := range all {
		name := x.Name
		if x.Kind == patterns.KindRing {
			name = names[rings]
			rings++
		}
		for _, n := range names {
			if n == name {
				x.Name = name
				list = append(list, x)
			}
		}
	}
	return list, nil
}

// xml returns the platform as a file for SimGrid: a cluster of SimGrid's kind, or beff's links and the route of each
// pair.
func (p *platform) xml() (string, error) {
	const frame = `<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
%s</platform>
`
	if p.cluster != "" {
		return fmt.Sprintf(frame, fmt.Sprintf("<cluster id=\"c\" %s prefix=\"node-\" suffix=\"\" radical=\"0-%d\" "+
			"speed=\"1Gf\" bw=\"%gBps\" lat=\"%gs\" sharing_policy=\"SPLITDUPLEX\"/>\n", p.cluster, p.processes-1,
			bandwidth, latency)), nil
	}
	m, err := p.machine()
	if err != nil {
		return "", err
	}
	n, err := m.Network(p.processes)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("<zone id=\"z\" routing=\"Full\">\n")
	for i := range p.processes {
		fmt.Fprintf(&b, "<host id=\"node-%d\" speed=\"1Gf\"/>\n", i)
	}
	for i := range n.Links() {
		fmt.Fprintf(&b, "<link id=\"l%d\" bandwidth=\"%gBps\" latency=\"%gs\"/>\n", i, bandwidth, latency)
	}
	for i := range p.processes {
		for j := range p.processes {
			if i == j {
				continue
			}
			fmt.Fprintf(&b, "<route src=\"node-%d\" dst=\"node-%d\" symmetrical=\"NO\">", i, j)
			for _, l := range n.Route(nil, i, j, make([]float32, n.Links())) {
				fmt.Fprintf(&b, "<link_ctn id=\"l%d\"/>", l)
			}
			b.WriteString("</route>\n")
		}
	}
	b.WriteString("</zone>\n")
	return fmt.Sprintf(frame, b.String()), nil
}

// settings give SMPI's network plain links: no protocol, no processor time.
var settings = []string{"network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1",
	"network/weight-S:0", "network/crosstraffic:0", "network/TCP-gamma:0", "smpi/simulate-computation:no"}

// simgrid returns SMPI's seconds per loop by pattern, method and length.
func (p *platform) simgrid(dir string, list []patterns.Pattern) (map[string]float64, error) {
	var neighbors, hosts strings.Builder
	for _, x := range list {
		fmt.Fprintln(&neighbors, x.Name)
		x.Each(func(_ int, e []patterns.Exchange) { fmt.Fprintln(&neighbors, e[0].Dest, e[len(e)-1].Dest) })
	}
	for i := range p.processes {
		fmt.Fprintf(&hosts, "node-%d\n", i)
	}
	xml, err := p.xml()
	if err != nil {
		return nil, err
	}
	for name, text := range map[string]string{"platform.xml": xml, "patterns": neighbors.String(),
		"hosts": hosts.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	args := []string{"-np", strconv.Itoa(p.processes), "-platform", "platform.xml", "-hostfile", "hosts",
		"--log=root.thresh:error"}
	for _, s := range settings {
		args = append(args, "--cfg="+s)
	}
	args = append(args, "./rings", "patterns", loops)
	for _, l := range lengths {
		args = append(args, strconv.FormatInt(l, 10))
	}
	text, err := output(dir, "smpirun", args...)
	if err != nil {
		return nil, err
	}
	times := map[string]float64{}
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) == 4 {
			times[strings.Join(f[:3], " ")], err = strconv.ParseFloat(f[3], 64)
			if err != nil {
				return nil, err
			}
		}
	}
	return times, nil
}

// machine returns beff's machine for the platform.
func (p *platform) machine() (*machine.Machine, error) {
	return machine.Parse(p.name, fmt.Appendf(nil, `{name: smpi, processes_per_node: 1, memory_per_process: 1 GiB,
endpoint: {overhead: 0, latency: 0, bandwidth: 1000 GB/s, port_bandwidth: 1000 GB/s},
link: {bandwidth: %g, latency: %g}, topology: %s}`, bandwidth, latency, p.topology))
}

// compare writes the rows of a platform: by how many percent beff's times are longer than SMPI's, as the mean over the
// patterns and the range.
func (p *platform) compare(w io.Writer, dir string) error {
	list, err := p.chosen()
	if err != nil {
		return err
	}
	theirs, err := p.simgrid(dir, list)
	if err != nil {
		return err
	}
	described, err := p.machine()
	if err != nil {
		return err
	}
	m, err := model.New(described, p.processes, seed)
	if err != nil {
		return err
	}
	exactly := *m
	exactly.Exact = true
	differences := map[string][][]float64{} // for each row: by length, for each pattern
	var rows []string
	for _, x := range list {
		var messages []model.Message
		x.Each(func(rank int, exchanges []patterns.Exchange) {
			for i, e := range exchanges {
				messages = append(messages, model.Message{Round: int32(i), From: int32(rank), To: int32(e.Dest)})
			}
		})
		fast, exact := m.NewStep(messages), exactly.NewStep(messages)
		for _, by := range []struct {
			model, method string
			seconds       func(int64) float64
		}{
			{"busiest link", "sendrecv", fast.InTurn}, {"busiest link", "nonblocking", fast.Together},
			{"messages", "sendrecv", exact.InTurn}, {"messages", "nonblocking", exact.Together},
		} {
			row := fmt.Sprintf("| %s | %ss | %s | %s |", p.name, x.Kind, by.model, by.method)
			if differences[row] == nil {
				rows = append(rows, row)
				differences[row] = make([][]float64, len(lengths))
			}
			for k, l := range lengths {
				simulated := theirs[fmt.Sprint(x.Name, " ", by.method, " ", l)]
				differences[row][k] = append(differences[row][k], 100*(by.seconds(l)/simulated-1))
			}
		}
	}
	for _, row := range rows {
		fmt.Fprint(w, row)
		for _, list := range differences[row] {
			fmt.Fprintf(w, " %+.1f (%+.1f to %+.1f) |", stat.Mean(list, nil), slices.Min(list), slices.Max(list))
		}
		fmt.Fprintln(w)
	}
	return nil
}
