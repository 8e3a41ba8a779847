package tools

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// hpccSign matches a line of hpccoutf.txt, or of the summary that people keep of it.
var hpccSign = words.MustCompile(`(?m)HPC Challenge Benchmark|^Begin of Summary section\.`)

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
var hpccDate = words.MustCompile(`^Current time \(\d+\) is (.*\d)\s*$`)

// readHPCC reads the latencies and bandwidths in the summary of hpccoutf.txt. Its figures of floating point and memory
// aren't about communication.
func readHPCC(t *text, r *foreign.Result) error {
	inside, ended := false, false
	values, lines, n := map[string]string{}, map[string]int{}, 0
	err := t.each(func(line string) error {
		n++
		if m := hpccDate().FindStringSubmatch(line); m != nil && r.Started.IsZero() {
			r.Started = date(m[1], iorDate)
		}
		if name, is := strings.CutPrefix(line, "Hostname: "); is {
			r.Host.Name = strings.Trim(name, "' ")
		}
		switch {
		case strings.HasPrefix(line, "Begin of Summary section."):
			if inside || ended {
				return fmt.Errorf("a second summary: import each run separately")
			}
			inside = true
		case strings.HasPrefix(line, "End of Summary section."):
			inside, ended = false, true
		case inside:
			if m := hpccPair().FindStringSubmatch(line); m != nil {
				values[m[1]], lines[m[1]] = m[2], n
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.Complete = ended && values["Success"] != "0"
	if v := []string{values["VersionMajor"], values["VersionMinor"], values["VersionMicro"]}; v[0] != "" {
		r.ProgramVersion = strings.Join(v, ".")
	}
	if field := values["CommWorldProcs"]; field != "" {
		p, err := whole(field)
		if err != nil || p > 1<<30 {
			return &lineError{lines["CommWorldProcs"], fmt.Errorf("CommWorldProcs=%.40s is not a number", field)}
		}
		r.Processes = int(p)
	}
	for _, x := range hpccTables {
		one := foreign.Table{Test: x.test, Operation: x.operation, Way: x.way, Lengths: true, Processes: r.Processes}
		if x.operation == foreign.Message {
			one.Processes = 2
		}
		c := printed{column("", x.quantity, "usec"), micro}
		if x.quantity == foreign.BytesPerSecond {
			c.Printed, c.unit = "GBytes", giga
		}
		for i, key := range x.keys {
			field, is := values[key]
			if !is && i == 0 {
				break
			} else if !is {
				continue
			}
			c.Name, c.Main = key, i == 0
			if err := c.put(&one, field); err != nil {
				return &lineError{lines[key], err}
			}
		}
		if len(one.Rows) > 0 && one.Rows[0].Values[0] > 0 { // -1 or 0 if it didn't run
			one.Rows[0].Bytes = x.length
			r.Tables = append(r.Tables, one)
		}
	}
	return nil
}
