package probe

import (
	"cmp"
	"time"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// pauseAround waits before or behind a row of IMB-P2P.
func (m *measurer) pauseAround(k *kernel.Kernel) {
	if k.Component == kernel.P2P {
		time.Sleep(time.Duration(m.plan.Settings.PauseAround * float64(time.Second)))
	}
}

// pause waits for the pause behind a row, or for a tenth of the time that its block's loops have taken, if that is
// longer.
func (m *measurer) pause() {
	if least := m.plan.Settings.Pause; least > 0 {
		time.Sleep(max(time.Duration(least*float64(time.Second)), (m.looped-m.paused)/10))
		m.paused = m.looped
	}
}

// modes returns the modes of a kernel, or the only one that the user wants of two.
func (p *Plan) modes(k *kernel.Kernel) []kernel.Mode {
	if only := p.Settings.OnlyMode; only != kernel.Plain && len(k.Modes) > 1 {
		return []kernel.Mode{only}
	}
	return k.ModesInOrder()
}

// Types returns MPI's names of the types of data and of the numbers that are reduced.
func (s *Settings) Types() (data, numbers string) {
	names := map[kernel.DataType]string{"int": "MPI_INT", "float": "MPI_FLOAT", "double": "MPI_DOUBLE"}
	return cmp.Or(names[s.DataType], "MPI_BYTE"), cmp.Or(names[s.RedType], "MPI_FLOAT")
}
