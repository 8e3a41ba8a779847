package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// joint is one test binary with many mutants: each is a copy of its function's body before the body itself, and an
// environment variable selects the copy to run. This needs one build instead of sixty.
type joint struct {
	binary string
	has    map[int]bool // by number, from 1
}

const (
	variable = "MUTANT"
	prefix   = "joint_"
	switches = "package %s\n\nimport \"os\"\n\nvar mutantNumber = os.Getenv(%q)\n"
)

// copied is the place of a mutant's copy in a file.
type copied struct{ number, first, last int }

// buildJoint builds a binary with the mutants of a list that can be copied in this way, and that compile.
func (c *campaign) buildJoint(list []mutant) joint {
	j := joint{binary: filepath.Join(c.scratch, "joint"), has: map[int]bool{}}
	for i, m := range list {
		if m.body.end > 0 {
			j.has[i+1] = true
		}
	}
	for len(j.has) > 0 {
		out, places, err := c.tryJoint(j, list)
		if err == nil {
			return j
		}
		before := len(j.has)
		for _, at := range broken(out, places) {
			delete(j.has, at)
		}
		if len(j.has) == before {
			fmt.Fprintf(c.out, "%s: each mutant is built by itself: %s\n", c.pattern, out)
			break
		}
	}
	return joint{}
}

// tryJoint builds the remaining mutants. It returns the compiler's output, and the places of the copies.
func (c *campaign) tryJoint(j joint, list []mutant) (string, map[string][]copied, error) {
	overlay := map[string]string{}
	places := map[string][]copied{}
	name := ""
	for _, path := range files(list) {
		source, err := os.ReadFile(path)
		if err != nil {
			return "", nil, err
		}
		text, at := withCopies(string(source), path, list, j.has)
		changed := filepath.Join(c.scratch, prefix+filepath.Base(path))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return "", nil, err
		}
		overlay[filepath.Join(c.dir, filepath.Base(path))] = changed
		places[prefix+filepath.Base(path)] = at // as the compiler names the file
		name = packageName.FindStringSubmatch(text)[1]
	}
	number := filepath.Join(c.scratch, "joint_number")
	if err := os.WriteFile(number, fmt.Appendf(nil, switches, name, variable), 0o600); err != nil {
		return "", nil, err
	}
	overlay[filepath.Join(c.dir, "mutant_number.go")] = number
	data, err := json.Marshal(map[string]map[string]string{"Replace": overlay})
	if err != nil {
		return "", nil, err
	}
	overlayFile := filepath.Join(c.scratch, "joint.json")
	if err := os.WriteFile(overlayFile, data, 0o600); err != nil {
		return "", nil, err
	}
	out, err := exec.Command("go", "test", "-c", "-vet=off", "-gcflags=-e", "-ldflags=-s -w", "-overlay", overlayFile,
		"-o", j.binary, c.pattern).CombinedOutput()
	return string(out), places, err
}

var (
	packageName = regexp.MustCompile(`(?m)^package (\w+)`)
	complaint   = regexp.MustCompile(`(?m)([^/\s:]+\.go):(\d+):`)
)

// broken returns the numbers of the mutants in whose copies a compiler found errors.
func broken(out string, places map[string][]copied) (list []int) {
	for _, found := range complaint.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(found[2])
		for _, at := range places[found[1]] {
			if line >= at.first && line <= at.last {
				list = append(list, at.number)
			}
		}
	}
	return list
}

// files returns the paths of the files of mutants.
func files(list []mutant) (paths []string) {
	for _, m := range list {
		if !slices.Contains(paths, m.file) {
			paths = append(paths, m.file)
		}
	}
	return paths
}

// withCopies returns a file with the copies of its mutants, and their lines.
func withCopies(source, path string, list []mutant, has map[int]bool) (string, []copied) {
	var numbers []int
	for i, m := range list {
		if m.file == path && has[i+1] {
			numbers = append(numbers, i+1)
		}
	}
	slices.SortStableFunc(numbers, func(a, b int) int { return list[a-1].body.begin - list[b-1].body.begin })
	var out strings.Builder
	var places []copied
	done, line := 0, 1
	write := func(text string) {
		out.WriteString(text)
		line += strings.Count(text, "\n")
	}
	for _, number := range numbers {
		m := list[number-1]
		write(source[done:m.body.begin])
		done = m.body.begin
		first := line
		write(fmt.Sprintf("\nif mutantNumber == %q {%s%s%s\n", fmt.Sprint(number), source[m.body.begin:m.begin], m.text,
			source[m.end:m.body.end]))
		if !m.body.results {
			write("return\n")
		}
		write("}\n")
		places = append(places, copied{number, first, line - 1})
	}
	write(source[done:])
	return out.String(), places
}
