package kernel

// Class sets the figures of a kernel and their meaning (guide, "Classification of MPI-1 Benchmarks" and its
// counterparts).
type Class string

// The classes, with the figures of their rows. Single: a time and a bandwidth. Parallel: minimum, maximum and average
// time, and a bandwidth by the maximum. Collective: the three times alone. Sync: the same without lengths. Overlap: the
// times of Overlapped. Passive: the two times of Truly_passive_put.
const (
	Single     Class = "single transfer"
	Multiple   Class = "multiple transfer" // RMA: one process with all others; figures as Single
	Parallel   Class = "parallel transfer"
	Collective Class = "collective"
	Sync       Class = "synchronisation"
	Overlap    Class = "overlap"
	Passive    Class = "passive"
	Rate       Class = "message rate" // of windows of messages: a bandwidth, and messages per second
	Partners   Class = "partners"     // the three times, and bandwidths over all origins
	Pairs      Class = "pairs"        // the three times over all pairs
	Acked      Class = "acknowledged" // one time, of the root
	Traffic    Class = "traffic"      // of all processes: their mean time, a bandwidth, and messages per second
	Averaged   Class = "averaged"     // the mean of the processes whose clock is read, and a bandwidth by it
	Stream     Class = "stream"       // the same of windows of messages, with messages per second
	Band       Class = "band"         // of windows of messages of threads: a mean time, a bandwidth, and their rate
	Disturbed  Class = "noise"        // what something else took from processes that only work
	Guided     Class = "guideline"    // the times of a call, and of a mock-up that does the same
	Congest    Class = "congestion"   // of congestors: what each of them moves
	Metadata   Class = "metadata"     // of each process its time, and the calls of all of them per second
	Compared   Class = "compared"     // the three times, and that of the usual way to do the same
	Made       Class = "made once"    // the same of persistent calls, and the times of making and freeing requests
	Opened     Class = "opened"       // the three times of starting MPI, and those of their parts
	Partition  Class = "partitioned"  // of messages in parts beside plain ones, and of their last part
	Crossing   Class = "crossing"     // of all pairs across a cut, by steps: the three times, and bandwidths of steps
	Hidden     Class = "hidden"       // means of the parts of a nonblocking call beside computing, and of it alone
)

// class holds the rules by which the figures of a class of kernels follow from what was measured.
type class struct {
	// partners returns the number of processes with each of which one moves Kernel.Moved lengths; nil: one.
	partners func(processes, window int) int
	derive   func(t *Times)       // adds figures of the class; nil: none
	times    []Time               // that reports show; nil: that of the slowest process
	by       func(*Times) float64 // the time of bandwidths and rates; nil: that of the slowest process
	rated    func(*Times) float64 // the time of rates; nil: that of bandwidths
}

// Time is one of a row's times.
type Time struct {
	Name string
	Of   func(*Times) float64 // seconds
}

// Times returns the times that reports show of a kernel, the most important one first.
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

// mean is the mean time of the processes.
func mean(t *Times) float64 { return t.Mean }

// ofMeans are the times of classes whose figure is a mean of the processes.
var ofMeans = []Time{{"t_avg", mean}}

// pure is the time of communication alone.
func pure(t *Times) float64 { return t.Pure }

// classes has a row for each class whose figures are more than times and a bandwidth between two processes.
var classes = map[Class]class{
	Multiple: {partners: others},
	Overlap: {derive: overlap,
		times: []Time{{"t_ovrl", func(t *Times) float64 { return t.Overlapped }}, {"t_pure", pure}}},
	Passive:   {times: []Time{{"t_pure", pure}, {"t_ovrl", func(t *Times) float64 { return t.Passive }}}},
	Disturbed: {times: []Time{{"longest detour", func(t *Times) float64 { return t.Detour }}}},
	Rate:      {partners: inWindows},
	Traffic:   {partners: everyone, times: []Time{{"t", func(t *Times) float64 { return t.Mean }}}},
	Averaged:  {times: ofMeans, by: mean},
	Stream:    {partners: inWindows, times: ofMeans, by: mean},
	Guided: {times: []Time{{"t", func(t *Times) float64 { return t.Max }},
		{"t_mockup", func(t *Times) float64 { return t.MockUp }}}},
	Band:     {partners: ofPairs, times: ofMeans, rated: mean},
	Compared: {times: []Time{longest, usual}},
	Made: {derive: paying, times: []Time{longest, usual, {"t_made", func(t *Times) float64 { return t.Made }},
		{"t_freed", func(t *Times) float64 { return t.Freed }}}},
	Opened: {times: []Time{longest}},
	Partition: {derive: early,
		times: []Time{longest, usual, {"t_last", func(t *Times) float64 {
			return t.Last
		}}}},
	Hidden: {derive: hidden,
		times: []Time{{"t_ovrl", func(t *Times) float64 { return t.Overlapped }}, {"t_pure", pure}}},
}

