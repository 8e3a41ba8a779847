package tools

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// hpccFirst matches a line of hpccoutf.txt, or of the summary that people keep of it.
var hpccFirst = words.MustCompile(`(?:This is the DARPA/DOE )?HPC Challenge Benchmark|Begin of Summary section\.`)

// Message lengths of latencies and bandwidths (bench_lat_bw_1.5.2.c, bench_lat_bw).
const (
	hpccShort = 8
	hpccLong  = 2_000_000
)

// hpccTables are the tables for the part of HPCC that comes from b_eff, each with one length and quantity. The first
// key is the official figure, without which there is no table.
var hpccTables = []struct {
	test      string
	operation foreign.Operation
	way       foreign.Way
	length    int64
	quantity  foreign.Quantity
	keys      []string
}{
	{"PingPongLatency", foreign.Message, foreign.WorstPair, hpccShort, foreign.Seconds,
		[]string{"MaxPingPongLatency_usec", "AvgPingPongLatency_usec", "MinPingPongLatency_usec"}},
	{"PingPongBandwidth", foreign.Message, foreign.WorstPair, hpccLong, foreign.BytesPerSecond,
		[]string{"MinPingPongBandwidth_GBytes", "AvgPingPongBandwidth_GBytes", "MaxPingPongBandwidth_GBytes"}},
	{"NaturallyOrderedRingLatency", foreign.NaturalRing, foreign.RingExchange, hpccShort, foreign.Seconds,
		[]string{"NaturallyOrderedRingLatency_usec"}},
	{"NaturallyOrderedRingBandwidth", foreign.NaturalRing, foreign.RingExchange, hpccLong, foreign.BytesPerSecond,
		[]string{"NaturallyOrderedRingBandwidth_GBytes"}},
	{"RandomlyOrderedRingLatency", foreign.RandomRing, foreign.RingExchange, hpccShort, foreign.Seconds,
		[]string{"RandomlyOrderedRingLatency_usec"}},
	{"RandomlyOrderedRingBandwidth", foreign.RandomRing, foreign.RingExchange, hpccLong, foreign.BytesPerSecond,
		[]string{"RandomlyOrderedRingBandwidth_GBytes"}},
}

var hpccPair = words.MustCompile(`^(\w+)=(\S*)\s*$`)

// hpccDate matches the line with the start, such as `Current time (1732278301) is Sun Nov 22 12:25:01 2026`.
var hpccDate = words.MustCompile(`^Current time \((\d{9,11})\) is `)

// hpccReader holds the part of a text that was read: the summary's pairs.
type hpccReader struct {
	*run
	begun, inside, ended bool
	values               map[string]string
}

// newHPCC returns a reader of the latencies and bandwidths in the summary of hpccoutf.txt. The summary's other figures,
// such as floating-point rates, aren't about communication.
func newHPCC(t *run) reading {
	return &hpccReader{run: t, values: map[string]string{}}
}

func (x *hpccReader) line(line string) error {
	if m := hpccDate().FindStringSubmatch(line); m != nil && x.r.Started.IsZero() {
		seconds, _ := whole(m[1])
		x.r.Started = time.Unix(seconds, 0).UTC()
	}
	if name, is := strings.CutPrefix(line, "Hostname: "); is {
		x.r.Host.Name = strings.Trim(name, "' ")
	}
	switch {
	case strings.HasPrefix(line, "This is the DARPA/DOE HPC Challenge Benchmark"):
		if x.begun || x.inside {
			return errAnother
		}
		x.begun = true
	case strings.HasPrefix(line, "Begin of Summary section."):
		if x.inside || x.ended {
			return errAnother
		}
		x.inside = true
	case strings.HasPrefix(line, "End of Summary section."):
		x.inside, x.ended = false, true
	case x.inside && !x.open:
		if m := hpccPair().FindStringSubmatch(line); m != nil {
			return x.pair(m[1], m[2])
		}
	}
	return nil
}

// pair stores a pair. It leaves out a figure of -1, which means that it wasn't measured.
func (x *hpccReader) pair(key, value string) error {
	switch x, err := strconv.ParseFloat(value, 64); {
	case !strings.HasSuffix(key, "_usec") && !strings.HasSuffix(key, "_GBytes"):
	case err == nil && x == -1:
		return nil
	default:
		if _, err := number(value); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if key == "CommWorldProcs" {
		if x.r.Processes = count(value); x.r.Processes == 0 {
			return fmt.Errorf("CommWorldProcs=%.40s is not a number of processes", value)
		}
	}
	x.values[key] = value
	return nil
}

func (x *hpccReader) end() error {
	r, values := x.r, x.values
	r.Complete = x.ended && values["Success"] != "0"
	if v := []string{values["VersionMajor"], values["VersionMinor"], values["VersionMicro"]}; v[0] != "" {
		r.ProgramVersion = strings.Join(v, ".")
	}
	for _, h := range hpccTables {
		one := foreign.Table{Test: h.test, Operation: h.operation, Way: h.way, Lengths: true, Processes: r.Processes}
		if h.operation == foreign.Message {
			one.Processes = 2
		}
		c := printed{column("", h.quantity, "usec"), micro}
		if h.quantity == foreign.BytesPerSecond {
			c.Printed, c.unit = "GBytes", giga
		}
		for i, key := range h.keys {
			if c.Name, c.Main = key, i == 0; values[key] == "" {
				continue
			}
			if err := c.put(&one, values[key]); err != nil {
				return err
			}
		}
		if len(one.Mains()) > 0 && one.Rows[0].Values[0] > 0 { // the figure is 0 if the test didn't run
			one.Rows[0].Bytes = h.length
			if v := one.Rows[0].Values; len(v) == 3 {
				if h.quantity == foreign.Seconds {
					v = []float64{v[2], v[1], v[0]}
				}
				x.ordered(h.test+": ", v[0], v[1], v[2])
			}
			r.Tables = append(r.Tables, one)
		}
	}
	return nil
}
