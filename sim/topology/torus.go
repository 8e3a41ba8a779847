package topology

// Torus is a torus of any number of dimensions. A message takes one dimension after the other, from the first to the
// last. It takes the shorter way around, or the direction of growing coordinates if both are equal. Node numbers grow
// along the first dimension first.
type Torus struct {
	shape
	dims []int
}

// NewTorus returns a torus with dims[d] nodes along dimension d.
func NewTorus(dims []int) (*Torus, error) {
	nodes := product(dims...)
	t := &Torus{shape{nodes, nodes * len(dims)}, dims}
	return t, check("torus", t.Links(), append(append([]int{len(dims)}, dims...), nodes)...)
}

// Route implements Network. Cable node·dimensions+d connects a node to its neighbour in dimension d.
func (t *Torus) Route(into []int32, from, to int, _ []float32) []int32 {
	at, stride := from, 1
	for d, n := range t.dims {
		here, there := at/stride%n, to/stride%n
		ahead := (there - here + n) % n
		for ; here != there; here = at / stride % n {
			if 2*ahead <= n {
				into = append(into, int32(2*(at*len(t.dims)+d)))
				at += ((here+1)%n - here) * stride
			} else {
				at += ((here+n-1)%n - here) * stride
				into = append(into, int32(2*(at*len(t.dims)+d)+1))
			}
		}
		stride *= n
	}
	return into
}
