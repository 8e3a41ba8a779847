package sum21

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// findHoles names the figures that the table lacks. A pattern that has a figure somewhere should have one for each
// access method that its type was measured with, and so should the type's total.
func (f *file) findHoles() []string {
	elsewhere := map[int]bool{}
	for _, s := range f.r.Samples {
		elsewhere[s.Pattern] = true
	}
	var holes []string
	for _, p := range f.parts {
		for _, a := range beffio.Accesses() {
			holes = append(holes, f.accessHoles(p, a, elsewhere)...)
		}
	}
	return holes
}

// accessHoles names the figures that an access method of a partition lacks. A type without any figure lacks none.
func (f *file) accessHoles(p *summary, a beffio.Access, elsewhere map[int]bool) []string {
	there := func(number int) bool { return findSample(&f.r, p.index, a, number) != nil }
	measured := map[patterns.IOType]bool{}
	total, hasTotal := p.totals[a]
	for _, t := range beffio.Types() {
		measured[t] = total.cells[t].there
	}
	for _, pattern := range f.r.Patterns {
		if inTable(pattern) && there(pattern.Number) {
			measured[pattern.Type] = true
		}
	}
	var holes []string
	named := map[int64][]string{} // the types by the chunk
	for _, pattern := range f.r.Patterns {
		switch {
		case !measured[pattern.Type] || there(pattern.Number) || !elsewhere[pattern.Number]:
		case inTable(pattern):
			named[pattern.Disk] = append(named[pattern.Disk], strconv.Itoa(int(pattern.Type)))
		case isPattern2(pattern) && p.pattern2 == nil:
			if a == beffio.Write { // once
				holes = append(holes, "pattern 2 on "+words.Processes(p.processes))
			}
		case isPattern2(pattern):
			holes = append(holes, fmt.Sprintf("pattern 2 of %s on %s", a, words.Processes(p.processes)))
		}
	}
	for _, chunk := range tableChunks(&f.r) {
		if types := named[chunk]; len(types) > 0 {
			holes = append(holes, fmt.Sprintf("%s of %d bytes on %s, type %s", a, chunk, words.Processes(p.processes),
				strings.Join(types, ", ")))
		}
	}
	for _, t := range beffio.Types() {
		if hasTotal && measured[t] && !total.cells[t].there {
			holes = append(holes, fmt.Sprintf("total-%s on %s, type %d", a, words.Processes(p.processes), t))
		}
	}
	return holes
}

// missing names the lines that should be there.
func (f *file) missing() []string {
	var list []string
	for _, n := range f.r.Partitions {
		p := f.byProcesses[n]
		if p == nil {
			list = append(list, "the summary of "+words.Processes(n))
			continue
		}
		for _, a := range beffio.Accesses() {
			if p.totals[a].line == 0 {
				list = append(list, fmt.Sprintf("total-%s on %s", a, words.Processes(n)))
			}
		}
		if p.rating == nil && p.unrated == 0 {
			list = append(list, "b_eff_io of these measurements on "+words.Processes(n))
		}
	}
	if !f.behind {
		list = append(list, `"Maximum over all number of PEs"`)
	}
	if f.best == nil && f.unrated == 0 {
		list = append(list, "the line b_eff_io at the end")
	}
	return list
}

// complete reports whether every type's bandwidth and every partition's last lines are there.
func (f *file) complete() bool {
	if f.reasons[stopped] || len(f.holes)+len(f.missing()) > 0 || len(f.parts) != len(f.r.Partitions) ||
		f.best == nil {
		return false
	}
	for i, p := range f.r.Derived.Partitions {
		if p.Release21 == 0 || f.byProcesses[f.r.Partitions[i]].rating == nil {
			return false
		}
	}
	return true
}

// verdict gives the result release 2.1's criteria, and the limit of bytes if it is one of the reasons.
func (f *file) verdict() {
	r := &f.r
	r.Complete, r.Quick = f.complete(), f.reasons[quick]
	if f.reasons[embedded] {
		r.Engine = mpi.Library{Engine: "local", Library: "beff embedded engine"}
	}
	// The limit of 30 minutes itself is met or not as the file says.
	said := true
	for _, p := range f.parts {
		said = said && (p.stated[1] == 0 || p.reached[1])
	}
	r.Criteria = Criteria(r, said, f.reasons[outOfBytes])
	r.Valid = rating.Valid(r.Criteria)
}

// Criteria returns release 2.1's criteria of an imported result. The file alone says whether the time was enough to the
// second, and whether the limit of bytes ended a pattern, which is a criterion where it did.
func Criteria(r *beffio.Result, enough, ended bool) []rating.Criterion {
	const rounding = 1e-9 // minutes have one decimal in a .sum file
	whole, minutes, errors := r.Complete, minutes(r), r.WrongChunks(-1)
	for _, p := range r.Derived.Partitions {
		whole = whole && p.Release21 > 0
	}
	list := []rating.Criterion{
		{Name: "complete", Text: "all figures of all partitions are in the file", Reached: whole},
		{Name: "time", Text: fmt.Sprintf("scheduled time %.1f min of a partition >= %d min", minutes, leastMinutes),
			Reached: enough && minutes*(1+rounding) >= leastMinutes && !r.Quick},
		{Name: "shared", Text: "shared file pointers must be used for pattern type 1", Reached: !r.NoShared},
		{Name: "errors", Text: fmt.Sprintf("error count (%d) == 0", errors), Reached: errors == 0},
	}
	if ended {
		list = append(list, rating.Criterion{Name: "bytes", Text: reasons[outOfBytes].text})
	}
	return list
}

// Remedies are those of the warnings about what a file doesn't have, by their codes.
var Remedies = map[string]string{
	"imported":  "keep the file; measure again for more than its figures",
	"truncated": "import the whole file, or measure again",
	"rows":      "import the whole file, or measure again",
}

// remark puts the name of the file, its gaps, and the facts that a result has no place for into the result.
func (f *file) remark(name string) {
	if f.r.Imported = name; name == "" {
		f.r.Imported = "a .sum file"
	}
	text := "taken from a .sum file, which has no raw data (bytes, calls, times)"
	if len(f.amounts) > 0 {
		text += "; moved with each access method (1 MByte = 2^20 bytes): " + strings.Join(f.amounts, ", ")
	}
	if f.options != "" {
		text += "; options: " + f.options
	}
	add := func(code, text string) {
		f.r.Warnings = append(f.r.Warnings, rating.Warning{Code: code, Text: text, Remedy: Remedies[code]})
	}
	add("imported", text)
	if list := f.missing(); len(list) > 0 {
		text := words.Either(f.best == nil && f.unrated == 0, "the file ends too early", "the file has a gap")
		add("truncated", text+": missing are "+words.Some(list))
	}
	if len(f.holes) > 0 && !f.reasons[stopped] { // which says why
		add("rows", "figures of the table are missing that other rows have: "+words.Some(f.holes))
	}
}
