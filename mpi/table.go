package mpi

// operands are the fields of a Call that an Op uses, and its properties.
type operands uint64

const (
	sends          operands = 1 << iota // at least one place in Send
	receives                            // at least one place in Recv
	single                              // at most one place in Send and one in Recv
	equalSides                          // the places of both sides have the same length and type, and don't overlap
	numbers                             // the places' Type isn't Byte
	oneElement                          // the places' Length is one element
	pieces                              // the places may consist of pieces
	formed                              // the places' elements may be of any Form
	places                              // uses Send and Recv, which may be empty
	peers                               // each place names a Peer
	rooted                              // uses Root
	starts                              // opens a request
	refers                              // uses Of
	intoFile                            // Recv is in a file, Send is memory of the same length
	fromFile                            // Send is in a file, Recv is memory of the same length
	onFile                              // Recv names a file
	onWindow                            // Recv is in a window
	anywhere                            // the places' spaces don't matter
	explicit                            // starts at the Offset of the place in the file, not at a pointer
	rootSends                           // only the root uses Send
	rootReceives                        // only the root uses Recv
	reduces                             // combines elements of the places' Type
	same                                // the places of both sides are the same bytes
	empty                               // the places' Length is 0
	persistent                          // starts a request that was made before the first run
	neighbours                          // the Peers of the places are the process's neighbours
	sameBlock                           // the places of Send are the same bytes
	adjacentBlocks                      // places of Recv, and without sameBlock of Send, are adjacent and equally long
	intoPath                            // Recv is a path, Send is memory
	fromPath                            // Send is a path, Recv is memory
	onPath                              // Recv is a path, and so is Send
	partitioned                         // the message has Parts parts
	large                               // has counts of 64 bits

	both   = sends | receives
	pair   = both | single
	sparse = places | formed | peers
	made   = starts | persistent
	aPath  = receives | single | onPath

	fromRoot = rooted | rootSends
	toRoot   = rooted | rootReceives
)

// row holds the properties of a call.
type row struct {
	name   string // in the standard, or of this package
	family Family
	// of is the blocking call that does the same work. Its operands are added to the operands of this row.
	of         Op
	end        Op // the second half of a split call, in the row of the first
	uses       operands
	send, recv Parts
	inPlace    operands // the side that MPI_IN_PLACE may replace: sends or receives
	memory     int      // places in memory of a one-sided call that has more than one
}

