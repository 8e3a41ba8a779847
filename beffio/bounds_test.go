package beffio_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/patterns"
)

// early returns a result of one process that ended before its first pattern.
func early(t testing.TB) *beffio.Result {
	r := made(t, config())
	r.Complete, r.Processes, r.Partitions, r.Samples, r.Files = false, 1, []int{1}, nil, nil
	r.Ended = "stopped"
	return r
}

// counted returns a result that counts and lists some wrong chunks of pattern 3 as read on 2 processes.
func counted(t testing.TB, errors int) *beffio.Result {
	r := made(t, config())
	for i := range r.Samples {
		if s := &r.Samples[i]; s.Partition == 0 && s.Access == beffio.Read && s.Pattern == 3 {
			s.Errors = int64(errors)
		}
	}
	for range errors {
		r.Errors = append(r.Errors, wrong()...)
	}
	return r
}

type result = beffio.Result

// side changes a figure of a result to one side of a bound.
type side func(*result)

// bounds holds the two sides of bounds of one kind of result: the last value that is allowed and the first one that is
// refused. If allowed is nil, the unchanged result is at the bound.
type bounds map[string]struct{ allowed, refused side }

func (b bounds) try(t *testing.T, from func() *result) {
	for name, c := range b {
		t.Run(name, func(t *testing.T) {
			r := from()
			if c.allowed != nil {
				c.allowed(r)
			}
			require.NoError(t, r.Check())
			r = from()
			c.refused(r)
			require.Error(t, r.Check())
		})
	}
}

// No run has fewer processes than one, more memory than 2^60 bytes, or more than 10 partitions (release 2.1).
func TestBoundsOfHead(t *testing.T) {
	ten := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	bounds{
		"processes": {nil, func(r *result) { r.Processes = 0 }},
		"many processes": {func(r *result) { r.Processes = math.MaxInt32 },
			func(r *result) { r.Processes = math.MaxInt32 + 1 }},
		"a byte of memory": {func(r *result) { r.MemoryPerProcess = 1 }, func(r *result) { r.MemoryPerProcess = 0 }},
		"total memory":     {func(r *result) { r.TotalMemory = 0 }, func(r *result) { r.TotalMemory = -1 }},
		"much total memory": {func(r *result) { r.TotalMemory = 1 << 60 },
			func(r *result) { r.TotalMemory = 1<<60 + 1 }},
		"limit":     {func(r *result) { r.MaxBytes = 0 }, func(r *result) { r.MaxBytes = -1 }},
		"size":      {func(r *result) { r.FileSystem.Size = 0 }, func(r *result) { r.FileSystem.Size = -1 }},
		"free":      {func(r *result) { r.FileSystem.Free = 0 }, func(r *result) { r.FileSystem.Free = -1 }},
		"inodes":    {func(r *result) { r.FileSystem.FreeFiles = 0 }, func(r *result) { r.FileSystem.FreeFiles = -1 }},
		"duration":  {func(r *result) { r.Duration = 1e-300 }, func(r *result) { r.Duration = 0 }},
		"for years": {func(r *result) { r.Duration = 1e12 }, func(r *result) { r.Duration = 1.01e12 }},
		"wall":      {func(r *result) { r.WallSeconds = 1e12 }, func(r *result) { r.WallSeconds = 1.01e12 }},
		"partitions": {func(r *result) { r.Processes, r.Partitions = 11, ten },
			func(r *result) { r.Processes, r.Partitions = 11, append([]int{11}, ten...) }},
		"partition": {func(r *result) { r.Processes, r.Partitions = 2, []int{1, 2} },
			func(r *result) { r.Processes, r.Partitions = 2, []int{1, 3} }},
		"no process": {nil, func(r *result) { r.Partitions = []int{0} }},
		"hints": {func(r *result) {
			scatter := patterns.Scatter
			r.Hints = []beffio.HintRule{{Type: &scatter, Access: beffio.Write, Processes: 1}}
		}, func(r *result) {
			none := patterns.IOType(-1)
			r.Hints = []beffio.HintRule{{Type: &none, Access: beffio.Write, Processes: 1}}
		}},
		"hints in force": {func(r *result) {
			r.HintsInForce = []beffio.HintsInForce{{Access: beffio.Rewrite, Type: "scatter"}}
		}, func(r *result) { r.HintsInForce = []beffio.HintsInForce{{Access: beffio.Rewrite, Type: "shared"}} }},
	}.try(t, func() *result { return early(t) })
}

