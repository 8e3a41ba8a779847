package kernel

// Class sets the figures of a kernel and their meaning (guide, "Classification of MPI-1 Benchmarks" and its
// counterparts).
type Class string

// The classes, with the figures of their rows. Single has a time and a bandwidth. Parallel has the minimum, maximum and
// average time, and a bandwidth from the maximum. Collective has only these three times; Sync has them too, but no
// lengths. Overlap has the times of overlapped runs. Passive has the two times of Truly_passive_put.
const (
	Single        Class = "single transfer"
	Multiple      Class = "multiple transfer" // RMA: one process with all others; figures as Single
	Parallel      Class = "parallel transfer"
	Collective    Class = "collective"
	Sync          Class = "synchronisation"
	Overlap       Class = "overlap"
	Passive       Class = "passive"
	Rate          Class = "message rate" // windows of messages: a bandwidth, and messages per second
	Partners      Class = "partners"     // the three times, and bandwidths over all origins
	Pairs         Class = "pairs"        // the three times over all pairs
	Acked         Class = "acknowledged" // one time, measured by the root
	Traffic       Class = "traffic"      // all processes: their mean time, a bandwidth, and messages per second
	Averaged      Class = "averaged"     // the mean of the processes whose clock is read, and a bandwidth from it
	Stream        Class = "stream"       // as Averaged, for windows of messages, with messages per second
	Band          Class = "band"         // windows of messages of threads: mean time, bandwidth, messages per second
	Detours       Class = "noise"        // the time that other activity took from processes that only compute
	CallAndMockUp Class = "guideline"    // the times of a call, and of a mock-up that does the same
	Congestion    Class = "congestion"   // the bytes that each congestor moves
	Metadata      Class = "metadata"     // each process's time, and the calls per second of all processes
	Compared      Class = "compared"     // the three times, and the time of the usual way to do the same
	Persistent    Class = "made once"    // as Compared, for persistent calls, and times of making and freeing requests
	StartingMPI   Class = "opened"       // the three times of starting MPI, and the times of its parts
	Partition     Class = "partitioned"  // partitioned messages compared with plain ones, and the time of the last part
	AcrossCut     Class = "crossing"     // all pairs across a cut, by steps: the three times, and bandwidths of steps
	OverlapParts  Class = "hidden"       // mean times of the parts of a nonblocking call while computing, and by itself
)

// class holds the rules by which the figures of a class of kernels follow from the measured times.
type class struct {
	// moves returns how many times a repetition moves Kernel.Moved lengths; nil means once.
	moves  func(processes, window int) int
	derive func(t *Times)       // adds figures of the class, unless nil
	times  []Time               // shown by reports; nil means the slowest process's time
	by     func(*Times) float64 // the time of bandwidths and rates; nil means the slowest process's time
	rated  func(*Times) float64 // the time of rates; nil means the time of bandwidths
}

// Time is one of a row's times.
type Time struct {
	Name string
	Of   func(*Times) float64 // seconds
}

// Times returns the times of the kernel that reports show, the most important one first.
func (k *Kernel) Times() []Time {
	if times := classes[k.Class].times; times != nil {
		return times
	}
	return []Time{longest}
}

// longest is the time of the slowest process.
var longest = Time{"t", func(t *Times) float64 { return t.Max }}

// usual is the time of the usual way to do the same.
var usual = Time{"t_usual", func(t *Times) float64 { return t.Usual }}

// mean returns the mean time of the processes.
func mean(t *Times) float64 { return t.Mean }

// ofMeans are the times of classes whose figure is a mean over the processes.
var ofMeans = []Time{{"t_avg", mean}}

// pure returns the time of communication without computing.
func pure(t *Times) float64 { return t.Pure }

