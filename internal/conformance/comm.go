package conformance

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// members returns the world ranks of a communicator's processes in the communicator's order, on all of them.
func (p *process) members(c mpi.Comm) []int {
	mine := binary.LittleEndian.AppendUint64(nil, uint64(p.rank))
	all := make([]byte, 8*c.Size())
	p.must(c.Gather(mine, all, 0))
	p.must(c.Bcast(all, 0))
	ranks := make([]int, c.Size())
	for i := range ranks {
		ranks[i] = int(binary.LittleEndian.Uint64(all[8*i:]))
	}
	return ranks
}

// to returns the numbers 0 to n-1.
func to(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

func world(p *process) {
	if l := p.Library(); l.Engine == "" || l.Library == "" {
		p.errorf("the library has no name: %+v", l)
	}
	if p.Host() == "" {
		p.errorf("the host has no name")
	}
	if ranks := p.members(p.world); !slices.Equal(ranks, to(p.size)) {
		p.errorf("the world is %v", ranks)
	}
}

// late is the time for which the last process makes the others wait.
const late = 20 * time.Millisecond

// holds checks that wait returns on no process before all processes of c have called it. The last one calls it late.
// All clocks start before the barrier ends, so a correct engine passes on any machine, however slow.
func (p *process) holds(c mpi.Comm, wait func()) (held time.Duration) {
	begin := time.Now()
	p.must(c.Barrier())
	if c.Rank() == c.Size()-1 {
		time.Sleep(late)
	}
	wait()
	held = time.Since(begin)
	if held < late {
		p.errorf("ended after %v, although a process came %v late", held, late)
	}
	return held
}

func barrier(p *process) {
	p.holds(p.world, func() { p.must(p.world.Barrier()) })
}

func bcast(p *process) {
	for _, length := range []int{0, 1, 8, 1<<20 + 3} {
		for _, root := range []int{0, p.size - 1} {
			want := make([]byte, length)
			fill(want, root, length, 0)
			data := make([]byte, length)
			if p.rank == root {
				copy(data, want)
			}
			p.must(p.world.Bcast(data, root))
			if !bytes.Equal(data, want) {
				p.errorf("%d bytes from root %d are wrong", length, root)
			}
		}
	}
	p.must(p.world.Bcast(nil, 0))
}

func allreduce(p *process) {
	n := float64(p.size)
	for _, c := range []struct {
		op   mpi.Reduction
		want []float64
	}{
		{mpi.Sum, []float64{n * (n + 1) / 2, -n * (n - 1) / 4, 7 * n}},
		{mpi.Max, []float64{n, 0, 7}},
		{mpi.Min, []float64{1, -(n - 1) / 2, 7}},
	} {
		r := float64(p.rank)
		values := []float64{r + 1, -r / 2, 7}
		p.must(p.world.Allreduce(values, c.op))
		if !slices.Equal(values, c.want) {
			p.errorf("reduction %d gives %v instead of %v", c.op, values, c.want)
		}
	}
	p.must(p.world.Allreduce(nil, mpi.Sum))
}

func allreduceLong(p *process) {
	values := make([]float64, 10000)
	for i := range values {
		values[i] = float64(i + p.rank)
	}
	p.must(p.world.Allreduce(values, mpi.Sum))
	for i, v := range values {
		if want := float64(p.size*i + p.size*(p.size-1)/2); v != want {
			p.errorf("sum %d is %v instead of %v", i, v, want)
		}
	}
}

// allreduceRefused uses a reduction that doesn't exist, on all processes.
func allreduceRefused(p *process) {
	if err := p.world.Allreduce([]float64{1}, mpi.Min+1); err == nil {
		p.errorf("an unknown reduction was not refused")
	}
}

func gather(p *process) {
	for _, length := range []int{0, 1, 8, 1000} {
		for _, root := range []int{0, p.size - 1} {
			send := make([]byte, length)
			fill(send, p.rank, root, length)
			var recv, want []byte
			if p.rank == root {
				recv, want = make([]byte, length*p.size), make([]byte, length*p.size)
			}
			for r := 0; r < p.size && p.rank == root; r++ {
				fill(want[r*length:(r+1)*length], r, root, length)
			}
			p.must(p.world.Gather(send, recv, root))
			if !bytes.Equal(recv, want) {
				p.errorf("%d bytes of each process at root %d are wrong", length, root)
			}
		}
	}
}

// splits holds colors and keys as functions of the rank and the number of processes.
var splits = []struct {
	name       string
	color, key func(r, n int) int
}{
	{"all", func(r, n int) int { return 0 }, func(r, n int) int { return 0 }},
	{"reversed", func(r, n int) int { return 3 }, func(r, n int) int { return -r }},
	{"rotated", func(r, n int) int { return 1 }, func(r, n int) int { return (r + 1) % n }},
	{"parity, reversed", func(r, n int) int { return r % 2 }, func(r, n int) int { return n - r }},
	{"pairs, equal keys", func(r, n int) int { return r / 2 }, func(r, n int) int { return 9 }},
	{"each by itself", func(r, n int) int { return r }, func(r, n int) int { return 0 }},
	{"without the odd ones", func(r, n int) int { return -(r % 2) }, func(r, n int) int { return r }},
	{"without the last", func(r, n int) int { return min(0, n-2-r) }, func(r, n int) int { return 0 }},
	{"nobody", func(r, n int) int { return -1 }, func(r, n int) int { return 0 }},
}

// group returns the world ranks of the communicator that Split must make for rank: all ranks with its color, ordered by
// key, then rank.
func group(rank, n int, color, key func(r, n int) int) []int {
	var ranks []int
	for r := range n {
		if color(rank, n) >= 0 && color(r, n) == color(rank, n) {
			ranks = append(ranks, r)
		}
	}
	slices.SortStableFunc(ranks, func(a, b int) int { return cmp.Compare(key(a, n), key(b, n)) })
	return ranks
}

func split(p *process) {
	for _, s := range splits {
		c, err := p.world.Split(s.color(p.rank, p.size), s.key(p.rank, p.size))
		p.must(err)
		p.checkComm(s.name, c, group(p.rank, p.size, s.color, s.key))
	}
	p.must(p.world.Barrier())
}

// checkComm compares a communicator with the world ranks that it must have, uses it once and frees it.
func (p *process) checkComm(name string, c mpi.Comm, want []int) {
	if (c == nil) != (len(want) == 0) {
		p.errorf("%s: got communicator %v for ranks %v", name, c, want)
	}
	if c == nil {
		return
	}
	ranks := p.members(c)
	if !slices.Equal(ranks, want) || ranks[c.Rank()] != p.rank {
		p.errorf("%s: rank %d of %v instead of one of %v", name, c.Rank(), ranks, want)
	}
	sum := []float64{1}
	p.must(c.Allreduce(sum, mpi.Sum))
	if sum[0] != float64(len(want)) {
		p.errorf("%s: %v processes instead of %d", name, sum[0], len(want))
	}
	p.must(c.Barrier())
	p.must(c.Free())
}

func splitTwice(p *process) {
	half, err := p.world.Split(p.rank%2, 0)
	p.must(err)
	quarter, err := half.Split(half.Rank()%2, -half.Rank())
	p.must(err)
	want := group(p.rank, p.size, func(r, n int) int { return r % 4 }, func(r, n int) int { return -r })
	p.checkComm("a quarter", quarter, want)
	p.must(half.Free())
}

// cart checks only sizes and members, because the library chooses the rank of each process.
func cart(p *process) {
	n := p.size
	for _, dims := range [][]int{{n}, {1}, {1, 1, 1}, {n / 2, 2}, {2, n / 2}, {n - 1}, {n / 3, 3}, {2, 2},
		{2, 2, n / 4}} {
		size, periodic := 1, make([]bool, len(dims))
		for i, d := range dims {
			size *= d
			periodic[i] = i%2 == 0
		}
		if size < 1 || size > n {
			continue
		}
		c, err := p.world.Cart(dims, periodic)
		p.must(err)
		p.checkGrid(dims, size, c)
	}
}

// checkGrid checks that c has size processes, each once, and that c is nil on the others.
func (p *process) checkGrid(dims []int, size int, c mpi.Comm) {
	inside := []float64{0}
	if c != nil {
		inside[0] = 1
	}
	p.must(p.world.Allreduce(inside, mpi.Sum))
	if inside[0] != float64(size) {
		p.errorf("%v: %v processes", dims, inside[0])
	}
	if c == nil {
		return
	}
	if c.Size() != size {
		p.errorf("%v: size %d", dims, c.Size())
	}
	ranks := p.members(c)
	slices.Sort(ranks)
	if len(slices.Compact(ranks)) != size {
		p.errorf("%v: not all different: %v", dims, ranks)
	}
	p.must(c.Free())
}

// freeComms makes and frees many communicators one after the other. MPI libraries limit how many exist at once.
func freeComms(p *process) {
	for i := range 100 {
		c, err := p.world.Split(0, i)
		p.must(err)
		p.must(c.Free())
	}
	p.must(p.world.Barrier())
}
