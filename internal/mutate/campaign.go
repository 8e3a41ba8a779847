package main

import (
	"bytes"
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
	pattern string // of the package, for the go command
	known   map[string]bool
	out     io.Writer

	dir     string // of the package
	scratch string
	timeout time.Duration
	covered map[string][]lines
	stages  []string // expressions for the tests' names; quick tests come first, since they kill most mutants
}

// run draws the mutants, tests them and prints the survivors. It returns the percentage of killed mutants.
func (c *campaign) run() (float64, error) {
	var err error
	if c.scratch, err = os.MkdirTemp("", "mutate"); err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.scratch)
	if err := c.unchanged(); err != nil {
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

// tell prints a mutant that someone should look at.
func (c *campaign) tell(m mutant, f fate) {
	names := [...]string{"killed", "survived", "not covered", "equivalent", "invalid"}
	if f == survived || f == uncovered || c.verbose {
		fmt.Fprintf(c.out, "%s:%d: %s\n\t%s\n", m.file, m.line, names[f], m.key())
	}
}

// unchanged runs the tests on the unchanged package. They must pass. Their time sets the limit for the mutants. Only
// mutants on lines that they cover can be killed.
func (c *campaign) unchanged() error {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", c.pattern).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	c.dir = strings.TrimSpace(string(out))
	profile := filepath.Join(c.scratch, "cover")
	begin := time.Now()
	test := exec.Command("go", "test", "-v", "-count=1", "-vet=off", "-coverprofile", profile, c.pattern)
	if out, err = test.CombinedOutput(); err != nil {
		return fmt.Errorf("the tests fail on the package as it is: %w\n%s", err, out)
	}
	c.stages = stages(string(out))
	c.timeout = 10*time.Second + 4*time.Since(begin)
	c.covered, err = readProfile(profile)
	return err
}

// stages sorts the tests by their times, from the output of go test -v. Tests of less than 0.3 s come first.
func stages(output string) []string {
	var quick, slow []string
	for line := range strings.Lines(output) {
		var name string
		var seconds float64
		if _, err := fmt.Sscanf(line, "--- PASS: %s (%fs)", &name, &seconds); err != nil {
			continue
		}
		if seconds < 0.3 {
			quick = append(quick, name)
		} else {
			slow = append(slow, name)
		}
	}
	var list []string
	for _, names := range [][]string{quick, slow} {
		if len(names) > 0 {
			list = append(list, "^("+strings.Join(names, "|")+")$")
		}
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
	var group sync.WaitGroup
	var telling sync.Mutex
	free := make(chan struct{}, max(c.workers, 1))
	for i, m := range list {
		free <- struct{}{}
		group.Go(func() {
			fates[i] = c.test(i, m)
			telling.Lock()
			c.tell(m, fates[i])
			telling.Unlock()
			<-free
		})
	}
	group.Wait()
	return fates
}

// test builds the package's tests with a mutant and runs them.
func (c *campaign) test(number int, m mutant) fate {
	if !c.covers(m) {
		return c.unless(m, uncovered)
	}
	binary := filepath.Join(c.scratch, fmt.Sprint("test", number))
	defer os.Remove(binary)
	if !c.build(binary, m) {
		return invalid
	}
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	for _, names := range c.stages {
		// A mutant that allocates endlessly must not take the machine's memory.
		test := exec.CommandContext(ctx, "sh", "-c", `ulimit -v 12000000; exec "$0" -test.failfast -test.run "$1"`,
			binary, names)
		test.Dir = c.dir
		if test.Run() != nil {
			return killed
		}
	}
	return c.unless(m, survived)
}

// unless returns a fate, or equivalent if the mutant is known to be equivalent.
func (c *campaign) unless(m mutant, f fate) fate {
	if c.known[m.key()] {
		return equivalent
	}
	return f
}

// build reports whether a mutant compiles.
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

// lines is a block of a coverage profile.
type lines struct {
	first, last int
	run         bool
}

// readProfile returns the blocks of each file by the file's name.
func readProfile(path string) (map[string][]lines, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	blocks := map[string][]lines{}
	for line := range bytes.Lines(data) {
		file, rest, ok := strings.Cut(string(line), ":")
		var b lines
		var column, statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.first, &column, &b.last, &column, &statements,
			&count); !ok || err != nil {
			continue // the line with the mode
		}
		b.run = count > 0
		name := filepath.Base(file)
		blocks[name] = append(blocks[name], b)
	}
	return blocks, nil
}

// covers reports whether a test runs the line of a mutant. Lines outside of all blocks count as run: they are tables
// and constants.
func (c *campaign) covers(m mutant) bool {
	of := slices.DeleteFunc(slices.Clone(c.covered[filepath.Base(m.file)]), func(b lines) bool {
		return m.line < b.first || m.line > b.last
	})
	return len(of) == 0 || slices.ContainsFunc(of, func(b lines) bool { return b.run })
}

// readEquivalents returns the keys in a file, one a line. `#` begins a line with the reason for the keys after it.
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
