package mpi

// Op is the operation of one call of a program.
type Op uint8

// The calls of a program, with their names in the MPI standard. For the operations before Send the process doesn't
// communicate.
const (
	Nop       Op = iota
	Walk         // the places Send…, Recv… take their next position from their space's walk
	Stamp        // the places Send… get their stamps
	Check        // the places Recv… must carry their stamps
	Compute      // the process works for Seconds without communicating
	Exploit      // multiplies a 100×100 matrix with a vector Times times (IMB guide 4.0, "Exploiting CPU")
	Lap          // adds the time since the previous Lap, or the start, to lap Root, and with Counts to its Tally
	Compare      // between their marks, the chunks of Recv must hold the bytes of Send, both in this process's memory
	Copy         // the bytes of Send go to Recv, both in this process's memory
	Combine      // the elements of Send are combined into the elements of Recv, both in this process's memory
	TouchSend    // the first byte of each cache line (Line) of the places Send… becomes Tag
	TouchRecv    // the first byte of each cache line of the places Recv… is read

	ThreadBarrier // the threads of this process's team wait for each other (Threaded); without a team it has no effect

	// Point to point (MPI 4.1, chapter 3).
	Send
	Ssend // returns once the receive has begun
	Rsend // the outcome is undefined unless the receive has been posted
	Recv
	Sendrecv
	SendrecvReplace // Send and Recv are the same memory: what is received replaces what was sent
	Notify          // notifies the Peer of Send and waits for a notification by the Peer of Recv; both places are empty
	// SendrecvEach is a Sendrecv with each other process of the communicator in turn (Partners), all with the same
	// places. RecvEach is an Irecv from each other process, and a Waitall. Its Recv is process 0's place, and the
	// places of the others follow it. Peers aren't used, so a program is equally long for any number of processes.
	SendrecvEach
	RecvEach
	Isend
	Irecv
	Wait    // for the request that call Of started
	Waitall // for all requests that are open
	Test    // tests the request that call Of started, which stays open for a Wait; not for requests on files

	// Persistent requests (MPI 4.1, 3.9 and 6.13). The request is made once, before the first run of the program and
	// outside of its time, and the call is MPI_Start. Consecutive calls of the same name are one MPI_Startall. Wait
	// completes the request, as after Isend.
	SendInit
	RecvInit
	FreeRequest // frees the request of call Of, after a Wait for it
	MakeRequest // makes that request again

	// Calls with large counts (MPI 4.1, 3.2.2): counts and displacements are 64 bits wide, so no derived type is needed
	// for any length. Their places don't move, and lie in adjacent elements.
	SendLarge
	RecvLarge
	BcastLarge
	AllreduceLarge
	AlltoallvLarge
	FileWriteAtLarge // the place in the file may advance
	FileReadAtLarge

	// Partitioned messages (MPI 4.1, 4.2) are persistent requests of a message in Parts parts of the same length. The
	// message of PsendInit is sent part by part: each part must be marked ready once before the Wait. Sender and
	// receiver may divide the same message into different parts.
	PsendInit
	PrecvInit
	Pready      // Part of the message of call Of may be sent
	PreadyRange // Parts parts, of which Part is the first, may be sent
	Parrived    // polls until Part of the message that call Of receives has arrived

	// Blocking collective calls (MPI 4.1, chapter 6). Without peers, Send and Recv are one place each, of all bytes
	// that the process sends and receives. If only the root sends or receives, the others' place is unused. With peers
	// there is a place for each process. Reductions combine elements of the places' Type.
	Barrier
	Bcast // the root's place Send goes to the others' places Recv
	Gather
	Gatherv
	Scatter
	Scatterv
	Allgather
	Allgatherv
	Alltoall
	Alltoallv
	Alltoallw // as Alltoallv, by displacements in bytes
	Reduce
	ReduceScatter // Send has adjacent places, one for each process's part
	ReduceScatterBlock
	Allreduce
	Scan    // each process gets the combination of the data of all processes up to it
	Exscan  // the same without its own data; process 0 gets nothing
	DupFree // duplicates the communicator and frees the copy
	Decide  // process Root decides by the stop rule (Loops) whether another loop follows this one, and broadcasts it

	// StopOnSignal ends loops that run while other processes work. These processes signal twice, each time by a barrier
	// of Program.Signal (MPI_Ibarrier): first that they know that the loops have begun, then that the loops may end.
	// Every Times timed loops the communicator's processes start to exchange which signals they have received, and get
	// the result of the exchange that they started Times loops before. So no process waits for an exchange under way,
	// and none runs far ahead. All run the same number of loops, and stop Times to 2·Times loops after the second
	// barrier. With Seconds, process 0 itself gives the second signal after that time.
	StopOnSignal

	// Nonblocking collective calls (MPI 4.1, 6.12).
	Ibarrier
	Ibcast
	Igather
	Igatherv
	Iscatter
	Iscatterv
	Iallgather
	Iallgatherv
	Ialltoall
	Ialltoallv
	Ialltoallw
	Ireduce
	IreduceScatter
	IreduceScatterBlock
	Iallreduce

	// Neighbourhood collective calls (MPI 4.1, 8.6). A process's neighbours are the Peers of its places: it sends to
	// the Peers of Send and receives from the Peers of Recv, and they must name it as well. The engine makes the
	// communicator of this graph before the first run (MPI_Dist_graph_create_adjacent, without reordering). On a
	// Cartesian communicator (Comm.Cart) the neighbours are the grid's: in each dimension the previous and the next
	// process, or Nobody. In the gathers, all places of Send are the same bytes.
	NeighborAllgather // equally long from each neighbour, in adjacent places
	NeighborAllgatherv
	NeighborAlltoall // equally long to and from each neighbour, in adjacent places
	NeighborAlltoallv
	NeighborAlltoallw
	IneighborAllgather
	IneighborAllgatherv
	IneighborAlltoall
	IneighborAlltoallv
	IneighborAlltoallw

	// Persistent collective calls (MPI 4.1, 6.13 and 8.8): see SendInit.
	BarrierInit
	BcastInit
	GatherInit
	GathervInit
	ScatterInit
	ScattervInit
	AllgatherInit
	AllgathervInit
	AlltoallInit
	AlltoallvInit
	AlltoallwInit
	ReduceInit
	ReduceScatterInit
	ReduceScatterBlockInit
	AllreduceInit
	NeighborAllgatherInit
	NeighborAllgathervInit
	NeighborAlltoallInit
	NeighborAlltoallvInit
	NeighborAlltoallwInit

	// One-sided calls (MPI 4.1, chapter 12). Send is in memory, Recv in a Window, where Peer is the target and Offset
	// is in the target's window. The data of a Get enter the memory of Send. Synchronization calls name the window by a
	// place in Recv, and the target, if there is only one, by its Peer.
	Put
	Get
	Rput // opens a request, which is complete when the memory may be used again; the window must be locked
	Rget
	Accumulate
	GetAccumulate  // Send has the origin and the result
	FetchAndOp     // Send has the origin and the result
	CompareAndSwap // Send has the origin, the value to compare and the result
	WinCreate
	WinFree
	WinFence
	WinLock          // shared
	WinLockExclusive // also MPI_Win_lock
	WinUnlock
	WinLockAll
	WinUnlockAll
	WinFlush
	WinFlushLocal
	WinFlushAll
	WinFlushLocalAll
	WinPost  // opens the process's own window to the Peer of the place
	WinStart // opens access to the Peer's window, which has been posted
	WinComplete
	WinWait // for the Peer's WinComplete
	WinSync // brings the window's memory in line with loads and stores of this process (MPI 4.1, 12.7)

	// MPI-IO (MPI 4.1, chapter 14), with explicit offsets, individual and shared pointers. Writes go from the memory of
	// Send to the file of Recv, reads from the file of Send to the memory of Recv. Both places have the same length.
	FileWriteAt
	FileWriteAtAll
	FileWrite
	FileWriteAll
	FileWriteShared
	FileWriteOrdered
	FileIwriteAt
	FileIwrite
	FileIwriteShared
	FileReadAt
	FileReadAtAll
	FileRead
	FileReadAll
	FileReadShared
	FileReadOrdered
	FileIreadAt
	FileIread
	FileIreadShared
	FileSync

	// Split collective calls (MPI 4.1, 14.4.5) are open between their two halves, which have the same places. FileOpen
	// and FileClose work on the file of the place Recv, with the mode and hints of its first opening. If Recv is in
	// Paths, only this process opens that path, to read and write, and makes the file if there is none.
	FileWriteAtAllBegin
	FileWriteAtAllEnd
	FileWriteAllBegin
	FileWriteAllEnd
	FileWriteOrderedBegin
	FileWriteOrderedEnd
	FileReadAtAllBegin
	FileReadAtAllEnd
	FileReadAllBegin
	FileReadAllEnd
	FileReadOrderedBegin
	FileReadOrderedEnd
	FileOpen
	FileClose
	FileDelete  // of the path Recv
	FileSetSize // of the open file of the path Recv, to Times bytes

	// Calls of the C library (POSIX.1-2024). Recv is in Paths, and has one file open at a time. After a failure the
	// current loop is the last one.
	PathCreate // opens a file to write, makes it if there is none, and empties it
	PathOpen   // opens a file to read
	PathWrite  // from the memory of Send to the beginning of the open file
	PathRead   // from the beginning of the open file of Send to the memory of Recv
	PathSync   // brings the open file to storage
	PathClose
	PathStat
	PathRename // the path Send becomes the path Recv, which is in other Paths
	PathUnlink
	PathMkdir
	PathRmdir
	PathEntries // reads all entries of a directory
	PathSyncAll // brings all data of the machine to storage
)