// sampled changes sample 7: the initial write of pattern 7, with chunks of 1 MB and 8 kB, 1056768 bytes.
func sampled(change func(*beffio.Sample)) side { return func(r *result) { change(&r.Samples[7]) } }

// filled changes sample 33: the initial write of the pattern that fills up segments.
func filled(change func(*beffio.Sample)) side { return func(r *result) { change(&r.Samples[33]) } }

// addPass adds another pass of a sample. A negative sample is counted from the last one.
func addPass(sample, pass int) side {
	return func(r *result) {
		s := r.Samples[(sample+len(r.Samples))%len(r.Samples)]
		s.Pass = pass
		r.Samples = append(r.Samples, s)
	}
}

// A sample's bytes follow from its calls, except for rounding in sums of float64, 1e-12. Parts of the time may be
// negative or longer than the whole by a nanosecond, by which clock readings differ. Only read has passes, up to a
// thousand. A call that fills up moves less than 1 MB.
func TestBoundsOfSamples(t *testing.T) {
	const chunk, calls = 1<<20 + 8<<10, 1_000_000
	millions := func(off int64) side {
		return sampled(func(s *beffio.Sample) { s.Repetitions, s.Calls, s.Bytes = 1, calls, calls*chunk+off })
	}
	fill := func(repetitions, calls, bytes int64) side {
		return filled(func(s *beffio.Sample) { s.Repetitions, s.Calls, s.Bytes = repetitions, calls, bytes })
	}
	last := func(io, last float64) side {
		return sampled(func(s *beffio.Sample) { s.IO, s.LastIO = io, last })
	}
	file := func(of, pass int) side {
		return func(r *result) {
			f := r.Files[(of+len(r.Files))%len(r.Files)]
			f.Pass = pass
			r.Files = append(r.Files, f)
		}
	}
	bounds{
		"a byte off":     {millions(1), millions(2)},
		"a byte less":    {millions(-1), millions(-2)},
		"nothing filled": {fill(0, 0, 0), fill(0, 0, 1)},
		"filled":         {fill(2, 2, 2<<20-1), fill(2, 2, 2<<20)},
		"calls":          {fill(2, 2, 8), fill(3, 2, 8)},
		"no calls":       {fill(0, 2, 8), fill(-1, 2, 8)},
		"no bytes":       {fill(1, 2, 0), fill(1, 2, -1)},
		"own calls":      {nil, sampled(func(s *beffio.Sample) { s.Repetitions = 0 })},
		"years": {sampled(func(s *beffio.Sample) { s.Seconds = 1e12 }),
			sampled(func(s *beffio.Sample) { s.Seconds = 1.01e12 })},
		"years of share": {sampled(func(s *beffio.Sample) { s.Scheduled = 1e12 }),
			sampled(func(s *beffio.Sample) { s.Scheduled = 1.01e12 })},
		"rate": {sampled(func(s *beffio.Sample) { s.Seconds = 42270720e-30 * 1.01 }),
			sampled(func(s *beffio.Sample) { s.Seconds = 42270720e-30 * 0.99 })},
		"share": {sampled(func(s *beffio.Sample) { s.Scheduled = 0 }),
			sampled(func(s *beffio.Sample) { s.Scheduled = -1 })},
		"last call":        {last(1, 1+1.9e-9), last(1, 1+2.1e-9)},
		"last of nothing":  {last(0, 1e-9), last(0, 1.1e-9)},
		"last of a minute": {last(1000, 1000+1.0005e-6), last(1000, 1000+1.01e-6)},
		"passes":           {addPass(-1, 999), addPass(-1, 1000)},
		"second pass":      {addPass(-1, 1), addPass(-1, -1)},
		"written again":    {nil, addPass(0, 1)},
		"file's passes":    {file(-1, 999), file(-1, 1000)},
		"file's pass":      {file(-1, 1), file(-1, -1)},
		"file written":     {nil, file(0, 1)},
		"opened": {func(r *result) { r.Files[3].Open = 1e12 },
			func(r *result) { r.Files[3].Open = 1.01e12 }},
		"closed": {func(r *result) { r.Files[3].Close = 0 }, func(r *result) { r.Files[3].Close = -1 }},
	}.try(t, func() *result { return made(t, config()) })
	bounds{
		"all errors": {func(r *result) { r.Samples[7].Errors, r.Samples[8].Errors = math.MaxInt64-2, 1 },
			func(r *result) { r.Samples[7].Errors, r.Samples[8].Errors = math.MaxInt64-2, 2 }},
	}.try(t, func() *result { return counted(t, 1) }) // the sample of pattern 3 has one
	for name, part := range map[string]func(*beffio.Sample) *float64{
		"marks":        func(s *beffio.Sample) *float64 { return &s.Marks },
		"io":           func(s *beffio.Sample) *float64 { s.LastIO = -1e-9; return &s.IO },
		"barrier":      func(s *beffio.Sample) *float64 { return &s.Barrier },
		"broadcast":    func(s *beffio.Sample) *float64 { return &s.Broadcast },
		"sync":         func(s *beffio.Sample) *float64 { return &s.Sync },
		"last io":      func(s *beffio.Sample) *float64 { return &s.LastIO },
		"last barrier": func(s *beffio.Sample) *float64 { return &s.LastBarrier },
	} {
		bounds{name: {sampled(func(s *beffio.Sample) { *part(s) = -1e-9 }),
			sampled(func(s *beffio.Sample) { *part(s) = -1.1e-9 })}}.try(t,
			func() *result { return made(t, config()) })
	}
}

