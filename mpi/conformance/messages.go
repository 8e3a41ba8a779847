package conformance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// lengths holds message lengths at and around the limits of b_eff's table, of eager protocols and of copies by words.
var lengths = []int64{0, 1, 2, 7, 8, 4095, 4096, 65536, 1<<20 + 1, 8 << 20}

func sendrecv(p *process) error {
	left, right := neighbours(p.world)
	for _, length := range lengths {
		x := p.exchange(p.world)
		x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.send(right, length, 1), Recv: x.recv(left, length, 1)})
		if err := x.run(mpi.Loops{Untimed: 1, Timed: 2}); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
		if err := p.Collect(); err != nil {
			return err
		}
	}
	return nil
}

// replaces passes messages around the ring, each in the memory of the one before: after n loops a process has that of
// the n-th one to its left. Other memory and other peers are refused.
func replaces(p *process) error {
	left, right := neighbours(p.world)
	for _, length := range lengths {
		b, err := p.NewBuffer(length + 2*gap)
		if err != nil {
			return err
		}
		program := mpi.Program{Comm: p.world, Start: p.world}
		send := program.Place(mpi.Place{Space: b, Offset: gap, Length: length, Peer: right})
		recv := program.Place(mpi.Place{Space: b, Offset: gap, Length: length, Peer: left})
		program.Call(mpi.Call{Op: mpi.SendrecvReplace, Send: mpi.One(send), Recv: mpi.One(recv), Tag: 3})
		const loops = 5
		want := p.image(b.Size(), p.rank, 0)
		copy(b.Bytes(), want)
		from := (p.rank + loops*(p.size-1)) % p.size
		copy(want[gap:], p.image(b.Size(), from, 0)[gap:gap+length])
		if err := p.runProgram(&program, mpi.Loops{Untimed: 2, Timed: loops - 2}); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
		p.same(fmt.Sprintf("%d bytes in place of others", length), b.Bytes(), want)
		program.Places[recv].Offset++
		p.mustRefuse(&program, "messages that replace others' memory")
		b.Free()
		if err := p.Collect(); err != nil {
			return err
		}
	}
	return nil
}

func types(p *process) error {
	left, right := neighbours(p.world)
	for _, t := range []mpi.Type{mpi.Byte, mpi.Int32, mpi.Int64, mpi.Float32, mpi.Float64} {
		x := p.exchange(p.world)
		x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.send(right, 808, int(t)), Recv: x.recv(left, 808, int(t))})
		for i := range x.program.Places {
			x.program.Places[i].Type = t
		}
		if err := x.run(once); err != nil {
			return fmt.Errorf("type %d: %w", t, err)
		}
	}
	return nil
}

// sendRecv is ping-pong in pairs. With an odd number of processes the last one has no partner.
func sendRecv(p *process) error {
	for _, length := range []int64{0, 1, 8, 4096, 65536, 1<<20 + 1} {
		x := p.exchange(p.world)
		if peer := p.rank ^ 1; peer < p.size {
			ping := mpi.Call{Op: mpi.Send, Send: x.send(peer, length, 0)}
			pong := mpi.Call{Op: mpi.Recv, Recv: x.recv(peer, length, 0)}
			if p.rank%2 == 1 {
				ping, pong = pong, ping
			}
			x.program.Call(ping, pong)
		}
		if err := x.run(once, mpi.Loops{Untimed: 1, Timed: 3}); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
	}
	return nil
}

// shorter has receive places that are longer than the messages, which is legal (MPI 4.1, 3.2.4).
func shorter(p *process) error {
	left, right := neighbours(p.world)
	for _, length := range []int64{0, 1, 100, 100000} {
		x := p.exchange(p.world)
		send, recv := x.send(right, length, 0), x.recv(left, length, 0)
		x.program.Places[recv.First].Length += gap
		x.call(mpi.Call{Op: mpi.Sendrecv, Send: send, Recv: recv})
		if err := x.run(once); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
	}
	return nil
}

// open adds Irecv and Isend calls for messages of three lengths in both directions of the ring, and returns the indices
// of the calls.
func (x *exchange) open() []int {
	left, right := neighbours(x.program.Comm)
	for i, length := range []int64{8, 100000, 1} {
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(left, length, i), Tag: i})
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(right, length, 10+i), Tag: 10 + i})
	}
	for i, length := range []int64{8, 100000, 1} {
		x.call(mpi.Call{Op: mpi.Isend, Send: x.send(left, length, 10+i), Tag: 10 + i})
		x.call(mpi.Call{Op: mpi.Isend, Send: x.send(right, length, i), Tag: i})
	}
	return to(len(x.program.Loop))
}

