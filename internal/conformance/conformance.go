package conformance

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/effective-bandwidth/beff/mpi"
)

// Launch starts main on every process of a job and returns the joined errors when all have ended. Under an MPI launcher
// each process runs the whole suite, and Launch calls main only for its own process. If main fails, it has called Abort
// or returns an mpi.AgreedError.
type Launch func(main func(e mpi.Engine) error) error

// Run runs every case as a subtest on all processes that launch starts. Their number must be processes. It skips a case
// that needs more processes, or an optional call that the engine lacks. The time limit of go test ends a case that
// hangs, and names it.
func Run(t *testing.T, processes int, launch Launch) {
	supported, err := survey(processes, launch)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if processes < c.least {
				t.Skipf("needs %d processes", c.least)
			}
			if reason := c.lacks(supported); reason != "" {
				t.Skip(reason)
			}
			cache := &resultCache{}
			if err := launch(func(e mpi.Engine) error { return c.run(e, cache, t.Logf) }); err != nil {
				t.Error(err)
			}
		})
	}
}

// required holds the calls that every engine must have. messages holds the calls of b_eff's methods. An engine must
// have all of them or none. A case that uses other calls is skipped if the engine lacks them.
var (
	required = []mpi.Op{mpi.Walk, mpi.Stamp, mpi.Check, mpi.Barrier}
	messages = []mpi.Op{mpi.Send, mpi.Recv, mpi.Sendrecv, mpi.Isend, mpi.Irecv, mpi.Wait, mpi.Waitall, mpi.Alltoallv}
)

// lacks returns the reason to skip the case on an engine with some calls, or "". If a call is missing that the engine
// must have, the case isn't skipped but fails.
func (c testCase) lacks(supported map[mpi.Op]bool) string {
	has := func(op mpi.Op) bool { return supported[op] }
	if !slices.ContainsFunc(messages, has) && !slices.Contains(withoutMessages, c.name) {
		return "the engine has no messages"
	}
	for _, op := range c.ops {
		if !has(op) && !slices.Contains(required, op) && !slices.Contains(messages, op) {
			return fmt.Sprintf("the engine does not support %v", op)
		}
	}
	return ""
}

// withoutMessages lists the cases for an engine that has no messages.
var withoutMessages = []string{
	"Required", "World", "Barrier", "Bcast", "Allreduce", "AllreduceLong", "AllreduceRefused", "Gather", "Split",
	"Cart",
	"Free", "Buffers", "BufferRefused", "Unsupported", "LoopsRefused", "ProgramBarrier", "Empty", "Start",
	"Compute", "Nop", "Compare", "Copy", "Touch", "Decide", "OwnClock", "Laps", "Each", "Blocks", "Begins",
	"Exploit", "Notify",
	"WindowPut", "WindowGet", "WindowAll", "WindowFetch", "WindowTickets", "WindowPieces", "WindowSync",
	"WindowKept", "WindowAllocate",
	"Interrupt",
}

// testCase is one case. It is collective, and the same on all processes.
type testCase struct {
	name  string
	least int      // smallest number of processes
	ops   []mpi.Op // its calls that aren't in required
	last  bool     // the processes may be unable to agree afterwards
	// body ends at once on this process only if a call fails (must). It records all other faults with errorf and
	// continues, so that no other process waits for it.
	body func(p *process)
}