// A result lists at most 32 wrong chunks for each of 20 patterns, as numbers of 16 hexadecimal digits. A sample must
// count each.
func TestBoundsOfErrors(t *testing.T) {
	first := func(change func(*beffio.DataError)) side { return func(r *result) { change(&r.Errors[0]) } }
	bounds{
		"number": {nil, func(r *result) { *r = *counted(t, 641) }},
		"rank":   {nil, first(func(e *beffio.DataError) { e.Rank = 2 })},
		"rank 0": {first(func(e *beffio.DataError) { e.Rank = 0 }),
			first(func(e *beffio.DataError) { e.Rank = -1 })},
		"repetition": {nil, first(func(e *beffio.DataError) { e.Repetition = -1 })},
		"chunk":      {nil, first(func(e *beffio.DataError) { e.Chunk = -1 })},
		"offset":     {nil, first(func(e *beffio.DataError) { e.Offset = -1 })},
		"expected": {first(func(e *beffio.DataError) { e.Expected = "0x0123456789abcdef" }),
			first(func(e *beffio.DataError) { e.Expected = "0x0123456789abcdef0" })},
		"found": {first(func(e *beffio.DataError) { e.Found = "0xf" }),
			first(func(e *beffio.DataError) { e.Found = "0x" })},
		"partition": {nil, first(func(e *beffio.DataError) { e.Partition = 1 })},
		"access":    {nil, first(func(e *beffio.DataError) { e.Access = beffio.Write })},
		"pattern":   {nil, first(func(e *beffio.DataError) { e.Pattern = 4 })},
		"place":     {nil, first(func(e *beffio.DataError) { e.Partition = 2 })},
	}.try(t, func() *result { return counted(t, 640) })
	bounds{"one": {nil, func(r *result) {
		for i := range r.Samples {
			r.Samples[i].Errors = 0
		}
	}}}.try(t, func() *result { return counted(t, 1) })
}
