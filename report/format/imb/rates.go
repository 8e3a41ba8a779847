package imb

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/lazy"
	"github.com/effective-bandwidth/beff/report/words"
)

// windowOption is the option of a command that sets the messages of a repetition of Uniband and Biband.
var windowOption = lazy.MustCompile(`(?:^|\s)--?window[_-]size[ =](\d{1,6})`)

// windowOf returns the messages of a repetition of Uniband and Biband, which the text names only in its command.
func (f *file) windowOf() int {
	if m := windowOption().FindStringSubmatch(f.r.Command); m != nil {
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

// proveBand finds the times of a row of windows of threads: that of the slowest thread, which gives the throughput, and
// the mean of all threads, which gives the messages per second. Times of less than a microsecond have more digits in
// the rate than in the text.
func (f *file) proveBand(row *printedRow) error {
	t, d := &f.table, &row.figures
	messages := t.block.Messages(t.kernel)
	least, most := max(0, d.Mean-short*words.Micro), d.Mean+short*words.Micro
	d.Mean = min(max(messages/(d.Rate+0.5), least), most) // IMB leaves out the decimals of a rate
	if rate := messages / d.Mean; rate < d.Rate-whole || rate > d.Rate+2*whole {
		return fmt.Errorf("t_avg %.2f usec, but %.0f Msg/sec give %.2f usec", (least+most)/2/words.Micro, d.Rate,
			messages/d.Rate/words.Micro)
	}
	bytes := messages * float64(row.bytes)
	slowest := func(base, throughput float64) float64 { return bytes / (max(throughput, 0) * base) }
	if d.Max = d.Mean; bytes == 0 || !(row.throughput > printed) {
		return nil
	}
	fits := func(base float64) bool { return slowest(base, row.throughput-printed) >= least }
	if unit := f.narrow(fits); unit != "" {
		return fmt.Errorf("%.2f Mbytes/sec by the slowest thread are more than %.2f usec on average give, and a Mbyte "+
			"of %s", row.throughput, d.Mean/words.Micro, unit)
	}
	base := words.Either(f.bases[0], float64(words.Mega), words.Mebi)
	d.Max = max(d.Mean, slowest(base, row.throughput))
	return nil
}

// sample returns the times in seconds that give the printed figures again. The time of kernels with one time is the
// slowest process's. Of the mean and the slowest of all processes, or threads, the quickest isn't known.
func (t *table) sample(line *printedRow) measured.Sample {
	d := line.figures
	switch {
	case t.kernel.Class == kernel.Traffic || t.kernel.Class == kernel.Band:
		d.Min = 0
	case t.kernel.Class == kernel.Rate || t.columns[0].Head == columnTime.Head:
		d.Min, d.Mean = d.Max, d.Max
	}
	n := float64(line.repetitions) * float64(t.block.Halves(t.kernel))
	return measured.Sample{Min: d.Min * n, Max: d.Max * n, Mean: d.Mean * n, Overlapped: d.Overlapped * n,
		Pure: d.Pure * n, Compute: d.Compute * n, Passive: d.Passive * n}
}
