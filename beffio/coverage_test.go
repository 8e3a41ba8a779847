package beffio

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// machines is the number of simulated machines of each kind in the printed table, or 0 for a quick check without a
// table.
var machines = flag.Int("machines", 0, "print the table of docs/studies/statistics.md of that many machines")

// seed has the seed of the table in docs/studies/statistics.md. Limits were chosen with another seed, 20261199.
var seed = flag.Uint64("machine-seed", 20261201, "seed of the simulated machines")

// selected limits the table to some kinds of machines.
var selected = flag.String("machine", "", "regular expression of kinds of machines")

// kindOfMachine is a kind of simulated machines. Each run is on a new machine.
type kindOfMachine struct {
	name    string
	seconds float64 // T
	// holds is true if the interval's assumptions hold.
	holds bool
	// begin returns the state of a machine for a run of some seconds.
	begin  func(r *rand.Rand, seconds float64) state
	noise  float64 // relative standard deviation of a call
	once   float64 // the same for a sync, for opening and closing
	fills  float64 // mean part of the written bytes after which writing becomes slower, or 0
	quiet  bool    // the true value is the machine's without the effect of begin
	drifts bool    // the true value is scaled by the machine's mean speed during the run
	equal  bool    // reading is as slow as writing, which leaves no time for further passes
	// The run was resumed, so that nothing is read again.
	resumed bool
	steady  bool // runs must not be noisy
	tested  bool // part of the quick check
}

// state slows down a machine. It returns the factor of all times at a moment, and until when it holds, and the seconds
// of a stall that begins then.
type state func(now float64) (slower, until, stall float64)

func steadily(*rand.Rand, float64) state {
	return func(float64) (float64, float64, float64) { return 1, math.Inf(1), 0 }
}

// twoStates returns machines with a mean time in each of two states. In one, all times are longer by a factor.
func twoStates(dwell, factor float64) func(*rand.Rand, float64) state {
	return func(r *rand.Rand, _ float64) state {
		second, until := r.IntN(2) == 1, dwell*r.ExpFloat64()
		return func(now float64) (float64, float64, float64) {
			for now >= until {
				second, until = !second, until+dwell*r.ExpFloat64()
			}
			if second {
				return factor, until, 0
			}
			return 1, until, 0
		}
	}
}

// correlated returns machines with noise of a correlation time (Ornstein and Uhlenbeck), in steps of a fifth of it.
func correlated(sigma, correlation float64) func(*rand.Rand, float64) state {
	return func(r *rand.Rand, _ float64) state {
		const steps = 5
		keep, level, until := math.Exp(-1./steps), sigma*r.NormFloat64(), 0.0
		return func(now float64) (float64, float64, float64) {
			for now >= until {
				level = keep*level + sigma*math.Sqrt(1-keep*keep)*r.NormFloat64()
				until += correlation / steps
			}
			return math.Exp(level), until, 0
		}
	}
}

// drifting returns machines whose speed changes in a run by at most a part, up or down, in steps.
func drifting(largest float64) func(*rand.Rand, float64) state {
	return func(r *rand.Rand, seconds float64) state {
		slope, step := largest*(2*r.Float64()-1), seconds/2000
		return func(now float64) (float64, float64, float64) {
			i := math.Floor(now/step + 1e-6) // a step may end a little below its multiple
			return 1 + slope*((i+0.5)*step/seconds-0.5), (i + 1) * step, 0
		}
	}
}

// stalling returns machines that stop for a second several times in a run.
func stalling(times int) func(*rand.Rand, float64) state {
	return func(r *rand.Rand, seconds float64) state {
		var at []float64
		for range times {
			at = append(at, seconds*r.Float64())
		}
		slices.Sort(at)
		return func(now float64) (float64, float64, float64) {
			if len(at) > 0 && now >= at[0] {
				at = at[1:]
				return 1, now, 1
			}
			if len(at) > 0 {
				return 1, at[0], 0
			}
			return 1, math.Inf(1), 0
		}
	}
}

