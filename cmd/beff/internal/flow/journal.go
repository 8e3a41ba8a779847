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
	// writeEvery is the time after which the next sample brings all news to the journal. A process that is killed loses
	// no more.
	writeEvery = 500 * time.Millisecond
	// syncPart limits the part of the time in which rank 0 waits until the journal is on the disk: one in so many.
	syncPart = 250
	// lookEvery is the time after which the journal's name is looked for again.
	lookEvery = 10 * time.Second
)

// journalWriter keeps the samples of a run in its journal while it measures. Rank 0 writes between two measurements,
// because a goroutine could disturb one, and waits until what it has written is on the disk. For a slow disk a
// goroutine waits: it sleeps while the disk works. Any goroutine may call its methods, but waits while another one
// writes.
type journalWriter[M any] struct {
	since func(now, before *M) (M, bool)

	mu      sync.Mutex      // guards what follows
	out     *publish.Output // its journal is nil: no files
	flush   func() error    // brings the journal to the disk
	kept    M               // in the journal
	written time.Time
	synced  time.Time
	looked  time.Time
	cost    time.Duration // of the last sync
	durable int64         // bytes that are on the disk
	flight  chan synced   // of the goroutine that waits; nil: there is none
}

// synced is how a sync ended, how long it took, and the bytes that were there when it began.
type synced struct {
	err  error
	cost time.Duration
	size int64
}

// severity says why news are to be written.
type severity int

const (
	inTurn severity = iota // another sample is known: if it is time to
	atOnce                 // a long measurement or a wait begins
	atLast                 // nothing comes behind them: they are on the disk when keep returns
)

// begin takes a journal whose head is written, and what it has.
func (l *journalWriter[M]) begin(out *publish.Output, since func(now, before *M) (M, bool), kept *M) {
	l.out, l.since, l.looked = out, since, time.Now()
	if kept != nil {
		l.kept = *kept
	}
	if out.Journal != nil {
		l.flush, l.durable = out.Journal.Sync, out.Journal.Size()
	}
}

// keep writes the news of a measurement if it is time to. It reports whether it did.
func (l *journalWriter[M]) keep(now *M, why severity) (bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	begin := time.Now()
	if l.out == nil || l.out.Journal == nil || why == inTurn && begin.Sub(l.written) < writeEvery {
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
	return some, l.sync(why == atLast)
}

// waits writes the times in which a process didn't go on.
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

// look sees now and then, or at once, that the journal still has its name. It returns the words for what it did.
func (l *journalWriter[M]) look(now bool) (told string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.out == nil || l.out.Journal == nil || !now && time.Since(l.looked) < lookEvery {
		return "", nil
	}
	if l.looked = time.Now(); !l.out.Journal.Lost() {
		return "", nil
	}
	if l.flight != nil { // it has the old file
		_ = l.landed(<-l.flight)
	}
	if told, err = l.out.Look(); err == nil {
		l.durable = l.out.Journal.Size()
	}
	return told, err
}

// sync brings the journal to the disk, at least soon.
func (l *journalWriter[M]) sync(wait bool) error {
	if l.flight != nil {
		if !wait && len(l.flight) == 0 {
			return nil // what was written since it began waits for the next one
		}
		if err := l.landed(<-l.flight); err != nil {
			return err
		}
	}
	switch size := l.out.Journal.Size(); {
	case size == l.durable:
		return nil
	case wait || time.Since(l.synced) >= syncPart*l.cost:
		return l.landed(l.timed(size))
	default:
		flight := make(chan synced, 1)
		l.flight = flight
		go func() { flight <- l.timed(size) }()
		return nil
	}
}

// timed returns when so many bytes of the journal are on the disk.
func (l *journalWriter[M]) timed(size int64) synced {
	begin := time.Now()
	err := l.flush()
	return synced{err, time.Since(begin), size}
}

// landed takes the outcome of a sync.
func (l *journalWriter[M]) landed(s synced) error {
	l.flight, l.cost, l.synced = nil, s.cost, time.Now()
	if s.err == nil {
		l.durable = s.size
	}
	return s.err
}

// head returns the head of the journal.
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
