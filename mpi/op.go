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
	Exploit    // the process multiplies a 100×100 matrix with a vector Times times (IMB guide 4.0, "Exploiting CPU")
	Lap        // the time since the last Lap, or the first clock reading, is added to lap Root

	// Point to point (MPI 4.1, chapter 3).
	Send
	Recv
	Sendrecv
	Isend
	Irecv
	Wait    // for the request that call Of started
	Waitall // for all requests that are open

	// Blocking collective calls (MPI 4.1, chapter 6). Without peers, Send and Recv are one place each, of as many bytes
	// as the process sends and receives in all; where only the root does, the others' place is unused. With peers they
	// are a place for each process. Reductions have elements of the places' Type.
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
	Reduce
	ReduceScatter // the places Send, one for each process and next to each other, are what it gets
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

	// One-sided calls (MPI 4.1, chapter 12): Send is in memory, Recv in a Window: Peer is the target, Offset in its
	// window. Send of Get is the memory that data enter. Calls that synchronise name the window by a place in Recv, and
	// its Peer if they are for one target.
	Put
	Get
	Accumulate
	GetAccumulate  // Send: the origin, the result
	FetchAndOp     // Send: the origin, the result
	CompareAndSwap // Send: the origin, what is compared, the result
	WinCreate
	WinFree
	WinFence
	WinLock // shared
	WinUnlock
	WinLockAll
	WinUnlockAll
	WinFlush
	WinFlushLocal
	WinFlushAll
	WinFlushLocalAll

	// MPI-IO (MPI 4.1, chapter 14): explicit offsets, individual and shared pointers; blocking, nonblocking,
	// collective, ordered. Writes go from the memory of Send to the file of Recv, reads from the file of Send to the
	// memory of Recv, of the same length.
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

	// Split collective calls (MPI 4.1, 14.4.5), which are open between their two halves with the same places; and what
	// opens and closes the file of the place Recv as it was opened before the program.
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

	opCount
)

// operands says which fields of a Call an Op uses.
type operands uint16

const (
	sends    operands = 1 << iota // needs at least one place in Send
	receives                      // needs at least one place in Recv
	single                        // at most one place in each of them
	places                        // uses Send and Recv, either may be empty
	peers                         // each place names a Peer
	rooted                        // uses Root
	starts                        // opens a request
	refers                        // uses Of
	intoFile                      // Recv is in a file, Send is memory of the same length
	fromFile                      // Send is in a file, Recv is memory of the same length
	onFile                        // Recv names a file
	onWindow                      // Recv is in a window
	anywhere                      // the places' spaces don't matter
)

