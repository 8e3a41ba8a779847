package model

// settling is the number of loops until their times no longer change, and the number of loops that are then timed. To
// stop as soon as loops repeat was tried: on a fat tree of 64 processes few steps repeat within 8 loops, so it took a
// quarter longer, and changed times by up to 0.07 %. Two thirds of the time are the rates of messages (shares.solve).
const settling = 16

// exact returns the seconds of a loop of a step, followed message by message: the mean of the later loops, on the
// slowest process.
func (s *Step) exact(length int64, together bool) float64 {
	list, err := s.model.Play(s.scripts(length, together))
	if err != nil {
		panic(err) // every message has a receiver
	}
	most := 0.0
	for _, x := range list {
		most = max(most, (x.Ends[2*settling-1]-x.Ends[settling-1])/settling)
	}
	return most
}

// scripts returns the scripts of the processes, which exchange messages round by round, or all at once.
func (s *Step) scripts(length int64, together bool) []Script {
	acts, slots := make([][]Act, s.model.Processes), make([]int32, s.model.Processes)
	add := func(p int32, a Act) {
		a.Slot = slots[p]
		slots[p]++
		acts[p] = append(acts[p], a)
	}
	for r := range s.rounds {
		for _, x := range s.rounds[r] {
			add(x.To, Act{Kind: Receive, Peer: x.From, Tag: uint64(r)})
			add(x.From, Act{Kind: Send, Peer: x.To, Tag: uint64(r), Bytes: length})
		}
		if !together || r == len(s.rounds)-1 {
			for p := range acts {
				acts[p] = append(acts[p], Act{Kind: WaitAll})
			}
		}
	}
	list := make([]Script, 0, len(acts))
	for p := range acts {
		if slots[p] > 0 {
			list = append(list, Script{Process: int32(p), Pieces: 2 * settling,
				Piece: func(int) []Act { return acts[p] }})
		}
	}
	return list
}