const (
	valid = 900 // s: T of a partition that is valid by the paper's rules
	short = 60
)

func kindsOfMachines() []kindOfMachine {
	return []kindOfMachine{
		{name: "independent noise of calls, 5 %", seconds: valid, holds: true, begin: steadily, noise: 0.05, once: 0.05,
			steady: true},
		{name: "independent noise of calls, 100 %", seconds: valid, holds: true, begin: steadily, noise: 1, once: 0.2,
			steady: true},
		{name: "the same, T = 60 s", seconds: short, holds: true, begin: steadily, noise: 1, once: 0.2, steady: true,
			tested: true},
		{name: "noise of 20 %, alike for 0.05 s", seconds: valid, holds: true, begin: correlated(0.2, 0.05),
			noise: 0.1, once: 0.1, steady: true},
		{name: "noise of 20 %, alike for 0.5 s", seconds: valid, begin: correlated(0.2, 0.5), noise: 0.1, once: 0.1},
		{name: "noise of 20 %, alike for 5 s", seconds: valid, begin: correlated(0.2, 5), noise: 0.1, once: 0.1},
		{name: "all times 1 or 1.5, 0.1 s each", seconds: valid, holds: true, begin: twoStates(0.1, 1.5), noise: 0.1,
			once: 0.1, steady: true},
		{name: "all times 1 or 1.5, 1 s each", seconds: valid, begin: twoStates(1, 1.5), noise: 0.1, once: 0.1,
			tested: true},
		{name: "all times 1 or 1.5, 5 s each", seconds: valid, begin: twoStates(5, 1.5), noise: 0.1, once: 0.1},
		{name: "all times 1 or 1.5, 60 s each", seconds: valid, begin: twoStates(60, 1.5), noise: 0.1, once: 0.1},
		{name: "all times 1 or 1.5, 0.1 s each, T = 60 s", seconds: short, begin: twoStates(0.1, 1.5), noise: 0.1,
			once: 0.1},
		{name: "all times 1 or 1.5, 1 s each, T = 60 s", seconds: short, begin: twoStates(1, 1.5), noise: 0.1,
			once: 0.1},
		{name: "all times 1 or 1.5, 5 s each, T = 60 s", seconds: short, begin: twoStates(5, 1.5), noise: 0.1,
			once: 0.1, tested: true},
		{name: "a cache that fills in the middle, then 1/3 of the rate", seconds: valid, begin: steadily, noise: 0.1,
			once: 0.1, fills: 0.3},
		{name: "a stall of 1 s", seconds: valid, begin: stalling(1), noise: 0.1, once: 0.1, quiet: true,
			steady: true},
		{name: "a stall of 1 s, T = 60 s", seconds: short, begin: stalling(1), noise: 0.1, once: 0.1, quiet: true,
			tested: true},
		{name: "ten stalls of 1 s", seconds: valid, begin: stalling(10), noise: 0.1, once: 0.1, steady: true},
		{name: "drift of up to ±5 %", seconds: valid, begin: drifting(0.05), noise: 0.1, once: 0.1, quiet: true,
			drifts: true, steady: true, tested: true},
		{name: "drift of up to ±30 %", seconds: valid, begin: drifting(0.3), noise: 0.1, once: 0.1, quiet: true,
			drifts: true, tested: true},
		{name: "drift of up to ±30 %, noise of 100 %", seconds: valid, begin: drifting(0.3), noise: 1, once: 0.2,
			quiet: true, drifts: true},
		{name: "drift of up to ±30 %, T = 60 s", seconds: short, begin: drifting(0.3), noise: 0.1, once: 0.1,
			quiet: true, drifts: true},
		{name: "drift of up to ±5 %, noise of 100 %", seconds: valid, begin: drifting(0.05), noise: 1, once: 0.2,
			quiet: true, drifts: true},
		{name: "independent noise, 10 %, reading is as slow as writing", seconds: valid, begin: steadily,
			noise: 0.1, once: 0.1, equal: true, steady: true},
		{name: "drift of up to ±5 %, reading is as slow as writing", seconds: valid, begin: drifting(0.05), noise: 0.1,
			once: 0.1, quiet: true, drifts: true, equal: true},
		{name: "drift of up to ±30 %, reading is as slow as writing", seconds: valid, begin: drifting(0.3), noise: 0.1,
			once: 0.1, quiet: true, drifts: true, equal: true},
		{name: "independent noise, 10 %, nothing is read again", seconds: valid, begin: steadily, noise: 0.1, once: 0.1,
			resumed: true},
		{name: "drift of up to ±30 %, nothing is read again", seconds: valid, begin: drifting(0.3), noise: 0.1,
			once: 0.1, quiet: true, drifts: true, resumed: true},
	}
}

