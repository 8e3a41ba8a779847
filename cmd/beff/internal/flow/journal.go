package flow

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

const (
	// writeEvery is the time after which the next sample causes a write of everything new to the journal. A killed
	// process loses no more than this.
	writeEvery = 500 * time.Millisecond
	// syncPart limits the time that rank 0 waits until the journal is on the disk to 1/syncPart of the run's time.
	syncPart = 250
	// checkEvery is the time between two checks of the journal's name.
	checkEvery = 10 * time.Second
)

// journalWriter keeps the samples of a run in its journal while it measures. Rank 0 writes between two measurements,
// because a goroutine could disturb one, and waits until the data is on the disk. If the disk is slow, a goroutine
// waits instead, which sleeps while the disk works. Any goroutine may call the methods. They wait while another
// goroutine writes.
type journalWriter[M any] struct {
	since func(now, before *M) (M, bool)

	mu      sync.Mutex      // guards the fields below
	out     *publish.Output // without a journal there are no files
	flush   func() error    // syncs the journal to the disk
	kept    M               // the measurement in the journal
	written time.Time
	synced  time.Time
	looked  time.Time
	cost    time.Duration // duration of the last sync
	durable int64         // bytes on the disk
	pending chan synced   // the result of the goroutine that syncs (nil: none)
}

// synced is the result of a sync: its error, its duration, and the size of the journal when it began.
type synced struct {
	err  error
	cost time.Duration
	size int64
}

// writeMode tells keep when to write.
type writeMode int

const (
	whenDue writeMode = iota // another sample is known: write if it is due
	atOnce                   // a long measurement or a wait begins: write now
	atEnd                    // the last write: the data is on the disk when keep returns
)

// begin starts with a journal whose head is written, and with the measurement in it.
func (l *journalWriter[M]) begin(out *publish.Output, since func(now, before *M) (M, bool), kept *M) {
	l.out, l.since, l.looked = out, since, time.Now()
	if kept != nil {
		l.kept = *kept
	}
	if out.Journal != nil {
		l.flush, l.durable = out.Journal.Sync, out.Journal.Size()
	}
}

// keep writes the new part of a measurement if it is due. It reports whether it did.
func (l *journalWriter[M]) keep(now *M, mode writeMode) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	begin := time.Now()
	if l.out == nil || l.out.Journal == nil || mode == whenDue && begin.Sub(l.written) < writeEvery {
		return false, nil
	}
	l.written = begin
	news, some := l.since(now, &l.kept)
	if some {
		if err := l.out.Journal.Append(journal.Data, news); err != nil {
			return false, err
		}
		l.kept = *now
	}
	return some, l.sync(mode == atEnd)
}

// waits writes the times in which a process made no progress.
func (l *journalWriter[M]) waits(list []rating.Wait) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil || l.out.Journal == nil {
		return nil
	}
	if err := l.out.Journal.Append(journal.Waits, list); err != nil {
		return err
	}
	return l.sync(false)
}

// checkName checks now and then, or at once, that the journal still has its name. It returns a message about its
// repair.
func (l *journalWriter[M]) checkName(now bool) (told string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil || l.out.Journal == nil || !now && time.Since(l.looked) < checkEvery {
		return "", nil
	}
	if l.looked = time.Now(); !l.out.Journal.Lost() {
		return "", nil
	}
	if l.pending != nil { // it syncs the old file
		_ = l.syncDone(<-l.pending)
	}
	if told, err = l.out.Reclaim(); err == nil {
		l.durable = l.out.Journal.Size()
	}
	return told, err
}

// sync syncs the journal to the disk: now, or in a goroutine if the disk is slow and wait is false.
func (l *journalWriter[M]) sync(wait bool) error {
	if l.pending != nil {
		if !wait && len(l.pending) == 0 {
			return nil // the next sync covers everything written since this one began
		}
		if err := l.syncDone(<-l.pending); err != nil {
			return err
		}
	}
	switch size := l.out.Journal.Size(); {
	case size == l.durable:
		return nil
	case wait || time.Since(l.synced) >= syncPart*l.cost:
		return l.syncDone(l.timedSync(size))
	default:
		flight := make(chan synced, 1)
		l.pending = flight
		go func() { flight <- l.timedSync(size) }()
		return nil
	}
}

// timedSync syncs the journal, whose size in bytes is given.
func (l *journalWriter[M]) timedSync(size int64) synced {
	begin := time.Now()
	err := l.flush()
	return synced{err, time.Since(begin), size}
}

// syncDone records the result of a sync.
func (l *journalWriter[M]) syncDone(s synced) error {
	l.pending, l.cost, l.synced = nil, s.cost, time.Now()
	if s.err == nil {
		l.durable = s.size
	}
	return s.err
}

// head returns the header of the journal.
func (r *run[M]) head() (journal.Head, error) {
	h := journal.Head{Owner: journal.Owner{PID: os.Getpid()}}
	var document bytes.Buffer
	err := r.benchmark.Report(new(M), r.ending(rating.ErrUnderWay)).Sealed(&document)
	if err != nil {
		return h, err
	}
	h.Document = document.Bytes()
	if h.Owner.Host, err = os.Hostname(); err != nil {
		return h, err
	}
	if h.Decided, err = json.Marshal(r.benchmark.Decided()); err != nil {
		return h, err
	}
	h.Binary, err = ownDigest()
	return h, err
}

// ownDigest returns the SHA-256 of this program in hex.
func ownDigest() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(self)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
