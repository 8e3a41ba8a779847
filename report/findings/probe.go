package findings

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/fabric"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/pairs"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Limits of the rules for probes.
const (
	tiny     = 64  // bytes of the longest message whose time is a latency
	maxNamed = 5   // guidelines that a sentence names
	hidden   = 0.5 // operations that hide less than this fraction of their communication are reported
)

// Probe returns the sentences about a result of probes.
func Probe(r *probe.Result) []string { return of(probeRules, r) }

var probeRules = []Rule[*probe.Result]{
	{"guidelines", "guidelines were measured. The sentence lists the violated ones, starting with the largest ratio",
		guidelines},
	{"pingpong", "PingPong has a row of 1 to 64 bytes and a row of longer messages", pingPong},
	{"collectives", "three or more collective operations were measured with the same length above 0 on the same " +
		"number of processes. The largest such number is taken, and with it the shortest length", collectives},
	{"overlap", "a nonblocking operation hides less than half of its communication at the longest length", overlap},
	{"threads", "a kernel has several threads. The row in which the threads of a process differ most is taken",
		threads},
	{"tail", "a row has a quantile above 50 % with an interval. The highest one of the first such row is taken", tail},
	{"load", "victims were measured with congestors. The sentence names the victim that suffers most, and counts " +
		"the combinations of victim, length and congestors in which the victim is slower by more than chance", victims},
	{"cuts", "a cut was measured. The first row of each cut and kernel is taken", cuts},
	{"links", "all pairs of processes were measured. For each length, the sentences name the slow nodes, processes " +
		"and links. If there are none, they give the slowdown from which one would be named", links},
	{"noise", "noise was measured. The process that lost most in the first row is taken", lost},
	{"missing", "there are rows without figures", missing},
}

// blocks calls f for each block, with its kernel.
func blocks(r *probe.Result, f func(*kernel.Kernel, *measured.Block)) {
	for i := range r.Blocks {
		if k, ok := r.Kernel(&r.Blocks[i]); ok {
			f(k, &r.Blocks[i])
		}
	}
}

// slowest returns the longest time of a row's groups in seconds.
func slowest(row *measured.Row) float64 {
	return lists.Max(row.Derived, func(x kernel.Times) float64 { return x.Max })
}

// pingPong gives latency and bandwidth between two processes.
func pingPong(r *probe.Result) (sentence string) {
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		if k.Name != "PingPong" || k.Component != kernel.MPI1 || sentence != "" {
			return
		}
		var short, best *measured.Row
		for row := range lists.Elements(b.Rows) {
			if row.Bytes == 0 || len(row.Derived) == 0 || slowest(row) == 0 {
				continue
			}
			if short == nil && row.Bytes <= tiny {
				short = row
			}
			if row.Derived[0].Bandwidth > 0 && (best == nil || row.Derived[0].Bandwidth > best.Derived[0].Bandwidth) {
				best = row
			}
		}
		if short != nil && best != nil && best.Bytes > tiny {
			sentence = fmt.Sprintf("Between two processes a message of %s takes %s; the largest bandwidth is %s, with "+
				"messages of %s.", rating.Bytes(short.Bytes), micro(slowest(short)), speed(best.Derived[0].Bandwidth),
				rating.Bytes(best.Bytes))
		}
	})
	return sentence
}

// guidelines names the guidelines that are violated.
func guidelines(r *probe.Result) string {
	type worst struct {
		says  string
		ratio float64
		at    []string
	}
	var list []worst
	rows, open := 0, 0
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		w := worst{says: k.Calls}
		for row := range lists.Elements(b.Rows) {
			if row.Judgement == nil {
				continue
			}
			rows++
			switch row.Judgement.Verdict {
			case measured.Undecided:
				open++
			case measured.Violated:
				w.ratio = max(w.ratio, row.Derived[0].Ratio)
				if !k.NoLength() {
					w.at = append(w.at, rating.Bytes(row.Bytes))
				}
			}
		}
		if w.ratio > 0 {
			list = append(list, w)
		}
	})
	if rows == 0 {
		return ""
	}
	rest := ""
	if open > 0 {
		rest = fmt.Sprintf(" %d of %s %s undecided.", open, words.Count(rows, "row"),
			words.Either(open == 1, "is", "are"))
	}
	if len(list) == 0 {
		return fmt.Sprintf("No guideline is found to be violated in %s.%s", words.Count(rows, "row"), rest)
	}
	slices.SortStableFunc(list, func(a, b worst) int { return cmp.Compare(b.ratio, a.ratio) })
	var said []string
	for _, w := range list[:min(len(list), maxNamed)] {
		said = append(said, fmt.Sprintf("%s (%s%s times%s)", w.says, words.Either(len(w.at) > 1, "up to ", ""),
			rating.Rounded(w.ratio, 3), strings.TrimSuffix(" at "+strings.Join(w.at, ", "), " at ")))
	}
	more := ""
	if n := len(list) - len(said); n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf(violated+"%s%s. Other calls of the library could do the same faster.%s",
		strings.Join(said, "; "), more, rest)
}

