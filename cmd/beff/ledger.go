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
	// syncPart limits the part of the time in which the journal is brought to the disk: one in so many.
	syncPart = 250
)

// ledger keeps the samples of a run in its journal while it measures. It has no goroutine, which could disturb a
// measurement: rank 0 writes between two of them.
type ledger[M any] struct {
	file    *journal.File // nil: no files
	since   func(now, before *M) (M, bool)
	kept    M // in the journal
	written time.Time
	synced  time.Time
	cost    time.Duration // of the last sync
}

// keep writes the news of a measurement if it is time to, or if it is the last. It reports whether it did.
func (l *ledger[M]) keep(now *M, last bool) (bool, error) {
	begin := time.Now()
	if l.file == nil || !last && begin.Sub(l.written) < writeEvery {
		return false, nil
	}
	l.written = begin
	news, some := l.since(now, &l.kept)
	if !some {
		return false, nil
	}
	if err := l.file.Append(journal.Data, news); err != nil {
		return false, err
	}
	l.kept = *now
	if begin.Sub(l.synced) < syncPart*l.cost && !last {
		return true, nil
	}
	begin = time.Now()
	err := l.file.Sync()
	l.synced = time.Now()
	l.cost = l.synced.Sub(begin)
	return true, err
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
