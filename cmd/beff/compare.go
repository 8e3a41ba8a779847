package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/selection"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/accept"
	"github.com/effective-bandwidth/beff/report/compare"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// compareCommand is `beff compare`.
type compareCommand struct {
	Results       []string `arg:"" name:"result" help:"${compare_results}"`
	Apart         bool     `help:"${compare_apart}"`
	FailBelow     *limit   `placeholder:"RATIO" help:"${compare_fail_below}"`
	AnyDifference bool     `help:"${compare_any_difference}"`
	Sheet         string   `placeholder:"FILE" help:"${compare_sheet}"`
	verbose
	selection.Conditions
	publish.Flags
}

// Run is called by the command line.
func (c *compareCommand) Run(p *process.Process) error {
	formats, err := c.Chosen(publish.Without("kv"))
	switch {
	case err != nil:
		return err
	case slices.Contains(c.Results, versusWord) && c.Apart:
		return exit.Misuse("%s chooses the results of each side: leave out --apart", versusWord)
	case c.AnyDifference && c.FailBelow == nil:
		return exit.Misuse("--any-difference changes how --fail-below judges: give both")
	}
	w, err := c.Filter()
	if err != nil {
		return err
	}
	var sheet *accept.Sheet
	if c.Sheet != "" {
		if sheet, err = readSheet(c.Sheet, nil); err != nil {
			return exit.With(exit.Usage, err)
		}
	}
	directories := len(c.Results) > 1 && !c.Apart && !slices.ContainsFunc(c.Results, isNoDirectory)
	files, sizes, err := c.files(w, directories)
	if err != nil {
		return err
	}
	w.PrintUnknown(p.Stderr)
	taken, refused := c.Take(files)
	files, sizes = remaining(files, sizes, taken)
	if len(files) < 2 || len(sizes) > 1 && slices.Contains(sizes, 0) {
		return refused.End(p.Stderr)
	}
	sides := c.sides(p.Stderr, files, sizes)
	var made *document.Document
	var chapters []report.Chapter
	if directories {
		made, chapters, err = report.CompareSystems(sides)
	} else {
		var one *compare.Comparison
		if one, err = report.Compare(sides); err == nil {
			made, chapters = one.Document, []report.Chapter{{Chapter: compare.Chapter{Comparison: one}, Sides: sides}}
		}
	}
	if err != nil {
		return exit.With(exit.NotJudged, err)
	}
	var verdicts []*accept.Acceptance
	if sheet != nil {
		files := lists.Flat(sides, func(s report.Side) []*report.File { return s })
		verdicts = sheet.Judge(files, time.Now())
		addVerdicts(made, verdicts)
	}
	if c.Output == "" && len(c.Format) == 0 && !c.Verbose {
		formats = publish.MainLines
	}
	made.Notices = append(refused.Notices(), made.Notices...)
	made.Next = launch.Line(slices.Concat([]string{"compare"}, c.Results, words.Either(sheet == nil, nil,
		[]string{"--sheet", c.Sheet}), []string{"-o", "compare.html"})...)
	papers := []*publish.Publication{{Name: "comparison", Document: made}}
	if err := c.Publish(p.Stdout, p.Stderr, papers, formats); err != nil {
		return err
	}
	if err := refused.End(p.Stderr); err != nil {
		return err
	}
	for _, chapter := range chapters {
		if err := c.gate(chapter.Sides, chapter.Mains()); err != nil {
			return err
		}
	}
	if sheet != nil {
		return verdictError(verdicts)
	}
	return nil
}

// addVerdicts adds a sheet's verdicts to a comparison: the last page, with a link, a line and a notice that lead to it.
func addVerdicts(made *document.Document, verdicts []*accept.Acceptance) {
	verdict, page := accept.Notice(verdicts), accept.Page(verdicts)
	made.Sections = append(made.Sections, page)
	made.Lead.Links = append(made.Lead.Links, document.Link{Text: page.Title + ", the last page",
		Address: "#" + page.ID})
	made.Screen = append(made.Screen, document.Fact{Name: "Sheet", Value: verdict.Text})
	verdict.Remedy = "see the last page"
	made.Notices = append([]document.Notice{verdict}, made.Notices...)
}

// isNoDirectory reports whether a word names a file, or nothing.
func isNoDirectory(word string) bool {
	info, err := os.Stat(word)
	return err != nil || !info.IsDir()
}

// remaining returns the taken files among those of the sides, and how many of them each side has.
func remaining(files []*report.File, sizes []int, taken []*report.File) (rest []*report.File, sizesLeft []int) {
	for _, size := range sizes {
		side := lists.Where(files[:size], func(f *report.File) bool { return slices.Contains(taken, f) })
		rest, sizesLeft, files = append(rest, side...), append(sizesLeft, len(side)), files[size:]
	}
	return rest, sizesLeft
}