// clockwork is a simulated machine during a run.
type clockwork struct {
	kind   *kindOfMachine
	r      *rand.Rand
	state  state
	now    float64
	worked float64 // seconds that the work so far takes on a quiet machine
	bytes  float64 // written
	filled float64 // bytes that fit into the cache
}

// take returns the seconds for work that takes work seconds on a quiet machine.
func (m *clockwork) take(work float64) float64 {
	begin := m.now
	for work > 0 {
		slower, until, stall := m.state(m.now)
		m.now += stall
		if took := work * slower; m.now+took <= until {
			m.now, m.worked = m.now+took, m.worked+work
			break
		}
		if until > m.now {
			m.worked += (until - m.now) / slower
			work -= (until - m.now) / slower
			m.now = until
		}
	}
	return m.now - begin
}

// once returns the seconds of something that happens once.
func (m *clockwork) once(work float64) float64 {
	return m.take(work * math.Exp(m.kind.once*m.r.NormFloat64()))
}

// callSeconds returns the seconds of a call on a quiet machine, which has a latency and a rate for each access and
// type.
func (k *kindOfMachine) callSeconds(a Access, row patterns.IORow) float64 {
	latency := map[Access]float64{Write: 60e-6, Rewrite: 50e-6, Read: 30e-6}[a]
	rate := map[Access]float64{Write: 4e8, Rewrite: 5e8, Read: 1e9}[a]
	if k.equal {
		latency, rate = 60e-6, 4e8
	}
	return latency*float64(1+row.Type) + float64(row.Memory)/rate
}

// calls makes a pattern's calls: this number of loops or, with a share, as many as the time allows.
func (m *clockwork) calls(a Access, row patterns.IORow, processes int, loops int64, share float64) (b Blocks,
	made int64) {
	call, begin := m.kind.callSeconds(a, row), m.now
	callsTime := func(n int64) float64 {
		work := call * float64(n) * math.Max(0.1, 1+m.kind.noise/math.Sqrt(float64(n))*m.r.NormFloat64())
		if a == Write {
			if m.bytes += float64(n*row.Memory) * float64(processes); m.filled > 0 && m.bytes > m.filled {
				work *= 3
			}
		}
		return m.take(work)
	}
	expected := loops
	if share > 0 {
		expected = max(1, int64(share/call))
	}
	for b.Calls = 1; expected/b.Calls >= mpi.MaxBlocks; {
		b.Calls *= 2
	}
	for {
		n := b.Calls
		if share == 0 {
			n = min(n, loops-made)
		} else if left := share - (m.now - begin); left < call*float64(n) {
			n = max(0, int64(left/call))
		}
		if n < 1 && made > 0 {
			return b, made
		}
		n = max(n, 1)
		seconds := callsTime(n)
		made += n
		if n < b.Calls {
			b.Rest = seconds
			return b, made
		}
		if b.Seconds = append(b.Seconds, seconds); len(b.Seconds) == mpi.MaxBlocks {
			for i := range mpi.MaxBlocks / 2 {
				b.Seconds[i] = b.Seconds[2*i] + b.Seconds[2*i+1]
			}
			b.Calls, b.Seconds = 2*b.Calls, b.Seconds[:mpi.MaxBlocks/2]
		}
	}
}

