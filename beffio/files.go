package beffio

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/rating"
)

// modes are the modes in which the access methods open a file (release 2.1). Write creates it: no existing file of a
// user is ever opened for writing.
var modes = map[Access]mpi.FileMode{Write: mpi.Create | mpi.Exclusive | mpi.ReadWrite, Rewrite: mpi.ReadWrite,
	Read: mpi.ReadOnly}

// mode returns the mode for opening files with an access method in this pass.
func (m *measurer) mode(a Access) mpi.FileMode {
	mode := modes[a]
	if !m.plan.NoUnique {
		mode |= mpi.UniqueOpen
	}
	if a == Read && m.pass.Last && !m.plan.Keep {
		mode |= mpi.DeleteOnClose
	}
	return mode
}

// fileType opens the file of a type, measures its patterns unless bare is set, and closes it.
func (m *measurer) fileType(a Access, n int, t patterns.IOType, bare bool) error {
	c := m.comms[n]
	m.begin(a, n, t.String())
	if err := m.drop(a, n, t); err != nil {
		return err
	}
	before := m.samplePages(a, n, t)
	file, open, openCall, err := m.open(a, n, t)
	if err != nil {
		return err
	}
	if !bare {
		if err = m.patterns(a, n, t, file); err == nil {
			err = m.hintsInForce(a, n, t, file)
		}
	}
	if err != nil && !mpi.Agreed(err) {
		return err
	}
	var pages *rating.Pages
	if a == Read {
		var failed error
		if pages, failed = rating.SumPages(c, before, m.samplePages(a, n, t)); failed != nil {
			return errors.Join(err, failed)
		}
	}
	m.begin(a, n, t.String())
	closing, closeCall, failed := m.timed(c, file.Close)
	if failed = m.agree(c, m.where(a, n, t.String()), failed); err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	once, err := m.slowestOnceCalls(c, openCall, closeCall)
	if err != nil {
		return err
	}
	if c.Rank() == 0 && m.pass.restoring == nil {
		m.out.Files = append(m.out.Files, FileSample{Partition: n, Access: a, Type: t.String(), Pass: m.pass.number,
			Round: m.pass.round,
			Open:  open, Close: closing, OpenCall: once[0], CloseCall: once[1], Pages: pages})
	}
	return nil
}

// open opens the file of a type on all processes of a partition, and returns the seconds that this took. If one process
// can't open it, all fail. Files of single processes are then closed. A shared file that some have open can't be
// closed, as that needs all processes. In that case the error isn't agreed, so that the job is aborted, because a user
// must close all files before MPI_Finalize (MPI 4.1, 14.2.2).
func (m *measurer) open(a Access, n int, t patterns.IOType) (file mpi.File, seconds float64, call OnceCall,
	err error) {
	c, own, path := m.comms[n], m.comm(a, n), m.path(a, n, t)
	if t == patterns.Separated {
		own = m.self
	}
	hints := m.plan.hints(m.plan.Partitions[n], a, t, 0)
	seconds, call, err = m.timed(c, func() (err error) {
		file, err = m.files.OpenFile(own, path, m.mode(a), hints)
		return err
	})
	opened := err == nil
	err = m.agree(c, m.where(a, n, t.String()), err)
	switch {
	case !mpi.Agreed(err):
	case own == m.self && opened:
		err = errors.Join(err, file.Close())
	case own != m.self:
		open := []float64{0}
		if opened {
			open[0] = 1
		}
		if failed := c.Allreduce(open, mpi.Sum); failed != nil || open[0] > 0 {
			err = errors.Join(err, failed, fmt.Errorf("%.0f of %d processes have %s open", open[0],
				c.Size(), filepath.Base(path)))
		}
	}
	return file, seconds, call, err
}

// timed makes a call between two barriers. It returns the seconds between them, and the call's own time. An error of a
// barrier takes precedence, because the job must then be aborted.
func (m *measurer) timed(c mpi.Comm, f func() error) (float64, OnceCall, error) {
	if err := c.Barrier(); err != nil {
		return 0, OnceCall{}, err
	}
	begin := m.Now()
	call, err := m.timeCall(f)
	if failed := c.Barrier(); failed != nil {
		return 0, OnceCall{}, failed
	}
	return m.Now().Sub(begin).Seconds(), call, err
}

// hintsInForce records the hints that the library reports for a file, if they differ from its last report for the type.
func (m *measurer) hintsInForce(a Access, n int, t patterns.IOType, file mpi.File) error {
	if m.pass.restoring != nil {
		return nil
	}
	hints, err := file.Hints()
	if err := m.agree(m.comms[n], m.where(a, n, t.String()), err); err != nil {
		return err
	}
	for _, h := range slices.Backward(m.out.Hints) {
		if h.Type == t.String() {
			if slices.Equal(h.Hints, hints) {
				return nil
			}
			break
		}
	}
	if len(hints) > 0 {
		m.out.Hints = append(m.out.Hints, HintsInForce{Partition: n, Access: a, Type: t.String(), Hints: hints})
	}
	return nil
}

// checkLength detects a full disk that the library doesn't report.
func (m *measurer) checkLength(n int, r patterns.IORow, file mpi.File, o outcome) error {
	end := m.pass.layout[n][r.Number].start + advance(o.row, m.plan.Partitions[n], o.Loops)
	if r.Type == patterns.SegmentedCollective {
		end += int64(m.plan.Partitions[n]-1) * m.pass.segment[n]
	}
	if o.Loops == 0 {
		end = 0
	}
	return job.CheckLength(m.comms[n], file, m.path(Write, n, r.Type), m.plan.call(Write, r.Type), end)
}