var cases = []testCase{
	{name: "Required", body: requiredOps},
	{name: "World", body: world},
	{name: "Barrier", body: barrier},
	{name: "Bcast", body: bcast},
	{name: "Allreduce", body: allreduce},
	{name: "AllreduceLong", body: allreduceLong},
	{name: "AllreduceRefused", body: allreduceRefused},
	{name: "Gather", body: gather},
	{name: "Split", body: split},
	{name: "SplitTwice", body: splitTwice},
	{name: "Cart", body: cart},
	{name: "Free", body: freeComms},

	{name: "Buffers", body: buffers},
	{name: "BufferAgain", body: bufferAgain},
	{name: "BufferRefused", body: bufferRefused},
	{name: "BufferFolded", body: bufferFolded},

	{name: "Refused", body: invalidPrograms},
	{name: "Unsupported", body: unsupportedCalls},
	{name: "LoopsRefused", body: invalidLoops},

	{name: "Sendrecv", body: each(lengths, sendrecv)},
	{name: "SendrecvReplace", ops: ops(mpi.SendrecvReplace), body: each(upTo1MiB, replaces)},
	{name: "Notify", ops: ops(mpi.Notify), body: single(notifies)},
	{name: "WithEach", ops: ops(mpi.SendrecvEach, mpi.RecvEach), body: each(upTo1MiB, withEach)},
	{name: "SendRecv", body: each(upTo1MiB, pingPong)},
	{name: "Waits", body: each([]int{0, 5, 12}, waits)},
	{name: "AnySource", body: anySource},
	{name: "Tags", body: single(tags)},
	{name: "Order", body: each([]bool{false, true}, order)},
	{name: "Synchronous", least: 2, ops: ops(mpi.Ssend), body: synchronous},
	{name: "Ready", ops: ops(mpi.Rsend), body: single(sendsAfterReceives(mpi.Rsend))},
	{name: "Pieces", body: single(pieces)},
	{name: "PiecesAdvancing", body: single(advancingPieces)},
	{name: "Forms", body: each(allForms, forms)},
	{name: "Communicators", least: 2, body: communicators},
	{name: "Self", body: each([]int64{0, 1, 8, 100000, 1 << 20}, self)},
	{name: "RandomMessages", body: each(to(25), randomMessages)},

	{name: "AlltoallvNeighbours", body: each(upTo1MiB, alltoallvNeighbours)},
	{name: "AlltoallvWithoutPlaces", body: single(alltoallvWithoutPlaces)},
	{name: "ProgramBarrier", body: programBarrier},

	{name: "Walk", body: single(walks)},
	{name: "Stamp", body: single(stamps)},
	{name: "Check", body: single(checks)},
	{name: "WrongMarks", body: onAllGroups(wrongMarks)},

	{name: "Patterns", body: rings},
	{name: "TwoRunners", body: single(twoRunners)},
	{name: "Empty", body: empty},
	{name: "Start", body: start},
	{name: "Seconds", body: seconds},
	{name: "Compute", ops: []mpi.Op{mpi.Compute}, body: compute},
	{name: "Nop", ops: []mpi.Op{mpi.Nop}, body: nop},
	{name: "Look", least: 2, ops: []mpi.Op{mpi.Compute}, body: looks},
	{name: "Compare", ops: ops(mpi.Compare), body: single(compares)},
	{name: "Copy", ops: ops(mpi.Copy), body: each(upTo1MiB, copies)},
	{name: "Combine", ops: ops(mpi.Combine), body: single(combines)},
	{name: "Touch", ops: ops(mpi.TouchSend, mpi.ThreadBarrier, mpi.TouchRecv),
		body: each([]int64{0, 1, mpi.Line, mpi.Line + 1, 10*mpi.Line - 1}, touches)},

	{name: "Decide", ops: []mpi.Op{mpi.Compute, mpi.Decide}, body: decide},
	{name: "StopOnSignal", least: 2, ops: ops(mpi.Compute, mpi.StopOnSignal, mpi.Ibarrier, mpi.Wait),
		body: stopsOnSignal},
	{name: "OwnClock", ops: []mpi.Op{mpi.Compute}, body: ownClock},
	{name: "Laps", ops: []mpi.Op{mpi.Compute, mpi.Lap}, body: laps},
	{name: "Tally", ops: []mpi.Op{mpi.Compute, mpi.Lap}, body: tallied},
	{name: "Sections", body: single(sections)},
	{name: "SectionMessages", body: single(sectionMessages)},
	{name: "SectionTimes", ops: []mpi.Op{mpi.Compute, mpi.Lap}, body: sectionTimes},
	{name: "Each", ops: []mpi.Op{mpi.Compute, mpi.Lap, mpi.Decide}, body: eachLoop},
	{name: "Blocks", ops: []mpi.Op{mpi.Compute, mpi.Lap, mpi.Decide}, body: checkBlocks},
	{name: "Begins", ops: []mpi.Op{mpi.Compute}, body: begins},
	{name: "Advancing", body: single(advancing)},
	{name: "AdvancingMessages", body: each(ops(mpi.Sendrecv, mpi.Alltoallv), advancingMessages)},
	{name: "AdvancingFile", ops: ops(mpi.FileWriteAt, mpi.FileReadAt, mpi.FileSync),
		body: playing(single(advancingFile))},

	{name: "FileOpen", ops: ops(mpi.FileWrite), body: inFolder(fileOpen)},
	{name: "FileSegments", ops: opsOf(segmentLayouts), body: playing(each(segmentLayouts, written))},
	{name: "FileSlots", ops: opsOf(slotLayouts), body: playing(each(slotLayouts, written))},
	{name: "FileOrdered", ops: opsOf(orderedLayouts), body: playing(each(orderedLayouts, written))},
	{name: "FileOffsets", ops: opsOf(offsetLayouts), body: playing(each(offsetLayouts, written))},
	{name: "FileLarge", ops: opsOf(largeLayouts), body: playing(each(largeLayouts, written))},
	{name: "FileNonblocking", ops: opsOf(nonblockingLayouts), body: playing(each(nonblockingLayouts, written))},
	{name: "FileSeparate", ops: opsOf(segmentLayouts), body: playing(fileSeparate)},
	{name: "FileShared", ops: ops(mpi.FileWriteShared, mpi.FileReadShared),
		body: fileShared(mpi.FileWriteShared, mpi.FileReadShared)},
	{name: "FileSharedNonblocking", ops: ops(mpi.FileIwriteShared, mpi.FileIreadShared),
		body: fileShared(mpi.FileIwriteShared, mpi.FileIreadShared)},
	{name: "FileSync", ops: ops(mpi.FileWriteAt, mpi.FileReadAt, mpi.FileSync), body: playing(single(fileSync))},
	{name: "FileFlip", ops: ops(mpi.FileWriteAll, mpi.FileReadAll), body: playing(each(flips, flipped))},
	{name: "FileHole", ops: ops(mpi.FileWriteAll, mpi.FileReadAll), body: playing(single(hole))},
	{name: "FileEnd", ops: ops(mpi.FileWrite, mpi.FileRead, mpi.Decide), body: playing(each(endings, end))},

	{name: "FileSplit", ops: opsOf(splitLayouts), body: playing(each(splitLayouts, written))},
	{name: "FileSplitOrdered", ops: opsOf(splitOrderedLayouts), body: playing(each(splitOrderedLayouts, written))},
	{name: "FileSplitFails", ops: ops(mpi.FileWriteAtAllBegin, mpi.FileWriteAtAllEnd), body: inFolder(fileSplitFails)},
	{name: "FileBytes", ops: opsOf(byteLayouts), body: playing(each(byteLayouts, written))},
	{name: "FileByteView", ops: ops(mpi.FileWriteAt, mpi.FileOpen), body: inFolder(fileByteView)},
	{name: "FileReopen", ops: ops(mpi.FileWriteAt, mpi.FileOpen, mpi.FileClose),
		body: playing(each(reopening, reopened))},
	{name: "Paths", ops: pathOps, body: inOwnPaths(pathCalls)},
	{name: "PathFiles", ops: ops(mpi.FileOpen, mpi.FileClose, mpi.FileDelete, mpi.FileSetSize),
		body: inOwnPaths(pathFiles)},
	{name: "PathFails", ops: pathOps, body: inOwnPaths(pathFails)},

	{name: "Collectives", ops: collectiveOps(mpi.Collective), body: collectives(collectiveOps(mpi.Collective))},
	{name: "Nonblocking", ops: collectiveOps(mpi.NonblockingCollective),
		body: collectives(collectiveOps(mpi.NonblockingCollective))},
	{name: "Neighbours", ops: neighbourOps, body: collectives(neighbourOps)},
	{name: "Persistent", ops: persistentOps, body: collectives(persistentOps)},
	{name: "PersistentGather", ops: faultyOps[:1], body: collectives(faultyOps[:1])},
	{name: "PersistentScatter", ops: faultyOps[1:2], body: collectives(faultyOps[1:2])},
	{name: "PersistentAllgather", ops: faultyOps[2:], body: collectives(faultyOps[2:])},
	{name: "PersistentMessages", ops: ops(mpi.SendInit, mpi.RecvInit), body: each(upTo1MiB, persistentMessages)},
	{name: "Remade", ops: ops(mpi.AllreduceInit, mpi.FreeRequest, mpi.MakeRequest), body: single(remade)},
	{name: "Partitions", ops: ops(mpi.PsendInit, mpi.PrecvInit, mpi.Pready, mpi.PreadyRange, mpi.Parrived),
		body: each(partitionedShapes, partitioned)},
	{name: "Teams", ops: ops(mpi.Copy, mpi.ThreadBarrier), body: teams},
	{name: "TeamParts", ops: ops(mpi.PsendInit, mpi.PrecvInit, mpi.Pready, mpi.Parrived, mpi.ThreadBarrier),
		body: teamParts},
	{name: "Large", ops: ops(mpi.SendLarge, mpi.RecvLarge, mpi.BcastLarge, mpi.AllreduceLarge, mpi.AlltoallvLarge),
		body: each(blocks, largeCounts)},
	{name: "Cartesian", ops: ops(mpi.NeighborAlltoall, mpi.IneighborAlltoallv, mpi.NeighborAllgather), body: cartesian},
	{name: "CollectiveWalk", ops: ops(mpi.Alltoall), body: single(collectiveWalk)},
	{name: "DupFree", ops: ops(mpi.DupFree), body: onAllGroups(dupFree)},
	{name: "Exploit", ops: []mpi.Op{mpi.Exploit}, body: exploit},

	// Open MPI 4.1 can't make a window of one process.
	{name: "WindowPut", least: 2, ops: ops(mpi.Put), body: window(true, transfers(mpi.Put)...)},
	{name: "WindowGet", least: 2, ops: ops(mpi.Get), body: window(true, transfers(mpi.Get)...)},
	{name: "WindowAll", least: 2, ops: ops(mpi.Put, mpi.Get), body: window(false, allToAll)},
	{name: "WindowAccumulate", least: 2, ops: ops(mpi.Accumulate),
		body: window(false, accumulations(mpi.Accumulate, 1<<16+2, 1)...)},
	{name: "WindowGetAccumulate", least: 2, ops: ops(mpi.GetAccumulate),
		body: window(false, accumulations(mpi.GetAccumulate, 1<<16+2, 2)...)},
	{name: "WindowFetch", least: 2, ops: ops(mpi.FetchAndOp),
		body: window(false, accumulations(mpi.FetchAndOp, 1, 2)[4:8]...)},
	{name: "WindowTickets", least: 2, ops: ops(mpi.FetchAndOp), body: tickets(mpi.FetchAndOp)},
	{name: "WindowGetTickets", least: 2, ops: ops(mpi.GetAccumulate), body: tickets(mpi.GetAccumulate)},
	{name: "WindowSwap", least: 2, ops: ops(mpi.CompareAndSwap), body: swaps},
	{name: "WindowRequests", least: 2, ops: ops(mpi.Rput, mpi.Rget),
		body: window(false, append(requests(mpi.Rput), requests(mpi.Rget)...)...)},
	{name: "WindowPieces", least: 2, ops: ops(mpi.Put, mpi.Get), body: window(false, transfersOfPieces()...)},
	{name: "WindowSync", least: 2, ops: ops(mpi.Put, mpi.WinSync), body: single(synced)},
	{name: "WindowPosted", least: 2, ops: ops(mpi.Put, mpi.WinPost, mpi.WinStart, mpi.WinComplete, mpi.WinWait),
		body: single(posted)},
	{name: "WindowKept", least: 2, ops: ops(mpi.Put, mpi.Get), body: window(true, keptTransfers()...)},
	{name: "WindowAllocate", least: 2, ops: ops(mpi.Put, mpi.Get), body: windowAllocate},
	{name: "WindowUneven", least: 2, ops: ops(mpi.Put, mpi.WinCreate, mpi.WinFence), body: windowUneven},
	{name: "WindowClose", least: 2, ops: ops(mpi.Put, mpi.WinCreate), body: windowClose},
	{name: "AdvancingWindow", least: 2, ops: []mpi.Op{mpi.Put, mpi.WinFence}, body: single(advancingWindow)},

	{name: "Test", ops: ops(mpi.Isend, mpi.Irecv, mpi.Wait, mpi.Test), body: single(tested)},
	{name: "Interrupt", ops: []mpi.Op{mpi.Compute, mpi.Decide}, body: interrupt},
	{name: "Truncation", least: 2, last: true, body: truncation},
}