// classes has a row for each class whose figures are more than times and a bandwidth between two processes.
var classes = map[Class]class{
	Multiple: {moves: others},
	Overlap: {derive: setOverlapOfIMB,
		times: []Time{{"t_ovrl", func(t *Times) float64 { return t.Overlapped }}, {"t_pure", pure}}},
	Passive:  {times: []Time{{"t_pure", pure}, {"t_ovrl", func(t *Times) float64 { return t.Passive }}}},
	Detours:  {times: []Time{{"longest detour", func(t *Times) float64 { return t.Detour }}}},
	Rate:     {moves: inWindows},
	Traffic:  {moves: everyone, times: []Time{{"t", func(t *Times) float64 { return t.Mean }}}},
	Averaged: {times: ofMeans, by: mean},
	Stream:   {moves: inWindows, times: ofMeans, by: mean},
	CallAndMockUp: {times: []Time{{"t", func(t *Times) float64 { return t.Max }},
		{"t_mockup", func(t *Times) float64 { return t.MockUp }}}},
	Band:     {moves: ofPairs, times: ofMeans, rated: mean},
	Compared: {times: []Time{longest, usual}},
	Persistent: {derive: setStarts, times: []Time{longest, usual, {"t_made", func(t *Times) float64 { return t.Made }},
		{"t_freed", func(t *Times) float64 { return t.Freed }}}},
	StartingMPI: {times: []Time{longest}},
	Partition: {derive: setEarly,
		times: []Time{longest, usual, {"t_last", func(t *Times) float64 {
			return t.Last
		}}}},
	OverlapParts: {derive: setOverlapOfOSU,
		times: []Time{{"t_ovrl", func(t *Times) float64 { return t.Overlapped }}, {"t_pure", pure}}},
}

// others returns the number of processes of a group except one.
func others(processes, _ int) int { return processes - 1 }

// everyone returns the number of a group's processes.
func everyone(processes, _ int) int { return processes }

// ofPairs returns the number of pairs of a group's processes.
func ofPairs(processes, _ int) int { return processes / 2 }

// inWindows returns the number of messages that all pairs send in a repetition.
func inWindows(processes, window int) int { return window * (processes / 2) }

// Messages returns the number of messages of the row's length that the bandwidth of a repetition counts, given the
// number of processes and of messages in a window. perNode is the number of processes on each node for fans, where the
// processes outside the first node have a window each, and 0 for all other kernels.
func (k *Kernel) Messages(processes, window, perNode int) float64 {
	if perNode > 0 {
		return k.Moved * float64(window*(processes-perNode))
	}
	if moves := classes[k.Class].moves; moves != nil {
		return k.Moved * float64(moves(processes, window))
	}
	return k.Moved
}

// Complete adds the figures that follow from the times of one of the kernel's rows: the figures of its class, the
// bandwidth and the message rate. messages and bytes are the numbers that a repetition moves.
func (k *Kernel) Complete(t *Times, messages, bytes float64) {
	if derive := classes[k.Class].derive; derive != nil {
		derive(t)
	}
	if t.Last > 0 {
		t.Perceived = bytes / t.Last
	}
	time := t.Max
	if by := classes[k.Class].by; by != nil {
		time = by(t)
	}
	if time > 0 {
		t.Bandwidth, t.Rate = bytes/time, messages/time
	}
	if rated := classes[k.Class].rated; rated != nil && rated(t) > 0 {
		t.Rate = messages / rated(t)
	}
}

// setStarts sets the number of starts after which a request has saved more time than making it took, or 0 if a start
// saves none.
func setStarts(t *Times) {
	if saved := t.Usual - t.Max; saved > 0 {
		t.Starts = t.Made / saved
	}
}

// setEarly sets the part of a plain message's time that a partitioned message had used before its last part was ready.
func setEarly(t *Times) {
	if t.Usual > 0 {
		t.Overlap = max(0, 1-t.Last/t.Usual)
	}
}

// setOverlapOfOSU sets the part of the communication that computing hid, by the rule of the OSU micro-benchmarks 7.4:
// the time of both minus the time of computing, divided by the time of communication without computing. The computing
// makes no calls of MPI_Test.
func setOverlapOfOSU(t *Times) {
	if t.Pure > 0 {
		t.Overlap = max(0, 1-(t.Overlapped-t.Compute)/t.Pure)
	}
}

// setOverlapOfIMB sets the part of the shorter time, of communication or computing, that was hidden (guide, "Measuring
// Communication and Computation Overlap").
func setOverlapOfIMB(t *Times) {
	if shorter := min(t.Pure, t.Compute); shorter > 0 {
		t.Overlap = max(0, min(1, (t.Pure+t.Compute-t.Overlapped)/shorter))
	}
}

