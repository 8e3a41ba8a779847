package watch

import (
	"fmt"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

var (
	two   = Names{{Host: "n1", Ranks: "0", Processes: 1}, {Host: "n2", Ranks: "1", Processes: 1}}
	begin = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
)

// fixture is a watchdog with its events, in words.
type fixture struct {
	*Watchdog
	files  FileActivity
	sights []mpi.Snapshot
	heard  []string
}

func newFixture(rules Rules, ranks int) *fixture {
	k := &fixture{sights: make([]mpi.Snapshot, ranks)}
	for i := range k.sights {
		k.sights[i] = mpi.Snapshot{Rank: i, Loop: -1}
	}
	hear := func(event string) func([]rating.Wait) {
		return func(waits []rating.Wait) {
			for _, w := range waits {
				k.heard = append(k.heard, event+" "+w.Words())
			}
		}
	}
	one := func(event string) func(rating.Wait) {
		return func(w rating.Wait) { hear(event)([]rating.Wait{w}) }
	}
	k.Watchdog = New(rules, func() []mpi.Snapshot { return slices.Clone(k.sights) }, &k.files, two,
		Events{Stalled: hear("told"), Resumed: one("over"), Expired: one("hung"), Waiting: hear("look")})
	return k
}

// at looks some seconds after the beginning, and returns the events since the last look.
func (k *fixture) at(seconds float64) []string {
	k.heard = nil
	k.Tick(begin.Add(time.Duration(seconds * float64(time.Second))))
	return k.heard
}

// A process that stays in one call is reported once, shown at each look, and reported again when it makes progress.
func TestStill(t *testing.T) {
	k := newFixture(Rules{Patience: 30 * time.Second}, 1)
	k.stage = rating.Stage{Words: func() string { return "ring-1*2" }}
	k.sights[0] = mpi.Snapshot{Call: "MPI_Sendrecv", With: []int{1}, Bytes: 65536, Loop: 16}
	for s := 0.0; s < 30; s += 2 {
		require.Empty(t, k.at(s), s)
	}
	const words = " in MPI_Sendrecv with rank 1 on n2, 65536 bytes, loop 17, ring-1*2"
	require.Equal(t, []string{"told rank 0 on n1: 30 s" + words, "look rank 0 on n1: 30 s" + words}, k.at(30))
	require.Equal(t, []string{"look rank 0 on n1: 32 s" + words}, k.at(32))
	k.sights[0].Position.Loop++
	require.Equal(t, []string{"over rank 0 on n1: 34 s" + words}, k.at(34))
	require.Empty(t, k.at(36))
	waits := k.Waits()
	require.Len(t, waits, 1)
	require.Equal(t, 34.0, waits[0].Seconds)
	require.Equal(t, begin, waits[0].Since)
	require.Equal(t, 34*time.Second, k.Waited())
}

// A process that makes progress is never reported, however long it runs.
func TestMoving(t *testing.T) {
	k := newFixture(Rules{Patience: 4 * time.Second, Limit: 8 * time.Second}, 1)
	for s := range 100 {
		k.sights[0].Position.Loop++
		require.Empty(t, k.at(float64(s)))
	}
	require.Empty(t, k.Waits())
}

// A measurement that takes 20 times the expected time is reported once, although the process makes progress.
func TestSlow(t *testing.T) {
	for name, c := range map[string]struct {
		expected time.Duration
		told     int // seconds
	}{"patience": {time.Second, 30}, "20 times": {3 * time.Second, 60}} {
		t.Run(name, func(t *testing.T) {
			k := newFixture(Rules{Patience: 30 * time.Second}, 1)
			k.stage, k.began = rating.Stage{Expected: c.expected}, begin
			for s := range 100 {
				k.sights[0].Position.Loop++
				if heard := k.at(float64(s)); s == c.told {
					require.Equal(t, []string{fmt.Sprintf("told rank 0 on n1: %d s instead of the expected %.2g s", s,
						c.expected.Seconds())}, heard)
				} else {
					require.Empty(t, heard, s)
				}
			}
		})
	}
}

// A process that waits for others that measure is not reported, but its messages show that it is alive.
func TestIdle(t *testing.T) {
	k := newFixture(Rules{Patience: 4 * time.Second, Limit: 8 * time.Second}, 1)
	k.stage = rating.Stage{Idle: true}
	for s := 0.0; s < 4; s++ {
		require.Empty(t, k.at(s))
	}
	require.Equal(t, []string{"look rank 0 on n1: 5 s outside of any call"}, k.at(5))
	require.Equal(t, []string{"look rank 0 on n1: 9 s outside of any call"}, k.at(9))
	require.Empty(t, k.Waits())
}

// A process that is in a call on a file for too long is reported with the file, also while others measure. It isn't
// reported as stopped afterwards.
func TestAtFile(t *testing.T) {
	k := newFixture(Rules{Patience: 4 * time.Second, Limit: 8 * time.Second}, 2)
	k.stage = rating.Stage{Idle: true}
	k.sights[0] = mpi.Snapshot{Call: "MPI_Recv", With: []int{1}, Bytes: 8, Loop: 3}
	k.sights[1] = mpi.Snapshot{Rank: 1, Call: "MPI_Allreduce", Loop: -1}
	require.NoError(t, k.files.Do("writing r.journal", func() error {
		for s := 0.0; s < 4; s++ {
			require.Empty(t, k.at(s))
		}
		require.Equal(t, []string{"told rank 0 on n1: 5 s in writing r.journal",
			"look rank 0 on n1: 5 s in writing r.journal", "look rank 1 on n2: 5 s in MPI_Allreduce"}, k.at(5))
		require.Contains(t, k.at(8), "hung rank 0 on n1: 8 s in writing r.journal")
		return nil
	}))
	require.Equal(t, []string{"over rank 0 on n1: 9 s in writing r.journal",
		"look rank 1 on n2: 9 s in MPI_Allreduce"}, k.at(9))
	require.Len(t, k.Waits(), 1)
	require.False(t, k.Waits()[0].Stopped)
}

// If an event function never returns, the looks continue and the limit still counts.
func TestBlockedEvent(t *testing.T) {
	hung, never := make(chan rating.Wait), make(chan int)
	d := New(Rules{Patience: 10 * time.Millisecond, Limit: 50 * time.Millisecond},
		func() []mpi.Snapshot { return make([]mpi.Snapshot, 1) }, &FileActivity{}, two,
		Events{Stalled: func([]rating.Wait) { <-never }, Resumed: func(rating.Wait) {},
			Expired: func(w rating.Wait) { hung <- w; <-never }, Waiting: func([]rating.Wait) { <-never }})
	d.Start()
	defer d.End()
	require.Empty(t, (<-hung).Call)
	for range 3 * maxPending { // more than may be pending
		looked := d.lastLook()
		again := func() bool { return d.lastLook().After(looked) }
		require.Eventually(t, again, time.Minute, time.Millisecond)
	}
}

func (d *Watchdog) lastLook() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.last
}

