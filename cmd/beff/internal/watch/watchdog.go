// Package watch notices processes that make no progress, with the call, its partners, the measurement and the time. A
// goroutine looks now and then at the snapshots that the engine shows of its processes (mpi.Watchable), and at the
// calls by which this process uses files (FileActivity). It only sleeps and looks: it stops nothing and never writes.
// Another goroutine reports its findings, so a file system that doesn't answer delays neither the looks nor the limit.
//
// Processes report to rank 0 by datagrams next to MPI (Mailbox), because MPI may be stuck. They send nothing while all
// is well.
package watch

import (
	"slices"
	"sync"
	"sync/atomic"
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
	// tooLong times the expected time is too long for a measurement.
	tooLong = 20
)

// Rules determine what the watchdog reports, and when.
type Rules struct {
	Patience time.Duration // the longest time without progress, or of a measurement (0: nothing is reported)
	Limit    time.Duration // the time without progress after which the run ends (0: no limit)
}

func (r Rules) shortest() time.Duration {
	if r.Limit > 0 && (r.Patience == 0 || r.Limit < r.Patience) {
		return r.Limit
	}
	return r.Patience
}

// Events are the functions that a watchdog calls. Each is called after the one before has returned, because they may
// wait for a file system. Expired is the exception.
type Events struct {
	Stalled func(waits []rating.Wait) // these have lasted for longer than the patience
	Resumed func(w rating.Wait)       // a reported wait has ended
	Expired func(w rating.Wait)       // a wait has lasted for longer than the limit; never delayed by other calls
	Waiting func(waits []rating.Wait) // the reported waits that still last, at each look
}

// Watchdog watches the processes that an engine shows.
type Watchdog struct {
	rules  Rules
	look   func() []mpi.Snapshot
	files  *FileActivity
	names  Names
	events Events

	mu           sync.Mutex // guards the fields below; not held during system calls
	stage        rating.Stage
	began        time.Time      // when the stage began
	slowReported bool           // the stage was reported as slow
	seen         []processState // in the order of the snapshots
	atFile       bool           // the first process is in a call on a file
	last         time.Time      // the time of the last look
	waits        []rating.Wait
	waited       time.Duration
	hung         bool
	stopped      chan struct{}
	quiet        chan struct{} // closed after the last report
}

// processState is the state of a process at the last look.
type processState struct {
	sight    mpi.Snapshot
	since    time.Time // it has been there at least since then
	reported bool
	kept     int // index of its wait in the result (-1: not in it)
}

// New returns a watchdog that doesn't watch yet. look returns snapshots of the processes, this one first. files has the
// calls of this process on files. names has the hosts of the ranks.
func New(rules Rules, look func() []mpi.Snapshot, files *FileActivity, names Names, events Events) *Watchdog {
	return &Watchdog{rules: rules, look: look, files: files, names: names, events: events, stopped: make(chan struct{}),
		quiet: make(chan struct{})}
}

// maxPending is the number of looks whose findings may wait while an earlier event function hasn't returned. Findings
// of further looks are dropped.
const maxPending = 16

// Start begins to watch. End ends it.
func (d *Watchdog) Start() {
	d.Tick(time.Now())
	found := make(chan findings, maxPending)
	go func() {
		defer close(d.quiet)
		for n := range found {
			d.report(n)
		}
	}()
	go func() {
		defer close(found)
		if d.rules.shortest() == 0 {
			return
		}
		t := time.NewTicker(min(longestLook, d.rules.shortest()/looks))
		defer t.Stop()
		for {
			select {
			case <-d.stopped:
				return
			case <-t.C:
			}
			n := d.find(time.Now())
			if n.expired != nil {
				go d.events.Expired(*n.expired)
				n.expired = nil
			}
			select {
			case found <- n:
			default:
			}
		}
	}()
}

// End ends the watch. It waits up to a second for the last report.
func (d *Watchdog) End() {
	close(d.stopped)
	select {
	case <-d.quiet:
	case <-time.After(time.Second):
	}
}

// Begin notes the measurement that begins now.
func (d *Watchdog) Begin(s rating.Stage) {
	now := time.Now()
	d.mu.Lock()
	d.stage, d.began, d.slowReported = s, now, false
	d.mu.Unlock()
}

// Waits returns the waits so far. Waits that still last are counted until now.
func (d *Watchdog) Waits() []rating.Wait {
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

// Waited returns the total time of this process's waits that are over.
func (d *Watchdog) Waited() time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.waited
}

// Now returns the current wait of each process.
func (d *Watchdog) Now() []rating.Wait {
	now := time.Now()
	d.Tick(now)
	d.mu.Lock()
	defer d.mu.Unlock()
	return lists.Of(len(d.seen), func(i int) rating.Wait { return d.wait(&d.seen[i], now) })
}

// findings are the findings of one look.
type findings struct {
	stalled, resumed, waiting []rating.Wait
	expired                   *rating.Wait
}

// Tick looks once and reports the findings.
func (d *Watchdog) Tick(now time.Time) { d.report(d.find(now)) }

// find looks once. While this process is in a call on a file, its snapshot shows that call.
func (d *Watchdog) find(now time.Time) findings {
	sights := d.look()
	d.mu.Lock()
	defer d.mu.Unlock()
	what, since := d.files.Now()
	if d.atFile = what != ""; d.atFile {
		sights[0] = mpi.Snapshot{Rank: sights[0].Rank, Call: what, Loop: -1,
			Position: mpi.Position{Calls: uint64(since.UnixNano()), Index: -1}}
	}
	return d.compare(sights, now)
}

