package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

const (
	// writeEvery is the time after which the next sample brings all news to the journal. A process that is killed loses
	// no more.
	writeEvery = 500 * time.Millisecond
	// syncPart limits the part of the time in which rank 0 waits until the journal is on the disk: one in so many.
	syncPart = 250
)

// ledger keeps the samples of a run in its journal while it measures. Rank 0 writes between two measurements, because a
// goroutine could disturb one, and waits until what it has written is on the disk. For a slow disk a goroutine waits:
// it sleeps while the disk works.
type ledger[M any] struct {
	file    *journal.File // nil: no files
	since   func(now, before *M) (M, bool)
	kept    M // in the journal
	written time.Time
	synced  time.Time
	cost    time.Duration // of the last sync
	flight  chan synced   // of the goroutine that waits; nil: there is none
}

// synced is how a sync ended, and how long it took.
type synced struct {
	err  error
	cost time.Duration
}

// urgency says why news are to be written.
type urgency int

const (
	inTurn urgency = iota // another sample is known: if it is time to
	atOnce                // a long measurement or a wait begins
	atLast                // nothing comes behind them: they are on the disk when keep returns
)

// keep writes the news of a measurement if it is time to. It reports whether it did.
func (l *ledger[M]) keep(now *M, why urgency) (bool, error) {
	begin := time.Now()
	if l.file == nil || why == inTurn && begin.Sub(l.written) < writeEvery {
		return false, nil
	}
	l.written = begin
	news, some := l.since(now, &l.kept)
	if !some {
		if why == atLast && l.flight != nil {
			return false, l.landed(<-l.flight)
		}
		return false, nil
	}
	if err := l.file.Append(journal.Data, news); err != nil {
		return false, err
	}
	l.kept = *now
	return true, l.sync(why == atLast)
}

// sync brings the journal to the disk, at least soon.
func (l *ledger[M]) sync(wait bool) error {
	if l.flight != nil {
		if !wait && len(l.flight) == 0 {
			return nil // what was written since it began waits for the next one
		}
		if err := l.landed(<-l.flight); err != nil {
			return err
		}
	}
	if wait || time.Since(l.synced) >= syncPart*l.cost {
		return l.landed(l.timed())
	}
	flight := make(chan synced, 1)
	l.flight = flight
	go func() { flight <- l.timed() }()
	return nil
}

// timed returns when the journal is on the disk.
func (l *ledger[M]) timed() synced {
	begin := time.Now()
	err := l.file.Sync()
	return synced{err, time.Since(begin)}
}

// landed takes the outcome of a sync.
func (l *ledger[M]) landed(s synced) error {
	l.flight, l.cost, l.synced = nil, s.cost, time.Now()
	return s.err
}

// head returns the head of the journal.
func (r *recording[M]) head() (journal.Head, error) {
	h := journal.Head{Owner: journal.Owner{PID: os.Getpid()}}
	var document bytes.Buffer
	err := r.files(new(M), r.ending(rating.ErrUnderWay))[0].Write(&document)
	if err != nil {
		return h, err
	}
	h.Document = document.Bytes()
	if h.Owner.Host, err = os.Hostname(); err != nil {
		return h, err
	}
	if h.Decided, err = json.Marshal(r.decided); err != nil {
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
