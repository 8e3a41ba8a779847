package tools

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/report/lazy"
)

// netpipeRow is a row of NetPIPE's text: of 3.x, whose Mbps have 2^20 bits, and of 5.x, whose units differ by row.
var netpipeRow = lazy.MustCompile(`(?m)^\s*\d{1,6}:\s+([\d.]+)\s+(bytes|B|KB|MB|GB)\s+(\d{1,12}) times -->\s+` +
	`([\d.]+)\s+(bps|[KMGT]bps)\s+in\s+([\d.]+)\s+(secs|[mun]secs?)\b`)

// netpipeColour is a change of the terminal's colour, which 5.x prints.
var netpipeColour = lazy.MustCompile("\x1b\\[[0-9;]*m")

// mebibit is the megabit of NetPIPE 3 (netpipe.h, MEGABIT?): its np.out follows from it.
const mebibit = 1 << 20

// isNetPIPE reports whether a file is NetPIPE's text, or its np.out. The latter has no words: it is known by its
// numbers, which say one thing twice. Each line has bytes, bandwidth and time, and the first two give the third.
func isNetPIPE(head []byte) bool {
	return netpipeRow().Match(netpipeColour().ReplaceAll(head, nil)) || len(netpipeOut(head)) > 0
}

// netpipeOut returns the lines of a beginning of np.out, nil if it is none.
func netpipeOut(head []byte) (list [][]byte) {
	for i, line := range bytes.Split(head, []byte("\n")) {
		if i > 20 {
			break
		}
		if line = bytes.TrimRight(line, "\r"); len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if _, err := netpipeNumbers(string(line)); err != nil {
			return nil
		}
		list = append(list, line)
	}
	return list
}

// netpipeNumbers returns the row of a line of np.out: `bytes Mbps seconds` of 3.x, where a Mbps has 2^20 bits, or
// `bytes average minimum maximum microseconds` of 5.x, where bandwidths are Gbps of 10^9 bits.
func netpipeNumbers(line string) (row foreign.Row, err error) {
	fields := strings.Fields(line)
	if len(fields) != 3 && len(fields) != 5 {
		return row, fmt.Errorf("%d numbers, want bytes, bandwidth and time", len(fields))
	}
	if row.Bytes, err = whole(fields[0]); err != nil {
		return row, err
	}
	rate, err := number(fields[1])
	if err != nil {
		return row, err
	}
	time, err := number(fields[len(fields)-1])
	if err != nil {
		return row, err
	}
	bits := float64(row.Bytes) * 8
	unit, least := float64(mebibit), math.Pow(10, -float64(decimals(fields[2])))
	if len(fields) == 5 {
		time, unit, least = time/1e6, 1e9, 1e-6*math.Pow(10, -float64(decimals(fields[4])))
	}
	if rate <= 0 || time <= 0 {
		return row, fmt.Errorf("no bandwidth, or no time")
	}
	digit := math.Pow(10, -float64(decimals(fields[1])))
	if want := bits / (rate * unit); math.Abs(time-want) > 0.51*least+want*(0.51*digit/rate+1e-9) {
		return row, fmt.Errorf("%d bytes at %g Mbps take %g s, not %g s", row.Bytes, rate, want, time)
	}
	row.Values = []float64{time, rate * unit / 8}
	return row, nil
}

// decimals returns the number of digits behind the point.
func decimals(field string) int {
	_, digits, _ := strings.Cut(field, ".")
	return len(digits)
}

// readNetPIPE reads the text that NetPIPE prints, or the file that it writes, np.out.
func readNetPIPE(t *text, r *foreign.Result) error {
	plain := &text{data: netpipeColour().ReplaceAllString(t.data, ""), into: t.into}
	columns := []foreign.Column{mainColumn("time", foreign.Seconds, "usec"),
		mainColumn("bandwidth", foreign.BytesPerSecond, "Mbps")}
	x := foreign.Table{Test: "NetPIPE", Operation: foreign.Message, Way: foreign.HalfRoundTrip, Processes: 2,
		Lengths: true, Columns: columns}
	if netpipeRow().MatchString(plain.data) {
		if err := netpipeText(plain, r, &x); err != nil {
			return err
		}
	} else {
		x.Columns[0].Printed = "s"
		if err := netpipeFile(plain, r, &x); err != nil {
			return err
		}
	}
	if len(x.Rows) > 0 {
		r.Tables = append(r.Tables, x)
	}
	return nil
}

// netpipeFile reads np.out.
func netpipeFile(t *text, r *foreign.Result, x *foreign.Table) error {
	r.Warnings = append(r.Warnings, foreign.WaysUnknown)
	return t.each(func(line string) error {
		if strings.TrimSpace(line) == "" {
			return nil
		}
		if t.open {
			r.Complete = false // its last figure may lack digits
			return nil
		}
		row, err := netpipeNumbers(line)
		if err != nil {
			return err
		}
		x.Rows = append(x.Rows, row)
		return nil
	})
}

// netpipeScales are the units of the text.
var netpipeScales = map[string]float64{"bytes": 1, "B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9, "bps": 1, "Kbps": 1e3,
	"Mbps": 1e6, "Gbps": 1e9, "Tbps": 1e12, "secs": 1, "msecs": milli, "usecs": micro, "usec": micro, "nsecs": 1e-9,
	"msec": milli, "nsec": 1e-9}

// Lines of modes.
var (
	netpipeStream = lazy.MustCompile(`^Streaming (?:data )?in one direction`)
	netpipeBoth   = lazy.MustCompile(`^(?:Bidirectional mode|Passing data in both directions)`)
)

// netpipeText reads the text. Lines that begin as rows must be rows.
func netpipeText(t *text, r *foreign.Result, x *foreign.Table) error {
	begin := regexp.MustCompile(`^\s*\d{1,6}:\s+[\d.]+\s+(?:bytes|[KMG]?B)\s`)
	return t.each(func(line string) error {
		m := netpipeRow().FindStringSubmatch(line)
		switch {
		case x.Way != foreign.Window && netpipeStream().MatchString(line):
			x.Way = foreign.Window
			x.Settings = append(x.Settings, foreign.Setting{Name: "window size", Value: "stream"})
		case netpipeBoth().MatchString(line):
			x.Operation, x.Way = foreign.BothWays, foreign.EachReversed
		case m == nil && begin.MatchString(line):
			if t.open || strings.HasSuffix(strings.TrimSpace(line), "-->") {
				r.Complete = false // the run ended in the middle
				return nil
			}
			return fmt.Errorf("want times, a bandwidth and a time behind the bytes")
		}
		if m == nil {
			return nil
		}
		var f [3]float64
		for i, k := range []int{1, 4, 6} {
			v, err := number(m[k])
			if err != nil {
				return err
			}
			f[i] = v * netpipeScales[m[k+1]]
		}
		rate := f[1]
		if m[2] == "bytes" { // 3.x
			rate *= float64(mebibit) / 1e6
		}
		repetitions, err := whole(m[3])
		if err != nil {
			return err
		}
		x.Rows = append(x.Rows, foreign.Row{Bytes: int64(math.Round(f[0])), Repetitions: repetitions,
			Values: []float64{f[2], rate / 8}})
		return nil
	})
}
