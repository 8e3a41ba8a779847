// Package watch notices processes that don't go on: which call, which partners, which measurement, for how long. A
// goroutine looks now and then at what the engine shows of its processes (mpi.Watchable), and at what this process does
// with files (Filing). It sleeps in between, stops nothing, and never writes: another one tells what it has seen. So a
// file system that doesn't answer stops neither the looks nor the limit.
//
// Processes tell each other of it by datagrams beside MPI (Post), because MPI may be what is stuck. Nothing is sent
// while all is well.
package watch

import (
	"slices"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/rating"
)

const (
	// longestLook is the time between two looks. Each takes some 20 µs of a core.
	longestLook = 2 * time.Second
	// looks is the least number of looks within the patience.
	looks = 4
	// tooLong is how often a measurement may take the expected time.
	tooLong = 20
)

// Rules says what is told, and when.
type Rules struct {
	Patience time.Duration // without a move, or of a measurement; 0: nothing is told
	Limit    time.Duration // without a move, which ends the run; 0: none
}

// every returns the time between two looks.
func (r Rules) every() time.Duration { return min(longestLook, r.shortest()/looks) }

func (r Rules) shortest() time.Duration {
	if r.Limit > 0 && (r.Patience == 0 || r.Limit < r.Patience) {
		return r.Limit
	}
	return r.Patience
}

// Events are the functions that a dog calls. All but Hung may wait for a file system: none is called before the one
// before it has returned.
type Events struct {
	Told func(waits []rating.Wait) // these have lasted for longer than the patience
	Over func(w rating.Wait)       // a told one has ended
	Hung func(w rating.Wait)       // one has lasted for longer than the limit; called at once, whatever else waits
	Look func(waits []rating.Wait) // those that were told and still last, at each look
}

// Dog watches the processes that an engine shows.
type Dog struct {
	rules  Rules
	look   func() []mpi.Sight
	filing *Filing
	names  Names
	events Events

	mu       sync.Mutex // guards what follows; held for no call of the system
	stage    rating.Stage
	began    time.Time // of the stage
	slowTold bool      // of the stage
	seen     []seen    // by the order of the sights
	atFile   bool      // the first one is at a file
	last     time.Time // look
	waits    []rating.Wait
	waited   time.Duration
	hung     bool
	stopped  chan struct{}
	quiet    chan struct{} // closed when nothing is told any more
}

// seen is one process as it was last seen.
type seen struct {
	sight mpi.Sight
	since time.Time // it is there at least since then
	told  bool
	kept  int // index of its wait in the result; -1: there is none
}

// New returns a dog that doesn't watch yet. Look returns sights of the processes, this one first. Filing is what this
// process does with files. names gives the words of a rank's host.
func New(rules Rules, look func() []mpi.Sight, filing *Filing, names Names, events Events) *Dog {
	return &Dog{rules: rules, look: look, filing: filing, names: names, events: events, stopped: make(chan struct{}),
		quiet: make(chan struct{})}
}

// untold is the number of looks whose news may wait until those before are told. News behind them are dropped: whoever
// tells doesn't return.
const untold = 16

// Start begins to watch, until End.
func (d *Dog) Start() {
	d.Tick(time.Now())
	found := make(chan news, untold)
	go func() {
		defer close(d.quiet)
		for n := range found {
			d.tell(n)
		}
	}()
	go func() {
		defer close(found)
		if d.rules.shortest() == 0 {
			return
		}
		t := time.NewTicker(d.rules.every())
		defer t.Stop()
		for {
			select {
			case <-d.stopped:
				return
			case <-t.C:
			}
			n := d.see(time.Now())
			if n.hung != nil {
				go d.events.Hung(*n.hung)
				n.hung = nil
			}
			select {
			case found <- n:
			default:
			}
		}
	}()
}

// End ends the watch. It waits a moment for what is being told.
func (d *Dog) End() {
	close(d.stopped)
	select {
	case <-d.quiet:
	case <-time.After(time.Second):
	}
}

// Begin notes the measurement that begins now.
func (d *Dog) Begin(s rating.Stage) {
	now := time.Now()
	d.mu.Lock()
	d.stage, d.began, d.slowTold = s, now, false
	d.mu.Unlock()
}

// Waits returns the waits so far, those that last until now.
func (d *Dog) Waits() []rating.Wait {
	d.mu.Lock()
	defer d.mu.Unlock()
	list := slices.Clone(d.waits)
	for i := range d.seen {
		if s := &d.seen[i]; s.kept >= 0 {
			list[s.kept].Seconds = time.Since(s.since).Seconds()
		}
	}
	return list
}

// Waited returns the time of this process' waits that are over.
func (d *Dog) Waited() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waited
}

// Now returns what each process is in at this moment.
func (d *Dog) Now() []rating.Wait {
	now := time.Now()
	d.Tick(now)
	d.mu.Lock()
	defer d.mu.Unlock()
	return lists.Of(len(d.seen), func(i int) rating.Wait { return d.wait(&d.seen[i], now) })
}

// news is what one look has found.
type news struct {
	told, over, last []rating.Wait
	hung             *rating.Wait
}