func waitall(p *process) error {
	x := p.exchange(p.world)
	x.open()
	x.call(mpi.Call{Op: mpi.Waitall})
	return x.run(once, mpi.Loops{Untimed: 2, Timed: 20})
}

// waitOrder completes all requests one by one in reverse order, then only some of them and the rest with Waitall.
func waitOrder(p *process) error {
	for _, single := range []int{12, 5} {
		x := p.exchange(p.world)
		requests := x.open()
		slices.Reverse(requests)
		for _, r := range requests[:single] {
			x.call(mpi.Call{Op: mpi.Wait, Of: r})
		}
		if single < len(requests) {
			x.call(mpi.Call{Op: mpi.Waitall})
		}
		if err := x.run(once, mpi.Loops{Untimed: 2, Timed: 20}); err != nil {
			return err
		}
	}
	return nil
}

// anySource sends the ranks to process 0, which receives them in any order.
func anySource(p *process) error {
	b, err := p.NewBuffer(int64(8 * (p.size + 1)))
	if err != nil {
		return err
	}
	defer b.Free()
	for _, op := range []mpi.Op{mpi.Recv, mpi.Irecv} {
		program := mpi.Program{Comm: p.world, Start: p.world}
		program.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8}))})
		for i := 1; i <= p.size && p.rank == 0; i++ {
			place := program.Place(mpi.Place{Space: b, Offset: int64(8 * i), Length: 8, Peer: mpi.AnySource})
			program.Call(mpi.Call{Op: op, Recv: mpi.One(place)})
		}
		program.Call(mpi.Call{Op: mpi.Waitall})
		if err := p.takeAny(&program, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// takeAny runs the program of anySource several times.
func (p *process) takeAny(program *mpi.Program, data []byte) error {
	for range 5 {
		clear(data)
		binary.LittleEndian.PutUint64(data, uint64(p.rank))
		if err := p.runProgram(program, once); err != nil {
			return err
		}
		var ranks []int
		for i := 1; i <= p.size && p.rank == 0; i++ {
			ranks = append(ranks, int(binary.LittleEndian.Uint64(data[8*i:])))
		}
		slices.Sort(ranks)
		if p.rank == 0 && !slices.Equal(ranks, to(p.size)) {
			p.errorf("received from %v", ranks)
		}
	}
	return nil
}

// tags receives in the reverse order of sending.
func tags(p *process) error {
	left, right := neighbours(p.world)
	x := p.exchange(p.world)
	for i, length := range []int64{8, 200000, 0, 8} {
		x.call(mpi.Call{Op: mpi.Isend, Send: x.send(right, length, i), Tag: 100 + i})
	}
	for i, length := range []int64{8, 0, 200000, 8} {
		x.call(mpi.Call{Op: mpi.Recv, Recv: x.recv(left, length, 3-i), Tag: 103 - i})
	}
	x.call(mpi.Call{Op: mpi.Waitall})
	return x.run(once, mpi.Loops{Timed: 10})
}

// order sends long and short messages in turn with one tag: a short one must not overtake a long one (MPI 4.1, 3.5).
func order(p *process) error {
	left, right := neighbours(p.world)
	turn := func(i int) int64 { return []int64{100000, 8}[i%2] }
	blocking, posted := p.exchange(p.world), p.exchange(p.world)
	for i := range 16 {
		posted.call(mpi.Call{Op: mpi.Irecv, Recv: posted.recv(left, turn(i), i)})
	}
	for i := range 16 {
		for _, x := range []*exchange{blocking, posted} {
			x.call(mpi.Call{Op: mpi.Isend, Send: x.send(right, turn(i), i)})
		}
	}
	for i := range 16 {
		blocking.call(mpi.Call{Op: mpi.Recv, Recv: blocking.recv(left, turn(i), i)})
	}
	for _, x := range []*exchange{blocking, posted} {
		x.call(mpi.Call{Op: mpi.Waitall})
		if err := x.run(once, mpi.Loops{Timed: 5}); err != nil {
			return err
		}
	}
	return nil
}

// communicators sends to process 0 on the world. Process 0 first receives from any source on another communicator with
// the same tag, where only its own message is.
func communicators(p *process) error {
	other, err := p.world.Split(0, 0)
	if err != nil {
		return err
	}
	b, err := p.NewBuffer(int64(8 * (p.size + 1)))
	if err != nil {
		return err
	}
	defer b.Free()
	binary.LittleEndian.PutUint64(b.Bytes(), uint64(1000+p.rank))
	if p.rank == 0 {
		time.Sleep(late)
		err = p.takeOwn(other, b)
	} else {
		program := mpi.Program{Comm: p.world}
		program.Call(mpi.Call{Op: mpi.Send, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8}))})
		err = p.runProgram(&program, once)
	}
	if err != nil {
		return err
	}
	return other.Free()
}

