// Package ab compares two settings of a measurement by pairs of runs, one of each setting, until the ratio of their
// ratings is known closely enough. Each run is a separate job of the program, usually started by a launcher.
package ab

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/words"
)

// Campaign is a comparison of two settings. Most of its fields hold the values of beff ab's flags.
type Campaign struct {
	A, B    string
	Line    []string // the command line to measure
	Launch  string
	Within  float64 // the wanted half width of the ratio's interval, relative
	Most    int     // the largest number of pairs
	Seed    uint64  // draws the order of the runs in each pair
	Into    string  // directory of the runs
	Below   float64 // the least ratio of B to A (0: there is no gate)
	AnyLess bool    // the gate judges by the ratio only, not by its interval
	Verbose bool    // show the output of the runs

	// Fits returns an error unless words are a command line that measures.
	Fits func(words []string) error
	// Publish publishes the comparison.
	Publish func(d *document.Document) error
}

// setting is one of the two sides: variables, a launcher, a binary, and further words of the command line.
type setting struct {
	name, text string
	variables  []string
	launch     []string
	binary     string
	self       bool // binary is this program
	words      []string
}

// Run makes the runs and publishes the comparison. In a dry run it only prints the commands of the first pair.
func (c *Campaign) Run(p *process.Process, dry bool) error {
	sides, err := c.settings()
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if err := c.checkCommands(sides); err != nil {
		return err
	}
	if c.A == c.B {
		fmt.Fprintln(p.Stderr, "beff: A and B are the same setting: this shows the differences that chance makes")
	}
	if !dry {
		if err := c.begin(); err != nil {
			return err
		}
	}
	fmt.Fprintf(p.Stderr, "beff: at most %s: %d pairs of A and B in random order (seed %d), until the ratio is "+
		"known to ±%.3g %%\n", words.Count(2*c.Most, "run"), c.Most, c.Seed, 100*c.Within)
	if dry {
		for _, side := range orderOf(c.Seed, 1) {
			fmt.Fprintln(p.Stdout, words.ShellQuoted(c.command(&sides[side], c.prefix(side, 1), false)))
		}
		return nil
	}
	return inCampaign(p, c.Into, func(j jobs) error { return c.pairs(p, j, sides) })
}

// checkCommands returns an error if the command line doesn't measure, or doesn't accept a side's words. It can't check
// the words for another binary.
func (c *Campaign) checkCommands(sides [2]setting) error {
	if err := c.Fits(c.Line); err != nil {
		return err
	}
	for _, s := range sides {
		if s.self && len(s.words) > 0 {
			if err := c.Fits(slices.Concat(c.Line, s.words)); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	return nil
}

// variable matches an assignment at the beginning of a setting.
var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)

// settings parses both sides.
func (c *Campaign) settings() (sides [2]setting, err error) {
	self, err := os.Executable()
	if err != nil {
		return sides, err
	}
	for i, text := range []string{c.A, c.B} {
		s := setting{name: string(rune('A' + i)), text: text, binary: self}
		list, err := splitWords(text)
		if err != nil {
			return sides, fmt.Errorf("--%s: %w", strings.ToLower(s.name), err)
		}
		for len(list) > 0 && variable.MatchString(list[0]) {
			s.variables, list = append(s.variables, list[0]), list[1:]
		}
		launcher := c.Launch
		for len(list) > 0 {
			value, own := "", false
			for _, name := range []string{"--launch", "--beff"} {
				if list[0] == name && len(list) > 1 {
					value, list, own = list[1], list[2:], true
				} else if v, is := strings.CutPrefix(list[0], name+"="); is {
					value, list, own = v, list[1:], true
				} else {
					continue
				}
				if name == "--launch" {
					launcher = value
				} else {
					s.binary = value
				}
				break
			}
			if !own {
				s.words, list = append(s.words, list[0]), list[1:]
			}
		}
		if s.launch, err = launcherOf(launcher, slices.Concat(c.Line, s.words)); err != nil {
			return sides, err
		}
		s.self = s.binary == self
		sides[i] = s
	}
	return sides, nil
}

// splitWords splits a text at blanks outside single or double quotes, as a shell does.
func splitWords(text string) (list []string, err error) {
	word, quote, open := "", rune(0), false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, open = r, true
		case r == ' ' || r == '\t':
			if open {
				list = append(list, word)
			}
			word, open = "", false
		default:
			word, open = word+string(r), true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation mark %c isn't closed", quote)
	}
	if open {
		list = append(list, word)
	}
	return list, nil
}

// prefix returns the prefix of a run's files.
func (c *Campaign) prefix(side, pair int) string {
	return filepath.Join(c.Into, fmt.Sprintf("%c-%d", 'a'+side, pair))
}

