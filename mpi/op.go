package mpi

// Op is the operation of one call of a program.
type Op uint8

// The calls of a program. Names are those of the MPI standard. The process does the operations before Send alone.
const (
	Nop      Op = iota
	Walk        // the places Send…, Recv… take their next position from their space's walk
	Stamp       // the places Send… get their stamps
	Check       // the places Recv… must carry their stamps
	Compute     // the process works for Seconds without communicating
	Exploit     // the process multiplies a 100×100 matrix with a vector Times times (IMB guide 4.0, "Exploiting CPU")
	Lap         // the time since the last Lap, or the first clock reading, is added to lap Root
	Compare     // between their marks, the chunks of Recv must hold the bytes of Send, both in this process' memory
	Copy        // the bytes of Send go to Recv, both in this process' memory
	Combine     // the elements of Send are combined into those of Recv, both in this process' memory
	Scribble    // the first byte of each line of memory (Line) of the places Send… becomes Tag
	Skim        // the first byte of each line of the places Recv… is read

	// Point to point (MPI 4.1, chapter 3).
	Send
	Ssend // returns once the receive has begun
	Rsend // the receive must be posted before, or the outcome is undefined
	Recv
	Sendrecv
	SendrecvReplace // Send and Recv are the same memory: what is received replaces what was sent
	Notify          // tells the Peer of Send, and waits until that of Recv tells; both places are empty
	Isend
	Irecv
	Wait    // for the request that call Of started
	Waitall // for all requests that are open
	Test    // whether the request that call Of started is done; it stays open for a Wait; not of a file

	// Blocking collective calls (MPI 4.1, chapter 6). Without peers, Send and Recv are one place each, of all bytes
	// that the process sends and receives. Where only the root sends or receives, the others' place is unused. With
	// peers there is a place for each process. Reductions combine elements of the places' Type.
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
	ReduceScatter // Send: one place for each process' part, next to each other
	ReduceScatterBlock
	Allreduce
	DupFree // duplicates the communicator and frees the copy
	Decide  // process Root decides by the stop rule (Loops) whether another loop follows this one, and broadcasts it

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
	IreduceScatterBlock
	Iallreduce

	// One-sided calls (MPI 4.1, chapter 12): Send is in memory. Recv is in a Window: Peer is the target, Offset is in
	// its window. Get's data enter the memory of Send. Synchronization calls name the window by a place in Recv, and
	// the target, if there is only one, by its Peer.
	Put
	Get
	Rput // opens a request, which is complete once the memory may be used again; for locked windows alone
	Rget
	Accumulate
	GetAccumulate  // Send: the origin, the result
	FetchAndOp     // Send: the origin, the result
	CompareAndSwap // Send: the origin, the value to compare, the result
	WinCreate
	WinFree
	WinFence
	WinLock          // shared
	WinLockExclusive // MPI_Win_lock too
	WinUnlock
	WinLockAll
	WinUnlockAll
	WinFlush
	WinFlushLocal
	WinFlushAll
	WinFlushLocalAll
	WinPost  // opens the process' own window to the Peer of the place
	WinStart // opens access to the Peer's window, which has been posted
	WinComplete
	WinWait // for the Peer's WinComplete
	WinSync // brings the window's memory in line with loads and stores of this process (MPI 4.1, 12.7)

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

	// Split collective calls (MPI 4.1, 14.4.5) are open between their two halves, which have the same places. FileOpen
	// and FileClose work on the file of the place Recv, with the mode and hints of its first opening.
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
)

// Line is the number of bytes of a line of memory, of which Scribble and Skim touch the first one: a line of most
// machines' caches.
const Line = 64

// Family is the kind of work that a call does. Engines choose by it how they run the call.
type Family uint8

// The families.
const (
	Own                   Family = iota // the process works alone
	PointToPoint                        // messages
	Completion                          // of requests
	Collective                          // blocking
	NonblockingCollective               // opens a request
	OneSided                            // moves data to or from a window
	WindowState                         // makes, frees or synchronizes a window
	FileData                            // moves data to or from a file, and blocks until it is done
	FileNonblocking                     // opens a request to do so
	SplitBegin                          // the first half of a split collective call
	SplitEnd                            // the second half, which moves the data
	FileState                           // moves no data: opens, closes or syncs a file
)