// Line is the number of bytes of a cache line on most machines. TouchSend and TouchRecv touch the first byte of each.
const Line = 64

// Family is the kind of work that a call does. Engines choose by it how they run the call.
type Family uint8

// The families.
const (
	Own                   Family = iota // the process doesn't communicate
	PointToPoint                        // messages
	Completion                          // of requests
	Partition                           // of a partitioned message
	Collective                          // blocking
	NonblockingCollective               // opens a request
	OneSided                            // moves data to or from a window
	WindowState                         // makes, frees or synchronizes a window
	FileData                            // moves data to or from a file, blocking
	FileNonblocking                     // opens a request that moves data to or from a file
	SplitBegin                          // the first half of a split collective call
	SplitEnd                            // the second half, which moves the data
	FileState                           // moves no data: opens, closes or syncs a file
	OnPath                              // works on a file or a directory by its path
)

var familyNames = [...]string{
	Own: "own work", PointToPoint: "point to point", Completion: "completion", Partition: "partition",
	Collective: "collective", NonblockingCollective: "nonblocking collective", OneSided: "one-sided",
	WindowState: "window state",
	FileData:    "file data", FileNonblocking: "file nonblocking", SplitBegin: "split begin", SplitEnd: "split end",
	FileState: "file state", OnPath: "path",
}