// opTable has a row for each Op.
var opTable = [...]row{
	Nop:       {name: "Nop"},
	Walk:      {name: "Walk", uses: places | anywhere},
	Stamp:     {name: "Stamp", uses: sends},
	Check:     {name: "Check", uses: receives},
	Compute:   {name: "Compute"},
	Exploit:   {name: "Exploit"},
	Lap:       {name: "Lap", uses: rooted},
	Compare:   {name: "Compare", uses: pair | equalSides},
	Copy:      {name: "Copy", uses: pair | equalSides},
	Combine:   {name: "MPI_Reduce_local", uses: pair | equalSides | numbers | formed},
	TouchSend: {name: "TouchSend", uses: sends},
	TouchRecv: {name: "TouchRecv", uses: receives},

	ThreadBarrier: {name: "ThreadBarrier"},

	Send:            {name: "MPI_Send", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Ssend:           {name: "MPI_Ssend", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Rsend:           {name: "MPI_Rsend", family: PointToPoint, uses: sends | single | peers | pieces | formed},
	Recv:            {name: "MPI_Recv", family: PointToPoint, uses: receives | single | peers | pieces | formed},
	Sendrecv:        {name: "MPI_Sendrecv", family: PointToPoint, uses: pair | peers | pieces | formed},
	SendrecvReplace: {name: "MPI_Sendrecv_replace", family: PointToPoint, uses: pair | peers | same},
	Notify:          {name: "Notify", family: PointToPoint, uses: pair | peers | empty},
	SendrecvEach:    {name: "SendrecvEach", family: PointToPoint, uses: pair | equalSides},
	RecvEach:        {name: "RecvEach", family: PointToPoint, uses: receives | single},
	Isend:           {name: "MPI_Isend", family: PointToPoint, uses: sends | single | peers | pieces | formed | starts},
	Irecv: {name: "MPI_Irecv", family: PointToPoint,
		uses: receives | single | peers | pieces | formed | starts},
	SendInit: {name: "MPI_Send_init", family: PointToPoint, of: Isend, uses: persistent},
	RecvInit: {name: "MPI_Recv_init", family: PointToPoint, of: Irecv, uses: persistent},

	SendLarge:      {name: "MPI_Send_c", family: PointToPoint, uses: sends | single | peers | large},
	RecvLarge:      {name: "MPI_Recv_c", family: PointToPoint, uses: receives | single | peers | large},
	BcastLarge:     {name: "MPI_Bcast_c", family: Collective, of: Bcast, uses: large},
	AllreduceLarge: {name: "MPI_Allreduce_c", family: Collective, of: Allreduce, uses: large},
	AlltoallvLarge: {name: "MPI_Alltoallv_c", family: Collective, of: Alltoallv, uses: large},

	FileWriteAtLarge: {name: "MPI_File_write_at_c", family: FileData, of: FileWriteAt, uses: large},
	FileReadAtLarge:  {name: "MPI_File_read_at_c", family: FileData, of: FileReadAt, uses: large},

	FreeRequest: {name: "MPI_Request_free", family: Completion, uses: refers},
	MakeRequest: {name: "MakeRequest", family: Completion, uses: refers},

	PsendInit:   {name: "MPI_Psend_init", family: PointToPoint, uses: sends | single | peers | made | partitioned},
	PrecvInit:   {name: "MPI_Precv_init", family: PointToPoint, uses: receives | single | peers | made | partitioned},
	Pready:      {name: "MPI_Pready", family: Partition, uses: refers},
	PreadyRange: {name: "MPI_Pready_range", family: Partition, uses: refers},
	Parrived:    {name: "MPI_Parrived", family: Partition, uses: refers},

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
	Alltoallv: {name: "MPI_Alltoallv", family: Collective, uses: sparse, send: Sparse, recv: Sparse},
	Alltoallw: {name: "MPI_Alltoallw", family: Collective, uses: sparse, send: Sparse, recv: Sparse},
	Reduce: {name: "MPI_Reduce", family: Collective, uses: pair | formed | toRoot | reduces, send: Whole, recv: Whole,
		inPlace: sends},
	ReduceScatter: {name: "MPI_Reduce_scatter", family: Collective, uses: both | formed | peers | reduces,
		send: Vector, recv: Whole},
	ReduceScatterBlock: {name: "MPI_Reduce_scatter_block", family: Collective, uses: pair | formed | reduces,
		send: Equal, recv: Whole},
	Allreduce: {name: "MPI_Allreduce", family: Collective, uses: pair | formed | reduces, send: Whole, recv: Whole,
		inPlace: sends},
	Scan:         {name: "MPI_Scan", family: Collective, uses: pair | formed | reduces, send: Whole, recv: Whole},
	Exscan:       {name: "MPI_Exscan", family: Collective, uses: pair | formed | reduces, send: Whole, recv: Whole},
	DupFree:      {name: "DupFree", family: Collective},
	Decide:       {name: "Decide", family: Collective, uses: rooted},
	StopOnSignal: {name: "StopOnSignal", family: Completion},

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
	Ialltoallw:     {name: "MPI_Ialltoallw", family: NonblockingCollective, of: Alltoallw, uses: starts},
	Ireduce:        {name: "MPI_Ireduce", family: NonblockingCollective, of: Reduce, uses: starts},
	IreduceScatter: {name: "MPI_Ireduce_scatter", family: NonblockingCollective, of: ReduceScatter, uses: starts},
	IreduceScatterBlock: {name: "MPI_Ireduce_scatter_block", family: NonblockingCollective, of: ReduceScatterBlock,
		uses: starts},
	Iallreduce: {name: "MPI_Iallreduce", family: NonblockingCollective, of: Allreduce, uses: starts},

	NeighborAllgather: {name: "MPI_Neighbor_allgather", family: Collective,
		uses: sparse | neighbours | sameBlock | adjacentBlocks, send: Sparse, recv: Sparse},
	NeighborAllgatherv: {name: "MPI_Neighbor_allgatherv", family: Collective,
		uses: sparse | neighbours | sameBlock, send: Sparse, recv: Sparse},
	NeighborAlltoall: {name: "MPI_Neighbor_alltoall", family: Collective,
		uses: sparse | neighbours | adjacentBlocks, send: Sparse, recv: Sparse},
	NeighborAlltoallv: {name: "MPI_Neighbor_alltoallv", family: Collective,
		uses: sparse | neighbours, send: Sparse, recv: Sparse},
	NeighborAlltoallw: {name: "MPI_Neighbor_alltoallw", family: Collective,
		uses: sparse | neighbours, send: Sparse, recv: Sparse},
	IneighborAllgather: {name: "MPI_Ineighbor_allgather", family: NonblockingCollective, of: NeighborAllgather,
		uses: starts},
	IneighborAllgatherv: {name: "MPI_Ineighbor_allgatherv", family: NonblockingCollective, of: NeighborAllgatherv,
		uses: starts},
	IneighborAlltoall: {name: "MPI_Ineighbor_alltoall", family: NonblockingCollective, of: NeighborAlltoall,
		uses: starts},
	IneighborAlltoallv: {name: "MPI_Ineighbor_alltoallv", family: NonblockingCollective, of: NeighborAlltoallv,
		uses: starts},
	IneighborAlltoallw: {name: "MPI_Ineighbor_alltoallw", family: NonblockingCollective, of: NeighborAlltoallw,
		uses: starts},

	BarrierInit:    {name: "MPI_Barrier_init", family: NonblockingCollective, of: Barrier, uses: made},
	BcastInit:      {name: "MPI_Bcast_init", family: NonblockingCollective, of: Bcast, uses: made},
	GatherInit:     {name: "MPI_Gather_init", family: NonblockingCollective, of: Gather, uses: made},
	GathervInit:    {name: "MPI_Gatherv_init", family: NonblockingCollective, of: Gatherv, uses: made},
	ScatterInit:    {name: "MPI_Scatter_init", family: NonblockingCollective, of: Scatter, uses: made},
	ScattervInit:   {name: "MPI_Scatterv_init", family: NonblockingCollective, of: Scatterv, uses: made},
	AllgatherInit:  {name: "MPI_Allgather_init", family: NonblockingCollective, of: Allgather, uses: made},
	AllgathervInit: {name: "MPI_Allgatherv_init", family: NonblockingCollective, of: Allgatherv, uses: made},
	AlltoallInit:   {name: "MPI_Alltoall_init", family: NonblockingCollective, of: Alltoall, uses: made},
	AlltoallvInit:  {name: "MPI_Alltoallv_init", family: NonblockingCollective, of: Alltoallv, uses: made},
	AlltoallwInit:  {name: "MPI_Alltoallw_init", family: NonblockingCollective, of: Alltoallw, uses: made},
	ReduceInit:     {name: "MPI_Reduce_init", family: NonblockingCollective, of: Reduce, uses: made},
	ReduceScatterInit: {name: "MPI_Reduce_scatter_init", family: NonblockingCollective, of: ReduceScatter,
		uses: made},
	ReduceScatterBlockInit: {name: "MPI_Reduce_scatter_block_init", family: NonblockingCollective,
		of: ReduceScatterBlock, uses: made},
	AllreduceInit: {name: "MPI_Allreduce_init", family: NonblockingCollective, of: Allreduce, uses: made},
	NeighborAllgatherInit: {name: "MPI_Neighbor_allgather_init", family: NonblockingCollective, of: NeighborAllgather,
		uses: made},
	NeighborAllgathervInit: {name: "MPI_Neighbor_allgatherv_init", family: NonblockingCollective,
		of: NeighborAllgatherv, uses: made},
	NeighborAlltoallInit: {name: "MPI_Neighbor_alltoall_init", family: NonblockingCollective, of: NeighborAlltoall,
		uses: made},
	NeighborAlltoallvInit: {name: "MPI_Neighbor_alltoallv_init", family: NonblockingCollective, of: NeighborAlltoallv,
		uses: made},
	NeighborAlltoallwInit: {name: "MPI_Neighbor_alltoallw_init", family: NonblockingCollective, of: NeighborAlltoallw,
		uses: made},

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

	FileOpen:    {name: "MPI_File_open", family: FileState, uses: receives | single | onFile | onPath},
	FileClose:   {name: "MPI_File_close", family: FileState, uses: receives | single | onFile | onPath},
	FileDelete:  {name: "MPI_File_delete", family: FileState, uses: aPath},
	FileSetSize: {name: "MPI_File_set_size", family: FileState, uses: aPath},

	PathCreate:  {name: "creat", family: OnPath, uses: aPath},
	PathOpen:    {name: "open", family: OnPath, uses: aPath},
	PathWrite:   {name: "write", family: OnPath, uses: pair | intoPath},
	PathRead:    {name: "read", family: OnPath, uses: pair | fromPath},
	PathSync:    {name: "fsync", family: OnPath, uses: aPath},
	PathClose:   {name: "close", family: OnPath, uses: aPath},
	PathStat:    {name: "stat", family: OnPath, uses: aPath},
	PathRename:  {name: "rename", family: OnPath, uses: pair | onPath},
	PathUnlink:  {name: "unlink", family: OnPath, uses: aPath},
	PathMkdir:   {name: "mkdir", family: OnPath, uses: aPath},
	PathRmdir:   {name: "rmdir", family: OnPath, uses: aPath},
	PathEntries: {name: "readdir", family: OnPath, uses: aPath},
	PathSyncAll: {name: "sync", family: OnPath, uses: aPath},
}
