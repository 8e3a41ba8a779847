package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/report/imports"
)

// programsOfOSU returns the paths of the programs of the OSU micro-benchmarks in a directory and those below it, by
// their names.
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

// onceOSU runs a test of OSU's, theirs or ours, and keeps times that are less than those before, and overlaps that are
// more. Of a bandwidth it is the time of a message's bytes.
func (c *contest) onceOSU(k *kernel.Kernel, best least, command []string) error {
	words := slices.Concat(strings.Fields(c.launch), command, c.more)
	if !k.NoLength() {
		words = append(words, "-m", fmt.Sprintf("%d:%d", slices.Min(c.lengths), slices.Max(c.lengths)))
	}
	program := exec.Command(words[0], words[1:]...)
	var text, wrong bytes.Buffer
	program.Dir, program.Stdout, program.Stderr = c.directory, &text, &wrong
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, firstLine(wrong.String()))
	}
	r, err := imports.Read(&text, k.Name)
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(words, " "), err)
	}
	for _, t := range r.Measured().([]foreign.Table) {
		for _, row := range t.Rows {
			if !k.NoLength() && t.Lengths && !slices.Contains(c.lengths, row.Bytes) {
				continue
			}
			for i, column := range t.Columns {
				x := row.Values[i]
				at := key{component: k.Component, kernel: k.Name, time: column.Name, bytes: row.Bytes}
				before, ok := best[at]
				switch column.Quantity {
				case foreign.Part:
					best[at] = max(before, 100*x)
					continue
				case foreign.BytesPerSecond:
					x = float64(row.Bytes) / x
				case foreign.Seconds:
				default:
					continue
				}
				if x > 0 && (!ok || x < before) {
					best[at] = x
				}
			}
		}
	}
	return nil
}
