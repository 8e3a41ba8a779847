package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// onceMT runs IMB's or beff's IMB-MT, and keeps times that are shorter than before. -count has the numbers of a
// thread's elements, of four bytes each, but keys have the bytes of all threads.
func (c *contest) onceMT(batch []*kernel.Kernel, best least, command []string) error {
	var counts []string
	for _, n := range c.lengths {
		counts = append(counts, fmt.Sprint(max(n/4, 1)))
	}
	words := slices.Concat(strings.Fields(c.launch), command, c.more, []string{"-count", strings.Join(counts, ",")})
	for _, k := range batch {
		words = append(words, k.Name)
	}
	program := exec.Command(words[0], words[1:]...)
	var text, wrong bytes.Buffer
	program.Dir, program.Stdout, program.Stderr = c.directory, &text, &wrong
	if err := program.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, firstLine(wrong.String()))
	}
	readMT(text.String(), batch, best)
	return nil
}

// readMT reads the times in IMB-MT's text.
func readMT(text string, batch []*kernel.Kernel, best least) {
	var k *kernel.Kernel
	var heads []string
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if name, begins := strings.CutPrefix(strings.TrimSpace(line), "# Benchmarking "); begins {
			i := slices.IndexFunc(batch, func(k *kernel.Kernel) bool { return k.Name == name })
			k, heads = nil, nil
			if i >= 0 {
				k = batch[i]
			}
		}
		switch {
		case k == nil || len(fields) == 0:
			continue
		case fields[0] == "#bytes" || fields[0] == "#repetitions":
			heads = fields
			continue
		case strings.HasPrefix(fields[0], "#") || len(fields) != len(heads):
			continue
		}
		at := key{component: k.Component, kernel: k.Name, time: k.Times()[0].Name}
		head := map[string]string{"t": "t_max[usec]", "t_avg": "t_avg[usec]"}[at.time]
		if heads[0] == "#bytes" {
			at.bytes, _ = strconv.ParseInt(fields[0], 10, 64)
		}
		took, err := strconv.ParseFloat(fields[slices.Index(heads, head)], 64)
		if before, ok := best[at]; err == nil && took > 0 && (!ok || took < before) {
			best[at] = took
		}
	}
}