// run returns a run of a plan on a machine of a kind.
func (k *kindOfMachine) run(p *Plan, r *rand.Rand, speed *float64) *Result {
	m := &clockwork{kind: k, r: r, state: k.begin(r, k.seconds)}
	if k.fills > 0 {
		m.filled = k.fills * k.seconds * 64 / 150 * 1e8 * math.Exp(0.02*r.NormFloat64())
	}
	x := &Result{Rules: p.Rules, Partitions: p.Partitions, Processes: p.Processes, Complete: true}
	for _, row := range p.Rows {
		x.Patterns = append(x.Patterns, Pattern{row.Number, row.Type, row.Disk, row.Memory, row.Units})
	}
	loops := map[int]int64{}
	unit := k.seconds / float64(p.units())
	for _, a := range Accesses() {
		for _, typ := range Types() {
			if !p.measures(a, typ) {
				continue
			}
			file, bytes := FileSample{Access: a, Type: typ.String(), Open: m.once(0.01)}, int64(0)
			for _, row := range p.rows(typ) {
				if row.Fill {
					row.Memory = 1 << 19
				}
				s := m.pattern(p, a, row, loops, unit)
				bytes += s.Bytes
				x.Samples = append(x.Samples, s)
			}
			file.Close = m.once(0.002 + float64(bytes)/1e11)
			x.Files = append(x.Files, file)
		}
	}
	if !k.resumed {
		m.readAgain(p, x)
	}
	x.WallSeconds, x.Duration = m.now, k.seconds
	if speed != nil {
		*speed = m.worked / m.now
	}
	x.Derived = Derive(x)
	x.Signs = noiseSigns(x)
	x.Noisy = rating.Noisy(x.Signs)
	return x
}

// readAgain makes as many later passes over reading as the time allows. The last one is only a part of a pass.
func (m *clockwork) readAgain(p *Plan, x *Result) {
	var first []Sample
	whole, bytes := 0.0, map[patterns.IOType]float64{}
	for _, s := range x.Samples {
		if s.Access == Read {
			first, whole = append(first, s), whole+s.Seconds
			bytes[p.Rows[s.Pattern].Type] += float64(s.Bytes)
		}
	}
	for pass := 1; ; pass++ {
		left := m.kind.seconds - m.now
		if left < minPass*m.kind.seconds {
			return
		}
		part := min(1, left/whole)
		for i := range first {
			s := first[i]
			row := p.Rows[s.Pattern]
			if row.Fill {
				row.Memory = 1 << 19
			}
			if i == 0 || row.Type != p.Rows[first[i-1].Pattern].Type {
				x.Files = append(x.Files, FileSample{Access: Read, Type: row.Type.String(), Pass: pass,
					Open: m.once(0.01), Close: m.once(0.002 + bytes[row.Type]/1e11)})
			}
			share, begin := 0.0, m.now
			if part < 1 {
				share = s.Seconds * part
			}
			_, made := m.calls(Read, row, p.Processes, s.Repetitions, share)
			s.Pass, s.Blocks, s.Seconds = pass, nil, m.now-begin
			s.Repetitions, s.Calls, s.Bytes = made, made*int64(p.Processes), made*row.Memory*int64(p.Processes)
			x.Samples = append(x.Samples, s)
		}
	}
}

// minPass is the least part of the time for which a pass over reading begins.
const minPass = 0.03

func (m *clockwork) pattern(p *Plan, a Access, row patterns.IORow, loops map[int]int64, unit float64) Sample {
	share, begin := 0.0, m.now
	switch {
	case row.Units == 0:
		loops[row.Number] = 1
	case timeDriven(a, row):
		share = unit * float64(row.Units)
	case a == Write:
		loops[row.Number] = p.sizeDriven(row, func(number int) int64 { return loops[number] })
	}
	n := p.Processes
	b, made := m.calls(a, row, n, loops[row.Number], share)
	if a == Write {
		loops[row.Number] = made
	}
	s := Sample{Access: a, Pattern: row.Number, Bytes: made * row.Memory * int64(n), Repetitions: made,
		Calls: made * int64(n), Scheduled: share, Blocks: &b}
	if a != Read {
		s.Sync = m.once(0.01 + float64(s.Bytes)/5e9)
	}
	s.Seconds = m.now - begin
	return s
}