// survey returns the calls that the engine supports on all processes. It returns an error if the job has another number
// of processes.
func survey(processes int, launch Launch) (map[mpi.Op]bool, error) {
	var mu sync.Mutex
	supported := map[mpi.Op]bool{}
	for _, op := range mpi.Ops() {
		supported[op] = true
	}
	err := launch(func(e mpi.Engine) error {
		mu.Lock()
		defer mu.Unlock()
		for _, op := range mpi.Ops() {
			supported[op] = supported[op] && e.Supports(op)
		}
		if n := e.World().Size(); n != processes {
			return &mpi.AgreedError{Err: fmt.Errorf("conformance: %d processes instead of %d", n, processes)}
		}
		return nil
	})
	return supported, err
}

// run runs the case on one process. It logs errors at once, because Abort may end the process before the test prints
// them.
func (c testCase) run(e mpi.Engine, cache *resultCache, logf func(string, ...any)) error {
	p := &process{Engine: e, world: e.World(), rank: e.World().Rank(), size: e.World().Size(), cache: cache}
	err := p.try(c.body)
	for _, wrong := range p.wrong {
		logf("%v", wrong)
	}
	switch {
	case err == nil && c.last:
		return errors.Join(p.wrong...)
	case err == nil:
		err = p.try((*process).agree)
	}
	if err == nil || mpi.Agreed(err) {
		return err
	}
	err = fmt.Errorf("rank %d: %s%w", p.rank, p.doing, err)
	if !errors.Is(err, mpi.ErrAborted) {
		logf("%v", err)
		e.Abort(1)
	}
	return err
}

