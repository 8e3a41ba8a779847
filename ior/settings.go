package ior

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/rating"
)

// Access is a phase of a test.
type Access string

// The phases, in the order in which they are measured: of tests of data the first two; of metadata one of all.
const (
	Write  Access = "write" // of metadata: files are made
	Read   Access = "read"
	Stat   Access = "stat"
	Delete Access = "delete"
	Find   Access = "find"
)

// Accesses lists the phases in measuring order.
func Accesses() []Access { return []Access{Write, Read, Stat, Delete, Find} }

// API names the calls that move the data.
type API string

// The interfaces.
const (
	MPIIO API = "MPIIO"
	POSIX API = "POSIX"
)

// Settings holds what a user chooses of a test.
type Settings struct {
	// What the test is for: empty, or a phase of an IO500-like set.
	Name string `json:"name,omitempty"`
	// MPIIO: by MPI_File_write_at and its kin. POSIX: by pwrite and its kin.
	API API `json:"api" jsonschema:"enum=MPIIO,enum=POSIX"`
	// Bytes of a transfer: one call. This and the next two are left out of tests of metadata.
	Transfer int64 `json:"transfer,omitempty" jsonschema:"minimum=1"`
	// Bytes of a block, which a process moves in adjacent transfers.
	Block int64 `json:"block,omitempty" jsonschema:"minimum=1"`
	// Blocks of each process.
	Segments int64 `json:"segments,omitempty" jsonschema:"minimum=1"`
	// Left out of tests of data.
	Metadata *Metadata `json:"metadata,omitempty"`
	// How often the test is made.
	Repetitions int `json:"repetitions" jsonschema:"minimum=1"`
	// Each process has a file of its own.
	FilePerProcess bool `json:"file_per_process,omitempty"`
	// Collective calls.
	Collective bool `json:"collective,omitempty"`
	// The order of a process' transfers within a block is random, the same in each.
	Random bool `json:"random,omitempty"`
	// It is random over all transfers of the process.
	Scattered bool `json:"scattered,omitempty"`
	// Of the random order.
	Seed uint64 `json:"seed,omitempty" jsonschema:"minimum=0"`
	// Reading process r reads what process r + shift has written, modulo the processes.
	Shift int `json:"shift,omitempty" jsonschema:"minimum=0"`
	// The same in nodes, as it was asked for.
	ShiftNodes int `json:"shift_nodes,omitempty" jsonschema:"minimum=0"`
	// Data are brought to the device at the end of writing, within its time; of metadata by sync.
	Sync bool `json:"fsync,omitempty"`
	// After each transfer, too.
	SyncEach bool `json:"fsync_each,omitempty"`
	// Barriers between opening, moving and closing.
	Barriers bool `json:"barriers,omitempty"`
	// The file is written.
	Write bool `json:"write,omitempty"`
	// The file is read.
	Read bool `json:"read,omitempty"`
	// The file stays.
	Keep bool `json:"keep,omitempty"`
	// The file may be there already.
	Existing bool `json:"existing,omitempty"`
	// Seconds after which a phase ends; 0: it moves all.
	Stonewall float64 `json:"stonewall,omitempty" jsonschema:"minimum=0"`
	// After that, all processes go on to the largest number of transfers that one has made.
	WearOut bool `json:"wear_out,omitempty"`
	// Files are dropped from the memory of the nodes before they are read.
	Cold bool `json:"cold,omitempty"`
	// Bytes of memory that each process fills, and keeps during the test.
	Filled int64 `json:"filled,omitempty" jsonschema:"minimum=0"`
	// What is read is compared with what was written.
	Compare bool `json:"compare,omitempty"`
	// Name of the test that has written the files that are read; empty: this one, or another run.
	Of string `json:"of,omitempty"`
	// Path of the file, as it was given.
	File string `json:"file"`
}

// Metadata holds what a test of metadata has: calls on many files, as mdtest makes them.
type Metadata struct {
	// The only phase of the test.
	Phase Access `json:"phase" jsonschema:"enum=write,enum=read,enum=stat,enum=delete,enum=find"`
	// Files of each process, at most.
	Items int64 `json:"items" jsonschema:"minimum=1"`
	// Of each file.
	Bytes int64 `json:"bytes,omitempty" jsonschema:"minimum=0"`
	// Each process has a directory of its own; else all share one.
	Own bool `json:"own_directories,omitempty"`
}

const (
	// unit is what a transfer is a multiple of.
	unit = 8
	// most bounds what all processes move, so that sums stay finite.
	most = 1 << 62
	// mostRepetitions bounds those of a test.
	mostRepetitions = 10000
	// longest bounds times, in seconds.
	longest = 1e9
)