// Looks that come late mean that the process itself was stopped.
func TestStopped(t *testing.T) {
	k := newFixture(Rules{Patience: 4 * time.Second}, 1)
	k.at(0)
	k.at(1)
	require.Equal(t, []string{"told rank 0 on n1: 60 s stopped, or without a processor"}, k.at(61))
	require.Empty(t, k.at(62), "the time that it was stopped isn't held against it")
	require.Equal(t, 60.0, k.Waits()[0].Seconds)
}

// The limit ends the run once.
func TestLimit(t *testing.T) {
	k := newFixture(Rules{Limit: 4 * time.Second}, 2)
	for s := 0.0; s < 4; s++ {
		require.Empty(t, k.at(s))
	}
	require.Equal(t, []string{"hung rank 0 on n1: 4 s outside of any call"}, k.at(4))
	require.Empty(t, k.at(5))
}

// A result names the first waits, and the watchdog still reports the others.
func TestMostWaits(t *testing.T) {
	k := newFixture(Rules{Patience: 1 * time.Second}, 1)
	const more = rating.MaxWaits + 5
	for i := range more {
		k.sights[0].Position.Calls++
		k.at(float64(2 * i))
		require.Len(t, k.at(float64(2*i+1)), 2)
	}
	k.sights[0].Position.Calls++
	require.Len(t, k.at(2*more), 1)
	require.Len(t, k.Waits(), rating.MaxWaits)
	for _, w := range k.Waits() {
		require.Equal(t, 2.0, w.Seconds)
	}
}

