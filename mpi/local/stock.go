package local

// stock lends objects of one type, and takes all of them back at once.
type stock[T any] struct {
	list []T
	lent int // objects of list, the first ones
}

// take lends n empty objects, next to each other.
func (s *stock[T]) take(n int) []T {
	if s.lent+n > len(s.list) {
		s.list, s.lent = make([]T, 2*(s.lent+n)), 0 // those that are lent keep the old list
	}
	part := s.list[s.lent:][:n:n]
	s.lent += n
	return part
}

// back takes all objects back. It doesn't keep many: a rank that once had a long program would keep it for ever.
func (s *stock[T]) back() {
	const most = 64
	if len(s.list) > most {
		*s = stock[T]{}
		return
	}
	clear(s.list[:s.lent])
	s.lent = 0
}

// stocks holds the objects of a compiled program. The program leaves them to the next one of its rank when it is
// closed. A rating of a thousand ranks makes millions of programs: gigabytes of garbage between two collections.
type stocks struct {
	places  stock[place]
	records stock[record]
	sends   stock[send]
	recvs   stock[receive]
	// Lists of them:
	placeLists stock[*place]
	sendLists  stock[*send]
	recvLists  stock[*receive]
}

func (s *stocks) back() {
	s.places.back()
	s.records.back()
	s.sends.back()
	s.recvs.back()
	s.placeLists.back()
	s.sendLists.back()
	s.recvLists.back()
}
