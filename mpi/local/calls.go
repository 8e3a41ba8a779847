package local

import (
	"fmt"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// calls has a row for each call that needs a function other than its family in callOf.
var calls = map[mpi.Op]func(*runner, *record) error{
	mpi.Nop:           nop,
	mpi.ThreadBarrier: nop,
	mpi.Walk:          walk,
	mpi.Stamp:         stamp,
	mpi.Check:         check,
	mpi.Compute:       compute,
	mpi.Exploit:       exploit,
	mpi.Compare:       compareOwn,
	mpi.Copy:          copyOwn,
	mpi.Combine:       combineOwn,
	mpi.PsendInit:     nop, // Pready starts the message; see partsOf
	mpi.Pready:        begin,
	mpi.PreadyRange:   begin,
	mpi.Parrived:      arrived,
	mpi.Wait:          complete,
	mpi.Waitall:       complete,
	mpi.FreeRequest:   nop, // the request is part of the program
	mpi.MakeRequest:   nop,
	mpi.Test:          test,
	mpi.Barrier:       barrier,
	mpi.Lap:           lap,
	mpi.Decide:        decide,
	mpi.StopOnSignal:  stopOnSignal,
	mpi.TouchSend:     touchSend,
	mpi.TouchRecv:     touchRecv,

	mpi.DupFree: dupFree,

	mpi.Put:            onWindow(put),
	mpi.Get:            onWindow(get),
	mpi.Rput:           onWindow(put),
	mpi.Rget:           onWindow(get),
	mpi.Accumulate:     onWindow(accumulate),
	mpi.GetAccumulate:  onWindow(accumulate),
	mpi.FetchAndOp:     onWindow(accumulate),
	mpi.CompareAndSwap: onWindow(compareAndSwap),
	mpi.WinCreate:      createWindow,
	mpi.WinFree:        freeWindow,
	mpi.WinFence:       fence,
	mpi.WinPost:        handshake,
	mpi.WinStart:       handshake,
	mpi.WinComplete:    handshake,
	mpi.WinWait:        handshake,

	mpi.FileWriteAt:      atOffset,
	mpi.FileWriteAtAll:   atOffsetAll,
	mpi.FileWrite:        atPointer,
	mpi.FileWriteAll:     atPointerAll,
	mpi.FileWriteShared:  atShared,
	mpi.FileWriteOrdered: inOrder,
	mpi.FileReadAt:       atOffset,
	mpi.FileReadAtAll:    atOffsetAll,
	mpi.FileRead:         atPointer,
	mpi.FileReadAll:      atPointerAll,
	mpi.FileReadShared:   atShared,
	mpi.FileReadOrdered:  inOrder,
	mpi.FileSync:         syncFile,
	mpi.FileOpen:         openFile,
	mpi.FileClose:        closeFile,
	mpi.FileDelete:       onPath,
	mpi.FileSetSize:      onPath,
}

// callOf returns the function that runs a call, or nil if the engine doesn't support it. A persistent call runs like
// the nonblocking call. Collective calls in which each process names its peers are messages. Nonblocking file calls do
// their work at once. The second half of a split call does all the work, which the standard allows (MPI 4.1, 14.4.5),
// because no other thread would do it in the meantime.
func callOf(op mpi.Op) func(*runner, *record) error {
	if do := calls[op]; do != nil {
		return do
	}
	switch op.Family() {
	case mpi.PointToPoint:
		if op.Starts() {
			return begin
		}
		return exchange
	case mpi.WindowState:
		return synchronize
	case mpi.Collective:
		if op.PerPeer() {
			return exchange
		}
		if op = op.Blocking(); moves[op] != nil {
			return collective
		}
	case mpi.NonblockingCollective:
		if op.PerPeer() {
			return begin
		}
		return startCollective
	case mpi.SplitBegin:
		return nop
	case mpi.OnPath:
		return onPath
	case mpi.SplitEnd, mpi.FileNonblocking, mpi.FileData:
		op = op.Blocking()
	}
	return calls[op]
}

func nop(*runner, *record) error { return nil }

func walk(_ *runner, rec *record) error {
	for _, p := range rec.from {
		p.walk()
	}
	for _, p := range rec.into {
		p.walk()
	}
	return nil
}

func stamp(x *runner, rec *record) error {
	for _, p := range rec.from {
		p.mark.stamp(p.data, x.loop)
	}
	return nil
}

func check(x *runner, rec *record) error {
	for _, p := range rec.into {
		wrong, list := p.mark.check(p.data, x.loop)
		x.differ(p, wrong, list)
	}
	return nil
}

// differ counts wrong chunks of a place, and keeps the first mismatches of a run.
func (x *runner) differ(p *place, wrong int64, list []mpi.Mismatch) {
	if x.wrong += wrong; len(list) > 0 && x.mismatches == nil {
		x.mismatches = new([]mpi.Mismatch)
	}
	for _, m := range list {
		if m.Rank, m.Place = x.rank.number, p.index; len(*x.mismatches) < mpi.MaxMismatches {
			*x.mismatches = append(*x.mismatches, m)
		}
	}
}

// compute keeps the core busy.
func compute(x *runner, rec *record) error {
	for begin := time.Now(); time.Since(begin).Seconds() < rec.seconds; {
		if err := x.rank.world.check(); err != nil {
			return err
		}
	}
	return nil
}

// compareOwn checks the bytes between marks.
func compareOwn(x *runner, rec *record) error {
	p := rec.into[0]
	wrong, list := p.mark.compare(rec.from[0].data, p.data, x.loop)
	x.differ(p, wrong, list)
	return nil
}

func copyOwn(_ *runner, rec *record) error {
	copy(rec.into[0].data, rec.from[0].data)
	return nil
}

func combineOwn(_ *runner, rec *record) error {
	from := rec.from[0]
	combinersOf(from.kind, from.layout != nil)(rec.call.Reduce, rec.into[0].data, from.data)
	return nil
}

// touchSend writes the first byte of each line of the places.
func touchSend(_ *runner, rec *record) error {
	value := byte(rec.call.Tag)
	for _, p := range rec.from {
		for i := 0; i < len(p.data); i += mpi.Line {
			p.data[i] = value
		}
	}
	return nil
}

// touchRecv reads the first byte of each line of the places. It keeps their sum, because the compiler would leave out
// unused loads.
func touchRecv(x *runner, rec *record) error {
	for _, p := range rec.into {
		for i := 0; i < len(p.data); i += mpi.Line {
			x.touched += p.data[i]
		}
	}
	return nil
}

func barrier(_ *runner, rec *record) error { return rec.comm.meet() }

// dupFree gives the members' copy of their group a new context, and meets once more in that copy to free it.
func dupFree(_ *runner, rec *record) error {
	c := rec.comm
	if c.number == 0 {
		c.group.renewCopy()
	}
	if err := c.meet(); err != nil {
		return err
	}
	if c.copy == nil {
		c.copy = newComm(c.group.copy, c.rank, c.number)
	}
	return c.copy.meet()
}

func lap(x *runner, rec *record) error {
	if !x.timing {
		return nil
	}
	now := time.Since(x.begin)
	spent := (now - x.lapped).Seconds()
	x.lapped = now
	l := &x.laps[rec.root]
	if l.loop != x.loop {
		l.loop, l.Last = x.loop, 0
	}
	l.Seconds += spent
	l.Last += spent
	if i := x.loop - x.first; i < int64(len(l.Each)) {
		l.Each[i] += spent
	}
	if l.Tally != nil {
		l.Tally.Add(spent, 1, now.Seconds(), x.loop-x.first)
	}
	return nil
}

// decide is a barrier at which all ranks get the root's decision: whether another loop follows, and in which loop the
// root decides again.
func decide(x *runner, rec *record) error {
	if x.timing && x.done < x.decision {
		return nil
	}
	c := rec.comm
	until := &c.group.until[c.group.round.Load()%2] // by the parity of this barrier, which can't end without this rank
	if c.number == rec.root {
		*until = 1
		if x.timing {
			*until = x.until(x.done + 1)
		}
	}
	if err := c.meet(); err != nil {
		return err
	}
	x.ended = x.ended || *until == 0
	if x.timing {
		x.decision = x.done + *until
	}
	return nil
}

// exchange begins and completes the messages of a blocking call, all at the same time.
func exchange(x *runner, rec *record) error {
	x.rank.begin(rec)
	return complete(x, rec)
}

func begin(x *runner, rec *record) error {
	x.rank.begin(rec)
	return nil
}

// begin posts the receives first, so that messages find them.
func (r *rank) begin(rec *record) {
	for _, q := range rec.recvs {
		r.post(q)
	}
	for _, s := range rec.sends {
		r.start(s)
	}
}

// test makes progress with all messages. A completed request stays open until a Wait.
func test(x *runner, _ *record) error {
	x.rank.progress()
	return x.rank.world.check()
}

// arrived waits for a message, which the Wait of its receive completes.
func arrived(x *runner, rec *record) error {
	for _, q := range rec.recvs {
		if err := x.rank.await(q); err != nil {
			return err
		}
	}
	return nil
}

func complete(x *runner, rec *record) error {
	for _, q := range rec.recvs {
		if err := x.rank.await(q); err != nil {
			return err
		}
		if q.length > q.place.length {
			text := fmt.Sprintf("message of %d bytes for a place of %d", q.length, q.place.length)
			return x.rank.comm.fail(rec.op.String(), errTruncate, text)
		}
	}
	for _, s := range rec.sends {
		if err := x.rank.await(s); err != nil {
			return err
		}
	}
	for _, q := range rec.waits {
		if err := x.rank.finish(q, rec.op); err != nil {
			return err
		}
	}
	return nil
}

// order is the order of the matrix that Exploit multiplies with a vector (IMB guide 4.0, "Exploiting CPU").
const order = 100

// exploited is the data of an Exploit call.
type exploited struct {
	times  int64
	matrix [order][order]float32
	vector [order]float32
	result [order]float32
}

// newExploited returns data whose products are normal numbers (no subnormal ones, which are slow).
func newExploited(times int64) *exploited {
	e := &exploited{times: times}
	for i := range order {
		e.vector[i] = 1 + float32(i)/order
		for j := range order {
			e.matrix[i][j] = float32(1+(i+j)%7) / order
		}
	}
	return e
}

func exploit(x *runner, rec *record) error {
	for range rec.exploited.times {
		if err := x.rank.world.check(); err != nil {
			return err
		}
		rec.exploited.multiply()
	}
	return nil
}

// multiply computes result = matrix * vector by columns, which suits vector units: successive additions are to
// different elements of the result, so none waits for the previous one.
func (e *exploited) multiply() {
	e.result = [order]float32{}
	for j := range order {
		column, factor := &e.matrix[j], e.vector[j]
		for i := range order {
			e.result[i] += column[i] * factor
		}
	}
}
