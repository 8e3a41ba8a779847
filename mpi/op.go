package mpi

// Op is what one call of a program does.
type Op uint8

// The calls of a program. Names are those of the MPI standard; what stands before Send is done by the process alone.
const (
	Nop     Op = iota
	Walk       // the places Send…, Recv… take their next position from their space's walk
	Stamp      // the places Send… get their stamps
	Check      // the places Recv… must carry their stamps
	Compute    // the process works for Seconds without communicating
	Lap        // the time since the last Lap, or the first clock reading, is added to lap Root

	// Point to point (MPI 4.1, chapter 3).
	Send
	Recv
	Sendrecv
	Isend
	Irecv
	Wait    // for the request that call Of started
	Waitall // for all requests that are open

	// Blocking collective calls (MPI 4.1, chapter 6).
	Barrier
	Bcast
	Gather
	Gatherv
	Scatter
	Scatterv
	Allgather
	Allgatherv
	Alltoall
	Alltoallv
	Reduce
	ReduceScatter
	Allreduce
	Decide // process Root decides by the stop rule (Loops) whether another loop follows this one, and broadcasts it

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
	Ireduce
	IreduceScatter
	Iallreduce

	// One-sided calls (MPI 4.1, chapter 12): Send is the origin, Recv the target place in a window.
	Put
	Get
	Accumulate
	GetAccumulate
	FetchAndOp
	CompareAndSwap
	WinFence
	WinLock
	WinUnlock
	WinLockAll
	WinUnlockAll
	WinFlush
	WinFlushLocal
	WinFlushAll

	// MPI-IO (MPI 4.1, chapter 14): explicit offsets, individual and shared pointers; blocking, nonblocking, collective, ordered.
	// Writes go from the memory of Send to the file of Recv, reads from the file of Send to the memory of Recv, of the same length.
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

	opCount
)

// operands says which fields of a Call an Op uses.
type operands uint8

const (
	sends    operands = 1 << iota // needs at least one place in Send
	receives                      // needs at least one place in Recv
	single                        // at most one place in each of them
	places                        // uses Send and Recv, either may be empty
	peers                         // each place names a Peer
	rooted                        // uses Root
	starts                        // opens a request
	refers                        // uses Of
)

