package conformance

import (
	"bytes"
	"math"
)

func buffers(p *process) {
	for _, size := range []int64{0, 1, 7, 8, 4096, 1<<20 + 1} {
		b, err := p.NewBuffer(size)
		p.must(err)
		data := b.Bytes()
		if b.Size() != size || int64(len(data)) != size {
			p.errorf("%d bytes: size %d, %d bytes", size, b.Size(), len(data))
		}
		if !bytes.Equal(data, make([]byte, len(data))) {
			p.errorf("%d bytes are not all zero", size)
		}
		want := make([]byte, len(data))
		fill(want, p.rank, 0, 0)
		copy(data, want)
		if !bytes.Equal(b.Bytes(), want) {
			p.errorf("%d bytes don't keep what is written", size)
		}
		b.Free()
	}
}

// bufferAgain allocates memory again that was freed with data in it: it must be zero.
func bufferAgain(p *process) {
	for range 10 {
		b, err := p.NewBuffer(10000)
		p.must(err)
		if bytes.Count(b.Bytes(), []byte{0}) != 10000 {
			p.errorf("memory that was used before is not zeroed")
		}
		fill(b.Bytes(), 1, 2, 3)
		b.Free()
	}
}

func bufferRefused(p *process) {
	for _, size := range []int64{-1, math.MinInt64, 1 << 62} {
		if b, err := p.NewBuffer(size); err == nil {
			p.errorf("got a buffer of %d bytes: %d", size, b.Size())
		}
	}
}