// String returns the family's name in words.
func (f Family) String() string { return familyNames[f] }

// Ops returns every call of the vocabulary.
func Ops() []Op {
	ops := make([]Op, len(opTable))
	for i := range ops {
		ops[i] = Op(i)
	}
	return ops
}

// known reports whether the table has the call.
func (op Op) known() bool { return int(op) < len(opTable) }

// row returns the properties of a call. An unknown call has none.
func (op Op) row() row {
	if !op.known() {
		return row{name: "Op(?)"}
	}
	r := opTable[op]
	if r.of != Nop {
		blocking := opTable[r.of]
		r.uses |= blocking.uses
		r.send, r.recv, r.inPlace = blocking.send, blocking.recv, blocking.inPlace
	}
	return r
}

// has reports whether the call uses any of some operands.
func (op Op) has(u operands) bool { return op.row().uses&u != 0 }

// String returns the call's name in the MPI standard, or a name of this package for a call that isn't in the standard.
func (op Op) String() string { return op.row().name }

// Family returns the kind of work that the call does.
func (op Op) Family() Family { return op.row().family }

// Blocking returns the blocking call that does the same work as a nonblocking collective call, a nonblocking file call
// or half of a split call, and any other call itself.
func (op Op) Blocking() Op {
	if of := op.row().of; of != Nop {
		return of
	}
	return op
}

