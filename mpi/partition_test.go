package mpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPartsOfTeams checks that the threads of a team mark each part of a message ready once, between barriers that
// ensure that the message is open.
func TestPartsOfTeams(t *testing.T) {
	s := space(64)
	meet, ready := Call{Op: ThreadBarrier}, func(part int) Call { return Call{Op: Pready, Of: 0, Part: part} }
	first := []Call{{Op: PsendInit, Send: One(0), Parts: 2}, meet, ready(0), meet, {Op: Wait, Of: 0}}
	for name, x := range map[string]struct {
		second []Call
		want   string // empty: valid
	}{
		"both":             {[]Call{meet, ready(1), meet}, ""},
		"never ready":      {[]Call{meet, meet}, "part 1 is never ready"},
		"ready twice":      {[]Call{meet, ready(0), meet}, "call 2 (MPI_Pready): part 0 is ready twice"},
		"before the start": {[]Call{ready(1), meet, meet}, "no barrier of the threads is between"},
		"after the wait":   {[]Call{meet, meet, ready(1)}, "no barrier of the threads is between"},
		"another barrier": {[]Call{meet, ready(1), meet, meet},
			"thread 1 waits for the others 3 times, thread 0 2 times"},
		"no such part":  {[]Call{meet, ready(2), meet}, "1 parts beginning with part 2, of 2"},
		"not a message": {[]Call{meet, {Op: Pready, Of: 1}, meet}, "only the team's first thread"},
		"no such call":  {[]Call{meet, {Op: Pready, Of: 5}, meet}, "refers to call 5 of 5"},
		"starts a message": {[]Call{meet, {Op: PrecvInit, Recv: One(0), Parts: 2}, {Op: Wait, Of: 1}, meet},
			"only the team's first thread starts partitioned messages"},
	} {
		team := []*Program{{Loop: first}, {Loop: x.second}}
		var wrong string
		for _, p := range team {
			p.Comm, p.Places, p.Team = comm3{}, []Place{{Space: &s, Length: 64, Peer: 2}}, team
			if err := p.Validate(); err != nil {
				wrong = err.Error()
			}
		}
		if x.want == "" {
			require.Empty(t, wrong, name)
			continue
		}
		require.Contains(t, wrong, x.want, name)
	}
}
