package sim

import (
	"fmt"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/machine"
	"github.com/effective-bandwidth/beff/sim/model"
)

// BenchmarkAlltoall and the other benchmarks follow a loop of all processes. They report ns per message.
func BenchmarkAlltoall(b *testing.B) { follow(b, mpi.Alltoall) }

func BenchmarkAllreduce(b *testing.B) { follow(b, mpi.Allreduce) }

func BenchmarkPuts(b *testing.B) { follow(b, mpi.Put) }

func follow(b *testing.B, op mpi.Op) {
	for _, processes := range []int{64, 256} {
		b.Run(fmt.Sprint(processes), func(b *testing.B) {
			text, err := machine.Preset("fat-tree-100g")
			if err != nil {
				b.Fatal(err)
			}
			m, err := machine.Parse("tree", text)
			if err != nil {
				b.Fatal(err)
			}
			x, err := model.New(m, processes, 1)
			if err != nil {
				b.Fatal(err)
			}
			err = Run(x, 1, func(e mpi.Engine) error {
				for range b.N {
					p, err := collectiveOf(e, e.World(), mpi.Alltoall, 1024)
					if err != nil {
						return err
					}
					if op == mpi.Put {
						if p, err = allToAll(e); err != nil {
							return err
						}
					} else if op != mpi.Alltoall {
						if p, err = collectiveOf(e, e.World(), op, 1024); err != nil {
							return err
						}
					}
					if _, err := measure(e, p, mpi.Loops{Timed: 4}); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}

// allToAll returns a program that puts to all others.
func allToAll(e mpi.Engine) (*mpi.Program, error) {
	const bytes = 1024
	n, me := e.World().Size(), e.World().Rank()
	b, err := e.NewBuffer(bytes * int64(n))
	if err != nil {
		return nil, err
	}
	w, err := e.(mpi.Windows).NewWindow(e.World(), b)
	if err != nil {
		return nil, err
	}
	p := &mpi.Program{Comm: e.World(), Start: e.World()}
	p.Place(mpi.Place{Space: b, Length: bytes})
	for i := 1; i < n; i++ {
		p.Place(mpi.Place{Space: w, Length: bytes, Peer: (me + i) % n})
		p.Call(mpi.Call{Op: mpi.Put, Send: mpi.One(0), Recv: mpi.One(i)})
	}
	p.Call(mpi.Call{Op: mpi.WinFlushAll, Recv: mpi.One(1)})
	return p, nil
}
