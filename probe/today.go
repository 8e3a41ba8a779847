package probe

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
)

// Method is the set of rules by which kernels are measured, where the user's guide and today's IMB differ.
// docs/studies/imb.md lists the differences.
type Method string

// The methods.
const (
	ByGuide Method = "guide"    // Intel MPI Benchmarks user's guide 4.0
	ByToday Method = "imb-2021" // Intel MPI Benchmarks 2021.11
)

// Title returns the method in words.
func (m Method) Title() string {
	if m == ByToday {
		return "Intel MPI Benchmarks 2021.11"
	}
	return "IMB user's guide 4.0"
}

// Today holds the settings that the user's guide doesn't have: the method, and options of today's IMB.
type Today struct {
	// The rules where the user's guide 4.0 and today's IMB differ. Documents of older versions lack it: guide.
	Method Method `json:"method,omitempty" jsonschema:"enum=guide,enum=imb-2021"`
	// A barrier stands between two repetitions of a collective kernel, and doesn't count (-sync); left out: by the
	// method.
	Sync *bool `json:"sync,omitempty"`
	// The root changes with each repetition (-root_shift); left out: by the method.
	RootShift *bool `json:"root_shift,omitempty"`
	// The barrier between two repetitions is made of messages (-imb_barrier).
	OwnBarrier bool `json:"imb_barrier,omitempty"`
	// There is no row of 0 bytes (-zero_size off).
	NoZero bool `json:"no_zero_size,omitempty"`
	// The only mode of kernels that have both (-aggregate_mode); left out: both.
	OnlyMode Mode `json:"aggregate_mode,omitempty" jsonschema:"enum=aggregate,enum=non-aggregate"`
	// The type of the data of IMB-MPI1's kernels (-data_type), and of the numbers that they reduce (-red_data_type);
	// left out: MPI_BYTE and MPI_FLOAT.
	DataType DataType `json:"data_type,omitempty" jsonschema:"enum=int,enum=float,enum=double"`
	RedType  DataType `json:"red_data_type,omitempty" jsonschema:"enum=int,enum=double"`
	// How the elements of IMB-MPI1's kernels lie in memory (-contig_type); left out: elements of the basic type, one
	// behind the other. base_vec: the same as one MPI_Type_vector. resize: each with a gap of its size behind it.
	// resize_vec: such elements as one MPI_Type_vector.
	ContigType ContigType `json:"contig_type,omitempty" jsonschema:"enum=base_vec,enum=resize,enum=resize_vec"`
	// Messages of a repetition of Uniband and Biband (-window_size); left out: 256.
	Window int `json:"window_size,omitempty" jsonschema:"minimum=0"`
	// Seconds of a pause behind each row, at least (-msg_pause).
	Pause float64 `json:"pause,omitempty" jsonschema:"minimum=0"`
	// Processes of IMB-P2P don't write into each line of a message before they send it (-msgwr off).
	NoTouchSent bool `json:"no_msgwr,omitempty"`
	// Processes of IMB-P2P don't read each line of a message that they have received (-msgrd off).
	NoTouchReceived bool `json:"no_msgrd,omitempty"`
	// Seconds of a pause before a row of IMB-P2P, and of another one behind it (-pause).
	PauseAround float64 `json:"pause_around,omitempty" jsonschema:"minimum=0"`
}

// check returns an error if a setting has no meaning.
func (t *Today) check() error {
	switch {
	case t.Method != "" && t.Method != ByGuide && t.Method != ByToday:
		return fmt.Errorf("unknown method %q: want %s or %s", t.Method, ByGuide, ByToday)
	case t.OnlyMode != Plain && !slices.Contains(bothModes, t.OnlyMode):
		return fmt.Errorf("unknown mode %q: want %s or %s", t.OnlyMode, Aggregate, NonAggregate)
	case t.DataType != "" && !t.DataType.known() || t.RedType != "" && !t.RedType.known():
		return fmt.Errorf("unknown data type %q or %q: want int, float or double", t.DataType, t.RedType)
	case t.ContigType != "" && ContigForms[t.ContigType] == mpi.Adjacent:
		return fmt.Errorf("unknown contig type %q: want base_vec, resize or resize_vec", t.ContigType)
	case t.Window < 0 || t.Window > mostWindow:
		return fmt.Errorf("want up to %d messages of a window, not %d", mostWindow, t.Window)
	case !(t.Pause >= 0 && t.Pause <= LongestTime) || !(t.PauseAround >= 0 && t.PauseAround <= LongestTime):
		return fmt.Errorf("want a pause up to %g seconds, not %g or %g", LongestTime, t.Pause, t.PauseAround)
	}
	return nil
}

// mostWindow is the largest number of messages of a repetition.
const mostWindow = 1 << 16

// today reports whether kernels are measured as today's IMB does it.
func (s *Settings) today() bool { return s != nil && s.Method == ByToday }

// HowMeasured returns the method of the results, which older documents don't name.
func (s *Settings) HowMeasured() Method {
	if s.Method == "" {
		return ByGuide
	}
	return s.Method
}

// syncs reports whether a barrier stands between two repetitions of a collective kernel.
func (s *Settings) syncs() bool {
	if s == nil || s.Sync == nil {
		return s.today()
	}
	return *s.Sync
}

