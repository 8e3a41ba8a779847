package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/oftune"
	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/tune"
)

// write writes the files of rules, by what their names begin with.
func (t *tuning) write(prefix string, rules []tune.Rule, spoiled bool) error {
	files, err := t.library.Files(rules, spoiled)
	if err != nil {
		return fmt.Errorf("tune: %w", err)
	}
	for ending, text := range files {
		if err := publish.Failed(publish.Replace(prefix+ending, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})); err != nil {
			return err
		}
	}
	return nil
}

// calls is the number of calls whose messages are counted: the difference of two jobs, one of which makes twice as
// many. What the program around them sends is the same in both.
const calls = 20

// tried is what the names of the files of rules begin with while they are tried.
func (t *tuning) tried() (string, error) { return filepath.Abs(filepath.Join(t.Into, "tuned")) }

// taken writes the file of rules, finds whether the library takes each, and returns those of which nothing says that
// it doesn't. The file is another one without the others, so it is looked at anew.
func (t *tuning) taken(rules []tune.Rule) ([]tune.Rule, error) {
	prefix, err := t.tried()
	if err != nil {
		return nil, err
	}
	for len(rules) > 0 {
		of := &t.result.Evidence
		*of = slices.DeleteFunc(*of, func(e tune.Evidence) bool { return !e.Contradicts() })
		if err := t.write(prefix, rules, false); err != nil {
			return nil, err
		}
		for _, l := range t.all() {
			if err := t.show(l, prefix, rules); err != nil {
				return nil, err
			}
		}
		before := len(rules)
		if rules = slices.DeleteFunc(slices.Clone(rules), t.result.Refuted); len(rules) == before {
			break
		}
	}
	t.result.Derived = t.result.Derive()
	return rules, nil
}

// show finds whether the library takes each rule of a collective on as many processes.
func (t *tuning) show(l lone, prefix string, rules []tune.Rule) error {
	own := tune.Of(rules, l.Name, l.processes)
	shown, silent := 0, 0
	for _, r := range own {
		e := tune.Evidence{Collective: l.Name, Processes: l.processes, Bytes: r.From, Algorithm: r.Algorithm.Name}
		var err error
		if _, counts := t.library.(tune.OpenMPI); counts {
			err = t.counted(l, r, prefix, rules, &e)
		} else {
			err = t.spoiled(l, r, prefix, rules, &e)
		}
		if err != nil {
			return fmt.Errorf("tune: %v, %d bytes: %w", l, r.From, err)
		}
		switch {
		case e.Contradicts():
			fmt.Fprintf(t.stderr, "beff: %s\n", oftune.Against(&e))
		case e.Shown():
			shown++
		default:
			silent++
		}
		t.result.Evidence = append(t.result.Evidence, e)
	}
	if len(own) > 0 {
		fmt.Fprintf(t.stderr, "beff: %v: the library takes %d of %s%s\n", l, shown, words.Count(len(own), "rule"),
			words.Either(silent > 0, fmt.Sprintf("; of %d messages don't tell", silent), ""))
	}
	return nil
}

// counted counts what Open MPI sends: by default, where the algorithm is forced, and with the file. Where that can't be
// counted nothing is shown. A job that fails with the file alone has sent nothing.
func (t *tuning) counted(l lone, r tune.Rule, prefix string, rules []tune.Rule, e *tune.Evidence) error {
	forced, err := t.forced(l, r.Algorithm)
	if err != nil {
		return err
	}
	sent := map[string]tune.Traffic{}
	for _, at := range []struct {
		name, of  string
		variables []string
	}{{tune.Default, "", nil}, {"forced", "", forced}, {tune.Ruled, "-" + mark(rules), t.library.Use(prefix, rules)}} {
		stem := t.nameOf("counting", l.Name, onProcesses(l.processes), fmt.Sprint(r.From), r.Algorithm.Name, at.name)
		sent[at.name], err = t.calls(l, r, stem+at.of, at.variables)
		switch failed := (*jobError)(nil); {
		case err == nil:
			continue
		case !errors.As(err, &failed) && !errors.Is(err, fs.ErrNotExist):
			return err
		}
		fmt.Fprintf(t.stderr, "beff: %v, %d bytes, %s: no messages are counted: %s\n", l, r.From, at.name,
			words.OneLine(err.Error()))
		if at.name != tune.Ruled {
			sent = nil
			break
		}
	}
	e.Count(calls, sent[tune.Default], sent["forced"], sent[tune.Ruled])
	return nil
}

