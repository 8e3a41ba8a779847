package method

import (
	"fmt"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// Unfit returns the reason why the kernel can't be measured on the given number of processes, or "" if it can. The
// reason follows the kernel's name in an error. multi is true in the multiple mode.
func (w Way) Unfit(multi bool, processes int) string {
	if w.unfit != nil {
		if reason := w.unfit(w); reason != "" {
			return reason
		}
	}
	if w.kernel.Builder.Processes.Neighbours {
		graph := w.settings.OSU.Graph()
		if reason := graph.Unfit(processes); reason != "" {
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
	if n := w.kernel.RelayProcesses(w.settings, processes); n > processes {
		return TooFew(n, processes)
	}
	return ""
}

// Pairs reports whether all processes form pairs, at the distance in ranks that the settings give.
func (w Way) Pairs(multi bool) bool {
	return w.kernel.Active == 2 && (w.pairs || multi && w.settings.Paired())
}

// unfitOneSided returns the reason why the settings of pairs and of one-sided calls prevent the measurement of the
// kernel on the given number of processes, or "".
func (w Way) unfitOneSided(multi bool, processes int) string {
	s, k, pairs := w.settings, w.kernel, w.Pairs(multi)
	if pairs {
		if err := s.CheckPartners(processes); err != nil {
			return "can't run: " + err.Error()
		}
	}
	access, o := k.Builder.Access, s.Transfers()
	switch {
	case k.Component == kernel.OSU && access.Window != kernel.NoSide && k.Moved > 1 && !k.OneSided(s).Sync.Answered():
		return "transfers in both directions, for which both sides must open an epoch: want pscw or fence"
	case pairs && s.Who.Per != "":
		return "needs pairs of all processes: don't select one process per " + s.Who.Per
	case k.Component != kernel.PGAS:
		return ""
	case multi:
		return "runs on all processes at once: leave the multiple mode out"
	case access.Transfer == mpi.Get && o.Completion == settings.CompleteLocal:
		return "has no local completion, because the data of a get are in the origin's memory: want " +
			"each, all or request"
	case !access.Waits && o.Target == settings.TargetComputes:
		return "has no process that only waits and could compute instead"
	case access.Waits && o.Target == settings.TargetComputes && s.InSeries():
		return "can't have series while targets compute, which they do for as long as a whole loop takes"
	}
	return ""
}

// TooFew returns the reason why a kernel can't be measured on fewer than the least processes that it needs.
func TooFew(least, processes int) string {
	return fmt.Sprintf("needs at least %d processes, this job has %d: start it with -n %d or more", least, processes,
		least)
}