// opTable has a row for each Op: its name in the standard and the operands it takes.
var opTable = [opCount]struct {
	name string
	uses operands
}{
	Nop:     {"Nop", 0},
	Walk:    {"Walk", places | anywhere},
	Stamp:   {"Stamp", sends},
	Check:   {"Check", receives},
	Compute: {"Compute", 0},
	Exploit: {"Exploit", 0},
	Lap:     {"Lap", rooted},

	Send:     {"MPI_Send", sends | single | peers},
	Recv:     {"MPI_Recv", receives | single | peers},
	Sendrecv: {"MPI_Sendrecv", sends | receives | single | peers},
	Isend:    {"MPI_Isend", sends | single | peers | starts},
	Irecv:    {"MPI_Irecv", receives | single | peers | starts},
	Wait:     {"MPI_Wait", refers},
	Waitall:  {"MPI_Waitall", 0},

	Barrier:       {"MPI_Barrier", 0},
	Bcast:         {"MPI_Bcast", sends | receives | single | rooted},
	Gather:        {"MPI_Gather", sends | receives | single | rooted},
	Gatherv:       {"MPI_Gatherv", sends | receives | peers | rooted},
	Scatter:       {"MPI_Scatter", sends | receives | single | rooted},
	Scatterv:      {"MPI_Scatterv", sends | receives | peers | rooted},
	Allgather:     {"MPI_Allgather", sends | receives | single},
	Allgatherv:    {"MPI_Allgatherv", sends | receives | peers},
	Alltoall:      {"MPI_Alltoall", sends | receives | single},
	Alltoallv:     {"MPI_Alltoallv", places | peers},
	Reduce:        {"MPI_Reduce", sends | receives | single | rooted},
	ReduceScatter: {"MPI_Reduce_scatter", sends | receives | peers},
	Allreduce:     {"MPI_Allreduce", sends | receives | single},
	Decide:        {"Decide", rooted},

	Ibarrier:       {"MPI_Ibarrier", starts},
	Ibcast:         {"MPI_Ibcast", sends | receives | single | rooted | starts},
	Igather:        {"MPI_Igather", sends | receives | single | rooted | starts},
	Igatherv:       {"MPI_Igatherv", sends | receives | peers | rooted | starts},
	Iscatter:       {"MPI_Iscatter", sends | receives | single | rooted | starts},
	Iscatterv:      {"MPI_Iscatterv", sends | receives | peers | rooted | starts},
	Iallgather:     {"MPI_Iallgather", sends | receives | single | starts},
	Iallgatherv:    {"MPI_Iallgatherv", sends | receives | peers | starts},
	Ialltoall:      {"MPI_Ialltoall", sends | receives | single | starts},
	Ialltoallv:     {"MPI_Ialltoallv", places | peers | starts},
	Ireduce:        {"MPI_Ireduce", sends | receives | single | rooted | starts},
	IreduceScatter: {"MPI_Ireduce_scatter", sends | receives | peers | starts},
	Iallreduce:     {"MPI_Iallreduce", sends | receives | single | starts},

	Put:              {"MPI_Put", sends | receives | single | onWindow},
	Get:              {"MPI_Get", sends | receives | single | onWindow},
	Accumulate:       {"MPI_Accumulate", sends | receives | single | onWindow},
	GetAccumulate:    {"MPI_Get_accumulate", sends | receives | onWindow},
	FetchAndOp:       {"MPI_Fetch_and_op", sends | receives | onWindow},
	CompareAndSwap:   {"MPI_Compare_and_swap", sends | receives | onWindow},
	WinCreate:        {"MPI_Win_create", receives | single | onWindow},
	WinFree:          {"MPI_Win_free", receives | single | onWindow},
	WinFence:         {"MPI_Win_fence", receives | single | onWindow},
	WinLock:          {"MPI_Win_lock", receives | single | onWindow},
	WinUnlock:        {"MPI_Win_unlock", receives | single | onWindow},
	WinLockAll:       {"MPI_Win_lock_all", receives | single | onWindow},
	WinUnlockAll:     {"MPI_Win_unlock_all", receives | single | onWindow},
	WinFlush:         {"MPI_Win_flush", receives | single | onWindow},
	WinFlushLocal:    {"MPI_Win_flush_local", receives | single | onWindow},
	WinFlushAll:      {"MPI_Win_flush_all", receives | single | onWindow},
	WinFlushLocalAll: {"MPI_Win_flush_local_all", receives | single | onWindow},

	FileWriteAt:      {"MPI_File_write_at", sends | receives | single | intoFile},
	FileWriteAtAll:   {"MPI_File_write_at_all", sends | receives | single | intoFile},
	FileWrite:        {"MPI_File_write", sends | receives | single | intoFile},
	FileWriteAll:     {"MPI_File_write_all", sends | receives | single | intoFile},
	FileWriteShared:  {"MPI_File_write_shared", sends | receives | single | intoFile},
	FileWriteOrdered: {"MPI_File_write_ordered", sends | receives | single | intoFile},
	FileIwriteAt:     {"MPI_File_iwrite_at", sends | receives | single | starts | intoFile},
	FileIwrite:       {"MPI_File_iwrite", sends | receives | single | starts | intoFile},
	FileIwriteShared: {"MPI_File_iwrite_shared", sends | receives | single | starts | intoFile},
	FileReadAt:       {"MPI_File_read_at", sends | receives | single | fromFile},
	FileReadAtAll:    {"MPI_File_read_at_all", sends | receives | single | fromFile},
	FileRead:         {"MPI_File_read", sends | receives | single | fromFile},
	FileReadAll:      {"MPI_File_read_all", sends | receives | single | fromFile},
	FileReadShared:   {"MPI_File_read_shared", sends | receives | single | fromFile},
	FileReadOrdered:  {"MPI_File_read_ordered", sends | receives | single | fromFile},
	FileIreadAt:      {"MPI_File_iread_at", sends | receives | single | starts | fromFile},
	FileIread:        {"MPI_File_iread", sends | receives | single | starts | fromFile},
	FileIreadShared:  {"MPI_File_iread_shared", sends | receives | single | starts | fromFile},
	FileSync:         {"MPI_File_sync", receives | single | onFile},

	FileWriteAtAllBegin:   {"MPI_File_write_at_all_begin", sends | receives | single | intoFile},
	FileWriteAtAllEnd:     {"MPI_File_write_at_all_end", sends | receives | single | intoFile},
	FileWriteAllBegin:     {"MPI_File_write_all_begin", sends | receives | single | intoFile},
	FileWriteAllEnd:       {"MPI_File_write_all_end", sends | receives | single | intoFile},
	FileWriteOrderedBegin: {"MPI_File_write_ordered_begin", sends | receives | single | intoFile},
	FileWriteOrderedEnd:   {"MPI_File_write_ordered_end", sends | receives | single | intoFile},
	FileReadAtAllBegin:    {"MPI_File_read_at_all_begin", sends | receives | single | fromFile},
	FileReadAtAllEnd:      {"MPI_File_read_at_all_end", sends | receives | single | fromFile},
	FileReadAllBegin:      {"MPI_File_read_all_begin", sends | receives | single | fromFile},
	FileReadAllEnd:        {"MPI_File_read_all_end", sends | receives | single | fromFile},
	FileReadOrderedBegin:  {"MPI_File_read_ordered_begin", sends | receives | single | fromFile},
	FileReadOrderedEnd:    {"MPI_File_read_ordered_end", sends | receives | single | fromFile},
	FileOpen:              {"MPI_File_open", receives | single | onFile},
	FileClose:             {"MPI_File_close", receives | single | onFile},
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

// Reads says that the call moves data from a file to memory.
func (op Op) Reads() bool { return op < opCount && opTable[op].uses&fromFile != 0 }

// Ops lists every call of the vocabulary.
func Ops() []Op {
	ops := make([]Op, opCount)
	for i := range ops {
		ops[i] = Op(i)
	}
	return ops
}