// versusWord separates the results of two sides.
const versusWord = "vs"

// sides returns the sides of results. A copy of a measurement counts once in each side, or once in all files without
// sides, unless nothing is left to compare then: a result may be compared with itself.
func (c *compareCommand) sides(stderr io.Writer, files []*report.File, sizes []int) []report.Side {
	if len(sizes) > 1 {
		sides := report.Sides(files, sizes)
		for i := range sides {
			sides[i] = publish.WithoutCopies(stderr, sides[i])
		}
		return sides
	}
	if copies := new(report.Copies); len(copies.Drop(files)) > 1 {
		files = publish.WithoutCopies(stderr, files)
	}
	if c.Apart {
		return report.SidePerFile(files)
	}
	return report.SidePerSystem(files)
}

// files returns all selected results, and the number of them in each side. There is one side without versusWord, unless
// each directory is a side.
func (c *compareCommand) files(w *selection.Filter, directories bool) (files []*report.File, sizes []int, err error) {
	for rest, more := c.Results, true; more; {
		side := rest
		i := slices.Index(rest, versusWord)
		switch more = i >= 0; {
		case more:
			side, rest = rest[:i], rest[i+1:]
		case directories:
			side, rest, more = rest[:1], rest[1:], len(rest) > 1
		}
		sizes = append(sizes, 0)
		for _, word := range side { // a result may be compared with itself
			found, err := publish.Read([]string{word}, nil)
			if err != nil {
				return nil, nil, err
			}
			if len(found) == 1 && !found[0].Usable && found[0].Path == word { // it may be another program's log
				log, err := report.ReadLog(word)
				if err != nil {
					return nil, nil, fmt.Errorf("compare: %s: %w: see beff import", words.OneLine(word), err)
				}
				found[0] = cmp.Or(log, found[0])
			}
			found = slices.DeleteFunc(found, func(f *report.File) bool { return f.Usable && !w.AcceptsFile(f) })
			files = append(files, found...)
			sizes[len(sizes)-1] += len(found)
		}
	}
	switch {
	case len(sizes) > 1 && slices.Contains(sizes, 0):
		return nil, nil, exit.Misuse("compare: want a result or more on each side of %s", versusWord)
	case len(files) < 2:
		return nil, nil, exit.Misuse("compare: want two results or more%s", words.Either(len(c.Where) > 0,
			" that are as --where wants them", ""))
	}
	return files, sizes, nil
}

// limit is the ratio of --fail-below. Its text form is a number such as 0.95, or a percentage such as 95%.
type limit float64

// highestLimit is the highest plausible ratio: with a higher one the user forgot the percent sign.
const highestLimit = 10

// UnmarshalText parses a ratio.
func (l *limit) UnmarshalText(text []byte) error {
	x, err := size.ParseRatio(string(text))
	if err != nil || !(x > 0 && x <= highestLimit) {
		return fmt.Errorf("%q: want a ratio such as 0.95 or 95%%, above 0 and up to %d", text, highestLimit)
	}
	*l = limit(x)
	return nil
}

// gate returns an error if a result is slower than --fail-below allows, or can't be judged. It is for regression tests:
// a difference that may be noise doesn't count, unless the user asks for any difference. Models have no noise.
func (c *compareCommand) gate(sides []report.Side, list []compare.Difference) error {
	if c.FailBelow == nil {
		return nil
	}
	least, below := float64(*c.FailBelow), error(nil)
	for i, d := range list {
		first, other := sides[0].Name(), sides[i+1].Name()
		err, code := sides[0].Judged(sides[i+1]), exit.NotJudged
		switch outcome := d.Comparison().AtLeast(least, c.AnyDifference); {
		case err != nil:
		case !d.Measured():
			err = fmt.Errorf("%s or %s has no %s", first, other, d.Name)
		case outcome == rating.Passed:
			continue
		case outcome == rating.Failed:
			below = cmp.Or(below, fmt.Errorf("%s has %.4f times the %s of %s%s: less than %v", other, d.Ratio(), d.Name,
				first, interval(d), least))
			continue
		default:
			code = exit.Undecided
			err = fmt.Errorf("%s has %.4f times the %s of %s, less than %v, but the spread of runs is not known: "+
				"measure with repetitions, or give --any-difference", other, d.Ratio(), d.Name, first, least)
		}
		return exit.With(code, fmt.Errorf("--fail-below can't be judged: %w", err))
	}
	return exit.With(exit.Below, below)
}

// interval returns the interval of a difference in words, empty if unknown.
func interval(d compare.Difference) string {
	in, unless := d.Interval(), ""
	if !in.Known {
		return ""
	}
	if !d.Between() {
		unless = " " + d.Assumption() + "; three runs per side would show it"
	}
	return fmt.Sprintf(" (95 %% interval %.4f to %.4f%s)", in.Low, in.High, unless)
}
