package imb

import (
	"fmt"
	"math"
	"regexp"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/words"
)

// windowOption is the option of a command that sets the messages of a repetition of Uniband and Biband.
var windowOption = regexp.MustCompile(`(?:^|\s)--?window[_-]size[ =](\d{1,6})`)

// windowOf returns the messages of a repetition of Uniband and Biband, which the text names only in its command.
func (f *file) windowOf() int {
	if m := windowOption.FindStringSubmatch(f.r.Command); m != nil {
		return int(count(m[1]))
	}
	return settings.Default.Window
}

// whole is half of the last digit of a figure without decimals, and a little more.
const whole = 0.501

// short is almost half of the last digit of a time: less than that off, it is printed alike.
const short = 0.00499

// proveRate finds the time of a row that has messages per second, and compares their number with the throughput and
// with the printed time. It takes the middle of the rates that both figures allow.
func (f *file) proveRate(row *printedRow) error {
	t, d := &f.table, &row.figures
	rate, bytes := d.Rate, float64(row.bytes)
	if bytes > 0 {
		fits := func(base float64) bool {
			return math.Abs(row.throughput*base/bytes-rate) <= whole+printed*base/bytes
		}
		if unit := f.narrow(fits); unit != "" {
			return fmt.Errorf("%.2f Mbytes/sec: %.0f messages of %d bytes in a second are %.2f to %.2f, and a Mbyte "+
				"of %s", row.throughput, rate, row.bytes, rate*bytes/words.Mebi, rate*bytes/words.Mega, unit)
		}
		base := float64(words.Mega)
		if !f.bases[0] {
			base = words.Mebi
		}
		least := max(0, rate-whole, (row.throughput-printed)*base/bytes)
		rate = (least + min(rate+whole, (row.throughput+printed)*base/bytes)) / 2
	}
	if !(rate > 0) {
		return fmt.Errorf("%g Msg/sec", d.Rate)
	}
	d.Max = t.block.Messages(t.kernel) / rate
	if t.kernel.Class != kernel.Traffic {
		return nil
	}
	least := d.Mean - short*words.Micro
	if least > d.Max*(1+whole/rate) {
		return fmt.Errorf("t %.2f usec is the mean of all processes, but %.0f Msg/sec are %.2f usec of the slowest",
			d.Mean/words.Micro, d.Rate, d.Max/words.Micro)
	}
	d.Max = max(d.Max, least) // both within the digits that are there
	d.Mean = min(d.Mean, d.Max)
	return nil
}

// sample returns the times in seconds that give the printed figures again. The time of kernels with one time is the
// slowest process's. Of all processes' mean and the slowest, the quickest process isn't known.
func (t *table) sample(line *printedRow) measured.Sample {
	d := line.figures
	switch {
	case t.kernel.Class == kernel.Traffic:
		d.Min = 0
	case t.kernel.Class == kernel.Rate || t.columns[0].Head == columnTime.Head:
		d.Min, d.Mean = d.Max, d.Max
	}
	n := float64(line.repetitions) * float64(t.kernel.Halves)
	return measured.Sample{Min: d.Min * n, Max: d.Max * n, Mean: d.Mean * n, Overlapped: d.Overlapped * n,
		Pure: d.Pure * n, Compute: d.Compute * n, Passive: d.Passive * n}
}