// Check returns an error for a test that can't be made.
func (s *Settings) Check(processes int) error {
	if s.Metadata != nil {
		return s.checkMetadata(processes)
	}
	switch {
	case s.API != MPIIO && s.API != POSIX:
		return fmt.Errorf("unknown interface %q: want %s or %s", s.API, MPIIO, POSIX)
	case s.API == POSIX && s.Collective:
		return errors.New("collective calls are those of MPIIO: leave out -c, or give -a MPIIO")
	case s.Transfer < unit || s.Transfer%unit != 0 || s.Transfer > math.MaxInt32/2:
		return fmt.Errorf("transfers of %d bytes: want a multiple of %d, less than 1 GiB", s.Transfer, unit)
	case s.Block < s.Transfer || s.Block%s.Transfer != 0:
		return fmt.Errorf("blocks of %d bytes: want a multiple of the transfer's %d", s.Block, s.Transfer)
	case s.Segments < 1 || s.Block > most/s.Segments || s.Block*s.Segments > most/int64(max(processes, 1)):
		return fmt.Errorf("%d segments of %d bytes on %s", s.Segments, s.Block, rating.Processes(processes))
	case s.Repetitions < 1 || s.Repetitions > mostRepetitions:
		return fmt.Errorf("%d repetitions: want 1 to %d", s.Repetitions, mostRepetitions)
	case s.Shift < 0 || s.ShiftNodes < 0 || s.Shift > 0 && s.Shift >= processes:
		return fmt.Errorf("readers shifted by %d of %s", s.Shift, rating.Processes(processes))
	case !(s.Stonewall >= 0) || s.Stonewall > longest || s.WearOut && s.Stonewall == 0:
		return fmt.Errorf("a stonewall of %v s, with wear-out: %t", s.Stonewall, s.WearOut)
	case !s.Write && !s.Read:
		return errors.New("nothing to write and nothing to read")
	case s.Random && s.Block == s.Transfer && s.Segments > 1:
		return errors.New("the order is random within a block, of several transfers: give a longer -b, or -z -z")
	case s.Random && s.Scattered:
		return errors.New("the order is random within a block, or over all")
	case (s.Random || s.Scattered) && s.Collective:
		return errors.New("collective calls in random order are not made: leave out -c or -z")
	case s.SyncEach && s.Stonewall > 0 && s.API == MPIIO && !s.FilePerProcess:
		return errors.New("processes that end at their own time can't sync a file together: leave out -Y or -D")
	case s.Filled < 0 || s.Filled > most:
		return fmt.Errorf("each process fills %d bytes of memory", s.Filled)
	case s.File == "":
		return errors.New("no file")
	}
	return nil
}

// checkMetadata is Check of a test of metadata.
func (s *Settings) checkMetadata(processes int) error {
	m := s.Metadata
	switch {
	case !slices.Contains(Accesses(), m.Phase):
		return fmt.Errorf("unknown phase of metadata %q", m.Phase)
	case m.Items < 1 || m.Items > most/int64(max(processes, 1)):
		return fmt.Errorf("%d files of each of %s", m.Items, rating.Processes(processes))
	case m.Bytes < 0 || m.Bytes > math.MaxInt32/2 || m.Bytes > most/int64(max(processes, 1))/m.Items:
		return fmt.Errorf("%d files of %d bytes on %s", m.Items, m.Bytes, rating.Processes(processes))
	case s.API != POSIX || s.Transfer != 0 || s.Block != 0 || s.Segments != 0 || s.Repetitions != 1,
		s.Write || s.Read:
		return errors.New("a test of metadata has no transfers and one repetition, by POSIX")
	case !(s.Stonewall >= 0) || s.Stonewall > longest || s.WearOut != (s.Stonewall > 0):
		return fmt.Errorf("a stonewall of %v s, with wear-out: %t", s.Stonewall, s.WearOut)
	case s.Shift < 0 || s.Shift > 0 && s.Shift >= processes:
		return fmt.Errorf("processes shifted by %d of %s", s.Shift, rating.Processes(processes))
	case s.Of == "" && m.Phase != Write:
		return errors.New("files of no test")
	case s.File == "":
		return errors.New("no file")
	}
	return nil
}

// Measures reports whether the test has a phase.
func (s *Settings) Measures(a Access) bool {
	if s.Metadata != nil {
		return a == s.Metadata.Phase
	}
	return a == Write && s.Write || a == Read && s.Read
}

// Transfers returns the number of transfers of each process: of metadata those of its files.
func (s *Settings) Transfers() int64 {
	switch {
	case s.Metadata != nil:
		return s.Metadata.Items
	case s.Transfer == 0:
		return 0
	}
	return s.Segments * (s.Block / s.Transfer)
}

// unitBytes returns the bytes that an operation of a phase moves.
func (s *Settings) unitBytes(a Access) int64 {
	switch {
	case s.Metadata == nil:
		return s.Transfer
	case a == Write || a == Read:
		return s.Metadata.Bytes
	}
	return 0
}

// Bytes returns the bytes of all files together on a number of processes.
func (s *Settings) Bytes(processes int) int64 {
	if s.Metadata != nil {
		return s.Metadata.Items * s.Metadata.Bytes * int64(processes)
	}
	return s.Segments * s.Block * int64(processes)
}

// Paths returns the paths of the files of all processes, as they were given.
func (s *Settings) Paths(processes int) []string {
	if !s.FilePerProcess {
		processes = 1
	}
	list := make([]string, processes)
	for rank := range list {
		list[rank] = s.path("", rank)
	}
	return list
}

// offset returns the offset of a transfer of a process in its file.
func (s *Settings) offset(rank, processes int, transfer int64) int64 {
	per := s.Block / s.Transfer
	segment, inside := transfer/per, transfer%per*s.Transfer
	if s.FilePerProcess {
		return segment*s.Block + inside
	}
	return (segment*int64(processes)+int64(rank))*s.Block + inside
}
