package topology

// HyperX is the network of Ahn et al., HyperX: topology, routing, and packaging of efficient large-scale networks, SC
// 2009. The switches of each line of each dimension are fully connected. A message takes one dimension after the other.
// One cable connects each node with its switch.
type HyperX struct {
	shape
	dims      []int
	terminals int   // nodes of a switch
	first     []int // of each dimension, the number of its first cable
}

// NewHyperX returns a HyperX with a number of nodes on each switch.
func NewHyperX(dims []int, terminals int) (*HyperX, error) {
	switches := product(dims...)
	h := &HyperX{shape: shape{nodes: product(switches, terminals)}, dims: dims, terminals: terminals}
	sizes := append(append([]int{len(dims)}, dims...), h.nodes)
	if err := check("hyperx", 0, sizes...); err != nil {
		return nil, err
	}
	h.cables = h.nodes
	for _, n := range dims {
		h.first = append(h.first, h.cables)
		h.cables += switches / n * pairs(n)
	}
	return h, check("hyperx", 2*h.cables)
}

// Route implements Network.
func (h *HyperX) Route(into []int32, from, to int, _ []float32) []int32 {
	if from == to {
		return into
	}
	into = append(into, int32(2*from))
	at, end, stride := from/h.terminals, to/h.terminals, 1
	for d, n := range h.dims {
		if here, there := at/stride%n, end/stride%n; here != there {
			line := at/(stride*n)*stride + at%stride
			into = append(into, between(h.first[d]+line*pairs(n), here, there, n))
			at += (there - here) * stride
		}
		stride *= n
	}
	return append(into, int32(2*to+1))
}

func pairs(n int) int { return n * (n - 1) / 2 }

// between returns the link from i to j, which are among n vertices fully connected by cables numbered from first.
func between(first, i, j, n int) int32 {
	direction := 0
	if i > j {
		i, j, direction = j, i, 1
	}
	return int32(2*(first+i*(2*n-i-1)/2+j-i-1) + direction)
}