// takeOwn receives process 0's message to itself on own, then those of the others on the world.
func (p *process) takeOwn(own mpi.Comm, b mpi.Buffer) error {
	program := mpi.Program{Comm: own}
	send := program.Place(mpi.Place{Space: b, Length: 8})
	recv := program.Place(mpi.Place{Space: b, Offset: 8, Length: 8, Peer: mpi.AnySource})
	program.Call(mpi.Call{Op: mpi.Isend, Send: mpi.One(send)}, mpi.Call{Op: mpi.Recv, Recv: mpi.One(recv)},
		mpi.Call{Op: mpi.Waitall})
	if err := p.runProgram(&program, once); err != nil {
		return err
	}
	rest := mpi.Program{Comm: p.world}
	for i := 1; i < p.size; i++ {
		place := rest.Place(mpi.Place{Space: b, Offset: int64(8 * (i + 1)), Length: 8, Peer: i})
		rest.Call(mpi.Call{Op: mpi.Recv, Recv: mpi.One(place)})
	}
	if err := p.runProgram(&rest, once); err != nil {
		return err
	}
	for i := range p.size {
		if from := binary.LittleEndian.Uint64(b.Bytes()[8*(i+1):]); from != uint64(1000+i) {
			p.errorf("the message of %d on its communicator is %d", i, from)
		}
	}
	return nil
}

func self(p *process) error {
	for _, length := range []int64{0, 1, 8, 100000, 1 << 20} {
		x := p.exchange(p.world)
		x.call(mpi.Call{Op: mpi.Sendrecv, Send: x.send(p.rank, length, 1), Recv: x.recv(p.rank, length, 1)})
		x.call(mpi.Call{Op: mpi.Isend, Send: x.send(p.rank, length, 2)})
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(p.rank, length, 2)})
		x.call(mpi.Call{Op: mpi.Waitall})
		x.call(mpi.Call{Op: mpi.Irecv, Recv: x.recv(p.rank, length, 3)})
		x.call(mpi.Call{Op: mpi.Send, Send: x.send(p.rank, length, 3)})
		x.call(mpi.Call{Op: mpi.Waitall})
		x.call(mpi.Call{Op: mpi.Alltoallv, Send: x.send(p.rank, length, 4), Recv: x.recv(p.rank, length, 4)})
		if err := x.run(once, mpi.Loops{Timed: 3}); err != nil {
			return fmt.Errorf("%d bytes: %w", length, err)
		}
	}
	return nil
}

// truncation sends 8 bytes into 4. The receiver must get an error (MPI 4.1, 3.2.4). The sender may or may not get one.
func truncation(p *process) error {
	b, err := p.NewBuffer(8)
	if err != nil {
		return err
	}
	defer b.Free()
	program := mpi.Program{Comm: p.world}
	switch p.rank {
	case 0:
		program.Call(mpi.Call{Op: mpi.Send, Send: mpi.One(program.Place(mpi.Place{Space: b, Length: 8, Peer: 1}))})
	case 1:
		program.Call(mpi.Call{Op: mpi.Recv, Recv: mpi.One(program.Place(mpi.Place{Space: b, Length: 4, Peer: 0}))})
	}
	r, err := p.Compile(&program)
	if err != nil {
		return err
	}
	defer r.Close()
	_, err = r.Run(once)
	var failed *mpi.Error
	if p.rank != 1 {
		return nil
	}
	if !errors.As(err, &failed) {
		p.errorf("8 bytes into 4 give no *mpi.Error but: %v", err)
	} else if failed.Call != "MPI_Recv" || failed.Rank != 1 || failed.Text == "" {
		p.errorf("8 bytes into 4 give: %v", err)
	}
	return nil
}
