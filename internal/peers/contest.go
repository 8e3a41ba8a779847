package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/format/imb"
)

// contest runs the programs in turn.
type contest struct {
	options
	directory string // of the list of lengths, and of files
	stderr    io.Writer
}

// newContest makes a directory with the list of lengths.
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
	return &contest{options: o, directory: directory, stderr: stderr},
		os.WriteFile(filepath.Join(directory, "lengths"), []byte(list.String()), 0o600)
}

// has reports whether IMB has the kernel, and its text has times.
func (c *contest) has(k *probe.Kernel) bool {
	_, err := os.Stat(filepath.Join(c.imb, c.binary(k)))
	return err == nil && k.Class != probe.Rate
}

func (c *contest) binary(k *probe.Kernel) string { return "IMB-" + string(k.Component) }

// key names a figure: a mode, one of the kernel's times, a length.
type key struct {
	mode  probe.Mode
	time  string
	bytes int64
}

// least holds the least seconds of each figure.
type least map[key]float64

// measure runs IMB, beff and IMB again, and returns the kernel's rows of the table.
func (c *contest) measure(k *probe.Kernel) (string, error) {
	first, ours, second := least{}, least{}, least{}
	peer := filepath.Join(c.imb, c.binary(k))
	for range c.runs {
		for _, x := range []struct {
			best    least
			command []string
		}{
			{first, []string{peer}}, {ours, []string{c.beff, strings.ToLower(c.binary(k)), "-p", c.directory}},
			{second, []string{peer}},
		} {
			if err := c.once(k, x.best, x.command); err != nil {
				return "", err
			}
		}
	}
	return c.rows(k, first, ours, second), nil
}

// once runs one program, and keeps times that are less than those before.
func (c *contest) once(k *probe.Kernel, best least, command []string) error {
	words := append(strings.Fields(c.launch), command...)
	words = append(words, "-npmin", "2", "-msglen", "lengths", k.Name)
	program := exec.Command(words[0], words[1:]...)
	var text, wrong bytes.Buffer
	program.Dir, program.Stdout, program.Stderr = c.directory, &text, &wrong
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, firstLine(wrong.String()))
	}
	r, err := imb.Read(&text, command[0])
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	for _, b := range r.Blocks {
		for _, row := range b.Rows {
			for _, time := range k.Times() {
				if len(row.Derived) == 0 {
					continue
				}
				at, took := key{b.Mode, time.Name, row.Bytes}, time.Of(&row.Derived[0])
				if before, ok := best[at]; took > 0 && (!ok || took < before) {
					best[at] = took
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

// rows returns a kernel's rows: one for each mode and time.
func (c *contest) rows(k *probe.Kernel, first, ours, second least) string {
	modes := k.Modes
	if len(modes) == 0 {
		modes = []probe.Mode{probe.Plain}
	}
	var text strings.Builder
	for _, mode := range modes {
		for _, time := range k.Times() {
			name := strings.TrimSpace(string(k.Component) + " " + k.Name)
			if mode != probe.Plain {
				name += ", " + string(mode)
			}
			fmt.Fprintf(&text, "| %s | %s |", name, time.Name)
			for _, bytes := range c.lengthsOf(ours, mode, time.Name) {
				at := key{mode, time.Name, bytes}
				fmt.Fprintf(&text, " %s (%s) |", ratio(ours[at], min(first[at], second[at])),
					ratio(second[at], first[at]))
			}
			text.WriteString("\n")
		}
	}
	return text.String()
}

// lengthsOf returns the lengths that a kernel was measured with, in their order: those of the list, or its own.
func (c *contest) lengthsOf(best least, mode probe.Mode, time string) []int64 {
	var list []int64
	for at := range best {
		if at.mode == mode && at.time == time {
			list = append(list, at.bytes)
		}
	}
	slices.Sort(list)
	return list
}

// ratio returns a ratio as the table shows it, a dash where a time is missing.
func ratio(x, y float64) string {
	if x <= 0 || y <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x/y)
}
