package local

import "bytes"

// The ranks share their memory, so a one-sided call is the origin's own copy. It is complete when it returns, and the
// target takes no part. Calls on elements hold the lock of the target's part. Put and Get take none: those that
// conflict are undefined (MPI 4.1, 12.7). So the calls that open, close or flush an epoch have nothing to wait for.
// They order the origin's stores. The target sees them after the message or barrier that tells it of them, as in all
// engines.

// onWindow returns a call that does some work on a window that exists.
func onWindow(do func(rec *record)) func(*runner, *record) error {
	return func(x *runner, rec *record) error {
		if err := rec.into[0].window.check(rec.op); err != nil {
			return err
		}
		do(rec)
		return nil
	}
}

func put(rec *record) { copyPlace(rec.into[0], rec.from[0]) }

func get(rec *record) { copyPlace(rec.from[0], rec.into[0]) }

// accumulate combines elements. Of several places in memory the first has them, and the second gets the earlier ones.
func accumulate(rec *record) {
	target, origin := rec.into[0], rec.from[0]
	mu := &target.window.parts[target.peer].mu
	mu.Lock()
	defer mu.Unlock()
	if len(rec.from) > 1 {
		copy(rec.from[1].data, target.data)
	}
	combiners[origin.kind](rec.call.Reduce, target.data, origin.data)
}

func compareAndSwap(rec *record) {
	target, value, compare, result := rec.into[0], rec.from[0], rec.from[1], rec.from[2]
	mu := &target.window.parts[target.peer].mu
	mu.Lock()
	defer mu.Unlock()
	copy(result.data, target.data)
	if bytes.Equal(result.data, compare.data) {
		copy(target.data, value.data)
	}
}

// synchronize orders the rank's stores before all that follow.
func synchronize(x *runner, rec *record) error {
	if err := rec.into[0].window.check(rec.op); err != nil {
		return err
	}
	x.rank.ordered.Store(true) // an exchange, which is a full barrier of the processor
	return x.rank.world.check()
}

// handshake sends or awaits the message by which a window is synchronized.
func handshake(x *runner, rec *record) error {
	if err := synchronize(x, rec); err != nil {
		return err
	}
	return exchange(x, rec)
}

func fence(x *runner, rec *record) error {
	w := rec.into[0].window
	if err := w.check(rec.op); err != nil {
		return err
	}
	return w.comm.meet()
}

func createWindow(_ *runner, rec *record) error { return rec.into[0].window.Create() }

func freeWindow(_ *runner, rec *record) error { return rec.into[0].window.Free() }
