package local

import "bytes"

// The ranks share their memory, so a one-sided call is the origin's own copy. It is complete when it returns, and the
// target takes no part. Calls on elements hold the lock of the target's part. Put and Get take no lock, because the
// outcome of conflicting accesses is undefined (MPI 4.1, 12.7). So the calls that open, close or flush an epoch have
// nothing to wait for. They order the origin's stores. As in all engines, the target sees the stores after a message or
// barrier from the origin.

// onWindow returns a call that calls do if the window exists.
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

// accumulate combines the elements of the first place in memory into the target. A second place gets the previous
// elements of the target.
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

// synchronize orders the rank's stores before all later ones.
func synchronize(x *runner, rec *record) error {
	if err := rec.into[0].window.check(rec.op); err != nil {
		return err
	}
	x.rank.ordered.Store(true) // an atomic exchange, which is a full memory barrier
	return x.rank.world.check()
}

// handshake sends or receives the message by which two ranks synchronize a window.
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
