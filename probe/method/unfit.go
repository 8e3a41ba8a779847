package method

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Unfit returns the reason why the kernel can't be measured on the given number of processes, in the multiple mode or
// not; "" if it can.
func (w Way) Unfit(multi bool, processes int) string {
	if w.unfit != nil {
		if reason := w.unfit(w); reason != "" {
			return reason
		}
	}
	if o := w.settings.OSU; w.kernel.Builder.Who.Neighbours {
		g := o.Graph()
		if reason := g.Unfit(processes); reason != "" {
			return reason
		}
	}
	if (w.kernel.Component == kernel.P2P || w.kernel.Component == kernel.MT) && multi {
		return "runs on all processes at once: leave the multiple mode out"
	}
	if stride := w.settings.Threading.Stride; w.kernel.Component == kernel.MT && 2*stride > processes {
		return fmt.Sprintf("has partners %d ranks apart: want a stride of at most half of the %d processes", stride,
			processes)
	}
	if reason := w.unfitOneSided(multi, processes); reason != "" {
		return reason
	}
	if n := w.kernel.Relayed(w.settings, processes); n > processes {
		return TooFew(n, processes)
	}
	return ""
}

// Pairs reports whether the kernel's groups are pairs of all processes, by the settings' offset.
func (w Way) Pairs(multi bool) bool {
	return w.kernel.Active == 2 && (w.pairs || multi && w.settings.Paired())
}

// unfitOneSided returns the reason why the settings of one-sided calls don't allow to measure the kernel on the given
// number of processes, or "".
func (w Way) unfitOneSided(multi bool, processes int) string {
	s, k, byOffset := w.settings, w.kernel, w.Pairs(multi)
	if _, err := s.Partners(processes); err != nil && byOffset {
		return "can't run: " + err.Error()
	}
	r, o := k.Builder, s.Transfers()
	switch {
	case k.Component == kernel.OSU && r.Access.Window != kernel.NoSide && k.Moved > 1 && !k.OneSided(s).Sync.Answered():
		return "has transfers both ways, which each side answers: want the epoch pscw or fence"
	case byOffset && s.Who.Per != "":
		return "pairs up all processes: leave one process per " + s.Who.Per + " out"
	case k.Component != kernel.PGAS:
		return ""
	case multi:
		return "runs on all processes at once: leave the multiple mode out"
	case r.Access.Transfer == mpi.Get && o.Completion == settings.CompleteLocal:
		return "has no local completion, because the data of a get are in the origin's memory: want " +
			"each, all or request"
	case !r.Access.Waits && o.Target == settings.TargetComputes:
		return "has no process that only waits and could compute instead"
	case r.Access.Waits && o.Target == settings.TargetComputes && s.InSeries():
		return "can't have series while targets compute, which they do for as long as a whole loop takes"
	}
	return ""
}

// TooFew is the reason given for a kernel that needs more processes.
func TooFew(least, processes int) string {
	return fmt.Sprintf("needs at least %d processes, this job has %d: start it with -n %d or more", least, processes,
		least)
}
