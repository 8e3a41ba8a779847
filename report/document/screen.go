package document

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rivo/uniseg"
)

// UsualLines is the usual number of lines of a first screen, including the line for scripts.
const UsualLines = 12

// spare lists the names of rows that a first screen can do without.
var spare = []string{"Also", "Setup", "Largest", "Others", "Hosts"}

// level returns the level of the verdict, which is the worst level of the notices.
func (d *Document) level() (worst Level) {
	for _, n := range d.Notices {
		if n.Level == Bad || n.Level == Warning && worst == Good {
			worst = n.Level
		}
	}
	return worst
}

// screenRow is a row of a first screen: a name, and the lines of its text.
type screenRow struct {
	name  string
	lines []string
	level Level // of the verdict, which has no name
	whole bool  // never cut
}

// first writes a first screen: the verdict, the rows, the next command, and the line for scripts.
func (p plain) first(d *Document) {
	rows, column := p.rowsOf(d)
	for _, r := range rows {
		for i, line := range r.lines {
			switch {
			case r.name == "":
				fmt.Fprintln(p, p.paint(levelStyles[r.level], line))
				if t := d.Lead.Table; t != nil && i == len(r.lines)-1 {
					p.narrow(t)
				}
			case i == 0:
				fmt.Fprintln(p, p.paint(faint, padded(r.name, column, false))+line)
			default:
				fmt.Fprintln(p, strings.Repeat(" ", column)+line)
			}
		}
	}
	if d.Last != "" {
		fmt.Fprintln(p, d.Last)
	}
}

// rowsOf returns the rows of a first screen, and the width of their names, at most two fifths of the screen's width. If
// there are too many lines, it first cuts and then removes rows in spare, starting with the last one, and then cuts
// other rows. It counts the line for scripts as at most two lines, although it takes more on a narrow terminal.
func (p plain) rowsOf(d *Document) (rows []screenRow, column int) {
	const next = "Next"
	list := d.Screen[:len(d.Screen):len(d.Screen)]
	if by := d.by(); !strings.Contains(d.Last, by) {
		list = append(list, Fact{"By", by})
	}
	if d.Next != "" {
		list = append(list, Fact{next, d.Next})
	}
	maxName := 2 * p.textWide / 5
	for _, f := range list {
		column = max(column, min(uniseg.StringWidth(f.Name), maxName)+2)
	}
	most := cmp.Or(d.ScreenLines, UsualLines)
	all := min(2, (uniseg.StringWidth(d.Last)+p.textWide-1)/p.textWide)
	if d.Lead.Table != nil {
		all += 2 // the headings; rows don't count
	}
	for _, f := range list {
		f.Name = strings.TrimSpace(fitting(f.Name, float64(maxName), columns))
		r := screenRow{name: f.Name, lines: p.lines(f.Value, column), whole: f.Name == next}
		if r.whole {
			r.lines = p.command(f.Value, column)
		}
		if f.Name == "" {
			r = screenRow{lines: p.lines(f.Value, 0), level: d.level(), whole: true}
		}
		rows, all = append(rows, r), all+len(r.lines)
	}
	for _, less := range []func(screenRow) bool{
		func(r screenRow) bool { return len(r.lines) > 1 && slices.Contains(spare, r.name) },
		func(r screenRow) bool { return slices.Contains(spare, r.name) },
		func(r screenRow) bool { return len(r.lines) > 1 && !r.whole },
	} {
		for i := len(rows) - 1; i >= 0; i-- {
			for ; all > most && i < len(rows) && less(rows[i]); all-- {
				if len(rows[i].lines) == 1 {
					rows = slices.Delete(rows, i, i+1)
				} else {
					rows[i].cut(p.textWide - column)
				}
			}
		}
	}
	return rows, column
}

// lines breaks a text into lines that fit on the screen after an indent.
func (p plain) lines(s string, indent int) []string {
	return wrap(s, float64(max(20, p.textWide-indent)), columns)
}

// command breaks a command line into lines that a shell joins, without its comment if one line isn't enough. A command
// with quotes, or with a word longer than a line, is not broken.
func (p plain) command(s string, indent int) []string {
	const goesOn = " \\"
	lines := p.lines(s, indent)
	if len(lines) == 1 {
		return lines
	}
	s, _, _ = strings.Cut(s, " # ")
	if lines = p.lines(s, indent); len(lines) == 1 {
		return lines
	}
	lines = p.lines(s, indent+len(goesOn))
	if strings.Contains(s, "'") || strings.Join(lines, " ") != s {
		return []string{s}
	}
	for i := range lines[:len(lines)-1] {
		lines[i] += goesOn
	}
	return lines
}

// cut removes the last line of a row.
func (r *screenRow) cut(width int) {
	r.lines = r.lines[:len(r.lines)-1]
	last := &r.lines[len(r.lines)-1]
	text := wrap(strings.TrimSuffix(*last, " …"), float64(max(20, width-2)), columns)[0]
	*last = strings.TrimRight(text, " ,;:") + " …"
}