// others returns the number of a group's processes but one.
func others(processes, _ int) int { return processes - 1 }

// everyone returns the number of a group's processes.
func everyone(processes, _ int) int { return processes }

// ofPairs returns the number of pairs of a group's processes.
func ofPairs(processes, _ int) int { return processes / 2 }

// inWindows returns the number of messages of all pairs in a repetition.
func inWindows(processes, window int) int { return window * (processes / 2) }

// Messages returns the number of messages of the row's length that the bandwidth of a repetition counts, of a number of
// processes and windows of messages. Fans alone say how many processes each node has: those beyond the first node have
// a window each.
func (k *Kernel) Messages(processes, window, perNode int) float64 {
	if perNode > 0 {
		return k.Moved * float64(window*(processes-perNode))
	}
	if partners := classes[k.Class].partners; partners != nil {
		return k.Moved * float64(partners(processes, window))
	}
	return k.Moved
}

// Complete adds the figures that follow from the times of one of the kernel's rows: those of its class, and what moves
// messages and bytes in the time of the slowest process.
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

// paying sets the number of starts after which making a request has saved more than it took; 0: none saves anything.
func paying(t *Times) {
	if saved := t.Usual - t.Max; saved > 0 {
		t.Starts = t.Made / saved
	}
}

// early sets the part of a plain message's time that a message in parts had used before its last part was ready.
func early(t *Times) {
	if t.Usual > 0 {
		t.Overlap = max(0, 1-t.Last/t.Usual)
	}
}

// hidden sets the part of the communication that computing hid, by the rule of the OSU micro-benchmarks 7.4: what the
// whole took beyond the computing, over the communication alone. The computing has no calls of MPI_Test.
func hidden(t *Times) {
	if t.Pure > 0 {
		t.Overlap = max(0, 1-(t.Overlapped-t.Compute)/t.Pure)
	}
}

// overlap sets the part of the shorter of two times that was hidden (guide, "Measuring Communication and Computation
// Overlap").
func overlap(t *Times) {
	if shorter := min(t.Pure, t.Compute); shorter > 0 {
		t.Overlap = max(0, min(1, (t.Pure+t.Compute-t.Overlapped)/shorter))
	}
}