// tail describes the time of the slowest repetitions.
func tail(r *probe.Result) (sentence string) {
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		for i := range b.Rows {
			x := b.Rows[i].Main(0)
			if x == nil || sentence != "" || !(x.Median > 0) {
				continue
			}
			for _, q := range x.Quantiles {
				if q.Known() && q.Percent > 50 {
					sentence = fmt.Sprintf("One of %.0f repetitions of %s with %s takes longer than %s (%s to %s), %s "+
						"times the median.", 1/(1-q.Percent/100), k.Name, rating.Bytes(b.Rows[i].Bytes), micro(q.Value),
						micro(q.Interval[0]), micro(q.Interval[1]), digits(q.Value/x.Median))
				}
			}
		}
	})
	return sentence
}

// threads describes how evenly the threads of a process are served.
func threads(r *probe.Result) (sentence string) {
	least := 1.0
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		for row := range lists.Elements(b.Rows) {
			if len(row.Derived) == 0 || row.Derived[0].Fairness == 0 ||
				sentence != "" && row.Derived[0].Fairness >= least {
				continue
			}
			t := &row.Derived[0]
			least = t.Fairness
			sentence = fmt.Sprintf("In %s with %s, the slowest of the %d threads of a process moves %.0f %% of the "+
				"messages that the quickest moves. A message takes %s in the slowest thread of all processes, and %s "+
				"in the quickest.", k.Name, rating.Bytes(row.Bytes), b.Threads, 100*t.Fairness, micro(t.Max),
				micro(t.Min))
		}
	})
	return sentence
}

// victims names the kernel that suffers most from congestors, or reports that none does.
func victims(r *probe.Result) string {
	var worst *measured.Impact
	hit := 0
	for x := range lists.Elements(r.Impacts) {
		if x.Mean.Hit() {
			hit++
		}
		better := worst == nil || x.Mean.Hit() && !worst.Mean.Hit() ||
			x.Mean.Hit() == worst.Mean.Hit() && x.Mean.Factor > worst.Mean.Factor
		if better {
			worst = x
		}
	}
	if worst == nil {
		return ""
	}
	sameNodes := words.Either(r.Settings.Loads().By == "", "",
		" Victims and congestors run on the same nodes, and share more than links.")
	if hit == 0 && len(worst.Mean.Interval) == 0 {
		return fmt.Sprintf("%s. Whether this is chance isn't known, because intervals need three splits.%s",
			worst.Words(), sameNodes)
	}
	all := words.Count(len(r.Impacts), "combination")
	if hit == 0 {
		return fmt.Sprintf("Nothing shows that victims and congestors share a link: no victim is slower by more than "+
			"chance, in %s with congestors. The largest factor: %s.%s", all, worst.Words(), sameNodes)
	}
	return fmt.Sprintf("%s. Victims are slower by more than chance in %d of %s with congestors.%s", worst.Words(), hit,
		all, sameNodes)
}

// operation is the time of a collective operation at a length.
type operation struct {
	name string
	time float64
}

// collectives names the slowest and the fastest operation.
func collectives(r *probe.Result) string {
	type place struct {
		bytes     int64
		processes int
	}
	at := map[place][]operation{}
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		if k.Class != kernel.Collective || b.Multi || b.Pass > 1 || b.Mode != settings.Plain ||
			b.Component != kernel.MPI1 {
			return
		}
		for i := range b.Rows {
			if t := slowest(&b.Rows[i]); t > 0 && b.Rows[i].Bytes > 0 {
				p := place{b.Rows[i].Bytes, b.Processes}
				at[p] = append(at[p], operation{k.Name, t})
			}
		}
	})
	var best place
	for p, list := range at {
		better := p.processes > best.processes || p.processes == best.processes && p.bytes < best.bytes
		if len(list) >= 3 && (best.processes == 0 || better) {
			best = p
		}
	}
	if best.processes == 0 {
		return ""
	}
	byTime := func(a, b operation) int { return map[bool]int{true: -1, false: 1}[a.time < b.time] }
	least, most := slices.MinFunc(at[best], byTime), slices.MaxFunc(at[best], byTime)
	return fmt.Sprintf("The slowest of %d collective operations with %s on %s is %s (%s), the fastest is %s (%s).",
		len(at[best]), rating.Bytes(best.bytes), rating.Processes(best.processes), most.name, micro(most.time),
		least.name, micro(least.time))
}

// overlap names the nonblocking operations that hide little of their communication.
func overlap(r *probe.Result) string {
	poor, all, first := 0, 0, ""
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		if k.Class != kernel.Overlap || len(b.Rows) == 0 {
			return
		}
		row := &b.Rows[len(b.Rows)-1]
		if len(row.Derived) == 0 || !(row.Derived[0].Pure > 0) || row.Bytes == 0 {
			return
		}
		if all++; row.Derived[0].Overlap < hidden {
			if poor++; first == "" {
				first = k.Name
			}
		}
	})
	if poor == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s, such as %s, %s communication behind computation.", poor,
		words.Count(all, "nonblocking measurement"), first,
		words.Either(poor == 1, "hides less than half of its", "hide less than half of their"))
}

