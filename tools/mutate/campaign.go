package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// fate is the outcome of a mutant's test.
type fate int

const (
	killed     fate = iota // a test failed, or hung
	survived               // all tests passed
	uncovered              // no test runs the changed line
	equivalent             // survived, and equivalent.txt gives the reason
	invalid                // it doesn't compile
)

// campaign tests the mutants of one package.
type campaign struct {
	settings
	pattern     string          // the package for the go command
	equivalents map[string]bool // by key
	out         io.Writer

	dir     string        // of the package
	scratch string        // directory for files of the campaign
	timeout time.Duration // for all tests of one mutant
	tests   []test        // of the package, the quickest first
	joint   joint
}

// test is one test of the unchanged package.
type test struct {
	name    string
	seconds float64
	covered map[string][]block // by file name
}

// run draws the mutants, tests them and prints the survivors. It returns the percentage of killed mutants.
func (c *campaign) run() (float64, error) {
	var err error
	if c.scratch, err = os.MkdirTemp("", "mutate"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.scratch)
	if err := c.runUnchanged(); err != nil {
		return 0, err
	}
	all, err := c.draw()
	if err != nil {
		return 0, err
	}
	var count [invalid + 1]int
	want := len(all)
	if c.count > 0 {
		want = min(c.count, want)
	}
	for tested := 0; tested < len(all) && tested-count[invalid] < want; {
		next := min(tested+want-(tested-count[invalid]), len(all))
		batch := all[tested:next]
		for _, f := range c.testAll(batch) {
			count[f]++
		}
		tested = next
	}
	valid := count[killed] + count[survived] + count[uncovered]
	score := 100.0
	if valid > 0 {
		score = 100 * float64(count[killed]) / float64(valid)
	}
	fmt.Fprintf(c.out, "%s: %d mutants, %d killed, %d survived, %d of them not covered, %d equivalent: "+
		"%.1f %% killed\n",
		c.pattern, valid+count[equivalent], count[killed], count[survived]+count[uncovered], count[uncovered],
		count[equivalent], score)
	return score, nil
}

// report prints a mutant that survived or that no test covers, or with -v any mutant.
func (c *campaign) report(m mutant, f fate) {
	names := [...]string{"killed", "survived", "not covered", "equivalent", "invalid"}
	if f == survived || f == uncovered || c.verbose {
		fmt.Fprintf(c.out, "%s:%d: %s\n\t%s\n", m.file, m.line, names[f], m.key())
	}
}

// runUnchanged runs all tests on the unchanged package. They must pass. Their times set the time limit for the mutants,
// and the lines that a test runs determine which mutants it can kill.
func (c *campaign) runUnchanged() error {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", c.pattern).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	c.dir = strings.TrimSpace(string(out))
	binary, profile := filepath.Join(c.scratch, "unchanged"), filepath.Join(c.scratch, "cover")
	build := exec.Command("go", "test", "-c", "-vet=off", "-cover", "-o", binary, c.pattern)
	if out, err = build.CombinedOutput(); err != nil {
		return fmt.Errorf("the tests of the package as it is don't compile: %w\n%s", err, out)
	}
	list := exec.Command(binary, "-test.list", ".")
	list.Dir = c.dir
	if out, err = list.Output(); err != nil {
		return fmt.Errorf("list of the tests: %w", err)
	}
	c.timeout = 10 * time.Second
	for _, name := range strings.Fields(string(out)) {
		begin := time.Now()
		run := exec.Command(binary, "-test.run", "^"+name+"$", "-test.coverprofile", profile)
		run.Dir = c.dir
		if out, err = run.CombinedOutput(); err != nil {
			return fmt.Errorf("%s fails on the package as it is: %w\n%s", name, err, out)
		}
		took := time.Since(begin)
		c.timeout += 4 * took
		covered, err := readProfile(profile)
		if err != nil {
			return err
		}
		c.tests = append(c.tests, test{name, took.Seconds(), covered})
	}
	slices.SortStableFunc(c.tests, func(a, b test) int { return cmp.Compare(a.seconds, b.seconds) })
	return nil
}

// stages returns the tests that run the line of a mutant, as regular expressions of their names: first the quick ones,
// which kill most mutants, and then each slow one.
func (c *campaign) stages(m mutant) []string {
	const quick = 0.3 // seconds
	var names, list []string
	for _, t := range c.tests {
		switch {
		case !t.covers(m):
		case t.seconds < quick:
			names = append(names, t.name)
		default:
			list = append(list, "^"+t.name+"$")
		}
	}
	if len(names) > 0 {
		list = slices.Insert(list, 0, "^("+strings.Join(names, "|")+")$")
	}
	return list
}

