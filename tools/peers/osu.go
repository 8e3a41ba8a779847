package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	beffreport "github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/format/tools"
)

// programsOfOSU returns the paths of the programs of the OSU micro-benchmarks in a directory and below it, by name.
func programsOfOSU(directory string) (map[string]string, error) {
	found := map[string]string{}
	if directory == "" {
		return found, nil
	}
	err := filepath.WalkDir(directory, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasPrefix(d.Name(), "osu_") && filepath.Ext(path) == "" {
			found[d.Name()], err = filepath.Abs(path)
		}
		return err
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("-osu %s: no program's name begins with osu_", directory)
	}
	return found, err
}

// output runs a program in the contest's directory, and returns what it prints.
func (c *contest) output(command ...string) (*bytes.Buffer, error) {
	words := append(strings.Fields(c.launch), command...)
	program := exec.Command(words[0], words[1:]...)
	var text, wrong bytes.Buffer
	program.Dir, program.Stdout, program.Stderr = c.directory, &text, &wrong
	if err := program.Run(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, firstLine(wrong.String()))
	}
	return &text, nil
}

// keep keeps a time that is less than the one before, or points that are more.
func (l least) keep(at key, x float64) {
	before, ok := l[at]
	switch {
	case at.points():
		l[at] = max(before, x)
	case x > 0 && (!ok || x < before):
		l[at] = x
	}
}

// onceOSU runs a test of OSU's, and keeps its figures by the headings of their columns. It converts a bandwidth to the
// time of a message.
func (c *contest) onceOSU(k *kernel.Kernel, best least) error {
	command := append([]string{c.programs[k.Name]}, c.more...)
	if !k.NoLength() {
		command = append(command, "-m", fmt.Sprintf("%d:%d", slices.Min(c.lengths), slices.Max(c.lengths)))
	}
	text, err := c.output(command...)
	if err != nil {
		return err
	}
	r, err := tools.Read(text, k.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", k.Name, err)
	}
	for _, t := range r.Tables {
		for _, row := range t.Rows {
			if !k.NoLength() && t.Lengths && !slices.Contains(c.lengths, row.Bytes) {
				continue
			}
			for i, column := range t.Columns {
				x := row.Values[i]
				at := key{component: k.Component, kernel: k.Name, time: column.Name, bytes: row.Bytes}
				switch column.Quantity {
				case foreign.Fraction:
					best.keep(at, 100*x)
				case foreign.BytesPerSecond:
					best.keep(at, float64(row.Bytes)/x)
				case foreign.Seconds:
					best.keep(at, x)
				}
			}
		}
	}
	return nil
}

// heads maps the headings of OSU's columns to beff's figures for them.
var heads = map[string]func(t *kernel.Times, bytes float64) float64{
	"Avg Latency(us)":  func(t *kernel.Times, _ float64) float64 { return t.Mean },
	"Latency (us)":     func(t *kernel.Times, _ float64) float64 { return t.Mean },
	"Bandwidth (MB/s)": func(t *kernel.Times, bytes float64) float64 { return bytes / t.Bandwidth },
	"MB/s":             func(t *kernel.Times, bytes float64) float64 { return bytes / t.Bandwidth },
	"Overall(us)":      func(t *kernel.Times, _ float64) float64 { return t.Overlapped },
	"Compute(us)":      func(t *kernel.Times, _ float64) float64 { return t.Compute },
	"Pure Comm.(us)":   func(t *kernel.Times, _ float64) float64 { return t.Pure },
	"Overlap(%)":       func(t *kernel.Times, _ float64) float64 { return 100 * t.Overlap },
	"min":              func(t *kernel.Times, _ float64) float64 { return t.Min },
	"max":              func(t *kernel.Times, _ float64) float64 { return t.Max },
	"avg":              func(t *kernel.Times, _ float64) float64 { return t.Mean },
}

// onceOurs runs beff's kernel of a test, and keeps its figures by the headings of OSU's columns.
func (c *contest) onceOurs(k *kernel.Kernel, best least) error {
	command := append([]string{c.beff, "probe", "osu:" + k.Name, "-o", "osu", "--force"}, c.own...)
	if !k.NoLength() {
		command = append(command, "--option", "msglen=lengths")
	}
	if _, err := c.output(command...); err != nil {
		return err
	}
	f := beffreport.Read(filepath.Join(c.directory, "osu.json"))
	if f.Problem != nil {
		return f.Problem
	}
	for _, b := range f.Probe().Blocks {
		for _, row := range b.Rows {
			if len(row.Derived) == 0 {
				continue
			}
			for head, figure := range heads {
				at := key{component: k.Component, kernel: k.Name, time: head, bytes: row.Bytes}
				best.keep(at, figure(&row.Derived[0], float64(row.Bytes)))
			}
		}
	}
	return nil
}
