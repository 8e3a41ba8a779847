// Package slowfs shows a directory through FUSE, with reads and writes that take a set time. It stands for a file
// system with a server whose times, calls, bytes and stalls are known.
package slowfs

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Step is the time that one call in Each takes.
type Step struct {
	Takes time.Duration
	Each  int64
}

// Steps parses text such as 10ms,40ms/10,200ms/100: a call takes 10 ms, each tenth 40 ms, each hundredth 200 ms.
func Steps(text string) (list []Step, err error) {
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		s := Step{Each: 1}
		takes, each, slower := strings.Cut(word, "/")
		if s.Takes, err = time.ParseDuration(takes); err != nil {
			return nil, err
		}
		if slower {
			if _, err = fmt.Sscan(each, &s.Each); err != nil || s.Each < 1 {
				return nil, fmt.Errorf("%s: want a time and a number, such as 40ms/10", word)
			}
		}
		list = append(list, s)
	}
	return list, nil
}

// Server serves a directory, and counts its reads and writes and their bytes.
type Server struct {
	Steps  []Step // the last step that applies to a call sets its time
	Direct bool   // bypass the page cache: each call of a program goes to the server

	Reads, Writes, BytesRead, BytesWritten atomic.Int64
	calls                                  atomic.Int64
	stalled                                sync.RWMutex
	*fuse.Server
}

// Mount shows a directory at a place, until Unmount.
func (s *Server) Mount(directory, at string) error {
	var st syscall.Stat_t
	if err := syscall.Stat(directory, &st); err != nil {
		return err
	}
	root := &fs.LoopbackRoot{Path: directory, Dev: uint64(st.Dev)}
	top := s.node(root)
	root.RootNode = top
	second := time.Second
	server, err := fs.Mount(at, top, &fs.Options{AttrTimeout: &second, EntryTimeout: &second,
		MountOptions: fuse.MountOptions{FsName: directory, Name: "slowfs", AllowOther: os.Getuid() == 0,
			MaxWrite: 1 << 20, DisableSplice: true, ExplicitDataCacheControl: true,
			DirectMount: os.Getuid() == 0}})
	s.Server = server
	return err
}

// Stall makes all calls wait for a time.
func (s *Server) Stall(long time.Duration) {
	s.stalled.Lock()
	time.Sleep(long)
	s.stalled.Unlock()
}

// call calls do, and returns when the call's set time is over. It doesn't sleep for the last part, because sleeping
// takes longer than asked.
func (s *Server) call(do func()) {
	const spun = 300 * time.Microsecond
	begin, n, takes := time.Now(), s.calls.Add(1), time.Duration(0)
	s.stalled.RLock()
	//lint:ignore SA2001 this waits until no stall is left
	s.stalled.RUnlock()
	do()
	for _, step := range s.Steps {
		if n%step.Each == 0 {
			takes = step.Takes
		}
	}
	time.Sleep(takes - time.Since(begin) - spun)
	for time.Since(begin) < takes {
		continue
	}
}

// handle is an open file. It hides the real file, to which the kernel would pass calls directly.
type handle struct{ calls }

type calls interface {
	fs.FileReader
	fs.FileWriter
	fs.FileGetattrer
	fs.FileSetattrer
	fs.FileReleaser
	fs.FileFlusher
	fs.FileFsyncer
	fs.FileLseeker
	fs.FileAllocater
}

// hidden returns the handle of an opened file.
func hidden(f fs.FileHandle) fs.FileHandle {
	if c, is := f.(calls); is {
		return handle{c}
	}
	return f
}

// node is a file or a directory.
type node struct {
	fs.LoopbackNode
	server *Server
}

// node returns a node of a served directory.
func (s *Server) node(root *fs.LoopbackRoot) *node {
	return &node{LoopbackNode: fs.LoopbackNode{RootData: root}, server: s}
}

// WrapChild returns a node in place of the one that package fs created for a name in this directory.
func (n *node) WrapChild(_ context.Context, ops fs.InodeEmbedder) fs.InodeEmbedder {
	return n.server.node(ops.(*fs.LoopbackNode).RootData)
}

// flags returns how an opened file is cached.
func (s *Server) flags() uint32 {
	if s.Direct {
		return fuse.FOPEN_DIRECT_IO
	}
	return fuse.FOPEN_KEEP_CACHE
}

// Open opens a file.
func (n *node) Open(ctx context.Context, flags uint32) (fs.FileHandle, uint32, syscall.Errno) {
	f, _, errno := n.LoopbackNode.Open(ctx, flags)
	return hidden(f), n.server.flags(), errno
}

// Create creates a file.
func (n *node) Create(ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut) (*fs.Inode,
	fs.FileHandle, uint32, syscall.Errno) {
	i, f, _, errno := n.LoopbackNode.Create(ctx, name, flags, mode, out)
	return i, hidden(f), n.server.flags(), errno
}

// Read reads from a file, in its set time.
func (n *node) Read(ctx context.Context, f fs.FileHandle, to []byte, at int64) (r fuse.ReadResult,
	errno syscall.Errno) {
	n.server.call(func() {
		if r, errno = f.(fs.FileReader).Read(ctx, to, at); errno == 0 {
			data, status := r.Bytes(to)
			r, errno = fuse.ReadResultData(data), syscall.Errno(status)
			n.server.Reads.Add(1)
			n.server.BytesRead.Add(int64(len(data)))
		}
	})
	return r, errno
}

// Write writes to a file, in its set time.
func (n *node) Write(ctx context.Context, f fs.FileHandle, data []byte, at int64) (written uint32,
	errno syscall.Errno) {
	n.server.call(func() { written, errno = f.(fs.FileWriter).Write(ctx, data, at) })
	n.server.Writes.Add(1)
	n.server.BytesWritten.Add(int64(written))
	return written, errno
}