// Tick looks once, and tells what it has seen.
func (d *Dog) Tick(now time.Time) { d.tell(d.see(now)) }

// see looks once. While this process is at a file, that is what its sight shows.
func (d *Dog) see(now time.Time) news {
	sights := d.look()
	d.mu.Lock()
	defer d.mu.Unlock()
	what, since := d.filing.Now()
	if d.atFile = what != ""; d.atFile {
		sights[0] = mpi.Sight{Rank: sights[0].Rank, Call: what, Loop: -1,
			Moment: mpi.Moment{Calls: uint64(since.UnixNano()), Index: -1}}
	}
	return d.compare(sights, now)
}

// tell passes on what a look has found.
func (d *Dog) tell(found news) {
	if len(found.told) > 0 {
		d.events.Told(found.told)
	}
	for _, w := range found.over {
		d.events.Over(w)
	}
	if len(found.last) > 0 {
		d.events.Look(found.last)
	}
	if found.hung != nil {
		d.events.Hung(*found.hung)
	}
}

// compare compares sights with the last ones.
func (d *Dog) compare(sights []mpi.Sight, now time.Time) (found news) {
	gap := now.Sub(d.last)
	asleep := !d.last.IsZero() && d.rules.Patience > 0 && gap > d.rules.Patience
	d.last = now
	if len(d.seen) != len(sights) {
		d.seen = make([]seen, len(sights))
		for i := range d.seen {
			d.seen[i] = seen{sight: sights[i], since: now, kept: -1}
		}
		return found
	}
	if asleep { // nothing is known of the time in between
		found.told, d.slowTold = append(found.told, d.slept(sights[0].Rank, now, gap)), true
	}
	for i := range d.seen {
		s := &d.seen[i]
		if moved := s.sight.Moment != sights[i].Moment; moved || asleep {
			d.end(s, now, &found)
			*s = seen{sight: sights[i], since: now, kept: -1}
		}
		d.judge(s, d.stage.Idle && !(d.atFile && i == 0), now, &found)
	}
	if w, slow := d.slow(now); slow && len(found.told) == 0 && len(found.last) == 0 {
		found.told = append(found.told, w)
	}
	return found
}

// slow reports whether the measurement under way takes far longer than expected, although the process goes on. It tells
// of each measurement once.
func (d *Dog) slow(now time.Time) (w rating.Wait, slow bool) {
	most := max(d.rules.Patience, tooLong*d.stage.Expected)
	if d.rules.Patience == 0 || d.stage.Expected == 0 || d.slowTold || now.Sub(d.began) < most ||
		d.seen[0].since.Before(now) { // it hasn't moved: that is another matter
		return w, false
	}
	d.slowTold = true
	w = d.wait(&d.seen[0], now)
	w.Since, w.Seconds, w.Expected = d.began.Round(0), now.Sub(d.began).Seconds(), d.stage.Expected.Seconds()
	d.keep(w)
	return w, true
}

// slept keeps the wait of a process that was stopped itself: the looks are late.
func (d *Dog) slept(rank int, now time.Time, gap time.Duration) rating.Wait {
	w := rating.Wait{Rank: rank, Host: d.names.Host(rank), Since: now.Add(-gap).Round(0), Seconds: gap.Seconds(),
		Stopped: true, During: d.during()}
	d.waited += gap
	d.keep(w)
	return w
}

// keep adds a wait to those of the result and returns its index, or -1 if there is no room.
func (d *Dog) keep(w rating.Wait) int {
	if len(d.waits) == rating.MostWaits {
		return -1
	}
	d.waits = append(d.waits, w)
	return len(d.waits) - 1
}

// end ends the wait of a process, if it was told.
func (d *Dog) end(s *seen, now time.Time, found *news) {
	if !s.told {
		return
	}
	w := d.wait(s, now)
	if s.kept >= 0 {
		d.waits[s.kept].Seconds = w.Seconds
	}
	d.waited += now.Sub(s.since)
	found.over = append(found.over, w)
}

// judge tells of a process that hasn't moved for longer than the patience. One that is idle waits for others, and is
// right to do so.
func (d *Dog) judge(s *seen, idle bool, now time.Time, found *news) {
	still := now.Sub(s.since)
	if still < d.rules.shortest() {
		return
	}
	w := d.wait(s, now)
	if d.rules.Limit > 0 && still >= d.rules.Limit && !d.hung && !idle {
		d.hung = true
		found.hung = &w
	}
	if d.rules.Patience == 0 || still < d.rules.Patience {
		return
	}
	found.last = append(found.last, w)
	if s.told || idle {
		return
	}
	s.told, s.kept, d.slowTold = true, d.keep(w), true
	found.told = append(found.told, w)
}

// wait returns the words of a process at this moment.
func (d *Dog) wait(s *seen, now time.Time) rating.Wait {
	rank := s.sight.Rank
	return rating.Wait{Rank: rank, Host: d.names.Host(rank), Since: s.since.Round(0),
		Seconds: now.Sub(s.since).Seconds(),
		Call:    d.names.Call(s.sight), During: d.during()}
}

// during returns the measurement under way.
func (d *Dog) during() string {
	if d.stage.Words == nil {
		return ""
	}
	return d.stage.Words()
}
