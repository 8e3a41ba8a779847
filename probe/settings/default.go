package settings

// Default has the default values that all components share. The guide names the cache's parameters without their
// values, which come from IMB 2021.11 (IMB_mem_info.h).
var Default = struct {
	Policy     Policy
	SampleTime float64 // seconds that a length may take (SECS_PER_SAMPLE)
	Memory     int64   // bytes of a process's buffers
	CacheSize  int64   // bytes of the last level cache to avoid, if a user doesn't give its size
	CacheLine  int64   // bytes of a line of this cache
	Compute    float64 // seconds of computing during a nonblocking file call (TARGET_CPU_SECS of IMB-IO)
	Window     int     // messages of a repetition of Uniband and Biband (-window_size)
	Barriers   int     // right before the clock (N_BARR)
	FileName   string  // of IMB-IO's kernels (FILENAME)

	Precision Precision // MPIBlib's (manual, 7.5)
	Adaptive  Adaptive  // MPIBlib's (manual, 7.5)
	Relays    int       // processes that pass on one piece each, if there are that many
	Fragments int       // pieces

	Tolerance float64 // largest ratio of a guideline that is kept

	Block   int64   // bytes of a block of strided kernels of the PGAS suite
	Count   int64   // blocks of a transfer
	Strides []int64 // in blocks

	PartitionedLength int64     // bytes of a partitioned message
	Partitions        []int64   // numbers of its parts
	Delays            []float64 // seconds by which the last part is late
}{
	Policy: Dynamic, SampleTime: 10, Memory: 1 << 30, CacheSize: 8 << 20, CacheLine: 64, Compute: 0.1, Window: 256,
	Barriers: 2, FileName: "IMB_out",
	Precision: Precision{Relative: 0.025, Confidence: 0.95, Min: 5, Max: 100, Inner: 1, Statistic: ByMean},
	Adaptive:  Adaptive{Max: 204800, Difference: 0.1, Stride: 64, MaxLengths: 100},
	Tolerance: 1.05,
	Relays:    2, Fragments: 4, Block: 4, Count: 1 << 15, Strides: []int64{1, 2, 4, 8, 16, 32},
	PartitionedLength: 1 << 20, Partitions: []int64{1, 2, 4, 8, 16, 32, 64, 128}, Delays: []float64{0, 100e-6},
}
