package probe

import (
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// relayedProcesses returns the number of active processes of a kernel whose further ones are relays; 0: the kernel has
// none.
func (s *Settings) relayedProcesses(k *kernel.Kernel, processes int) int {
	switch {
	case k.Component != kernel.MPIB || k.Name != "Relayed":
		return 0
	case s.Relays > 0:
		return s.Relays + 2
	}
	return min(processes, suites.DefaultRelays+2)
}

// tooFew returns the reason why a selection has too few processes for its relays.
func (s Selection) tooFew(settings *Settings, processes int) string {
	if n := settings.relayedProcesses(s.Kernel, processes); n > processes {
		return processesNeeded(n, processes)
	}
	return ""
}
