package conformance

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// trail is memory in which each execution of some calls writes the number of its loop, one after the other.
type trail struct {
	buffer mpi.Buffer
	want   []int64
}

// calls adds a place of the trail to a program and returns the calls that write a number.
func (t *trail) calls(p *mpi.Program) []mpi.Call {
	place := mpi.One(p.Place(mpi.Place{Space: t.buffer, Length: 8, Step: 8,
		Mark: mpi.Mark{Width: 8, Key: 1, PerLoop: 1}}))
	return []mpi.Call{{Op: mpi.Walk, Send: place}, {Op: mpi.Stamp, Send: place}}
}

// sections writes a trail in each section. Before and After must run once in each pass, also in the untimed one, as
// parts of its first and last loop.
func sections(p *process) error {
	trails := [3]*trail{{}, {}, {}}
	for _, t := range trails {
		b, err := p.NewBuffer(200)
		if err != nil {
			return err
		}
		defer b.Free()
		t.buffer = b
	}
	program := &mpi.Program{Comm: p.world, Start: p.world}
	program.Before, program.Loop, program.After = trails[0].calls(program), trails[1].calls(program),
		trails[2].calls(program)
	r, err := p.Compile(program)
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	next := int64(0)
	pass := func(loops int64) {
		if loops == 0 {
			return
		}
		trails[0].want = append(trails[0].want, next)
		for range loops {
			trails[1].want = append(trails[1].want, next)
			next++
		}
		trails[2].want = append(trails[2].want, next-1)
	}
	for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3}, once, {Timed: 2, Budget: 1e6}, {Timed: 3, Each: true}} {
		pass(n.Untimed)
		pass(n.Timed)
		m, err := r.Run(n)
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if m.Loops != n.Timed {
			p.errorf("%+v: %d loops", n, m.Loops)
		}
	}
	for i, t := range trails {
		for j, loop := range append(t.want, -1) { // nothing was written after the trail
			if found := int64(binary.LittleEndian.Uint64(t.buffer.Bytes()[8*j:])) - 1; found != loop {
				p.errorf("section %d ran number %d in loop %d instead of %d", i, j, found, loop)
			}
		}
	}
	return nil
}

// sectionMessages exchanges messages in each section. The requests of a section are separate from those of the others.
func sectionMessages(p *process) error {
	left, right := neighbours(p.world)
	b, err := p.NewBuffer(96)
	if err != nil {
		return err
	}
	defer b.Free()
	program := &mpi.Program{Comm: p.world, Start: p.world}
	mark := func(sender, section int) mpi.Mark {
		return mpi.Mark{Width: 8, Key: uint64(100*sender + section), PerLoop: 1e6}
	}
	exchange := func(section int, last mpi.Call) []mpi.Call {
		at := int64(32 * section)
		send := mpi.One(program.Place(mpi.Place{Space: b, Offset: at, Length: 16, Peer: right,
			Mark: mark(p.rank, section)}))
		recv := mpi.One(program.Place(mpi.Place{Space: b, Offset: at + 16, Length: 16, Peer: left,
			Mark: mark(left, section)}))
		return []mpi.Call{
			{Op: mpi.Stamp, Send: send}, {Op: mpi.Irecv, Recv: recv, Tag: section},
			{Op: mpi.Isend, Send: send, Tag: section}, {Op: mpi.Wait, Of: 1}, last, {Op: mpi.Check, Recv: recv},
		}
	}
	program.Before = exchange(0, mpi.Call{Op: mpi.Wait, Of: 2})
	program.Loop = exchange(1, mpi.Call{Op: mpi.Waitall})
	program.After = exchange(2, mpi.Call{Op: mpi.Wait, Of: 2})
	return p.runProgram(program, once, mpi.Loops{Untimed: 2, Timed: 5}, mpi.Loops{Timed: 3, Each: true})
}

// sectionTimes takes 1 ms before the loops, 1 ms in each and 2 ms after them. All of that is between the clock
// readings.
func sectionTimes(p *process) error {
	const ms = time.Millisecond
	work := func(lap int, seconds float64) []mpi.Call {
		return []mpi.Call{{Op: mpi.Compute, Seconds: seconds}, {Op: mpi.Lap, Root: lap}}
	}
	r, err := p.Compile(&mpi.Program{Comm: p.world, Start: p.world, Before: work(0, 1e-3), Loop: work(1, 1e-3),
		After: work(2, 2e-3)})
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	for _, each := range []bool{false, true} {
		begin := time.Now()
		m, err := r.Run(mpi.Loops{Untimed: 1, Timed: 3, Each: each})
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		p.plausible(m.Seconds, 6*ms, time.Since(begin)-4*ms)
		if len(m.Laps) != 3 {
			p.errorf("the laps are %+v", m.Laps)
			continue
		}
		whole := time.Duration(math.Ceil(m.Seconds * 1e9))
		for i, least := range []time.Duration{ms, 3 * ms, 2 * ms} {
			p.plausible(m.Laps[i].Seconds, least, whole-6*ms+least)
		}
		if !each {
			continue
		}
		p.plausible(sum(m.Each), 3*ms, whole-3*ms)
		if len(m.Laps[0].Each) == 3 && (m.Laps[0].Each[0] != m.Laps[0].Seconds ||
			m.Laps[2].Each[2] != m.Laps[2].Seconds) {
			p.errorf("before the first loop and after the last: %+v", m.Laps)
		}
	}
	return nil
}