// cuts describes the bandwidth of all pairs across each cut, and slow links.
func cuts(r *probe.Result) string {
	var list []string
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		if b.Cut == nil || b.Pass > 1 || len(b.Rows) == 0 || b.Rows[0].Across == nil || len(list) == maxSaid {
			return
		}
		row := &b.Rows[0]
		a, t := row.Across, &row.Derived[0]
		text := fmt.Sprintf("Across %s (%s) %s moves %s in the slowest of %s, and %s on average",
			words.OneLine(b.Cut.Name),
			map[fabric.By]string{fabric.ByMap: "by the map", fabric.ByRank: "by rank",
				fabric.OneNode: "within one node"}[b.Cut.By], k.Name, speed(t.Bandwidth),
			words.Count(len(a.Steps), "step"), speed(t.BandwidthSteps))
		if slow := across(a); slow != "" {
			text += "; " + slow
		}
		list = append(list, text+".")
	})
	return strings.Join(list, " ")
}

// across names the slow unit or links across a cut, or returns "".
func across(a *pairs.CutVerdict) string {
	switch {
	case a.Shared != nil:
		return fmt.Sprintf("%s below %s %s", words.Either(a.Shared.Processes, "the slow processes are",
			"the slow links have an end"), a.Shared.Level, words.OneLine(a.Shared.Name))
	case a.Slow > 0:
		return fmt.Sprintf("%s, the slowest from %s to %s", words.Count(a.Slow, "slow link"),
			words.OneLine(a.Worst.FromHost), words.OneLine(a.Worst.ToHost))
	}
	return ""
}

// Faults returns a sentence for each fault of the machine or its library in a result: slow nodes, processes and links,
// violated guidelines, and processes that lose time to other programs.
func Faults(r *probe.Result) (list []string) {
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		for row := range lists.Elements(b.Rows) {
			at := fmt.Sprintf("%s, %s: ", k.Name, rating.Bytes(row.Bytes))
			if b.Pass > 1 {
				continue
			}
			for v := range lists.Elements(row.Verdicts) {
				for i := range v.Findings {
					list = append(list, at+sentence(v, &v.Findings[i]))
				}
			}
			if a := row.Across; a != nil && b.Cut != nil && across(a) != "" {
				list = append(list, fmt.Sprintf("%sacross %s: %s.", at, words.OneLine(b.Cut.Name), across(a)))
			}
			if n := row.Noise; n != nil && n.Share() > rating.MaxNoise {
				list = append(list, k.Name+": "+n.Words()+".")
			}
		}
	})
	if said := guidelines(r); strings.HasPrefix(said, violated) {
		list = append(list, said)
	}
	return list
}

// violated begins the sentence about violated guidelines.
const violated = "Violated: "

// maxSaid limits the number of cuts and of rows of pairs in sentences.
const maxSaid = 4

// links names the slow nodes, processes and links. If there are none, it gives the limit for naming one.
func links(r *probe.Result) string {
	var list []string
	blocks(r, func(k *kernel.Kernel, b *measured.Block) {
		for row := range lists.Elements(b.Rows) {
			if row.Pairs == nil || b.Pass > 1 || len(list) == maxSaid {
				continue
			}
			var said []string
			for v := range lists.Elements(row.Verdicts) {
				for j := range v.Findings {
					said = append(said, sentence(v, &v.Findings[j]))
				}
			}
			if said == nil {
				said = Pairs(row.Verdicts[:min(len(row.Verdicts), 1)], row)
			}
			list = append(list, fmt.Sprintf("%s, %s: %s", k.Name, rating.Bytes(row.Bytes), strings.Join(said, " ")))
		}
	})
	return strings.Join(list, " ")
}

// lost describes the time that noise takes from the processes.
func lost(r *probe.Result) (sentence string) {
	blocks(r, func(_ *kernel.Kernel, b *measured.Block) {
		for row := range lists.Elements(b.Rows) {
			if n := row.Noise; n != nil && sentence == "" {
				text := n.Words()
				sentence = fmt.Sprintf("%s; on a quiet machine no process loses more than %s %%.",
					strings.ToUpper(text[:1])+text[1:], rating.Percent(rating.MaxNoise))
			}
		}
	})
	return sentence
}

// missing counts the rows without figures.
func missing(r *probe.Result) string {
	all := lists.SumOf(r.Blocks, func(b measured.Block) int { return len(b.Rows) })
	without := lists.SumOf(r.Blocks, func(b measured.Block) int {
		return lists.Count(b.Rows, func(row measured.Row) bool { return row.Missing != "" })
	})
	if without == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %s %s no figures; the tables show the reasons.", without, words.Count(all, "row"),
		words.Either(without == 1, "has", "have"))
}
