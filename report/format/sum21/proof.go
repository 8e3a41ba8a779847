package sum21

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/words"
)

// near reports whether two figures differ by no more than most.
func near(a, b, most float64) bool {
	const digits = 1e-9
	return math.Abs(a-b) <= most+digits*math.Abs(b)
}

// prove compares the figures that follow from the table with those that the file states.
func (f *file) prove() error {
	best := 0.0
	for _, p := range f.parts {
		if err := f.provePart(p); err != nil {
			return err
		}
		if p.rating != nil {
			best = max(best, p.rating.value)
		}
	}
	if f.unrated > 0 && best > 0 {
		f.line = f.unrated
		return fmt.Errorf("b_eff_io is said to be not computed, but a summary above has %.3f MB/s", best)
	}
	if f.best == nil {
		return nil
	}
	f.line = f.best.line
	if own := f.byProcesses[f.best.processes].rating; own == nil || !near(own.value, f.best.value, 0.0005) {
		return fmt.Errorf("b_eff_io = %.3f MB/s on %d processes: their summary gives another one", f.best.value,
			f.best.processes)
	}
	if !near(best, f.best.value, 0.0005) {
		return fmt.Errorf("b_eff_io = %.3f MB/s is not the maximum: a summary above has %.3f", f.best.value, best)
	}
	return nil
}

// half is how far a figure may be from its three printed decimals.
const half = 0.0005

func (f *file) provePart(p *summary) error {
	d := f.r.Derived.Partitions[p.index]
	mean := map[beffio.Access]float64{}
	for _, m := range d.Accesses {
		mean[m.Access] = m.Bandwidth / words.Mega
	}
	for _, a := range beffio.Accesses() {
		// A mean of figures that are each within half a digit is so itself; its own last digit is the second half.
		printed := p.means[a]
		if printed.line > 0 && !near(printed.value, mean[a], 2*half) {
			f.line = printed.line
			return fmt.Errorf("weighted average of %s on %d processes is %.3f MB/s: the row total-%s gives %.3f", a,
				p.processes, printed.value, a, mean[a])
		}
	}
	if printed := p.paper; printed.line > 0 && !near(printed.value, d.Paper/words.Mega, 2*half) {
		f.line = printed.line
		return fmt.Errorf("%.3f MB/s by the paper's formula on %d processes: the rows total-… give %.3f", printed.value,
			p.processes, d.Paper/words.Mega)
	}
	if p.rating != nil && !rates(p.rating.value, d.Release21/words.Mega, mean[beffio.Read]) {
		f.line = p.rating.line
		return fmt.Errorf("b_eff_io of %d processes is %.3f MB/s: the rows total-… give %.3f", p.processes,
			p.rating.value, d.Release21/words.Mega)
	}
	if p.unrated > 0 && d.Release21 > 0 {
		f.line = p.unrated
		return fmt.Errorf("b_eff_io of %s is said to be not computed: the rows total-… give %.3f MB/s",
			words.Processes(p.processes), d.Release21/words.Mega)
	}
	return f.proveVerdict(p)
}

// rates reports whether the printed rating is sqrt(S·R) of a sum S and a mean of reading R, of which each is known to
// half a digit.
func rates(printed, rating, read float64) bool {
	if rating == 0 || read == 0 {
		return printed == 0
	}
	written := rating * rating / read
	low := math.Sqrt(max(written-half, 0) * max(read-half, 0))
	high := math.Sqrt((written + half) * (read + half))
	const digits = 1e-9
	return printed >= low*(1-digits)-half && printed <= high*(1+digits)+half
}

// proveVerdict compares the verdict with the criteria.
func (f *file) proveVerdict(p *summary) error {
	if p.saidLine == 0 {
		return nil
	}
	valid := true
	for i := 1; i < len(p.stated); i++ {
		valid = valid && (p.stated[i] == 0 || p.reached[i])
	}
	for _, found := range f.reasons {
		valid = valid && !found
	}
	if valid != (p.said == "VALID") {
		f.line = p.saidLine
		return fmt.Errorf("said to be %s on %d processes, against the criteria", p.said, p.processes)
	}
	return nil
}
