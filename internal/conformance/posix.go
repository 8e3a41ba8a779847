package conformance

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// posixOps are the calls that programs have of a file of the C library.
var posixOps = ops(mpi.FileWriteAt, mpi.FileReadAt, mpi.FileSync, mpi.PathCreate)

// filePOSIX writes and reads a file that all processes share by the C library's calls, each at its own offsets.
func filePOSIX(d *folder) {
	const loops, length = 20, 24
	self, err := d.world.Split(d.rank, 0)
	d.must(err)
	path := d.file("posix")
	memory := mpi.Place{Space: d.buffer(length), Length: length,
		Mark: mpi.Mark{Width: 8, Key: uint64(d.rank) << 32, PerLoop: 7}}
	moves := func(f mpi.File, offset int64, calls ...mpi.Call) mpi.Measurement {
		file := mpi.Place{Space: f, Offset: offset, Length: length, Advance: int64(d.size) * length}
		m := d.run(d.compile(&mpi.Program{Comm: self, Start: self, Places: []mpi.Place{memory, file}, Loop: calls}),
			mpi.Loops{Timed: loops})
		if m.Wrong > 0 {
			d.errorf("%d wrong data", m.Wrong)
		}
		return m
	}
	all := func(m mpi.Measurement) {
		if m.Failure != nil || m.Loops != loops {
			d.errorf("%d of %d loops: %v", m.Loops, loops, m.Failure)
		}
	}
	fails := func(call string, m mpi.Measurement) {
		if m.Failure == nil || m.Failure.Rank != d.rank || m.Failure.Call != call ||
			!strings.HasPrefix(m.Failure.Text, path+": ") || strings.Contains(m.Failure.Text, "I/O error") {
			d.errorf("%v: want a failure of %s on rank %d with the path", m.Failure, call, d.rank)
		}
	}
	mine, end := int64(d.rank)*length, int64(loops*d.size)*length
	write := mpi.Call{Op: mpi.FileWriteAt, Send: mpi.One(0), Recv: mpi.One(1)}
	read := mpi.Call{Op: mpi.FileReadAt, Send: mpi.One(1), Recv: mpi.One(0)}
	d.withFile(self, path, mpi.POSIX|mpi.Create|mpi.ReadWrite, func(f mpi.File) {
		all(moves(f, mine, mpi.Call{Op: mpi.Stamp, Send: mpi.One(0)}, write,
			mpi.Call{Op: mpi.FileSync, Recv: mpi.One(1)}))
		d.must(f.Sync())
		d.must(d.world.Barrier())
		if n, err := f.Length(); err != nil || n != end {
			d.errorf("%d bytes instead of %d: %v", n, end, err)
		}
	})
	data, err := os.ReadFile(path)
	d.must(err)
	for i := range int64(loops) {
		want := bytes.Repeat([]byte{0}, length)
		stamp(want, memory.Mark, i)
		at := mine + i*int64(d.size)*length
		if got := data[at : at+length]; !bytes.Equal(got[:8], want[:8]) || !bytes.Equal(got[16:], want[16:]) {
			d.errorf("loop %d has other data in the file", i)
		}
	}
	d.withFile(self, path, mpi.POSIX|mpi.ReadOnly, func(f mpi.File) {
		all(moves(f, mine, read, mpi.Call{Op: mpi.Check, Recv: mpi.One(0)}))
		fails("pread", moves(f, end, read))
		fails("pwrite", moves(f, end, write))
	})
	for at, mode := range map[string]mpi.FileMode{path: mpi.Create | mpi.Exclusive | mpi.ReadWrite,
		d.file("missing"): mpi.ReadOnly, d.file("missing/file"): mpi.Create | mpi.ReadWrite} {
		_, err := d.files.OpenFile(self, at, mpi.POSIX|mode, nil)
		if failed := (*mpi.Error)(nil); !errors.As(err, &failed) || failed.Call != "open" ||
			!strings.Contains(failed.Text, at) || strings.Contains(failed.Text, "I/O error") {
			d.errorf("opening %s: %v", at, err)
		}
	}
	d.must(d.world.Barrier())
	d.must(self.Free())
}