// calls returns what as many calls send with variables: twice as many send so much more. The names of their files are
// equally long, because the program sends its environment.
func (t *tuning) calls(l lone, r tune.Rule, stem string, variables []string) (tune.Traffic, error) {
	var sent [2]tune.Traffic
	for i := range sent {
		n := (i + 1) * calls
		absolute, err := filepath.Abs(fmt.Sprintf("%s-%d", stem, n))
		if err != nil {
			return nil, err
		}
		if _, err = t.job(slices.Concat(variables, []string{"OMPI_MCA_pml_monitoring_enable=1",
			"OMPI_MCA_pml_monitoring_enable_output=3", "OMPI_MCA_pml_monitoring_filename=" + absolute}), l.processes,
			[]string{l.Name}, filepath.Base(absolute), someCalls(r, n)...); err != nil {
			return nil, err
		}
		if sent[i], err = trafficOf(absolute, l.processes); err != nil {
			return nil, err
		}
	}
	return sent[1].Without(sent[0]), nil
}

// someCalls are the options of jobs that are no measurements: n calls, and nothing that depends on the time.
func someCalls(r tune.Rule, n int) []string {
	return []string{"--iter", fmt.Sprint(n), "--option", "iter-policy=off", "--msgsize", fmt.Sprint(max(r.From, 4))}
}

// trafficOf adds up what Open MPI's monitoring says of all processes: lines such as "E 0 1 1024 bytes 7 msgs sent 0,7",
// at whose end are the messages of each class of sizes.
func trafficOf(prefix string, processes int) (tune.Traffic, error) {
	sent := tune.Traffic{}
	for rank := range processes {
		file, _, err := input.Open(fmt.Sprintf("%s.%d.prof", prefix, rank))
		if err != nil {
			return nil, fmt.Errorf("no messages were counted by Open MPI: %w", err)
		}
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			var way tune.Way
			var bytes, messages int64
			var classes string
			line := strings.TrimLeft(lines.Text(), "EI \t")
			n, _ := fmt.Sscanf(line, "%d %d %d bytes %d msgs sent %s", &way.From, &way.To, &bytes, &messages, &classes)
			if n < 4 {
				continue
			}
			for class, word := range strings.Split(classes, ",") {
				some, err := strconv.ParseInt(word, 10, 64)
				if err == nil && some <= messages {
					way.Class = class
					sent[way] += some
					messages -= some
				}
			}
			way.Class = -1 // of no class
			sent[way] += messages
		}
		file.Close()
	}
	return sent, nil
}

// spoiled runs MPICH with the files, and with spoiled ones, which must fail: that tells that it comes to the rule.
func (t *tuning) spoiled(l lone, r tune.Rule, prefix string, rules []tune.Rule, e *tune.Evidence) error {
	name := strings.Join([]string{"reading", l.Name, onProcesses(l.processes), fmt.Sprint(r.From), mark(rules)}, "-")
	failed := (*jobError)(nil)
	_, err := t.job(t.library.Use(prefix, rules), l.processes, []string{l.Name}, name+"-rules", someCalls(r, calls)...)
	switch {
	case errors.As(err, &failed):
		fmt.Fprintf(t.stderr, "beff: %v, %d bytes: a job with the file failed: %s\n", l, r.From,
			words.OneLine(err.Error()))
		return nil
	case err != nil:
		return err
	}
	if err := t.write(prefix+"-spoiled", []tune.Rule{r}, true); err != nil {
		return err
	}
	_, err = t.job(t.library.Use(prefix+"-spoiled", rules), l.processes, []string{l.Name}, name+"-spoiled",
		someCalls(r, calls)...)
	if e.Spoiled = errors.As(err, &failed); e.Spoiled {
		return nil
	}
	return err
}

// prove measures pairs of jobs, with the default and with the rules, until the gain is known.
func (t *tuning) prove(l lone, prefix string, rules []tune.Rule) error {
	if len(tune.Of(rules, l.Name, l.processes)) == 0 {
		return nil
	}
	turns := compare.Turns{Most: t.result.Pairs, Within: t.result.Within}
	for pair := 1; ; pair++ {
		s := turns.Standing(t.result.PairRatios(t.result.Samples, rules, l.Name, l.processes))
		if !math.IsNaN(s.Low) {
			fmt.Fprintf(t.stderr, "beff: %s\n", s.Words("the default", "the file", l.String()))
		}
		if s.Over || pair > t.result.Pairs { // a pair that lacks a time says nothing
			return nil
		}
		for _, at := range orderOf(t.result.Seed, pair) {
			setting, variables := tune.Default, []string(nil)
			if at == 1 {
				setting, variables = tune.Ruled, t.library.Use(prefix, rules)
			}
			if err := t.measure(l, tune.Proving, setting, pair, variables); err != nil {
				return fmt.Errorf("tune: %v: %s: %w", l, setting, err)
			}
		}
	}
}
