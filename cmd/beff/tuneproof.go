package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/input"
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

// calls is the number of calls of jobs that are counted.
const calls = "20"

// show finds whether the library takes each rule of a collective on as many processes.
func (t *tuning) show(l lone, prefix string, rules []tune.Rule) error {
	own := tune.Of(rules, l.Name, l.processes)
	shown := 0
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
		if e.Contradicts() {
			return exit.With(exit.NotJudged, fmt.Errorf("tune: %v, %d bytes: the library doesn't take the file "+
				"%s*: it sends %d messages, and %d where %s is forced", l, r.From, prefix, e.Ruled, e.Forced,
				r.Algorithm.Name))
		}
		if e.Shown() {
			shown++
		}
		t.result.Evidence = append(t.result.Evidence, e)
	}
	if len(own) > 0 {
		fmt.Fprintf(t.stderr, "beff: %v: the library takes %d of %d rules%s\n", l, shown, len(own), map[bool]string{
			true: "; of the others messages don't tell"}[shown < len(own)])
	}
	return nil
}

// counted counts what Open MPI sends: by default, where the algorithm is forced, and with the file.
func (t *tuning) counted(l lone, r tune.Rule, prefix string, rules []tune.Rule, e *tune.Evidence) error {
	forced, err := t.forced(l, r.Algorithm)
	if err != nil {
		return err
	}
	for name, at := range map[string]struct {
		variables []string
		messages  *int64
	}{
		tune.Default: {nil, &e.Default},
		"forced":     {forced, &e.Forced},
		tune.Ruled:   {t.library.Use(prefix, rules), &e.Ruled},
	} {
		stem := t.nameOf("counting", l.Name, onProcesses(l.processes), fmt.Sprint(r.From), r.Algorithm.Name, name)
		if name == tune.Ruled {
			stem += "-" + mark(rules)
		}
		absolute, err := filepath.Abs(stem)
		if err != nil {
			return err
		}
		if _, err = t.job(append(at.variables, "OMPI_MCA_pml_monitoring_enable=1",
			"OMPI_MCA_pml_monitoring_enable_output=3", "OMPI_MCA_pml_monitoring_filename="+absolute), l.processes,
			[]string{l.Name}, filepath.Base(stem), someCalls(r)...); err != nil {
			return err
		}
		if *at.messages, err = messagesOf(absolute, l.processes); err != nil {
			return err
		}
	}
	return nil
}

// someCalls are the options of jobs that are no measurements: as many calls, and nothing that depends on the time.
func someCalls(r tune.Rule) []string {
	return []string{"--iter", calls, "--option", "iter-policy=off", "--msgsize", fmt.Sprint(max(r.From, 4))}
}

// messagesOf adds up what Open MPI's monitoring says of all processes: lines such as "E 0 1 1024 bytes 7 msgs sent".
func messagesOf(prefix string, processes int) (sum int64, err error) {
	for rank := range processes {
		file, _, err := input.Open(fmt.Sprintf("%s.%d.prof", prefix, rank))
		if err != nil {
			return 0, fmt.Errorf("no messages were counted by Open MPI: %w", err)
		}
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			var from, to int
			var bytes, messages int64
			line := strings.TrimLeft(lines.Text(), "EI \t")
			if n, _ := fmt.Sscanf(line, "%d %d %d bytes %d msgs", &from, &to, &bytes, &messages); n == 4 {
				sum += messages
			}
		}
		file.Close()
	}
	return sum, nil
}

// spoiled runs MPICH with the files, and with spoiled ones, which must fail: that tells that it comes to the rule.
func (t *tuning) spoiled(l lone, r tune.Rule, prefix string, rules []tune.Rule, e *tune.Evidence) error {
	name := strings.Join([]string{"reading", l.Name, onProcesses(l.processes), fmt.Sprint(r.From), mark(rules)}, "-")
	if _, err := t.job(t.library.Use(prefix, rules), l.processes, []string{l.Name}, name+"-rules",
		someCalls(r)...); err != nil {
		return err
	}
	if err := t.write(prefix+"-spoiled", []tune.Rule{r}, true); err != nil {
		return err
	}
	_, err := t.job(t.library.Use(prefix+"-spoiled", rules), l.processes, []string{l.Name}, name+"-spoiled",
		someCalls(r)...)
	switch failed := (*jobError)(nil); {
	case err == nil:
		return exit.With(exit.NotJudged, errors.New("the library doesn't come to the rule: a file in which it is "+
			"wrong ends no job"))
	case !errors.As(err, &failed):
		return err
	}
	e.Spoiled = true
	return nil
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
