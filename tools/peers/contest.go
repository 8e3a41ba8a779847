package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/format/tools"
)

// contest runs the programs in turn.
type contest struct {
	options
	directory string // for the list of lengths and for files
	stderr    io.Writer
	programs  map[string]string // paths of OSU's programs, by name
	processes int               // number of processes in a run
}

// processesOf returns the number of processes in a launcher's words, 2 without -n or -np.
func processesOf(launch string) int {
	words := strings.Fields(launch)
	for i, word := range words[:max(len(words)-1, 0)] {
		if n, err := strconv.Atoi(words[i+1]); err == nil && n > 0 && (word == "-n" || word == "-np") {
			return n
		}
	}
	return 2
}

// newContest returns a contest, whose directory it creates with the list of lengths.
func newContest(o options, stderr io.Writer) (*contest, error) {
	directory, err := os.MkdirTemp(o.directory, "peers-")
	if err != nil {
		return nil, err
	}
	var list strings.Builder
	for _, n := range o.lengths {
		fmt.Fprintln(&list, n)
	}
	for _, name := range []*string{&o.imb, &o.beff} {
		if *name, err = filepath.Abs(*name); err != nil {
			return nil, err
		}
	}
	programs, err := programsOfOSU(o.osu)
	if err != nil {
		return nil, err
	}
	return &contest{options: o, directory: directory, stderr: stderr, programs: programs,
			processes: processesOf(o.launch)},
		os.WriteFile(filepath.Join(directory, "lengths"), []byte(list.String()), 0o600)
}

// has reports whether IMB or OSU has a kernel that can run on the processes. OSU's tests for two processes refuse
// other numbers, osu_hello has no figure, and the fan tests need several nodes.
func (c *contest) has(k *kernel.Kernel) bool {
	if k.Component == kernel.OSU {
		neighbours := (&settings.OSU{}).Graph()
		return c.programs[k.Name] != "" && k.Fits(c.processes) && (k.Active == 0 || k.Active == c.processes) &&
			k.Name != "osu_hello" && !k.Builder.Processes.Fan &&
			!(k.Builder.Processes.Neighbours && neighbours.Unfit(c.processes) != "")
	}
	_, err := os.Stat(filepath.Join(c.imb, binary(k.Component)))
	return c.options.imb != "" && err == nil && k.Fits(c.processes)
}

func binary(c kernel.Component) string { return "IMB-" + string(c) }

// key identifies a figure by kernel, mode, time and length.
type key struct {
	component kernel.Component
	kernel    string
	mode      settings.Mode
	time      string
	bytes     int64
}

// least holds the least seconds of each figure, or the most points.
type least map[key]float64

// value returns a figure. If it is missing, value returns 0, or NaN for points.
func (l least) value(at key) float64 {
	x, has := l[at]
	if !has && at.points() {
		return math.NaN()
	}
	return x
}

// points reports whether a figure is a percentage, of which the largest counts, instead of a time.
func (k key) points() bool { return strings.HasSuffix(k.time, "(%)") }

// figure has a figure of the peer's first run, of beff, and of the peer's second run, in seconds or points.
type figure struct {
	key
	first, ours, second float64
}

// measure runs IMB, beff and IMB again, and returns the figures of a batch of kernels in the order of beff's table.
func (c *contest) measure(batch []*kernel.Kernel) ([]figure, error) {
	first, ours, second := least{}, least{}, least{}
	if k := batch[0]; k.Component == kernel.OSU {
		return c.measureOSU(k)
	}
	name := binary(batch[0].Component)
	peer, component := filepath.Join(c.imb, name), strings.ToLower(string(batch[0].Component))
	for range c.runs {
		for _, x := range []struct {
			best    least
			command []string
		}{
			{first, []string{peer}}, {ours, []string{c.beff, "imb", component, "-p", c.directory}},
			{second, []string{peer}},
		} {
			if err := c.once(batch, x.best, x.command); err != nil {
				return nil, err
			}
		}
	}
	return figures(batch, first, ours, second), nil
}

// once runs one program, and keeps times that are shorter than before.
func (c *contest) once(batch []*kernel.Kernel, best least, command []string) error {
	if batch[0].Component == kernel.MT {
		return c.onceMT(batch, best, command)
	}
	words := append(strings.Fields(c.launch), command...)
	words = append(words, "-msglen", "lengths")
	if batch[0].Component == kernel.P2P {
		words = append(words, "-pause", "0")
	} else {
		words = append(words, "-npmin", fmt.Sprint(c.processes))
	}
	for _, k := range batch {
		words = append(words, k.Name)
	}
	program := exec.Command(words[0], words[1:]...)
	var text, wrong bytes.Buffer
	program.Dir, program.Stdout, program.Stderr = c.directory, &text, &wrong
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, firstLine(wrong.String()))
	}
	r, err := tools.Read(&text, command[0])
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	for _, t := range r.Tables {
		i := slices.IndexFunc(batch, func(k *kernel.Kernel) bool { return strings.EqualFold(k.Name, t.Test) })
		if i < 0 {
			continue
		}
		at := key{component: batch[i].Component, kernel: batch[i].Name}
		for _, s := range t.Settings {
			if s.Name == "mode" && len(batch[i].Modes) > 0 {
				at.mode = settings.Mode(s.Value)
			}
		}
		for _, row := range t.Rows {
			for _, time := range batch[i].Times() {
				at.time, at.bytes = time.Name, row.Bytes
				for c, column := range t.Columns {
					took := row.Values[c]
					is := column.Name == time.Name || column.Name == "t_max" && time.Name == "t"
					if before, ok := best[at]; is && took > 0 && (!ok || took < before) {
						best[at] = took
					}
				}
			}
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// measureOSU runs OSU, beff and OSU again, and returns the figures of a test.
func (c *contest) measureOSU(k *kernel.Kernel) (list []figure, err error) {
	first, ours, second := least{}, least{}, least{}
	for range c.runs {
		if err := errors.Join(c.onceOSU(k, first), c.onceOurs(k, ours), c.onceOSU(k, second)); err != nil {
			return nil, err
		}
	}
	var keys []key
	for at := range first {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.bytes, b.bytes))
	})
	for _, at := range keys {
		list = append(list, figure{at, first.value(at), ours.value(at), second.value(at)})
	}
	return list, nil
}

// figures returns all figures of a batch, including figures that some programs lack.
func figures(batch []*kernel.Kernel, first, ours, second least) (list []figure) {
	for _, k := range batch {
		modes := k.Modes
		if len(modes) == 0 {
			modes = []settings.Mode{settings.Plain}
		}
		for _, mode := range modes {
			for _, time := range k.Times() {
				var lengths []int64
				for _, best := range []least{first, ours, second} {
					for at := range best {
						if at.component == k.Component && at.kernel == k.Name && at.mode == mode &&
							at.time == time.Name {
							lengths = append(lengths, at.bytes)
						}
					}
				}
				slices.Sort(lengths)
				for _, n := range slices.Compact(lengths) {
					at := key{k.Component, k.Name, mode, time.Name, n}
					list = append(list, figure{at, first[at], ours[at], second[at]})
				}
			}
		}
	}
	return list
}