// rotates reports whether the root changes with each repetition.
func (s *Settings) rotates() bool {
	if s == nil || s.RootShift == nil {
		return !s.today()
	}
	return *s.RootShift
}

// clocksEach reports whether the clock is read around each repetition, so that only the calls count. Today's IMB does
// it in the collective kernels that have lengths, and a barrier demands it.
func (s *scene) clocksEach() bool {
	k := s.kernel
	collective := (k.Component == MPI1 || k.Component == NBC) && (k.Class == Collective || k.Class == Overlap) &&
		!k.NoLength()
	return collective && s.series == nil && (s.settings.today() || s.settings.syncs())
}

// pauseLap is the lap of the time between two repetitions, which doesn't count.
const pauseLap = 2

// rest returns the calls between two repetitions whose calls count alone. first is the number of the program's places,
// to which more are added.
func (s *scene) rest(first int) (calls []mpi.Call, more []mpi.Place) {
	calls = []mpi.Call{{Op: mpi.Lap, Root: elsewhere}}
	switch {
	case !s.settings.syncs():
	case s.settings.OwnBarrier:
		barrier, places := s.ownBarrier(first)
		calls, more = append(calls, barrier...), places
	default:
		calls = append(calls, mpi.Call{Op: mpi.Barrier})
	}
	return append(calls, mpi.Call{Op: mpi.Lap, Root: pauseLap}), more
}

// barrierTag is the tag of a barrier's messages.
const barrierTag = 1000

// ownBarrier returns a barrier made of empty messages: in each round a process meets those whose ranks are 1, 2, 4 …
// away on either side.
func (s *scene) ownBarrier(first int) (calls []mpi.Call, places []mpi.Place) {
	for away := 1; away < s.size(); away *= 2 {
		to, from := (s.rank()+away)%s.size(), (s.rank()-away+s.size())%s.size()
		places = append(places, s.in(&s.send, 0, 0, to), s.in(&s.recv, 0, 0, from))
		calls = append(calls, mpi.Call{Op: mpi.Sendrecv, Send: mpi.One(first), Recv: mpi.One(first + 1),
			Tag: barrierTag})
		first += 2
	}
	return calls, places
}

// counted returns the seconds of a run that count.
func (s *scene) counted(got mpi.Measurement) float64 {
	if !s.clocksEach() {
		return got.Seconds
	}
	sum := 0.0
	for i, lap := range got.Laps {
		if i != pauseLap {
			sum += lap.Seconds
		}
	}
	return sum
}

// pauseAround waits before or behind a row of IMB-P2P.
func (m *measurer) pauseAround(k *Kernel) {
	if k.Component == P2P {
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
func (p *Plan) modes(k *Kernel) []Mode {
	if only := p.Settings.OnlyMode; only != Plain && len(k.Modes) > 1 {
		return []Mode{only}
	}
	return k.modes()
}

// DataType is a type of data by IMB's name.
type DataType string

// dataTypes has the types by their names.
var dataTypes = map[DataType]mpi.Type{"int": mpi.Int32, "float": mpi.Float32, "double": mpi.Float64}

func (d DataType) known() bool { _, ok := dataTypes[d]; return ok }

// reduces reports whether the kernel's data are numbers that are combined.
func (k *Kernel) reduces() bool {
	return k.Type == mpi.Float32 || k.Component == PGAS && k.Type == mpi.Int32
}

// kind returns the type of a kernel's data.
func (s *Settings) kind(k *Kernel) mpi.Type {
	if s == nil || k.Component != MPI1 {
		return k.Type
	}
	chosen := s.DataType
	if k.reduces() {
		chosen = s.RedType
	}
	if chosen == "" {
		return k.Type
	}
	return dataTypes[chosen]
}

func (s *scene) kind() mpi.Type { return s.settings.kind(s.kernel) }
func (s *scene) unit() int64    { return s.settings.unit(s.kernel) }

// Default reports whether the kernel runs by a method if none is named.
func (k *Kernel) Default(m Method) bool { return !k.Optional && (!k.Today || m == ByToday) }

// Types returns MPI's names of the types of data and of the numbers that are reduced.
func (s *Settings) Types() (data, numbers string) {
	names := map[DataType]string{"int": "MPI_INT", "float": "MPI_FLOAT", "double": "MPI_DOUBLE"}
	return cmp.Or(names[s.DataType], "MPI_BYTE"), cmp.Or(names[s.RedType], "MPI_FLOAT")
}

// completesOnce reports whether all repetitions of a run are completed together.
func (s *scene) completesOnce() bool {
	return s.mode == Aggregate || s.settings.today() && (s.kernel.recipe().todayOnce || s.kernel.OnlyAggregate())
}

// putTime returns the seconds of the puts of Truly_passive_put in the last run, or -1 if this process has none. Today's
// IMB counts the barriers behind them.
func (s *scene) putTime() float64 {
	if s.settings.today() && len(s.laps) > waiting {
		return s.lap(putting) + s.lap(waiting)
	}
	return s.lap(putting)
}

// OnlyAggregate reports whether today's IMB has the kernel in aggregate mode alone, which its text says: files that are
// read, and nonblocking file calls.
func (k *Kernel) OnlyAggregate() bool {
	return k.Component == IO && len(k.Modes) == 0 && !k.NoLength()
}