// opTable has a row for each Op: its name in the standard and the operands it takes.
var opTable = [opCount]struct {
	name string
	uses operands
}{
	Nop:     {"Nop", 0},
	Walk:    {"Walk", places},
	Stamp:   {"Stamp", sends},
	Check:   {"Check", receives},
	Compute: {"Compute", 0},
	Lap:     {"Lap", rooted},

	Send:     {"MPI_Send", sends | single | peers},
	Recv:     {"MPI_Recv", receives | single | peers},
	Sendrecv: {"MPI_Sendrecv", sends | receives | single | peers},
	Isend:    {"MPI_Isend", sends | single | peers | starts},
	Irecv:    {"MPI_Irecv", receives | single | peers | starts},
	Wait:     {"MPI_Wait", refers},
	Waitall:  {"MPI_Waitall", 0},

	Barrier:       {"MPI_Barrier", 0},
	Bcast:         {"MPI_Bcast", sends | single | rooted},
	Gather:        {"MPI_Gather", sends | places | single | rooted},
	Gatherv:       {"MPI_Gatherv", sends | places | peers | rooted},
	Scatter:       {"MPI_Scatter", receives | places | single | rooted},
	Scatterv:      {"MPI_Scatterv", receives | places | peers | rooted},
	Allgather:     {"MPI_Allgather", sends | receives | single},
	Allgatherv:    {"MPI_Allgatherv", sends | receives | peers},
	Alltoall:      {"MPI_Alltoall", sends | receives | single},
	Alltoallv:     {"MPI_Alltoallv", places | peers},
	Reduce:        {"MPI_Reduce", sends | places | single | rooted},
	ReduceScatter: {"MPI_Reduce_scatter", sends | places},
	Allreduce:     {"MPI_Allreduce", sends | receives | single},
	Decide:        {"Decide", rooted},

	Ibarrier:       {"MPI_Ibarrier", starts},
	Ibcast:         {"MPI_Ibcast", sends | single | rooted | starts},
	Igather:        {"MPI_Igather", sends | places | single | rooted | starts},
	Igatherv:       {"MPI_Igatherv", sends | places | peers | rooted | starts},
	Iscatter:       {"MPI_Iscatter", receives | places | single | rooted | starts},
	Iscatterv:      {"MPI_Iscatterv", receives | places | peers | rooted | starts},
	Iallgather:     {"MPI_Iallgather", sends | receives | single | starts},
	Iallgatherv:    {"MPI_Iallgatherv", sends | receives | peers | starts},
	Ialltoall:      {"MPI_Ialltoall", sends | receives | single | starts},
	Ialltoallv:     {"MPI_Ialltoallv", places | peers | starts},
	Ireduce:        {"MPI_Ireduce", sends | places | single | rooted | starts},
	IreduceScatter: {"MPI_Ireduce_scatter", sends | places | starts},
	Iallreduce:     {"MPI_Iallreduce", sends | receives | single | starts},

	Put:            {"MPI_Put", sends | receives | single},
	Get:            {"MPI_Get", sends | receives | single},
	Accumulate:     {"MPI_Accumulate", sends | receives | single},
	GetAccumulate:  {"MPI_Get_accumulate", sends | receives},
	FetchAndOp:     {"MPI_Fetch_and_op", sends | receives},
	CompareAndSwap: {"MPI_Compare_and_swap", sends | receives},
	WinFence:       {"MPI_Win_fence", receives | single},
	WinLock:        {"MPI_Win_lock", receives | single},
	WinUnlock:      {"MPI_Win_unlock", receives | single},
	WinLockAll:     {"MPI_Win_lock_all", receives | single},
	WinUnlockAll:   {"MPI_Win_unlock_all", receives | single},
	WinFlush:       {"MPI_Win_flush", receives | single},
	WinFlushLocal:  {"MPI_Win_flush_local", receives | single},
	WinFlushAll:    {"MPI_Win_flush_all", receives | single},

	FileWriteAt:      {"MPI_File_write_at", sends | receives | single},
	FileWriteAtAll:   {"MPI_File_write_at_all", sends | receives | single},
	FileWrite:        {"MPI_File_write", sends | receives | single},
	FileWriteAll:     {"MPI_File_write_all", sends | receives | single},
	FileWriteShared:  {"MPI_File_write_shared", sends | receives | single},
	FileWriteOrdered: {"MPI_File_write_ordered", sends | receives | single},
	FileIwriteAt:     {"MPI_File_iwrite_at", sends | receives | single | starts},
	FileIwrite:       {"MPI_File_iwrite", sends | receives | single | starts},
	FileIwriteShared: {"MPI_File_iwrite_shared", sends | receives | single | starts},
	FileReadAt:       {"MPI_File_read_at", sends | receives | single},
	FileReadAtAll:    {"MPI_File_read_at_all", sends | receives | single},
	FileRead:         {"MPI_File_read", sends | receives | single},
	FileReadAll:      {"MPI_File_read_all", sends | receives | single},
	FileReadShared:   {"MPI_File_read_shared", sends | receives | single},
	FileReadOrdered:  {"MPI_File_read_ordered", sends | receives | single},
	FileIreadAt:      {"MPI_File_iread_at", sends | receives | single | starts},
	FileIread:        {"MPI_File_iread", sends | receives | single | starts},
	FileIreadShared:  {"MPI_File_iread_shared", sends | receives | single | starts},
	FileSync:         {"MPI_File_sync", receives | single},
}

// String is the call's name in the MPI standard, or a name of ours for what the standard doesn't have.
func (op Op) String() string {
	if op >= opCount {
		return "Op(?)"
	}
	return opTable[op].name
}

// Starts says that the call opens a request, which a later Wait or Waitall must complete.
func (op Op) Starts() bool { return op < opCount && opTable[op].uses&starts != 0 }

// Ops lists every call of the vocabulary.
func Ops() []Op {
	ops := make([]Op, opCount)
	for i := range ops {
		ops[i] = Op(i)
	}
	return ops
}