func sum(list []float64) (all float64) {
	for _, v := range list {
		all += v
	}
	return all
}

// each checks that the times of all loops, and those of their laps, add up to the whole time.
func each(p *process) error {
	lap := func(i int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: i} }
	wait := mpi.Call{Op: mpi.Compute, Seconds: 1e-3}
	for _, program := range []*mpi.Program{
		p.loop(lap(0), wait, lap(2)), p.loop(lap(0), wait, lap(2), mpi.Call{Op: mpi.Decide}),
	} {
		r, err := p.Compile(program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3, Each: true}, {Timed: 7, Each: true}, {Timed: 2},
			{Timed: 1000, Budget: 0.02, Each: true}} {
			m, err := r.Run(n)
			if err != nil {
				return fmt.Errorf("run: %w", err)
			}
			p.sumsUp(m, n)
		}
		r.Close()
	}
	return nil
}

// blocks checks that the times of blocks of loops are those of as many loops each, of all loops but the last ones.
func blocks(p *process) error {
	lap := func(i int) mpi.Call { return mpi.Call{Op: mpi.Lap, Root: i} }
	const least = 20 * time.Microsecond
	wait := mpi.Call{Op: mpi.Compute, Seconds: least.Seconds()}
	for _, program := range []*mpi.Program{p.loop(wait), p.loop(wait, lap(0)), p.loop(wait, mpi.Call{Op: mpi.Decide})} {
		r, err := p.Compile(program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		for _, n := range []mpi.Loops{{Untimed: 2, Timed: 3, Blocks: true}, {Timed: 31, Blocks: true}, {Timed: 2},
			{Untimed: 1, Timed: 32, Blocks: true}, {Timed: 70, Blocks: true, Each: true},
			{Timed: 1000, Budget: 0.01, Blocks: true}} {
			m, err := r.Run(n)
			if err != nil {
				return fmt.Errorf("run: %w", err)
			}
			p.inBlocks(m, n, least)
		}
		r.Close()
	}
	return nil
}

// inBlocks checks the times of blocks of loops that take a time at least.
func (p *process) inBlocks(m mpi.Measurement, n mpi.Loops, least time.Duration) {
	if !n.Blocks {
		if m.Blocks != nil || m.PerBlock != 0 {
			p.errorf("%+v: blocks that nobody wanted: %v", n, m.Blocks)
		}
		return
	}
	want, per := mpi.BlocksOf(m.Loops, func(int64) float64 { return 0 })
	if len(m.Blocks) != len(want) || m.PerBlock != per {
		p.errorf("%+v: %d blocks of %d loops, want %d of %d", n, len(m.Blocks), m.PerBlock, len(want), per)
		return
	}
	for i, seconds := range m.Blocks {
		p.plausible(seconds, time.Duration(per)*least, time.Duration(math.Ceil(m.Seconds*1e9)))
		if of := int64(i) * per; n.Each && len(m.Each) >= int(of+per) {
			if each := sum(m.Each[of : of+per]); math.Abs(each-seconds) > 1e-3 {
				p.errorf("%+v: block %d took %v s, its loops %v s", n, i, seconds, each)
			}
		}
	}
	if all := sum(m.Blocks); all > m.Seconds+1e-9 || m.Loops == per*int64(len(want)) && all < m.Seconds-1e-3 {
		p.errorf("%+v: the blocks took %v of %v s", n, all, m.Seconds)
	}
}

// sumsUp checks the times of loops of 2 ms, which have laps of 1, 0 and 1 ms.
func (p *process) sumsUp(m mpi.Measurement, n mpi.Loops) {
	type times struct {
		name  string
		all   float64
		least time.Duration
		each  []float64
	}
	list := []times{{"loops", m.Seconds, 2 * time.Millisecond, m.Each}}
	for i, lap := range m.Laps {
		list = append(list, times{fmt.Sprint("lap ", i), lap.Seconds, [3]time.Duration{1e6, 0, 1e6}[i%3], lap.Each})
	}
	for _, x := range list {
		switch {
		case !n.Each && x.each != nil:
			p.errorf("%+v: %s have times that nobody wanted: %v", n, x.name, x.each)
		case n.Each && int64(len(x.each)) != m.Loops:
			p.errorf("%+v: %s: %d times of %d loops", n, x.name, len(x.each), m.Loops)
		case n.Each && math.Abs(sum(x.each)-x.all) > 1e-9*float64(m.Loops):
			p.errorf("%+v: %s: the times %v are not %v together", n, x.name, x.each, x.all)
		}
		for _, seconds := range x.each {
			p.plausible(seconds, x.least, time.Duration(math.Ceil(m.Seconds*1e9)))
		}
	}
}

// begins compares the first clock readings of successive runs on all processes.
func begins(p *process) error {
	r, err := p.Compile(p.loop())
	if err != nil {
		return fmt.Errorf("compile: %w", err)
	}
	defer r.Close()
	if c := p.Clock(); !(c.Resolution > 0 && c.Resolution < 1e-3) {
		p.errorf("the clock's resolution is %v s", c.Resolution)
	}
	end := 0.0
	for range 3 {
		m, err := r.Run(mpi.Loops{Untimed: 1, Timed: 2})
		if err != nil {
			return fmt.Errorf("run: %w", err)
		}
		if m.Begin < end+1e-3 {
			p.errorf("a run began at %v s, with 1 ms untimed, and the one before ended at %v s", m.Begin, end)
		}
		end = m.Begin + m.Seconds
		if !p.Clock().Global {
			continue
		}
		// All have left the barrier at the start once the last one has come to it, and that was later than any earlier
		// run.
		last := []float64{end}
		if err := p.world.Allreduce(last, mpi.Max); err != nil {
			return fmt.Errorf("allreduce: %w", err)
		}
		end = last[0]
	}
	return nil
}

// moving is the position of a place that advances. It is a second implementation of mpi.Place.At.
type moving struct{ at int64 }

func (m *moving) next(place mpi.Place) {
	if m.at += place.Advance; m.at+place.Length > place.Space.Size() {
		m.at = place.Offset % place.Advance
	}
}

// advancing lets places advance through memory, which shows their positions in each loop.
func advancing(p *process) error {
	const size = 100
	b, err := p.NewBuffer(size)
	if err != nil {
		return err
	}
	defer b.Free()
	for _, place := range []mpi.Place{
		{Length: 4, Advance: 12}, {Offset: 3, Length: 8, Advance: 16}, {Offset: 40, Length: 12, Advance: 20},
		{Offset: 92, Length: 8, Advance: 8}, {Offset: 7, Length: 1, Advance: 1}, {Length: 60, Advance: 50},
		{Offset: 1, Length: 99, Advance: 5}, {Offset: 96, Length: 4, Advance: 1 << 62},
	} {
		place.Space, place.Mark = b, mpi.Mark{Width: 1, Key: 1, PerLoop: 1}
		program := &mpi.Program{Comm: p.world, Places: []mpi.Place{place}}
		stamp := []mpi.Call{{Op: mpi.Stamp, Send: mpi.One(0)}}
		program.Before, program.Loop, program.After = stamp, stamp, stamp
		r, err := p.Compile(program)
		if err != nil {
			return fmt.Errorf("compile: %w", err)
		}
		m, loop, want := moving{place.Offset}, int64(0), make([]byte, size)
		for _, n := range []mpi.Loops{once, {Untimed: 2, Timed: 3}, {Timed: 9}, once} {
			if err := p.runRight(r, n); err != nil {
				return err
			}
			for range n.Untimed + n.Timed {
				if at := place.At(loop); at != m.at {
					p.errorf("%+v is at %d in loop %d instead of %d", place, at, loop, m.at)
				}
				stampPlace(want, m.at, place, loop)
				loop++
				m.next(place)
			}
			p.same(fmt.Sprintf("after %d loops of %d bytes from %d by %d", loop, place.Length, place.Offset,
				place.Advance), b.Bytes(), want)
		}
		clear(b.Bytes())
		r.Close()
	}
	return nil
}

// stampPlace does the same as Stamp for a place at a position.
func stampPlace(data []byte, at int64, place mpi.Place, loop int64) {
	stamp(data[at:at+place.Length], place.Mark, loop)
}

// advancingMessages sends from advancing places into others, with single messages and with vector calls.
func advancingMessages(p *process) error {
	left, right := neighbours(p.world)
	for _, op := range []mpi.Op{mpi.Sendrecv, mpi.Alltoallv} {
		send, err := p.NewBuffer(100)
		if err != nil {
			return err
		}
		recv, err := p.NewBuffer(70)
		if err != nil {
			return err
		}
		program := &mpi.Program{Comm: p.world, Start: p.world}
		out := mpi.Place{Space: send, Offset: 20, Length: 8, Advance: 24, Peer: right,
			Mark: mpi.Mark{Width: 8, Key: uint64(p.rank), PerLoop: 1000}}
		in := mpi.Place{Space: recv, Length: 8, Advance: 16, Peer: left,
			Mark: mpi.Mark{Width: 8, Key: uint64(left), PerLoop: 1000}}
		from, into := mpi.One(program.Place(out)), mpi.One(program.Place(in))
		program.Call(mpi.Call{Op: mpi.Stamp, Send: from}, mpi.Call{Op: op, Send: from, Recv: into},
			mpi.Call{Op: mpi.Check, Recv: into})
		if err := p.runProgram(program, once, mpi.Loops{Untimed: 2, Timed: 4}); err != nil {
			return fmt.Errorf("%v: %w", op, err)
		}
		want := make([]byte, recv.Size())
		for loop := range int64(7) {
			stampPlace(want, in.At(loop), in, loop)
		}
		p.same(op.String(), recv.Bytes(), want)
		send.Free()
		recv.Free()
	}
	return nil
}

// advancingFile writes and reads at offsets that advance. There are far more loops than would fit into memory if the
// program listed each of them.
func advancingFile(d *folder) error {
	const loops, length = 20, 16
	path := d.file("advancing")
	row := int64(d.size) * length
	b, err := d.NewBuffer(length)
	if err != nil {
		return err
	}
	defer b.Free()
	err = d.withFile(d.world, path, mpi.ReadWrite|mpi.Create, func(f mpi.File) error {
		program := &mpi.Program{Comm: d.world, Start: d.world}
		memory := mpi.One(program.Place(mpi.Place{Space: b, Length: length,
			Mark: mpi.Mark{Width: 8, Key: uint64(d.rank), PerLoop: 1000}}))
		file := mpi.One(program.Place(mpi.Place{Space: f, Offset: int64(d.rank) * length, Length: length,
			Advance: row}))
		program.Loop = []mpi.Call{{Op: mpi.Stamp, Send: memory}, {Op: mpi.FileWriteAt, Send: memory, Recv: file}}
		program.After = []mpi.Call{{Op: mpi.FileSync, Recv: file}, {Op: mpi.Barrier}, {Op: mpi.FileSync, Recv: file}}
		if err := d.runProgram(program, mpi.Loops{Untimed: 5, Timed: 10}, mpi.Loops{Timed: loops - 15}); err != nil {
			return err
		}
		program.Loop = []mpi.Call{{Op: mpi.FileReadAt, Send: file, Recv: memory}, {Op: mpi.Check, Recv: memory}}
		program.After = nil
		return d.runProgram(program, mpi.Loops{Untimed: 3, Timed: loops - 3})
	})
	if err != nil {
		return err
	}
	return d.alone(func() error {
		found, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if int64(len(found)) != loops*row {
			d.errorf("the file has %d bytes instead of %d", len(found), loops*row)
			return nil
		}
		want := make([]byte, loops*row)
		for i := range int64(loops * d.size) {
			stamp(want[i*length:(i+1)*length], mpi.Mark{Width: 8, Key: uint64(i) % uint64(d.size), PerLoop: 1000},
				i/int64(d.size))
		}
		d.same("the file", found, want)
		return nil
	})
}

// advancingWindow puts data into advancing places, all in one epoch that opens before the loops and ends after them.
func advancingWindow(p *process) error {
	return p.withWindow(p.world, 100, func(w *exposed) error {
		left, right := neighbours(p.world)
		program := &mpi.Program{Comm: p.world, Start: p.world}
		from := mpi.Place{Space: w.work, Offset: 4, Length: 8, Advance: 12,
			Mark: mpi.Mark{Width: 8, Key: uint64(p.rank), PerLoop: 1000}}
		into := mpi.Place{Space: w.window, Offset: 8, Length: 8, Advance: 16, Peer: right}
		memory, target := mpi.One(program.Place(from)), mpi.One(program.Place(into))
		fence := []mpi.Call{{Op: mpi.WinFence, Recv: target}}
		program.Before, program.After = fence, fence
		program.Loop = []mpi.Call{{Op: mpi.Stamp, Send: memory}, {Op: mpi.Put, Send: memory, Recv: target}}
		const loops = 5 // no memory twice: a put has not left it before the fence
		if err := p.runProgram(program, mpi.Loops{Timed: loops}); err != nil {
			return err
		}
		want := make([]byte, 100)
		for loop := range int64(loops) {
			stampPlace(want, into.At(loop), mpi.Place{Length: 8, Mark: mpi.Mark{Width: 8, Key: uint64(left),
				PerLoop: 1000}}, loop)
		}
		p.same("the window", w.target.Bytes(), want)
		return p.world.Barrier()
	})
}