// End returns the second half of the split collective call that op begins, or Nop if op begins none.
func (op Op) End() Op { return op.row().end }

// Starts reports whether the call opens a request, which a later Wait or Waitall must complete.
func (op Op) Starts() bool { return op.has(starts) }

// Persistent reports whether the call starts a request that was made before the first run.
func (op Op) Persistent() bool { return op.has(persistent) }

// UsesRequest reports whether the call uses Of, the index of the call that started a request.
func (op Op) UsesRequest() bool { return op.has(refers) }

// Large reports whether the call has counts of 64 bits.
func (op Op) Large() bool { return op.has(large) }

// Partitioned reports whether the call starts a partitioned message.
func (op Op) Partitioned() bool { return op.has(partitioned) }

// InitOf returns the persistent form of a blocking collective call, or Nop if there is none.
func InitOf(blocking Op) Op {
	for i, r := range opTable {
		if r.of == blocking && r.uses&persistent != 0 {
			return Op(i)
		}
	}
	return Nop
}

// Neighbourhood reports whether this is a neighbourhood collective call.
func (op Op) Neighbourhood() bool { return op.has(neighbours) }

// PerPeer reports whether each process of the collective call has places only for its peers, each of them one
// message.
func (op Op) PerPeer() bool { return op.row().send == Sparse }

// Blocks reports whether a neighbourhood call's places of a side must be adjacent and equally long, and whether all
// places of Send are the same bytes.
func (op Op) Blocks() (adjacent, sameBytes bool) { return op.has(adjacentBlocks), op.has(sameBlock) }

// Reads reports whether the call moves data from a file to memory.
func (op Op) Reads() bool { return op.has(fromFile | fromPath) }

// Writes reports whether the call moves data from memory to a file.
func (op Op) Writes() bool { return op.has(intoFile | intoPath) }

// Explicit reports whether the file call starts at its place's Offset. Others start at a pointer.
func (op Op) Explicit() bool { return op.has(explicit) }

// OnPath reports whether the call is one of the C library's calls on paths.
func (op Op) OnPath() bool { return op.Family() == OnPath }

// OnFile reports whether one side of the call is in a file.
func (op Op) OnFile() bool { return op.has(intoFile | fromFile | onFile) }

// OnWindow reports whether the side Recv of the call is in a window.
func (op Op) OnWindow() bool { return op.has(onWindow) }

// Reduces reports whether the collective call combines elements of the places' Type.
func (op Op) Reduces() bool { return op.has(reduces) }

// Parts returns how the places of a collective call divide up among the processes.
func (op Op) Parts() (send, recv Parts) {
	r := op.row()
	return r.send, r.recv
}

// AtRoot reports whether only the root of the collective call sends, and whether only the root receives.
func (op Op) AtRoot() (sends, receives bool) { return op.has(rootSends), op.has(rootReceives) }

// InPlace reports which side of the collective call a process may replace by MPI_IN_PLACE (Call.InPlace), if any, and
// whether only the root may.
func (op Op) InPlace() (send, recv, atRoot bool) {
	r := op.row()
	return r.inPlace == sends, r.inPlace == receives, r.uses&rooted != 0
}
