// Package sim is an engine whose network is a model. It moves no data: the model computes how long a run's messages
// would take, and the engine's clock advances by that time. With New one process computes the messages of all others
// (mpi.Traffic), so a job may have a million processes. With Run each process is a goroutine.
package sim

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/sim/model"
)

// Kind holds the properties of this engine.
var Kind = mpi.EngineKind{Simulated: true}

// Engine is the engine of process 0 of a job whose other processes only exist in the model.
type Engine struct {
	model *model.Model
	noise *model.Noise
	steps map[*mpi.Traffic]*model.Step
	times map[sending]float64 // in seconds, as far as computed

	routed int64 // messages of the steps

	elapsed float64 // seconds on its clock
	aborted bool
}

// Simulation is an engine of this package.
type Simulation interface {
	mpi.Engine
	Model() *model.Model
	Now() time.Time // of its clock, which starts at the beginning of 1970
}

var _ Simulation = (*Engine)(nil)

// New returns an engine. The seed determines the noise.
func New(m *model.Model, seed uint64) *Engine {
	return &Engine{model: m, noise: m.NewNoise(seed), steps: map[*mpi.Traffic]*model.Step{},
		times: map[sending]float64{}}
}

// Model returns the machine with its processes.
func (e *Engine) Model() *model.Model { return e.model }

// Now returns the time of the engine's clock, which starts at the beginning of 1970.
func (e *Engine) Now() time.Time { return time.Unix(0, int64(math.Ceil(e.elapsed*1e9))).UTC() }

// Worked returns the amount of work done so far: the number of messages whose routes were found or, if the model is
// exact, the number of message lengths of patterns that were followed.
func (e *Engine) Worked() int64 {
	if e.model.Exact {
		return int64(len(e.times))
	}
	return e.routed
}

// World returns the communicator of all processes, in which this process has rank 0.
func (e *Engine) World() mpi.Comm { return &mpi.SoloComm{Processes: e.model.Processes, Err: e.err} }

// Library returns the name of this engine, with the machine's name as its version.
func (e *Engine) Library() mpi.Library {
	return library(e.model)
}

// library describes the engine with its machine.
func library(m *model.Model) mpi.Library {
	return mpi.Library{Engine: "sim", Library: "beff simulated network", Version: m.Name, Stated: Kind}
}

// MovesData implements mpi.DataMover. No data are moved.
func (e *Engine) MovesData() bool { return false }

// Clock returns the properties of the engine's clock, whose resolution isn't limited.
func (e *Engine) Clock() mpi.Clock { return mpi.Clock{Global: true} }

// Host returns the name of the machine.
func (e *Engine) Host() string { return e.model.Name }

// manner is the way in which calls send messages.
type manner int

const (
	nothing manner = iota
	inTurn
	together
	collective
)

// manners holds the manner of each supported call that communicates.
var manners = map[mpi.Op]manner{
	mpi.Send: inTurn, mpi.Recv: inTurn, mpi.Sendrecv: inTurn, mpi.Isend: together, mpi.Irecv: together,
	mpi.Wait: together, mpi.Waitall: together, mpi.Alltoallv: collective,
}

// Supports reports true for the calls of b_eff's methods and for local calls that take no time.
func (e *Engine) Supports(op mpi.Op) bool {
	_, sends := manners[op]
	return sends || op == mpi.Walk || op == mpi.Stamp || op == mpi.Check
}

// NewBuffer returns memory that is allocated when Bytes is first called.
func (e *Engine) NewBuffer(size int64) (mpi.Buffer, error) {
	b, err := newBuffer(size)
	if err == nil {
		err = e.err()
	}
	return b, err
}

func newBuffer(size int64) (mpi.Buffer, error) {
	if size < 0 {
		return nil, fmt.Errorf("new buffer: %d bytes", size)
	}
	return &buffer{size: size}, nil
}

// Collect does nothing.
func (e *Engine) Collect() error { return e.err() }

// Abort makes all later calls fail.
func (e *Engine) Abort(int) { e.aborted = true }

func (e *Engine) err() error {
	if e.aborted {
		return mpi.ErrAborted
	}
	return nil
}

// Compile checks a program and computes the time of its loop.
func (e *Engine) Compile(p *mpi.Program) (mpi.Runner, error) {
	if err := mpi.CheckSupport(e, p); err != nil {
		return nil, err
	}
	r := &runner{e: e}
	how, length := nothing, int64(0)
	for _, c := range p.Calls() {
		how = max(how, manners[c.Op])
	}
	if how == nothing {
		return r, e.err()
	}
	if p.Traffic == nil {
		return nil, errors.New("sim: the program has no Traffic, the messages of all processes")
	}
	for _, place := range p.Places {
		length = max(length, place.Length)
	}
	r.seconds = e.seconds(p, how, length)
	return r, e.err()
}

// sending identifies a loop by its messages, whether they are sent in turn, and their length.
type sending struct {
	traffic *mpi.Traffic
	inTurn  bool
	length  int64
}

// seconds returns the time of a loop.
func (e *Engine) seconds(p *mpi.Program, how manner, length int64) float64 {
	step, known := e.steps[p.Traffic]
	if !known {
		var messages []model.Message
		p.Traffic.Each(func(round, from, to int) {
			messages = append(messages, model.Message{Round: int32(round), From: int32(from), To: int32(to)})
		})
		step = e.model.NewStep(messages)
		e.routed += int64(len(messages))
		e.steps[p.Traffic] = step
	}
	key := sending{p.Traffic, how == inTurn, length}
	seconds, known := e.times[key]
	if !known {
		if key.inTurn {
			seconds = step.InTurn(length)
		} else {
			seconds = step.Together(length)
		}
		e.times[key] = seconds
	}
	if how == collective {
		seconds += float64(p.Comm.Size()) * float64(e.model.Endpoint.Scan)
	}
	return seconds
}

// runner is a compiled program.
type runner struct {
	e       *Engine
	seconds float64 // of a loop
	closed  bool
}

// Run implements mpi.Runner.
func (r *runner) Run(n mpi.Loops) (mpi.Measurement, error) {
	if err := r.e.err(); err != nil {
		return mpi.Measurement{}, err
	}
	if r.closed {
		return mpi.Measurement{}, errors.New("run: the program was closed")
	}
	if err := n.Validate(); err != nil {
		return mpi.Measurement{}, err
	}
	loop := r.seconds * r.e.noise.Next()
	r.e.elapsed += loop * float64(n.Untimed)
	m := mpi.Measurement{Begin: r.e.elapsed, Loops: n.Timed, Seconds: loop * float64(n.Timed)}
	r.e.elapsed += m.Seconds
	m.All = &mpi.Spread{Max: m.Seconds, Min: m.Seconds, Mean: m.Seconds}
	return m, nil
}

// Close implements mpi.Runner.
func (r *runner) Close() { r.closed = true }

// buffer is memory that is allocated when it is first used.
type buffer struct {
	size  int64
	bytes []byte
}

func (b *buffer) Size() int64 { return b.size }
func (b *buffer) Free()       { b.bytes = nil }

// Bytes implements mpi.Buffer.
func (b *buffer) Bytes() []byte {
	if b.bytes == nil {
		b.bytes = make([]byte, b.size)
	}
	return b.bytes
}