// coverage is a line of the table. Except for half, it has parts of the runs.
type coverage struct {
	half    float64 // median of the relative half widths of known intervals
	known   float64
	covered float64 // part of the known intervals that hold the true value
	noisy   float64
	missed  float64 // runs with a known interval that misses it, and without noise
}

// cover runs machines of a kind and counts the intervals that hold the true b_eff_io.
func (k *kindOfMachine) cover(t *testing.T, n int) coverage {
	r := rand.New(rand.NewPCG(*seed, 14))
	p, err := NewPlan(2, Config{Rules: RulesPaper, Partitions: []int{2}, Memory: 256 << 20, MaxBytes: 1 << 60,
		Duration: time.Duration(k.seconds * float64(time.Second))})
	require.NoError(t, err)
	runs, speeds := make([]*Result, n), make([]float64, n)
	truth := 0.0
	for i := range runs {
		runs[i] = k.run(p, r, &speeds[i])
		runs[i].Samples = nil
		truth += math.Log(runs[i].Derived.BEffIO) / float64(n)
	}
	if k.quiet {
		same, quietRuns := *k, 30
		if *machines > 0 {
			quietRuns = 200
		}
		same.begin, truth = steadily, 0
		for range quietRuns {
			truth += math.Log(same.run(p, r, nil).Derived.BEffIO) / float64(quietRuns)
		}
	}
	quiet := math.Exp(truth)
	c, one, known := coverage{}, 1/float64(n), 0
	var halves []float64
	for i, x := range runs {
		truth := quiet
		if k.drifts {
			truth *= speeds[i]
		}
		if x.Noisy {
			c.noisy += one
		}
		in := x.Derived.BEffIOInterval
		if in == nil {
			continue
		}
		known++
		halves = append(halves, in.RelativeHalfWidth(x.Derived.BEffIO))
		if in.Low <= truth && truth <= in.High {
			c.covered++
		} else if !x.Noisy {
			c.missed += one
		}
	}
	c.known = float64(known) * one
	c.covered /= math.Max(1, float64(known))
	slices.Sort(halves)
	if known > 0 {
		c.half = halves[known/2]
	}
	return c
}

// The interval of b_eff_io holds the mean of runs on the same machine in 95 % of the runs, if the noise of calls
// doesn't last. If it lasts, the interval isn't known, or the run is noisy. A drift widens the interval by its possible
// effect.
func TestCoverage(t *testing.T) {
	const few, slack = 30, 0.12
	n := few
	if *machines > 0 {
		n = *machines
		fmt.Print("| machines | interval known | half width | holds the true value | noisy | misses, not noisy |\n" +
			"|---|---|---|---|---|---|\n")
	}
	for _, k := range kindsOfMachines() {
		if *machines == 0 && !k.tested {
			continue
		}
		if *selected != "" && !regexp.MustCompile(*selected).MatchString(k.name) {
			continue
		}
		c := k.cover(t, n)
		if *machines > 0 {
			half, holds := "-", "-"
			if c.known > 0 {
				half, holds = fmt.Sprintf("%.2g %%", 100*c.half), fmt.Sprintf("%.1f %%", 100*c.covered)
			}
			fmt.Printf("| %s | %.1f %% | %s | %s | %.1f %% | %.1f %% |\n", k.name, 100*c.known, half, holds,
				100*c.noisy, 100*c.missed)
			continue
		}
		require.LessOrEqual(t, c.missed, 0.05+slack, k.name)
		if k.holds {
			require.Greater(t, c.known, 0.8, k.name)
			require.Greater(t, c.covered, 0.95-slack, k.name)
		}
		if k.steady {
			require.LessOrEqual(t, c.noisy, 0.05, k.name)
		}
	}
}