// report calls the event functions for the findings.
func (d *Watchdog) report(found findings) {
	if len(found.stalled) > 0 {
		d.events.Stalled(found.stalled)
	}
	for _, w := range found.resumed {
		d.events.Resumed(w)
	}
	if len(found.waiting) > 0 {
		d.events.Waiting(found.waiting)
	}
	if found.expired != nil {
		d.events.Expired(*found.expired)
	}
}

// compare compares snapshots with the snapshots of the last look.
func (d *Watchdog) compare(sights []mpi.Snapshot, now time.Time) (found findings) {
	gap := now.Sub(d.last)
	asleep := !d.last.IsZero() && d.rules.Patience > 0 && gap > d.rules.Patience
	d.last = now
	if len(d.seen) != len(sights) {
		d.seen = make([]processState, len(sights))
		for i := range d.seen {
			d.seen[i] = processState{sight: sights[i], since: now, kept: -1}
		}
		return found
	}
	if asleep { // the state in between isn't known
		found.stalled, d.slowReported = append(found.stalled, d.slept(sights[0].Rank, now, gap)), true
	}
	for i := range d.seen {
		s := &d.seen[i]
		if moved := s.sight.Position != sights[i].Position; moved || asleep {
			d.end(s, now, &found)
			*s = processState{sight: sights[i], since: now, kept: -1}
		}
		d.judge(s, d.stage.Idle && !(d.atFile && i == 0), now, &found)
	}
	if w, slow := d.slow(now); slow && len(found.stalled) == 0 && len(found.waiting) == 0 {
		found.stalled = append(found.stalled, w)
	}
	return found
}

// slow reports whether the current measurement takes far longer than expected, although the process makes progress. It
// does so once for each measurement.
func (d *Watchdog) slow(now time.Time) (w rating.Wait, slow bool) {
	most := max(d.rules.Patience, tooLong*d.stage.Expected)
	if d.rules.Patience == 0 || d.stage.Expected == 0 || d.slowReported || now.Sub(d.began) < most ||
		d.seen[0].since.Before(now) { // it makes no progress, which judge reports
		return w, false
	}
	d.slowReported = true
	w = d.wait(&d.seen[0], now)
	w.Since, w.Seconds, w.Expected = d.began.Round(0), now.Sub(d.began).Seconds(), d.stage.Expected.Seconds()
	d.keep(w)
	return w, true
}

// slept records the wait of this process if it was stopped itself, because the looks are late.
func (d *Watchdog) slept(rank int, now time.Time, gap time.Duration) rating.Wait {
	w := rating.Wait{Rank: rank, Host: d.names.Host(rank), Since: now.Add(-gap).Round(0), Seconds: gap.Seconds(),
		Stopped: true, During: d.during()}
	d.waited += gap
	d.keep(w)
	return w
}

// keep adds a wait to the result's and returns its index, or -1 if the result has no room for it.
func (d *Watchdog) keep(w rating.Wait) int {
	if len(d.waits) == rating.MaxWaits {
		return -1
	}
	d.waits = append(d.waits, w)
	return len(d.waits) - 1
}

// end ends the wait of a process, if it was reported.
func (d *Watchdog) end(s *processState, now time.Time, found *findings) {
	if !s.reported {
		return
	}
	w := d.wait(s, now)
	if s.kept >= 0 {
		d.waits[s.kept].Seconds = w.Seconds
	}
	d.waited += now.Sub(s.since)
	found.resumed = append(found.resumed, w)
}

// judge finds out whether a process has made no progress for longer than the patience. An idle process waits for
// others, as it should.
func (d *Watchdog) judge(s *processState, idle bool, now time.Time, found *findings) {
	still := now.Sub(s.since)
	if still < d.rules.shortest() {
		return
	}
	w := d.wait(s, now)
	if d.rules.Limit > 0 && still >= d.rules.Limit && !d.hung && !idle {
		d.hung = true
		found.expired = &w
	}
	if d.rules.Patience == 0 || still < d.rules.Patience {
		return
	}
	found.waiting = append(found.waiting, w)
	if s.reported || idle {
		return
	}
	s.reported, s.kept, d.slowReported = true, d.keep(w), true
	found.stalled = append(found.stalled, w)
}

// wait returns the wait of a process until now.
func (d *Watchdog) wait(s *processState, now time.Time) rating.Wait {
	rank := s.sight.Rank
	return rating.Wait{Rank: rank, Host: d.names.Host(rank), Since: s.since.Round(0),
		Seconds: now.Sub(s.since).Seconds(),
		Call:    d.names.Call(s.sight), During: d.during()}
}

// during returns a description of the current measurement.
func (d *Watchdog) during() string {
	if d.stage.Words == nil {
		return ""
	}
	return d.stage.Words()
}

// FileActivity is the call by which a process uses its results' files. It may never return, and can't be interrupted.
// FileActivity has no lock, so others can look at it meanwhile. The zero value is in no call.
type FileActivity struct{ activity atomic.Pointer[activity] }

type activity struct {
	what  string
	since time.Time
}

// Do calls do. Its first argument describes the call, such as "writing r.journal".
func (f *FileActivity) Do(what string, do func() error) error {
	before := f.activity.Swap(&activity{what, time.Now()})
	defer f.activity.Store(before)
	return do()
}

// Now returns the description of the current call, and its beginning. It is empty if there is no call.
func (f *FileActivity) Now() (what string, since time.Time) {
	if d := f.activity.Load(); d != nil {
		return d.what, d.since
	}
	return "", time.Time{}
}