var familyNames = [...]string{
	Own: "own work", PointToPoint: "point to point", Completion: "completion", Collective: "collective",
	NonblockingCollective: "nonblocking collective", OneSided: "one-sided", WindowState: "window state",
	FileData: "file data", FileNonblocking: "file nonblocking", SplitBegin: "split begin", SplitEnd: "split end",
	FileState: "file state",
}

// String returns the family's name in words.
func (f Family) String() string { return familyNames[f] }

// Families returns all families.
func Families() []Family {
	all := make([]Family, len(familyNames))
	for i := range all {
		all[i] = Family(i)
	}
	return all
}

// operands are the fields of a Call that an Op uses, and its properties.
type operands uint32

const (
	sends        operands = 1 << iota // at least one place in Send
	receives                          // at least one place in Recv
	single                            // at most one place in each of them
	alike                             // the places of both sides have the same length and type, and don't overlap
	numbers                           // their Type isn't Byte
	oneElement                        // their Length is one element
	pieces                            // they may consist of pieces
	formed                            // their elements may be of any Form
	places                            // uses Send and Recv, which may be empty
	peers                             // each place names a Peer
	rooted                            // uses Root
	starts                            // opens a request
	refers                            // uses Of
	intoFile                          // Recv is in a file, Send is memory of the same length
	fromFile                          // Send is in a file, Recv is memory of the same length
	onFile                            // Recv names a file
	onWindow                          // Recv is in a window
	anywhere                          // the places' spaces don't matter
	explicit                          // starts at the Offset of the place in the file, not at a pointer
	rootSends                         // the root alone uses Send
	rootReceives                      // the root alone uses Recv
	reduces                           // combines elements of the places' Type
	same                              // the places of both sides are the same bytes
	empty                             // their Length is 0

	both = sends | receives
	pair = both | single

	fromRoot = rooted | rootSends
	toRoot   = rooted | rootReceives
)

// row holds the properties of a call.
type row struct {
	name   string // in the standard, or our own
	family Family
	// of is the blocking call whose work this one does in another way. Its operands are added to those of this row.
	of         Op
	end        Op // the second half of a split call, in the row of the first
	uses       operands
	send, recv Parts
	inPlace    operands // the side in whose stead MPI_IN_PLACE may be passed: sends or receives
	memory     int      // places in memory of a one-sided call that has more than one
}