// Times are a row's figures: seconds of one repetition, or half of one (Kernel.Halves). Of series they are means, or
// medians. Those of timing root may be negative.
type Times struct {
	// Seconds of the process that took least.
	Min float64 `json:"t_min,omitempty"`
	// Seconds of the process that took longest.
	Max float64 `json:"t_max,omitempty"`
	// Seconds: the mean of all processes.
	Mean float64 `json:"t_avg,omitempty"`
	// Seconds of communication beside computing.
	Overlapped float64 `json:"t_ovrl,omitempty"`
	// Seconds of communication alone.
	Pure float64 `json:"t_pure,omitempty"`
	// Seconds of computing: beside communication; of IO kernels alone.
	Compute float64 `json:"t_cpu,omitempty"`
	// Seconds of Truly_passive_put while the target computes.
	Passive float64 `json:"t_passive,omitempty"`
	// Seconds of starting a nonblocking call beside computing.
	Starting float64 `json:"t_init,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Test while computing.
	Testing float64 `json:"t_test,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Wait behind computing.
	Waited float64 `json:"t_wait,omitempty" jsonschema:"minimum=0"`
	// Seconds of the usual way to do the same, in the same repetitions.
	Usual float64 `json:"t_usual,omitempty" jsonschema:"minimum=0"`
	// Seconds from when the last part of a message was ready until the receiver had all of it.
	Last float64 `json:"t_last,omitempty" jsonschema:"minimum=0"`
	// Seconds of making a persistent request.
	Made float64 `json:"t_made,omitempty" jsonschema:"minimum=0"`
	// Seconds of freeing it, or of ending a session with its communicator.
	Freed float64 `json:"t_freed,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Session_init.
	Session float64 `json:"t_session,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Group_from_session_pset.
	Group float64 `json:"t_group,omitempty" jsonschema:"minimum=0"`
	// Seconds of MPI_Comm_create_from_group.
	Comm float64 `json:"t_comm,omitempty" jsonschema:"minimum=0"`
	// Seconds of all parts of another session while one is open.
	Again float64 `json:"t_again,omitempty" jsonschema:"minimum=0"`
	// How many times a persistent request is started until making it has paid: t_made over what a start and a
	// wait take less than the blocking call. Left out: they take no less.
	Starts float64 `json:"starts_to_pay,omitempty" jsonschema:"minimum=0"`
	// Part of the shorter of t_pure and t_cpu that was hidden, or of t_usual that was over before the last part of a
	// message was ready: 0 to 1.
	Overlap float64 `json:"overlap,omitempty"`
	// Part of its time that something else took from the process that lost most: 0 to 1.
	Noise float64 `json:"noise,omitempty" jsonschema:"minimum=0"`
	// Seconds: the most that was taken at once.
	Detour float64 `json:"longest_detour,omitempty" jsonschema:"minimum=0"`
	// Seconds after which it was taken again and again; left out if that wasn't regular.
	Period float64 `json:"period,omitempty" jsonschema:"minimum=0"`
	// Seconds of the mock-up of a guideline, whose call has t_max.
	MockUp float64 `json:"t_mockup,omitempty" jsonschema:"minimum=0"`
	// So many times as long as its mock-up a guideline's call takes: the median of the ratios.
	Ratio float64 `json:"ratio,omitempty" jsonschema:"minimum=0"`
	// So many times: the lower end of its interval, with a confidence of 95 % by itself.
	RatioLow float64 `json:"ratio_low,omitempty" jsonschema:"minimum=0"`
	// So many times: the upper end of the same.
	RatioHigh float64 `json:"ratio_high,omitempty" jsonschema:"minimum=0"`
	// Bytes per second.
	Bandwidth float64 `json:"bandwidth,omitempty"`
	// Bytes per second of a whole message, from when its last part was ready until the receiver had all of it.
	Perceived float64 `json:"bandwidth_perceived,omitempty" jsonschema:"minimum=0"`
	// Messages per second.
	Rate float64 `json:"rate,omitempty"`
	// Part of the messages of the quickest thread of a process that its slowest one has, of the process where that is
	// least: 0 to 1; left out of one thread.
	Fairness float64 `json:"fairness,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of the slowest origin, of kernels of pairs, whose bandwidth is the mean of all origins; or of
	// the slowest pair across a cut, whose bandwidth is that of all pairs of the worst step.
	BandwidthMin float64 `json:"bandwidth_min,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of the quickest origin, or pair.
	BandwidthMax float64 `json:"bandwidth_max,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all origins together, by the time of the slowest one; or of all pairs of the step where that
	// is least.
	BandwidthAll float64 `json:"bandwidth_all,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all pairs across a cut: the mean of the steps.
	BandwidthSteps float64 `json:"bandwidth_steps,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of all pairs of the best step.
	BandwidthBest float64 `json:"bandwidth_best,omitempty" jsonschema:"minimum=0"`
	// Bytes per second of two-way kernels: the sum of both directions of a pair, the mean of all pairs.
	BandwidthBoth float64 `json:"bandwidth_both,omitempty" jsonschema:"minimum=0"`
}
