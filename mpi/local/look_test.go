package local_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/local"
)

// TestLookWhileProgramsEnd calls Look from another goroutine while programs end and the next ones reuse their objects.
// The race detector finds faults.
func TestLookWhileProgramsEnd(t *testing.T) {
	require.NoError(t, local.Run(2, func(e mpi.Engine) error {
		var end, ended chan struct{}
		if e.World().Rank() == 0 {
			end, ended = make(chan struct{}), make(chan struct{})
			go func() {
				defer close(ended)
				for {
					select {
					case <-end:
						return
					default:
						e.(mpi.Watchable).Look()
					}
				}
			}()
			defer func() { close(end); <-ended }()
		}
		b, err := e.NewBuffer(16)
		if err != nil {
			return err
		}
		defer b.Free()
		for range 300 {
			p := mpi.Program{Comm: e.World(), Start: e.World()}
			peer := 1 - e.World().Rank()
			if peer == 0 { // rank 0 waits, and shows the record in which it does
				p.Call(mpi.Call{Op: mpi.Compute, Seconds: 1e-3})
			}
			p.Call(mpi.Call{Op: mpi.Sendrecv,
				Send: mpi.One(p.Place(mpi.Place{Space: b, Length: 8, Peer: peer})),
				Recv: mpi.One(p.Place(mpi.Place{Space: b, Offset: 8, Length: 8, Peer: peer}))})
			r, err := e.Compile(&p)
			if err != nil {
				return err
			}
			if _, err := r.Run(mpi.Loops{Timed: 3}); err != nil {
				return err
			}
			r.Close()
		}
		return nil
	}))
}