// opTable has a row for each Op.
var opTable = [...]row{
	Nop:      {name: "Nop"},
	Walk:     {name: "Walk", uses: places | anywhere},
	Stamp:    {name: "Stamp", uses: sends},
	Check:    {name: "Check", uses: receives},
	Compute:  {name: "Compute"},
	Exploit:  {name: "Exploit"},
	Lap:      {name: "Lap", uses: rooted},
	Compare:  {name: "Compare", uses: pair | alike},
	Copy:     {name: "Copy", uses: pair | alike},
	Combine:  {name: "MPI_Reduce_local", uses: pair | alike | numbers | formed},
	Scribble: {name: "Scribble", uses: sends},
	Skim:     {name: "Skim", uses: receives},

	Send:            {name: "MPI_Send", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Ssend:           {name: "MPI_Ssend", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Rsend:           {name: "MPI_Rsend", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Recv:            {name: "MPI_Recv", family: PointToPoint, uses: receives | single | peers | pieces | formed},
	Sendrecv:        {name: "MPI_Sendrecv", family: PointToPoint, uses: pair | peers | pieces | formed},
	SendrecvReplace: {name: "MPI_Sendrecv_replace", family: PointToPoint, uses: pair | peers | same},
	Notify:          {name: "Notify", family: PointToPoint, uses: pair | peers | empty},
	Isend:           {name: "MPI_Isend", family: PointToPoint, uses: sends | single | peers | pieces | formed | starts},
	Irecv: {name: "MPI_Irecv", family: PointToPoint,
		uses: receives | single | peers | pieces | formed | starts},
	Wait:    {name: "MPI_Wait", family: Completion, uses: refers},
	Waitall: {name: "MPI_Waitall", family: Completion},
	Test:    {name: "MPI_Test", family: Completion, uses: refers},

	Barrier: {name: "MPI_Barrier", family: Collective},
	Bcast:   {name: "MPI_Bcast", family: Collective, uses: pair | formed | fromRoot, send: Whole, recv: Whole},
	Gather: {name: "MPI_Gather", family: Collective, uses: pair | formed | toRoot, send: Whole, recv: Equal,
		inPlace: sends},
	Gatherv: {name: "MPI_Gatherv", family: Collective, uses: both | formed | peers | toRoot, send: Whole, recv: Vector,
		inPlace: sends},
	Scatter: {name: "MPI_Scatter", family: Collective, uses: pair | formed | fromRoot, send: Equal, recv: Whole,
		inPlace: receives},
	Scatterv: {name: "MPI_Scatterv", family: Collective, uses: both | formed | peers | fromRoot, send: Vector,
		recv:    Whole,
		inPlace: receives},
	Allgather: {name: "MPI_Allgather", family: Collective, uses: pair | formed, send: Whole, recv: Equal,
		inPlace: sends},
	Allgatherv: {name: "MPI_Allgatherv", family: Collective, uses: both | formed | peers, send: Whole, recv: Vector,
		inPlace: sends},
	Alltoall: {name: "MPI_Alltoall", family: Collective, uses: pair | formed, send: Equal, recv: Equal,
		inPlace: sends},
	Alltoallv: {name: "MPI_Alltoallv", family: Collective, uses: places | formed | peers, send: Sparse, recv: Sparse},
	Reduce: {name: "MPI_Reduce", family: Collective, uses: pair | formed | toRoot | reduces, send: Whole, recv: Whole,
		inPlace: sends},
	ReduceScatter: {name: "MPI_Reduce_scatter", family: Collective, uses: both | formed | peers | reduces,
		send: Vector, recv: Whole},
	ReduceScatterBlock: {name: "MPI_Reduce_scatter_block", family: Collective, uses: pair | formed | reduces,
		send: Equal, recv: Whole},
	Allreduce: {name: "MPI_Allreduce", family: Collective, uses: pair | formed | reduces, send: Whole, recv: Whole,
		inPlace: sends},
	DupFree: {name: "DupFree", family: Collective},
	Decide:  {name: "Decide", family: Collective, uses: rooted},

	Ibarrier:       {name: "MPI_Ibarrier", family: NonblockingCollective, of: Barrier, uses: starts},
	Ibcast:         {name: "MPI_Ibcast", family: NonblockingCollective, of: Bcast, uses: starts},
	Igather:        {name: "MPI_Igather", family: NonblockingCollective, of: Gather, uses: starts},
	Igatherv:       {name: "MPI_Igatherv", family: NonblockingCollective, of: Gatherv, uses: starts},
	Iscatter:       {name: "MPI_Iscatter", family: NonblockingCollective, of: Scatter, uses: starts},
	Iscatterv:      {name: "MPI_Iscatterv", family: NonblockingCollective, of: Scatterv, uses: starts},
	Iallgather:     {name: "MPI_Iallgather", family: NonblockingCollective, of: Allgather, uses: starts},
	Iallgatherv:    {name: "MPI_Iallgatherv", family: NonblockingCollective, of: Allgatherv, uses: starts},
	Ialltoall:      {name: "MPI_Ialltoall", family: NonblockingCollective, of: Alltoall, uses: starts},
	Ialltoallv:     {name: "MPI_Ialltoallv", family: NonblockingCollective, of: Alltoallv, uses: starts},
	Ireduce:        {name: "MPI_Ireduce", family: NonblockingCollective, of: Reduce, uses: starts},
	IreduceScatter: {name: "MPI_Ireduce_scatter", family: NonblockingCollective, of: ReduceScatter, uses: starts},
	IreduceScatterBlock: {name: "MPI_Ireduce_scatter_block", family: NonblockingCollective, of: ReduceScatterBlock,
		uses: starts},
	Iallreduce: {name: "MPI_Iallreduce", family: NonblockingCollective, of: Allreduce, uses: starts},

	Put:           {name: "MPI_Put", family: OneSided, uses: pair | onWindow | pieces},
	Get:           {name: "MPI_Get", family: OneSided, uses: pair | onWindow | pieces},
	Rput:          {name: "MPI_Rput", family: OneSided, uses: pair | onWindow | pieces | starts},
	Rget:          {name: "MPI_Rget", family: OneSided, uses: pair | onWindow | pieces | starts},
	Accumulate:    {name: "MPI_Accumulate", family: OneSided, uses: pair | onWindow | numbers},
	GetAccumulate: {name: "MPI_Get_accumulate", family: OneSided, uses: both | onWindow | numbers, memory: 2},
	FetchAndOp: {name: "MPI_Fetch_and_op", family: OneSided, uses: both | onWindow | numbers | oneElement,
		memory: 2},
	CompareAndSwap: {name: "MPI_Compare_and_swap", family: OneSided, uses: both | onWindow | numbers | oneElement,
		memory: 3},

	WinCreate:        {name: "MPI_Win_create", family: WindowState, uses: receives | single | onWindow},
	WinFree:          {name: "MPI_Win_free", family: WindowState, uses: receives | single | onWindow},
	WinFence:         {name: "MPI_Win_fence", family: WindowState, uses: receives | single | onWindow},
	WinLock:          {name: "MPI_Win_lock", family: WindowState, uses: receives | single | onWindow},
	WinLockExclusive: {name: "MPI_Win_lock_exclusive", family: WindowState, uses: receives | single | onWindow},
	WinPost:          {name: "MPI_Win_post", family: WindowState, uses: receives | single | onWindow},
	WinStart:         {name: "MPI_Win_start", family: WindowState, uses: receives | single | onWindow},
	WinComplete:      {name: "MPI_Win_complete", family: WindowState, uses: receives | single | onWindow},
	WinWait:          {name: "MPI_Win_wait", family: WindowState, uses: receives | single | onWindow},
	WinUnlock:        {name: "MPI_Win_unlock", family: WindowState, uses: receives | single | onWindow},
	WinLockAll:       {name: "MPI_Win_lock_all", family: WindowState, uses: receives | single | onWindow},
	WinUnlockAll:     {name: "MPI_Win_unlock_all", family: WindowState, uses: receives | single | onWindow},
	WinFlush:         {name: "MPI_Win_flush", family: WindowState, uses: receives | single | onWindow},
	WinFlushLocal:    {name: "MPI_Win_flush_local", family: WindowState, uses: receives | single | onWindow},
	WinFlushAll:      {name: "MPI_Win_flush_all", family: WindowState, uses: receives | single | onWindow},
	WinFlushLocalAll: {name: "MPI_Win_flush_local_all", family: WindowState, uses: receives | single | onWindow},
	WinSync:          {name: "MPI_Win_sync", family: WindowState, uses: receives | single | onWindow},

	FileWriteAt:      {name: "MPI_File_write_at", family: FileData, uses: pair | intoFile | explicit},
	FileWriteAtAll:   {name: "MPI_File_write_at_all", family: FileData, uses: pair | intoFile | explicit},
	FileWrite:        {name: "MPI_File_write", family: FileData, uses: pair | intoFile},
	FileWriteAll:     {name: "MPI_File_write_all", family: FileData, uses: pair | intoFile},
	FileWriteShared:  {name: "MPI_File_write_shared", family: FileData, uses: pair | intoFile},
	FileWriteOrdered: {name: "MPI_File_write_ordered", family: FileData, uses: pair | intoFile},

	FileIwriteAt:     {name: "MPI_File_iwrite_at", family: FileNonblocking, of: FileWriteAt, uses: starts},
	FileIwrite:       {name: "MPI_File_iwrite", family: FileNonblocking, of: FileWrite, uses: starts},
	FileIwriteShared: {name: "MPI_File_iwrite_shared", family: FileNonblocking, of: FileWriteShared, uses: starts},

	FileReadAt:      {name: "MPI_File_read_at", family: FileData, uses: pair | fromFile | explicit},
	FileReadAtAll:   {name: "MPI_File_read_at_all", family: FileData, uses: pair | fromFile | explicit},
	FileRead:        {name: "MPI_File_read", family: FileData, uses: pair | fromFile},
	FileReadAll:     {name: "MPI_File_read_all", family: FileData, uses: pair | fromFile},
	FileReadShared:  {name: "MPI_File_read_shared", family: FileData, uses: pair | fromFile},
	FileReadOrdered: {name: "MPI_File_read_ordered", family: FileData, uses: pair | fromFile},

	FileIreadAt:     {name: "MPI_File_iread_at", family: FileNonblocking, of: FileReadAt, uses: starts},
	FileIread:       {name: "MPI_File_iread", family: FileNonblocking, of: FileRead, uses: starts},
	FileIreadShared: {name: "MPI_File_iread_shared", family: FileNonblocking, of: FileReadShared, uses: starts},

	FileSync: {name: "MPI_File_sync", family: FileState, uses: receives | single | onFile},

	FileWriteAtAllBegin: {name: "MPI_File_write_at_all_begin", family: SplitBegin,
		of: FileWriteAtAll, end: FileWriteAtAllEnd},
	FileWriteAtAllEnd: {name: "MPI_File_write_at_all_end", family: SplitEnd, of: FileWriteAtAll},
	FileWriteAllBegin: {name: "MPI_File_write_all_begin", family: SplitBegin,
		of: FileWriteAll, end: FileWriteAllEnd},
	FileWriteAllEnd: {name: "MPI_File_write_all_end", family: SplitEnd, of: FileWriteAll},
	FileWriteOrderedBegin: {name: "MPI_File_write_ordered_begin", family: SplitBegin,
		of: FileWriteOrdered, end: FileWriteOrderedEnd},
	FileWriteOrderedEnd: {name: "MPI_File_write_ordered_end", family: SplitEnd, of: FileWriteOrdered},
	FileReadAtAllBegin: {name: "MPI_File_read_at_all_begin", family: SplitBegin,
		of: FileReadAtAll, end: FileReadAtAllEnd},
	FileReadAtAllEnd: {name: "MPI_File_read_at_all_end", family: SplitEnd, of: FileReadAtAll},
	FileReadAllBegin: {name: "MPI_File_read_all_begin", family: SplitBegin, of: FileReadAll, end: FileReadAllEnd},
	FileReadAllEnd:   {name: "MPI_File_read_all_end", family: SplitEnd, of: FileReadAll},
	FileReadOrderedBegin: {name: "MPI_File_read_ordered_begin", family: SplitBegin,
		of: FileReadOrdered, end: FileReadOrderedEnd},
	FileReadOrderedEnd: {name: "MPI_File_read_ordered_end", family: SplitEnd, of: FileReadOrdered},

	FileOpen:  {name: "MPI_File_open", family: FileState, uses: receives | single | onFile},
	FileClose: {name: "MPI_File_close", family: FileState, uses: receives | single | onFile},
}

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

// String returns the call's name in the MPI standard, or our own name for a call that the standard doesn't have.
func (op Op) String() string { return op.row().name }

// Family returns the kind of work that the call does.
func (op Op) Family() Family { return op.row().family }

// Blocking returns the blocking call that does the same work as a nonblocking collective call, a nonblocking file call
// or half of a split call. Any other call is returned itself.
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

// Reads reports whether the call moves data from a file to memory.
func (op Op) Reads() bool { return op.has(fromFile) }

// Writes reports whether the call moves data from memory to a file.
func (op Op) Writes() bool { return op.has(intoFile) }

// Explicit reports whether the file call starts at its place's Offset. Others start at a pointer.
func (op Op) Explicit() bool { return op.has(explicit) }

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

// AtRoot reports whether the root alone of a collective call sends, or receives.
func (op Op) AtRoot() (sends, receives bool) { return op.has(rootSends), op.has(rootReceives) }

// InPlace returns the side of a collective call in whose stead a process may pass MPI_IN_PLACE (Call.InPlace), if any,
// and whether the root alone may.
func (op Op) InPlace() (send, recv, atRoot bool) {
	r := op.row()
	return r.inPlace == sends, r.inPlace == receives, r.uses&rooted != 0
}