// Times are a row's figures: seconds of one repetition, or of the part of it that the kernel reports, such as half of a
// ping-pong. In series they are means or medians. With timing root they may be negative.
type Times struct {
	// Seconds of the process that took least.
	Min float64 `json:"t_min,omitempty"`
	// Seconds of the process that took longest.
	Max float64 `json:"t_max,omitempty"`
	// Seconds: the mean of all processes.
	Mean float64 `json:"t_avg,omitempty"`
	// Seconds of communication while computing.
	Overlapped float64 `json:"t_ovrl,omitempty"`
	// Seconds of communication without computing.
	Pure float64 `json:"t_pure,omitempty"`
	// Seconds of computing: while communicating, or by itself in IO kernels.
	Compute float64 `json:"t_cpu,omitempty"`
	// Seconds of Truly_passive_put while the target computes.
	Passive float64 `json:"t_passive,omitempty"`
	// Seconds of starting a nonblocking call while computing.
	Starting float64 `json:"t_init,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Test while computing.
	Testing float64 `json:"t_test,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Wait after computing.
	Waited float64 `json:"t_wait,omitempty" jsonschema:"minimum=0"`
	// Seconds of the usual way to do the same, in the same repetitions.
	Usual float64 `json:"t_usual,omitempty" jsonschema:"minimum=0"`
	// Seconds from when the last part of a message was ready until the receiver had all of it.
	Last float64 `json:"t_last,omitempty" jsonschema:"minimum=0"`
	// Seconds of making a persistent request.
	Made float64 `json:"t_made,omitempty" jsonschema:"minimum=0"`
	// Seconds of freeing a persistent request, or of ending a session with its communicator.
	Freed float64 `json:"t_freed,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Session_init.
	Session float64 `json:"t_session,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Group_from_session_pset.
	Group float64 `json:"t_group,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Comm_create_from_group.
	Comm float64 `json:"t_comm,omitempty" jsonschema:"minimum=0"`
	// Seconds of all parts of another session while one is open.
	Again float64 `json:"t_again,omitempty" jsonschema:"minimum=0"`
	// How many times a persistent request must be started until making it has paid: t_made divided by the time that a
	// start and a wait save compared with the blocking call. Absent if they save none.
	Starts float64 `json:"starts_to_pay,omitempty" jsonschema:"minimum=0"`
	// Part of the shorter of t_pure and t_cpu that was hidden, or part of t_usual that was over before the last part of
	// a message was ready: 0 to 1.
	Overlap float64 `json:"overlap,omitempty"`
	// Part of its time that other activity took from the process that lost most: 0 to 1.
	Noise float64 `json:"noise,omitempty" jsonschema:"minimum=0"`
	// Seconds of the longest interruption.
	Detour float64 `json:"longest_detour,omitempty" jsonschema:"minimum=0"`
	// Seconds between interruptions; absent if they weren't regular.
	Period float64 `json:"period,omitempty" jsonschema:"minimum=0"`
	// Seconds of the mock-up of a guideline; the call takes t_max.
	MockUp float64 `json:"t_mockup,omitempty" jsonschema:"minimum=0"`
	// How many times as long as its mock-up a guideline's call takes: the median of the ratios.
	Ratio float64 `json:"ratio,omitempty" jsonschema:"minimum=0"`
	// Lower end of the interval of ratio (times as long), with a confidence of 95 % by itself.
	RatioLow float64 `json:"ratio_low,omitempty" jsonschema:"minimum=0"`
	// Upper end of the interval of ratio (times as long).
	RatioHigh float64 `json:"ratio_high,omitempty" jsonschema:"minimum=0"`
	// Bytes per second.
	Bandwidth float64 `json:"bandwidth,omitempty"`
	// Bytes per second of a whole message, from when its last part was ready until the receiver had all of it.
	Perceived float64 `json:"bandwidth_perceived,omitempty" jsonschema:"minimum=0"`
	// Messages per second.
	Rate float64 `json:"rate,omitempty"`
	// Messages of the slowest thread of a process, divided by the messages of its quickest one, in the process where
	// this is least: 0 to 1; absent with one thread.
	Fairness float64 `json:"fairness,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of the slowest origin in kernels of pairs, whose bandwidth is the mean of all origins; or of the
	// slowest pair across a cut, whose bandwidth is the sum of all pairs in the worst step.
	BandwidthMin float64 `json:"bandwidth_min,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of the quickest origin, or pair.
	BandwidthMax float64 `json:"bandwidth_max,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all origins together, by the time of the slowest one; or of all pairs in the step with the
	// least bandwidth.
	BandwidthAll float64 `json:"bandwidth_all,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all pairs across a cut: the mean of the steps.
	BandwidthSteps float64 `json:"bandwidth_steps,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all pairs of the best step.
	BandwidthBest float64 `json:"bandwidth_best,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of two-way kernels: the sum of both directions of a pair, the mean of all pairs.
	BandwidthBoth float64 `json:"bandwidth_both,omitempty" jsonschema:"minimum=0"`
}