// draw returns all mutants in a random order.
func (c *campaign) draw() ([]mutant, error) {
	var paths []string
	for _, glob := range strings.Split(c.files, ",") {
		list, err := filepath.Glob(filepath.Join(c.dir, glob))
		if err != nil {
			return nil, err
		}
		paths = append(paths, list...)
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") {
			continue
		}
		if short, err := filepath.Rel(here, path); err == nil {
			path = short
		}
		list, err := mutants(path)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	random := rand.New(rand.NewPCG(c.seed, 0))
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// testAll returns the fates of mutants, in their order.
func (c *campaign) testAll(list []mutant) []fate {
	fates := make([]fate, len(list))
	c.joint = c.buildJoint(list)
	var group sync.WaitGroup
	var printing sync.Mutex
	free := make(chan struct{}, max(c.workers, 1))
	for i, m := range list {
		free <- struct{}{}
		group.Go(func() {
			fates[i] = c.test(i+1, m)
			printing.Lock()
			c.report(m, fates[i])
			printing.Unlock()
			<-free
		})
	}
	group.Wait()
	return fates
}

// test runs the package's tests with a mutant. It builds a separate binary if the joint binary lacks the mutant.
func (c *campaign) test(number int, m mutant) fate {
	stages := c.stages(m)
	if len(stages) == 0 {
		return c.orEquivalent(m, uncovered)
	}
	binary := c.joint.binary
	if !c.joint.has[number] {
		binary = filepath.Join(c.scratch, fmt.Sprint("test", number))
		defer os.Remove(binary)
		if !c.build(binary, m) {
			return invalid
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	for _, names := range stages {
		// A mutant that allocates without end must not take the machine's memory.
		test := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 12000000; exec "$0" -test.failfast -test.run "$1"`,
			binary, names)
		test.Dir, test.Env = c.dir, append(os.Environ(), fmt.Sprint(variable, "=", number))
		if test.Run() != nil {
			return killed
		}
	}
	return c.orEquivalent(m, survived)
}

// orEquivalent returns a fate, or equivalent if the mutant is known to be equivalent.
func (c *campaign) orEquivalent(m mutant, f fate) fate {
	if c.equivalents[m.key()] {
		return equivalent
	}
	return f
}

// build builds the tests with a mutant, and reports whether they compile.
func (c *campaign) build(binary string, m mutant) bool {
	changed, err := m.apply()
	if err != nil {
		return false
	}
	path, err := filepath.Abs(m.file)
	if err != nil {
		return false
	}
	source, overlay := binary+".go", binary+".json"
	defer os.Remove(source)
	defer os.Remove(overlay)
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: source}})
	if err != nil || os.WriteFile(source, changed, 0o600) != nil || os.WriteFile(overlay, list, 0o600) != nil {
		return false
	}
	return exec.Command("go", "test", "-c", "-vet=off", "-ldflags=-s -w", "-overlay", overlay, "-o", binary,
		c.pattern).Run() == nil
}

// block is a block of a coverage profile.
type block struct {
	first, last place
	run         bool
}

// place is a line and a column, both from 1.
type place struct{ line, column int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// readProfile returns the blocks of a coverage profile by the name of the file.
func readProfile(path string) (map[string][]block, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]block{}
	for line := range bytes.Lines(data) {
		file, rest, ok := strings.Cut(string(line), ":")
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.first.line, &b.first.column, &b.last.line,
			&b.last.column, &statements, &count); !ok || err != nil {
			continue // the line with the mode
		}
		b.run = count > 0
		name := filepath.Base(file)
		blocks[name] = append(blocks[name], b)
	}
	return blocks, nil
}

// covers reports whether the test may run a mutant. Code outside all blocks is a table or a constant, which any test
// may use, or the condition of a case, which a test may use if it runs any line of the function.
func (t test) covers(m mutant) bool {
	at, inside, around := place{m.line, m.column}, false, m.body.end == 0
	for _, b := range t.covered[filepath.Base(m.file)] {
		if !at.before(b.first) && at.before(b.last) {
			if inside = true; b.run {
				return true
			}
		}
		around = around || b.run && b.first.line >= m.body.first && b.last.line <= m.body.last
	}
	return !inside && around
}

// readEquivalents returns the keys in a file, one per line. `#` begins a line with the reason for the keys after it.
func readEquivalents(path string) (map[string]bool, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			known[line] = true
		}
	}
	return known, nil
}