// Ranks of one host that wait in the same call share a line.
func TestLines(t *testing.T) {
	wait := func(rank int, call string, seconds float64) rating.Wait {
		return rating.Wait{Rank: rank, Host: "n1", Call: call, Seconds: seconds}
	}
	require.Equal(t, []string{"ranks 0,2-4 on n1: 41 s in MPI_Barrier", "rank 1 on n1: 41 s in MPI_File_write"},
		Lines([]rating.Wait{wait(0, "MPI_Barrier", 41.1), wait(1, "MPI_File_write", 41), wait(2, "MPI_Barrier", 41.2),
			wait(3, "MPI_Barrier", 41.2), wait(4, "MPI_Barrier", 41)}))
}

// A line names only as many partners of a call as fit.
func TestCall(t *testing.T) {
	require.Equal(t, "MPI_Waitall with rank 0 on n1, rank 1 on n2, rank 0 on n1, rank 1 on n2 and 2 more, 8 bytes",
		two.Call(mpi.Snapshot{Call: "MPI_Waitall", With: []int{0, 1, 0, 1, 0, 1}, Bytes: 8, Loop: -1}))
	require.Equal(t, "MPI_File_read on /scratch/f, 8 bytes, loop 3",
		two.Call(mpi.Snapshot{Call: "MPI_File_read", Path: "/scratch/f", Bytes: 8, Loop: 2}))
	require.Empty(t, two.Call(mpi.Snapshot{Bytes: 8}))
}

// The summary counts the waits in each call, and names the ranks that don't answer. In a large job, in which not each
// rank prints its own wait, it also names those of the calls in which few wait.
func TestSummary(t *testing.T) {
	var waits []rating.Wait
	for rank := range 1024 {
		if rank != 17 {
			waits = append(waits, rating.Wait{Rank: rank, Call: "MPI_Allreduce"})
		}
	}
	waits[0].Call = "MPI_Sendrecv with rank 1 on n1"
	names := Names{job.Placement{Host: "n3", Ranks: "0-1023", Processes: 1024}}
	require.Equal(t, "1023 of 1024 ranks wait (1022 in MPI_Allreduce, 1 in MPI_Sendrecv: rank 0); rank 17 on n3 "+
		"doesn't answer",
		Summary(1024, waits, names))
	require.Equal(t, "2 of 2 ranks wait (1 in MPI_Allreduce, 1 in MPI_Sendrecv)", Summary(2, waits[:2], names))
	require.Equal(t, "1 of 4 ranks wait (1 in MPI_Sendrecv); ranks 1-3 don't answer", Summary(4, waits[:1], names))
	waits[0].Call = "writing r.journal"
	require.Equal(t, "1 of 1 ranks wait (1 in writing r.journal)", Summary(1, waits[:1], names))
	require.Contains(t, Summary(1024, waits[:1], names), "; 1023 ranks don't answer, such as 1-8")
}

// Rank 0 accepts messages only with its token.
func TestMailbox(t *testing.T) {
	var heard atomic.Int32
	p, err := Listen(true, func(rating.Wait) { heard.Add(1) })
	require.NoError(t, err)
	defer p.Close()
	require.Equal(t, "127.0.0.1", p.conn.LocalAddr().(*net.UDPAddr).IP.String(), "nobody else can speak to it")
	require.Equal(t, []string{"127.0.0.1"}, p.Address.Hosts)
	require.Len(t, p.Address.Token, 26)
	for _, token := range []string{"", "x", p.Address.Token[1:], "x" + p.Address.Token[1:]} {
		forged := p.Address
		forged.Token = token
		forged.Send([]rating.Wait{{Rank: 2}})
	}
	sent := []rating.Wait{{Rank: 1, Host: "n2", Call: "MPI_Recv", Seconds: 41}, {Rank: 3}}
	var got []rating.Wait // forged ones would come first
	require.Eventually(t, func() bool {
		p.Address.Send(sent)
		got = p.Waits()
		return len(got) >= len(sent) && int(heard.Load()) >= len(sent)
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, sent, got)
}
