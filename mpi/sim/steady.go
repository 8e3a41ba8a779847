package sim

import (
	"math"
	"slices"

	"github.com/effective-bandwidth/beff/sim/model"
)

// Programs of very many messages are followed for fewer loops, if each process's times of the last two loops are about
// equal. A repetition of the last run isn't followed again. This helps because a probe runs the same program several
// times.
const (
	manyActs      = 20_000 // of all processes in a loop
	fewLoops      = 4      // loops in that case
	maxDifference = 1e-3   // relative difference of the times of two loops that count as equal
)

// played is the last run that was followed.
type played struct {
	parts []part
	times []model.Played
}

// part is one process's part of a run.
type part struct {
	process int32
	passes  passes
	acts    [3][]model.Act
}

// play follows the programs of all processes that have calls.
func (m *meeting) play() ([]model.Played, error) {
	var list []*entry
	acts, loops, changes, endless := 0, int64(math.MaxInt64), false, false
	for i := range m.entries {
		e := &m.entries[i]
		if x := e.runner; x.calls > 0 {
			list = append(list, e)
			acts += count(x.acts[1])
			loops = min(loops, e.loops.Timed)
			changes, endless = changes || x.period > 1, endless || x.round > 0
		}
	}
	switch {
	case len(list) == 0:
		return nil, nil
	case endless:
		for _, e := range list {
			e.runner.most = maxFollowed
		}
		fallthrough
	case changes:
		return m.world.model.Play(scripts(list))
	}
	most := settling + counting
	if acts > manyActs {
		most = fewLoops
	}
	for ; ; most *= 2 {
		for _, e := range list {
			e.runner.most = most
		}
		times, err := m.once(list)
		if err != nil || most >= settling+counting || loops <= int64(most) || steady(list, times) {
			return times, err
		}
	}
}

// count returns the number of acts, including those in asides.
func count(acts []model.Act) int {
	n := len(acts)
	for i := range acts {
		n += count(acts[i].Acts)
	}
	return n
}

// once follows programs, unless the last ones were the same.
func (m *meeting) once(list []*entry) ([]model.Played, error) {
	var parts []part
	for _, e := range list {
		x := e.runner
		parts = append(parts, part{int32(x.r.all.Rank()), x.followed(e.loops), x.acts})
	}
	if slices.EqualFunc(parts, m.last.parts, part.equal) {
		return m.last.times, nil
	}
	m.last = played{}
	times, err := m.world.model.Play(scripts(list))
	if err == nil {
		m.last = played{parts, times}
	}
	return times, err
}

func scripts(list []*entry) (scripts []model.Script) {
	for _, e := range list {
		scripts = append(scripts, e.runner.script(e.loops))
	}
	return scripts
}

func (p part) equal(o part) bool {
	for i := range p.acts {
		if !slices.EqualFunc(p.acts[i], o.acts[i], equal) {
			return false
		}
	}
	return p.process == o.process && p.passes == o.passes
}

func equal(a, b model.Act) bool {
	return a.Kind == b.Kind && a.Peer == b.Peer && a.Tag == b.Tag && a.Bytes == b.Bytes && a.Back == b.Back &&
		a.Waits == b.Waits && a.Slot == b.Slot && a.Seconds == b.Seconds && a.Lap == b.Lap &&
		slices.EqualFunc(a.Acts, b.Acts, equal)
}

// steady reports whether the last two loops took each process the same time. It also reports true if transfers
// accumulate, because then the difference of two passes gives the time of a loop.
func steady(list []*entry, times []model.Played) bool {
	for i, e := range list {
		if e.runner.backlog {
			return true
		}
		ends := times[i].Ends
		n := len(ends) - 2 // the last loop
		before, last := ends[n-1]-ends[n-2], ends[n]-ends[n-1]
		if math.Abs(last-before) > maxDifference*max(last, before) {
			return false
		}
	}
	return true
}
