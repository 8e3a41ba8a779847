package settings

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
)

// IMB holds the settings that the user's guide doesn't have: the method, and the options that IMB 2021.11 adds.
type IMB struct {
	// How calls become figures (default: each kernel by its suite's own method).
	Method MethodName `json:"method,omitempty"`
	// Put an untimed barrier between two repetitions of a collective kernel (-sync, default by the method).
	Sync *bool `json:"sync,omitempty"`
	// Change the root with each repetition (-root_shift, default by the method).
	RootShift *bool `json:"root_shift,omitempty"`
	// Synchronize repetitions by IMB's own barrier, which consists of messages (-imb_barrier).
	OwnBarrier bool `json:"imb_barrier,omitempty"`
	// Leave out the row of 0 bytes (-zero_size off).
	NoZero bool `json:"no_zero_size,omitempty"`
	// The only mode of kernels that have both (-aggregate_mode, default both).
	OnlyMode Mode `json:"aggregate_mode,omitempty" jsonschema:"enum=aggregate,enum=non-aggregate"`
	// The type of the data of IMB-MPI1's kernels (-data_type), and of the numbers that they reduce (-red_data_type).
	// The defaults are MPI_BYTE and MPI_FLOAT.
	DataType DataType `json:"data_type,omitempty" jsonschema:"enum=int,enum=float,enum=double,enum=char"`
	RedType  DataType `json:"red_data_type,omitempty" jsonschema:"enum=int,enum=double"`
	// How the elements of IMB-MPI1's kernels are arranged in memory (-contig_type). By default they are adjacent
	// elements of the basic type. base_vec has the same elements in one MPI_Type_vector, resize has a gap of an
	// element's size after each element, and resize_vec has such elements in one MPI_Type_vector.
	ContigType ContigType `json:"contig_type,omitempty" jsonschema:"enum=base_vec,enum=resize,enum=resize_vec"`
	// Messages of a repetition of Uniband and Biband (-window_size, default by the method).
	Window int `json:"window_size,omitempty" jsonschema:"minimum=0"`
	// Seconds of a pause after each row, at least (-msg_pause).
	Pause float64 `json:"pause,omitempty" jsonschema:"minimum=0"`
	// Don't write into each line of a message before sending it in IMB-P2P (-msgwr off).
	NoTouchSent bool `json:"no_msgwr,omitempty"`
	// Don't read each line of a received message in IMB-P2P (-msgrd off).
	NoTouchReceived bool `json:"no_msgrd,omitempty"`
	// Seconds of a pause before each row of IMB-P2P, and of another one after it (-pause).
	PauseAround float64 `json:"pause_around,omitempty" jsonschema:"minimum=0"`
}

// Check returns an error if a setting has no meaning.
func (t *IMB) Check() error {
	switch {
	case t.OnlyMode != Plain && !slices.Contains(BothModes, t.OnlyMode):
		return fmt.Errorf("unknown mode %q: want %s or %s", t.OnlyMode, Aggregate, NonAggregate)
	case t.DataType != "" && !t.DataType.known() || t.RedType != "" && !t.RedType.known():
		return fmt.Errorf("unknown data type %q or %q: want int, float or double", t.DataType, t.RedType)
	case t.ContigType != "" && ContigForms[t.ContigType] == mpi.Basic:
		return fmt.Errorf("unknown contig type %q: want base_vec, resize or resize_vec", t.ContigType)
	case t.Window < 0 || t.Window > maxWindow:
		return fmt.Errorf("want up to %d messages of a window, not %d", maxWindow, t.Window)
	case !(t.Pause >= 0 && t.Pause <= longestTime) || !(t.PauseAround >= 0 && t.PauseAround <= longestTime):
		return fmt.Errorf("want a pause up to %g seconds, not %g or %g", longestTime, t.Pause, t.PauseAround)
	}
	return nil
}

// maxWindow is the largest number of messages of a repetition.
const maxWindow = 1 << 16

// Is2021 reports whether programs follow IMB 2021.11 when it differs from the guide.
func (s *IMB) Is2021() bool { return s != nil && s.Method == ByIMB2021 }

// DataType is a type of data by IMB's name.
type DataType string

// dataTypes has the types by their names.
var dataTypes = map[DataType]mpi.Type{"int": mpi.Int32, "float": mpi.Float32, "double": mpi.Float64,
	Characters: mpi.Byte}

// Characters are the data of IMB-MT with -datatype char.
const Characters DataType = "char"

// Type returns the type of a name.
func (d DataType) Type() mpi.Type { return dataTypes[d] }

func (d DataType) known() bool { _, ok := dataTypes[d]; return ok }

// TouchesSent reports whether processes of IMB-P2P write into each line of a message before they send it.
func (s *IMB) TouchesSent() bool { return s == nil || !s.NoTouchSent }

// TouchesReceived reports whether processes of IMB-P2P read each line of a message that they have received.
func (s *IMB) TouchesReceived() bool { return s == nil || !s.NoTouchReceived }

// MethodName names a method in results and on the command line.
type MethodName string

// The methods that a user chooses by name. docs/studies/imb.md lists their differences.
const (
	ByGuide   MethodName = "guide"    // Intel MPI Benchmarks user's guide 4.0
	ByIMB2021 MethodName = "imb-2021" // Intel MPI Benchmarks 2021.11
	ByOSU     MethodName = "osu"      // OSU micro-benchmarks 7.4
	ByLoad    MethodName = "load"     // victims measured together with congestors, after GPCNeT 1.3
	ByMDTest  MethodName = "mdtest"   // mdtest 4.1
	// The two sides of a guideline in turn.
	ByTurns MethodName = "guidelines"
)

// ContigType is a form of data by IMB's name.
type ContigType string

// ContigForms has the forms by their names. The form mpi.Basic has no name here.
var ContigForms = map[ContigType]mpi.Form{"base_vec": mpi.BasicVector, "resize": mpi.Resized,
	"resize_vec": mpi.ResizedVector}

// Mode sets whether each transfer is completed by itself or all together (guide, "MPI-2 Benchmark Modes").
type Mode string

// The modes. Kernels without a choice have Plain.
const (
	Plain        Mode = ""
	Aggregate    Mode = "aggregate"
	NonAggregate Mode = "non-aggregate"
)

var BothModes = []Mode{Aggregate, NonAggregate}

// Types returns MPI's names of the types of data and of the numbers that are reduced.
func (s *Settings) Types() (data, numbers string) {
	names := map[DataType]string{"int": "MPI_INT", "float": "MPI_FLOAT", "double": "MPI_DOUBLE", Characters: "MPI_CHAR"}
	return cmp.Or(names[s.DataType], "MPI_BYTE"), cmp.Or(names[s.RedType], "MPI_FLOAT")
}