// command returns the command line that starts a run, or resumes one.
func (c *Campaign) command(s *setting, prefix string, resume bool) []string {
	var list []string
	if len(s.variables) > 0 {
		list = append([]string{"env"}, s.variables...)
	}
	return slices.Concat(list, s.launch, []string{s.binary}, c.Line, s.words,
		[]string{words.Either(resume, "--resume", "-o"), prefix})
}

// begin creates the directory and records in it the settings and the command. It returns an error if the directory
// holds the results of another comparison, because a campaign uses the results that it finds.
func (c *Campaign) begin() error {
	mine := fmt.Sprintf("a: %s\nb: %s\nlaunch: %s\ncommand: %s\nseed: %d\n", c.A, c.B, c.Launch,
		strings.Join(c.Line, " "), c.Seed)
	if err := os.MkdirAll(c.Into, 0o755); err != nil {
		return publish.Failed(err)
	}
	path := filepath.Join(c.Into, "ab.txt")
	there, err := input.ReadAll(path, 1<<20)
	files, _ := filepath.Glob(filepath.Join(c.Into, "*"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(files) > 0:
		return exit.Misuse("%s has files, but isn't the directory of a comparison (it has no ab.txt): give --into a "+
			"new or an empty directory", c.Into)
	case errors.Is(err, fs.ErrNotExist), err == nil && len(files) == 1: // the earlier campaign measured nothing
		return publish.Failed(publish.Replace(path, func(w io.Writer) error {
			_, err := io.WriteString(w, mine)
			return err
		}))
	case err != nil:
		return err
	case string(there) != mine:
		return exit.Misuse("%s has the runs of another comparison (see ab.txt): give --into another directory",
			c.Into)
	}
	return nil
}

// pairs makes pairs of runs until the ratio is known closely enough, and concludes the campaign.
func (c *Campaign) pairs(p *process.Process, j jobs, sides [2]setting) error {
	turns := compare.PairedRuns{MaxPairs: c.Most, Within: c.Within}
	var runs [2]report.Side
	var ratios []float64
	var orders []string
	var notices []document.Notice
	var copies report.Copies
	figure := ""
	for {
		s := turns.Result(ratios)
		if len(ratios) > 0 {
			fmt.Fprintf(p.Stderr, "beff: %s\n", s.Words("A", "B", figure))
		}
		if s.Over {
			return c.conclude(sides, runs, &outcome{ratios, orders, s, figure, notices})
		}
		pair, order := len(ratios)+1, orderOf(c.Seed, len(ratios)+1)
		var files [2]*report.File
		for _, side := range order {
			var out io.Writer
			if c.Verbose {
				out = p.Stderr
			}
			prefix := c.prefix(side, pair)
			f, err := j.measured(prefix, out, func(cut bool) []string {
				return c.command(&sides[side], prefix, cut)
			})
			if err != nil {
				return fmt.Errorf("ab: a run of %s: %w", sides[side].name, err)
			}
			if err := sides[side].checkOrigin(f, c.Line); err != nil {
				return err
			}
			simulated := f.Entry().Engine == rating.Simulated // such runs are all identical
			if !simulated && len(copies.Drop([]*report.File{f})) == 0 {
				return exit.With(exit.NotJudged, fmt.Errorf("%s is a copy of another run in %s", f.Name(), c.Into))
			}
			files[side] = f
		}
		made, err := report.Compare([]report.Side{{files[0]}, {files[1]}})
		if err != nil {
			return err
		}
		main := made.Mains()
		if len(main) == 0 || !main[0].Measured() || !(main[0].Ratio() > 0) {
			return exit.With(exit.NotJudged, fmt.Errorf("ab: %s and %s have no figure in common", files[0].Name(),
				files[1].Name()))
		}
		if len(ratios) == 0 {
			notices = unread(sides, files)
			for _, n := range notices {
				fmt.Fprintf(p.Stderr, "beff: %s\n", n.Text)
			}
		}
		if err := c.checkGate([2]report.Side{{files[0]}, {files[1]}}); err != nil {
			return err
		}
		figure, ratios = main[0].Name, append(ratios, main[0].Ratio())
		orders = append(orders, words.Either(order[0] == 0, "A, B", "B, A"))
		for i := range runs {
			runs[i] = append(runs[i], files[i])
		}
	}
}

// checkOrigin returns an error unless f is the result of a run that the setting's command started. Results of models
// don't record the command.
func (s *setting) checkOrigin(f *report.File, line []string) error {
	if f.Command() == nil && f.Entry().Engine == rating.Simulated {
		return nil
	}
	want, got := slices.Concat([]string{"beff"}, line, s.words), f.Command()
	if got = got[:max(0, len(got)-2)]; !slices.Equal(got, want) { // without -o PREFIX or --resume PREFIX
		return exit.With(exit.NotJudged, fmt.Errorf("%s is not a run of %s: its command is %s, want %s", f.Name(),
			s.name, words.Either(got == nil, "not known", words.OneLine(words.ShellQuoted(got))),
			words.OneLine(words.ShellQuoted(want))))
	}
	return nil
}

// unread returns a notice for each variable of a setting that the library of its run doesn't read.
func unread(sides [2]setting, files [2]*report.File) (list []document.Notice) {
	for i, s := range sides {
		library := files[i].Entry().LibraryName
		for _, v := range s.variables {
			if name, _, _ := strings.Cut(v, "="); parts.Unread(name, library) {
				list = append(list, document.Notice{Level: document.Warning, Text: fmt.Sprintf("%s sets %s, which %s "+
					"doesn't read", s.name, name, library)})
			}
		}
	}
	return list
}

// checkGate returns an error if there is a gate, but the second side can't be judged by the first.
func (c *Campaign) checkGate(runs [2]report.Side) error {
	if c.Below == 0 {
		return nil
	}
	if err := runs[0].Judged(runs[1]); err != nil {
		return exit.With(exit.NotJudged, fmt.Errorf("--fail-below can't be judged: %w", err))
	}
	return nil
}

// gate returns an error if B is below the limit of --fail-below. As in beff compare, either the whole interval of the
// pairs' ratios must be below it, or only the ratio.
func (c *Campaign) gate(s compare.PairedResult, figure string) error {
	if c.Below == 0 {
		return nil
	}
	least := c.Below
	switch s.AtLeast(least, c.AnyLess) {
	case rating.Passed:
		return nil
	case rating.Undecided:
		return exit.With(exit.Undecided, fmt.Errorf("--fail-below can't be judged: %s", s.Words("A", "B", figure)))
	}
	return exit.With(exit.Below, fmt.Errorf("the %s of B is %.4f times A's (95 %% interval %.4f to %.4f): "+
		"less than %v", figure, s.Ratio, s.Low, s.High, least))
}

// outcome is the result of a campaign's pairs.
type outcome struct {
	ratios  []float64
	orders  []string
	result  compare.PairedResult
	figure  string
	notices []document.Notice
}

// conclude publishes the comparison of all runs, with the outcome of the pairs at its head, and judges the gate.
func (c *Campaign) conclude(sides [2]setting, runs [2]report.Side, o *outcome) error {
	made, err := report.CompareAs([]string{"A", "B"}, runs[:])
	if err != nil {
		return err
	}
	t := &document.Table{ID: "pairs", Columns: document.Heads("pair []", "order", "ratio of B to A []"),
		Caption: "Each pair of runs: the order in which they were made, and the ratio of " + o.figure + "."}
	for i, ratio := range o.ratios {
		t.Add(document.Whole(i+1), o.orders[i], document.Number(ratio, fmt.Sprintf("%.4f", ratio)))
	}
	paired := &document.Table{ID: "paired", Caption: "The ratio of all pairs with its 95 % interval.",
		Columns: document.Heads("pairs []", "ratio of B to A []", "95 % from []", "95 % to []")}
	number := func(x float64) document.Cell { return parts.Number(x, 4) }
	s := o.result
	paired.Add(document.Whole(s.Pairs), number(s.Ratio), number(s.Low), number(s.High))
	summary := s.Words("A", "B", o.figure)
	d := made.Document
	for _, n := range o.notices {
		d.Notices = append(d.Notices, n)
		made.Warn(n.Text)
	}
	d.Title = "A and B compared"
	if s.Low > 0 { // the paired ratio is known, and replaces the unpaired one
		d.Headline = document.Headline{Name: o.figure + " of B", Value: fmt.Sprintf("%.3f", s.Ratio),
			Unit: "times A's", Note: fmt.Sprintf("95 %%: %.3f to %.3f, by %s", s.Low, s.High,
				words.Count(s.Pairs, "pair"))}
	}
	if len(d.Screen) > 0 && d.Screen[0].Name == "" {
		d.Screen[0].Name = "Unpaired"
	}
	d.Screen = append([]document.Fact{{Value: summary}, {Name: "A", Value: cmp.Or(sides[0].text, "no change")},
		{Name: "B", Value: cmp.Or(sides[1].text, "no change")}}, d.Screen...)
	d.Next = launch.Line("compare", c.Into) + "/a-*.json vs " + words.ShellQuoted([]string{c.Into}) +
		"/b-*.json -o ab.html"
	d.Sections = append([]document.Section{{ID: "turns", Title: "A and B compared", Blocks: []document.Block{
		document.List{summary, "A: " + sides[0].text, "B: " + sides[1].text,
			"measured: beff " + strings.Join(c.Line, " ")},
		document.Paragraph("The runs were made in pairs, one of each setting, in random order. The ratio is the " +
			"geometric mean of the pairs' ratios or, with 12 or more pairs, their median by ranks (Wilcoxon). The " +
			"confidence of 95 % allows for a look after each pair."), paired, t}}},
		d.Sections...)
	if err := c.Publish(d); err != nil {
		return err
	}
	return c.gate(o.result, o.figure)
}
