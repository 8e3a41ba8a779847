package findings

import (
	"fmt"
	"math"

	"github.com/effective-bandwidth/beff/ior"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Limits of the rules for tests of files by IOR's method.
const (
	harder     = 1.5 // ratio of easy to hard phases from which on it is worth a sentence
	remembered = 3   // ratio of reading to writing from which on memory may have answered
)

// IOR returns the sentences about a result of IOR's method.
func IOR(r *ior.Result) []string { return of(iorRules, r) }

var iorRules = []Rule[*ior.Result]{
	{"pieces", "an IO500-like set: easy writing has at least 1.5 times the bandwidth of hard writing", pieces},
	{"directories", "an IO500-like set: files without data in own directories are made at least 1.5 times as fast as " +
		"those with data in one", directories},
	{"read from memory", "a test reads at least 3 times as fast as its data were written; the first such test",
		fromMemory},
}

// figureOf returns the bandwidth and the rate of the phase of a test of a set; 0 if it wasn't measured.
func figureOf(r *ior.Result, name string) (bandwidth, rate float64) {
	for _, p := range r.Derived.Phases {
		if r.Tests[p.Test].Name == name {
			return p.Mean, p.Rate
		}
	}
	return 0, 0
}

// pieces compares easy with hard writing.
func pieces(r *ior.Result) string {
	easy, _ := figureOf(r, ior.EasyWrite)
	hard, _ := figureOf(r, ior.HardWrite)
	if !r.Set() || !(hard > 0) || easy < harder*hard {
		return ""
	}
	return fmt.Sprintf("Large transfers to files of their own are written %s times as fast as pieces of 47008 bytes "+
		"of one file: %s against %s.", digits(easy/hard), speed(easy), speed(hard))
}

// directories compares easy with hard creation.
func directories(r *ior.Result) string {
	_, easy := figureOf(r, ior.MetaEasyWrite)
	_, hard := figureOf(r, ior.MetaHardWrite)
	if !r.Set() || !(hard > 0) || easy < harder*hard {
		return ""
	}
	return fmt.Sprintf("Empty files in directories of their own are made %s times as fast as files of 3901 bytes in "+
		"one directory: %.0f against %.0f in a second.", digits(easy/hard), easy, hard)
}

// fromMemory compares reading with writing, where the verdict doesn't say that the nodes' memory has answered.
func fromMemory(r *ior.Result) string {
	part := r.FromMemory()
	if part > rating.MostCached {
		return ""
	}
	of := words.Either(math.IsNaN(part), "of the nodes or of the servers", "of the servers")
	for _, p := range r.Derived.Phases {
		s := &r.Tests[p.Test]
		if p.Access != ior.Read || s.Metadata != nil || s.Scattered {
			continue
		}
		written, _ := figureOf(r, s.Of)
		if w := r.Phase(p.Test, ior.Write); w != nil {
			written = w.Mean
		}
		if written > 0 && p.Mean >= remembered*written {
			return fmt.Sprintf("Reading is %s times as fast as writing: memory may have answered, %s.",
				digits(p.Mean/written), of)
		}
	}
	return ""
}