// process is one process of a case.
type process struct {
	mpi.Engine
	world      mpi.Comm
	rank, size int          // in the world
	wrong      []error      // only the first ones
	doing      string       // prefix of errors
	ends       []func()     // functions that free buffers and runners at the end of the case
	folder     string       // for files
	cache      *resultCache // of the reference
	begun      int          // number of scripts that this process has begun to play
	start      mpi.Comm     // Start of the scripts' programs, or nil to use the script's communicator
}

// failure is the error of a call, which ends the case at once on this process.
type failure struct{ err error }

// must ends the case if a call has failed.
func (p *process) must(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// try calls do, frees the buffers and runners of do, and returns the failure that has ended it.
func (p *process) try(do func(p *process)) (err error) {
	defer func() {
		for _, end := range slices.Backward(p.ends) {
			end()
		}
		p.ends = nil
		if reason := recover(); reason != nil {
			failed, ok := reason.(failure)
			if !ok {
				panic(reason)
			}
			err = failed.err
		}
	}()
	do(p)
	return nil
}

// errorf records a fault.
func (p *process) errorf(format string, args ...any) {
	const enough = 10
	if len(p.wrong) < enough {
		p.wrong = append(p.wrong, fmt.Errorf("rank %d: %s%w", p.rank, p.doing, fmt.Errorf(format, args...)))
	}
}

// agree fails on all processes if any process has recorded a fault.
func (p *process) agree() {
	p.must(p.Collect())
	if wrong := p.count(len(p.wrong) > 0); wrong > 0 {
		p.must(&mpi.AgreedError{Err: fmt.Errorf("wrong on %d of %d processes", wrong, p.size)})
	}
}

// count returns the number of processes on which yes is true.
func (p *process) count(yes bool) int {
	n := []float64{0}
	if yes {
		n[0] = 1
	}
	p.must(p.world.Allreduce(n, mpi.Sum))
	return int(n[0])
}

// scope calls do, and then frees the buffers and runners of do.
func (p *process) scope(do func()) {
	outer := p.ends
	p.ends = nil
	do()
	for _, end := range slices.Backward(p.ends) {
		end()
	}
	p.ends = outer
}

// buffer returns memory that is freed at the end of the case.
func (p *process) buffer(size int64) mpi.Buffer {
	b, err := p.NewBuffer(size)
	p.must(err)
	p.ends = append(p.ends, b.Free)
	return b
}

// compile returns a runner that is closed at the end of the case.
func (p *process) compile(program *mpi.Program) mpi.Runner {
	r, err := p.Compile(program)
	if err != nil {
		p.must(fmt.Errorf("compile: %w", err))
	}
	p.ends = append(p.ends, r.Close)
	return r
}

// run runs a program once.
func (p *process) run(r mpi.Runner, n mpi.Loops) mpi.Measurement {
	m, err := r.Run(n)
	if err != nil {
		p.must(fmt.Errorf("run: %w", err))
	}
	return m
}

// runRight runs a program once and records a wrong mark.
func (p *process) runRight(r mpi.Runner, n mpi.Loops) {
	if m := p.run(r, n); m.Mismatch != nil {
		p.errorf("%w", m.Mismatch)
	}
}

// runProgram compiles a program, runs it once for each of loops and records wrong marks.
func (p *process) runProgram(program *mpi.Program, loops ...mpi.Loops) {
	r := p.compile(program)
	for _, n := range loops {
		p.runRight(r, n)
	}
}

// once is one timed loop.
var once = mpi.Loops{Timed: 1}

func requiredOps(p *process) {
	for _, op := range required {
		if !p.Supports(op) {
			p.errorf("%v is not supported, but every engine must support it", op)
		}
	}
	if slices.ContainsFunc(messages, p.Supports) {
		for _, op := range messages {
			if !p.Supports(op) {
				p.errorf("%v is not supported, but an engine with messages must support it", op)
			}
		}
	}
}
