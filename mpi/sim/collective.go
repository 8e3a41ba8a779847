package sim

import (
	"math/bits"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Collective calls consist of messages, with approximately the algorithms and switching points of MPICH (Thakur,
// Rabenseifner and Gropp, Optimization of collective communication operations in MPICH, Int. J. High Perform. Comput.
// Appl. 19(1), 2005). Combining data takes no time.
const (
	longBcast     = 12 << 10  // smallest broadcast by scatter and allgather, in bytes
	fewProcesses  = 8         // fewer processes neither do that nor combine messages in an alltoall
	longGather    = 512 << 10 // smallest allgather in a ring if the number of processes is a power of two, bytes in all
	oddGather     = 80 << 10  // the same for other numbers of processes
	shortAlltoall = 256       // largest message that an alltoall combines, bytes
	longAlltoall  = 32 << 10  // largest message of an alltoall that isn't done in pairs, bytes
	longReduce    = 2 << 10   // smallest reduction by scatter, bytes
	longScatter   = 512 << 10 // smallest reduce-scatter in pairs, bytes in all
	throttle      = 32        // messages of an alltoall at once (MPIR_CVAR_ALLTOALL_THROTTLE)
)

var collectives = map[mpi.Op]func(c *composer, call *mpi.Call){
	mpi.Barrier: func(c *composer, _ *mpi.Call) { c.barrier() },
	mpi.DupFree: func(c *composer, _ *mpi.Call) { c.combine(8) },
	mpi.Bcast: func(c *composer, x *mpi.Call) {
		side := x.Recv
		if c.root(x) == c.rank {
			side = x.Send
		}
		c.bcast(c.root(x), c.bytes(side))
	},
	mpi.Gather:     func(c *composer, x *mpi.Call) { c.gather(c.root(x), c.bytes(x.Send)) },
	mpi.Scatter:    func(c *composer, x *mpi.Call) { c.scatter(c.root(x), c.bytes(x.Recv)) },
	mpi.Gatherv:    func(c *composer, x *mpi.Call) { c.gatherv(x) },
	mpi.Scatterv:   func(c *composer, x *mpi.Call) { c.scatterv(x) },
	mpi.Allgather:  func(c *composer, x *mpi.Call) { c.allgather(uniform(c.bytes(x.Send))) },
	mpi.Allgatherv: func(c *composer, x *mpi.Call) { c.allgather(sums(c.blocks(x.Recv))) },
	mpi.Alltoall:   func(c *composer, x *mpi.Call) { c.alltoall(c.bytes(x.Send) / int64(c.size)) },
	mpi.Alltoallv:  func(c *composer, x *mpi.Call) { c.alltoallv(x) },
	mpi.Alltoallw:  func(c *composer, x *mpi.Call) { c.alltoallv(x) },

	mpi.NeighborAllgather:  func(c *composer, x *mpi.Call) { c.exchange(x) },
	mpi.NeighborAllgatherv: func(c *composer, x *mpi.Call) { c.exchange(x) },
	mpi.NeighborAlltoall:   func(c *composer, x *mpi.Call) { c.exchange(x) },
	mpi.NeighborAlltoallv:  func(c *composer, x *mpi.Call) { c.exchange(x) },
	mpi.NeighborAlltoallw:  func(c *composer, x *mpi.Call) { c.exchange(x) },

	mpi.Reduce:        func(c *composer, x *mpi.Call) { c.reduce(c.root(x), c.bytes(x.Send)) },
	mpi.Allreduce:     func(c *composer, x *mpi.Call) { c.combine(c.bytes(x.Send)) },
	mpi.ReduceScatter: func(c *composer, x *mpi.Call) { c.reduceScatter(sums(c.blocks(x.Send))) },
	mpi.Scan:          func(c *composer, x *mpi.Call) { c.prefix(c.bytes(x.Send)) },
	mpi.Exscan:        func(c *composer, x *mpi.Call) { c.prefix(c.bytes(x.Send)) },
	mpi.ReduceScatterBlock: func(c *composer, x *mpi.Call) {
		c.reduceScatter(uniform(c.bytes(x.Recv)))
	},
}

func (c *composer) root(x *mpi.Call) int {
	if x.Rotate {
		return int((int64(x.Root) + c.loop) % int64(c.size))
	}
	return x.Root
}

func (c *composer) bytes(s mpi.Span) (n int64) {
	for _, place := range c.play.program.Places[s.First : s.First+s.Count] {
		n += place.Length
	}
	return n
}

// blocks returns the bytes of the places of each process.
func (c *composer) blocks(s mpi.Span) []int64 {
	list := make([]int64, c.size)
	for _, place := range c.play.program.Places[s.First : s.First+s.Count] {
		if place.Peer != mpi.Nobody {
			list[place.Peer] += place.Length
		}
	}
	return list
}

// stretch returns the bytes of the blocks of consecutive processes, from the process first onwards, with wrap-around.
type stretch func(first, processes int) int64

// uniform returns the stretch function of blocks of equal length.
func uniform(block int64) stretch {
	return func(_, processes int) int64 { return int64(processes) * block }
}

// sums returns the stretch function of blocks of different lengths.
func sums(blocks []int64) stretch {
	before := make([]int64, 2*len(blocks)+1)
	for i := range 2 * len(blocks) {
		before[i+1] = before[i] + blocks[i%len(blocks)]
	}
	return func(first, processes int) int64 { return before[first+processes] - before[first] }
}

// to begins to send a message of the current collective call, and from begins to receive one.
func (c *composer) to(peer int, n int64) int32 {
	return c.message(model.Act{Kind: model.Send, Bytes: n, Tag: c.inside()}, peer)
}

func (c *composer) from(peer int) int32 {
	return c.message(model.Act{Kind: model.Receive, Tag: c.inside()}, peer)
}

// inside returns the tag of the current collective call's messages.
func (c *composer) inside() uint64 { return c.number<<33 | 1<<32 | c.round }

func (c *composer) swap(to int, n int64, from int) { c.await(c.to(to, n), c.from(from)) }

// at returns the rank a number of steps after this one.
func (c *composer) at(steps int) int { return ((c.rank+steps)%c.size + c.size) % c.size }

// barrier is a dissemination barrier (Hensgen, Finkel and Manber, 1988).
func (c *composer) barrier() {
	for d := 1; d < c.size; d *= 2 {
		c.swap(c.at(d), 0, c.at(-d))
	}
}

// subtree returns the size of a process's subtree in a binomial tree, and its parent. Both processes are given by their
// numbers, counted from the root.
func (c *composer) subtree(number int) (size, above int) {
	if number == 0 {
		return c.size, 0
	}
	lowest := number & -number
	return min(lowest, c.size-number), number - lowest
}

// eachChild calls f for each child of a process in a binomial tree, the largest subtree first, with the subtree's size.
func (c *composer) eachChild(number int, f func(child, size int)) {
	most := number & -number
	if number == 0 {
		most = 1 << bits.Len(uint(c.size-1))
	}
	for d := most / 2; d > 0; d /= 2 {
		if child := number + d; child < c.size {
			size, _ := c.subtree(child)
			f(child, size)
		}
	}
}

// fromRoot returns this process's number, counted from the root, and a function that returns the rank of a number.
func (c *composer) fromRoot(root int) (int, func(int) int) {
	return (c.rank - root + c.size) % c.size, func(number int) int { return (number + root) % c.size }
}

// sendDown sends data down a binomial tree. bytes returns the length for a subtree of a size.
func (c *composer) sendDown(root int, bytes func(size int) int64) {
	number, rank := c.fromRoot(root)
	if number > 0 {
		_, above := c.subtree(number)
		c.await(c.from(rank(above)))
	}
	c.eachChild(number, func(child, size int) { c.await(c.to(rank(child), bytes(size))) })
}

// sendUp sends data up a binomial tree.
func (c *composer) sendUp(root int, bytes func(size int) int64) {
	number, rank := c.fromRoot(root)
	var children []int
	c.eachChild(number, func(child, _ int) { children = append(children, child) })
	for i := len(children) - 1; i >= 0; i-- {
		c.await(c.from(rank(children[i])))
	}
	if number > 0 {
		size, above := c.subtree(number)
		c.await(c.to(rank(above), bytes(size)))
	}
}

func (c *composer) bcast(root int, n int64) {
	if n < longBcast || c.size < fewProcesses {
		c.sendDown(root, func(int) int64 { return n })
		return
	}
	block := n / int64(c.size)
	c.scatter(root, block)
	if n < longGather && c.isPowerOfTwo() {
		c.recursiveDoubling(root, uniform(block))
	} else {
		c.ring(uniform(block))
	}
}

func (c *composer) scatter(root int, n int64) {
	c.sendDown(root, func(size int) int64 { return int64(size) * n })
}

func (c *composer) gather(root int, n int64) {
	c.sendUp(root, func(size int) int64 { return int64(size) * n })
}

// gatherv is a gather of blocks of different lengths, which each process sends directly to the root.
func (c *composer) gatherv(x *mpi.Call) {
	root := c.root(x)
	if c.rank != root {
		c.await(c.to(root, c.bytes(x.Send)))
		return
	}
	var slots []int32
	for peer := range c.size {
		if peer != root {
			slots = append(slots, c.from(peer))
		}
	}
	c.await(slots...)
}

func (c *composer) scatterv(x *mpi.Call) {
	root := c.root(x)
	if c.rank != root {
		c.await(c.from(root))
		return
	}
	var slots []int32
	for peer, n := range c.blocks(x.Send) {
		if peer != root {
			slots = append(slots, c.to(peer, n))
		}
	}
	c.await(slots...)
}

// isPowerOfTwo reports whether the number of processes is a power of two.
func (c *composer) isPowerOfTwo() bool { return c.size&(c.size-1) == 0 }

func (c *composer) ring(bytes stretch) {
	for step := range c.size - 1 {
		c.swap(c.at(1), bytes(c.at(-step), 1), c.at(-1))
	}
}

// recursiveDoubling makes pairs of processes exchange all blocks that they have. The number of processes must be a
// power of two. Blocks are counted from the root.
func (c *composer) recursiveDoubling(root int, bytes stretch) {
	number, rank := c.fromRoot(root)
	for d := 1; d < c.size; d *= 2 {
		peer := rank(number ^ d)
		c.swap(peer, bytes(number&^(d-1), d), peer)
	}
}

// allgather uses recursive doubling if the number of processes is a power of two. Otherwise it uses Bruck's algorithm
// for short blocks and a ring for long ones.
func (c *composer) allgather(bytes stretch) {
	switch all := bytes(0, c.size); {
	case all < longGather && c.isPowerOfTwo():
		c.recursiveDoubling(0, bytes)
	case all < oddGather:
		for have := 1; have < c.size; have *= 2 {
			c.swap(c.at(-have), bytes(c.rank, min(have, c.size-have)), c.at(have))
		}
	default:
		c.ring(bytes)
	}
}

// alltoall uses Bruck's algorithm for short blocks, several messages at once for medium ones, and pairs for long ones.
func (c *composer) alltoall(n int64) {
	switch {
	case n <= shortAlltoall && c.size >= fewProcesses:
		for d := 1; d < c.size; d *= 2 {
			blocks := 0
			for i := range c.size {
				if i&d != 0 {
					blocks++
				}
			}
			c.swap(c.at(d), int64(blocks)*n, c.at(-d))
		}
	case n <= longAlltoall:
		for first := 1; first < c.size; first += throttle {
			var slots []int32
			last := min(first+throttle, c.size)
			for d := first; d < last; d++ {
				slots = append(slots, c.from(c.at(-d)))
			}
			for d := first; d < last; d++ {
				slots = append(slots, c.to(c.at(d), n))
			}
			c.await(slots...)
		}
	default:
		c.pairwise(uniform(n))
	}
}

// pairwise exchanges blocks with every other process, one after the other.
func (c *composer) pairwise(bytes stretch) {
	for d := 1; d < c.size; d++ {
		to := c.at(d)
		c.swap(to, bytes(to, 1), c.at(-d))
	}
}

// alltoallv scans all processes, and sends all nonempty blocks at once.
func (c *composer) alltoallv(x *mpi.Call) {
	if scan := float64(c.play.r.world.model.Endpoint.Scan); scan > 0 {
		c.acts = append(c.acts, model.Act{Kind: model.Work, Seconds: scan * float64(c.size)})
	}
	c.exchange(x)
}

// exchange sends to all peers of the places and receives from them at the same time.
func (c *composer) exchange(x *mpi.Call) {
	var slots []int32
	for peer, n := range c.blocks(x.Recv) {
		if n > 0 && peer != c.rank {
			slots = append(slots, c.from(peer))
		}
	}
	for peer, n := range c.blocks(x.Send) {
		if n > 0 && peer != c.rank {
			slots = append(slots, c.to(peer, n))
		}
	}
	c.await(slots...)
}

// reduce is a binomial tree for short data, and a reduce-scatter with a gather for long data.
func (c *composer) reduce(root int, n int64) {
	if n < longReduce {
		c.sendUp(root, func(int) int64 { return n })
		return
	}
	number, whole := c.fold(n)
	c.recursiveHalving(number, whole, func(_, d int) int64 { return n * int64(d) / int64(whole) })
	c.gather(root, n/int64(c.size))
}

// reduceScatter uses recursive halving for short data, and pairs for long data.
func (c *composer) reduceScatter(bytes stretch) {
	all := bytes(0, c.size)
	if all >= longScatter {
		c.pairwise(bytes)
		return
	}
	number, whole := c.fold(all)
	first := func(number int) int { return number + min(number, c.size-whole) } // process whose block it has
	c.recursiveHalving(number, whole, func(from, d int) int64 { return bytes(first(from), first(from+d)-first(from)) })
	c.unfold(bytes(c.rank&^1, 1))
}

// combine is an allreduce by recursive doubling for short data, and by recursive halving and doubling for long data
// (Rabenseifner).
func (c *composer) combine(n int64) {
	number, whole := c.fold(n)
	part := func(_, d int) int64 { return n * int64(d) / int64(whole) }
	if n < longReduce {
		part = func(int, int) int64 { return n }
	} else {
		c.recursiveHalving(number, whole, part)
	}
	for d := 1; number >= 0 && d < whole; d *= 2 {
		peer := c.folded(number ^ d)
		c.swap(peer, part(0, d), peer)
	}
	c.unfold(n)
}

// recursiveHalving scatters sums: each participating process sends the half that it doesn't keep, then half of the
// rest, and so on. part returns the bytes of the sums of a range of numbers.
func (c *composer) recursiveHalving(number, whole int, part func(first, numbers int) int64) {
	for d := whole / 2; number >= 0 && d > 0; d /= 2 {
		peer := c.folded(number ^ d)
		c.swap(peer, part((number^d)&^(d-1), d), peer)
	}
}

// fold makes some of the first processes send their data to a neighbour, so that the number of participating processes
// is a power of two. It returns this process's number among them, or -1 if it doesn't participate, and how many there
// are.
func (c *composer) fold(n int64) (number, whole int) {
	whole = 1 << (bits.Len(uint(c.size)) - 1)
	rest := c.size - whole
	switch {
	case c.rank >= 2*rest:
		return c.rank - rest, whole
	case c.rank%2 == 0:
		c.await(c.to(c.rank+1, n))
		return -1, whole
	}
	c.await(c.from(c.rank - 1))
	return c.rank / 2, whole
}

func (c *composer) folded(number int) int {
	rest := c.size - 1<<(bits.Len(uint(c.size))-1)
	if number < rest {
		return 2*number + 1
	}
	return number + rest
}

// unfold sends the result to the processes that didn't participate.
func (c *composer) unfold(n int64) {
	rest := c.size - 1<<(bits.Len(uint(c.size))-1)
	if c.rank >= 2*rest {
		return
	}
	if c.rank%2 == 0 {
		c.await(c.from(c.rank + 1))
	} else {
		c.await(c.to(c.rank-1, n))
	}
}

// prefix combines the data of each process with the data of all lower ranks, by recursive doubling.
func (c *composer) prefix(n int64) {
	for d := 1; d < c.size; d *= 2 {
		if peer := c.rank ^ d; peer < c.size {
			c.swap(peer, n, peer)
		}
	}
}
