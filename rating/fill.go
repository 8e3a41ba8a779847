package rating

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/effective-bandwidth/beff/mpi"
)

// Fill takes memory from other uses, such as the page cache. It returns a buffer of this many bytes. No two pages have
// the same contents, so that no system merges them. For 0 bytes it returns nil.
func Fill(e mpi.Engine, bytes int64) (mpi.Buffer, error) {
	if bytes == 0 {
		return nil, nil
	}
	memory, err := e.NewBuffer(bytes)
	if err != nil {
		return nil, fmt.Errorf("filling memory: %w", err)
	}
	data, page, random := memory.Bytes(), os.Getpagesize(), rand.New(rand.NewPCG(uint64(e.World().Rank()), 0))
	for at := 0; at+8 <= len(data); at += page {
		binary.LittleEndian.PutUint64(data[at:], random.Uint64())
	}
	return memory, nil
}
