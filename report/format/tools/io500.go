package tools

import (
	"fmt"
	"math"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// io500First matches a line of result_summary.txt, of result.txt, or of the shell version's text.
var io500First = words.MustCompile(`IO500 version |\[RESULT(?:-\w+)?\]\s.*(?:B/s|k(?i:iops))\s|` +
	`\[(?:ior-easy-write|run)\]\s*$|\[SCORE ?(?:-\w+)?\]\s+Bandwidth\s`)

// io500Result matches a line of a phase. Only the shell version numbers the phases; its lines are padded.
var io500Result = words.MustCompile(`^\[(RESULT|      )(?:-\w+)?\]\s+(?:(?:BW|IOPS)\s+(phase)\s+\d+\s+)?` +
	`([a-z][\w-]*)\s+(\S+)\s+(GiB/s|GB/s|kIOPS|kiops)\s*:\s*time\s+(\S+)\s+seconds(.*)$`)

// io500Score matches the line of the scores.
var io500Score = words.MustCompile(`^\[SCORE ?(?:-\w+)?\]\s+Bandwidth\s+(\S+)\s+Gi?B/s\s*:\s*IOPS\s+(\S+)\s+kiops` +
	`\s*:\s*TOTAL\s+([\d.eE+-]+)(.*)$`)

// io500Scored matches the names of the phases that count for the score. Names that begin with i (ior) have bandwidths,
// the others (mdtest, find) have operations.
var io500Scored = words.MustCompile(`^(?:ior|mdtest)-(?:easy|hard)-\w+$|^find$`)

var (
	io500Section = words.MustCompile(`^\[([A-Za-z][\w-]*)\]\s*$`)
	io500Pair    = words.MustCompile(`^([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$`)
	io500Comment = words.MustCompile(`^; (START|END) (\S+ \S+)`)
)

// io500Operations are the operations of phases, by the beginning and end of their names.
var io500Operations = []struct {
	begin, end string
	operation  foreign.Operation
	way        foreign.Way
}{
	{"ior-", "-write", foreign.Write, foreign.Stonewalled},
	{"ior-", "-read", foreign.Read, foreign.WholePhase},
	{"mdtest-", "-write", foreign.CreateFiles, foreign.Stonewalled},
	{"mdtest-", "-create", foreign.CreateFiles, foreign.Stonewalled},
	{"mdtest-", "-stat", foreign.StatFiles, foreign.Timed},
	{"mdtest-", "-delete", foreign.RemoveFiles, foreign.Timed},
	{"mdtest-", "-read", foreign.ReadFiles, foreign.Timed},
	{"find", "find", foreign.FindFiles, foreign.Timed},
}

// io500Reader holds the part of a run that was read.
type io500Reader struct {
	*run
	section string
	phase   map[string]string // key-value pairs of the section
	phases  map[string]digits // scores as they were printed
}

// newIO500 returns a reader of result_summary.txt, result.txt, or the text that a run prints.
func newIO500(t *run) reading { return &io500Reader{run: t, phases: map[string]digits{}} }

func (x *io500Reader) end() error {
	err := x.storeScore()
	for i := range x.r.Tables {
		x.r.Tables[i].Processes = x.r.Processes
	}
	x.r.Complete = x.r.Rating != nil
	return err
}

func (x *io500Reader) line(line string) error {
	if x.open { // the text ends within this line, so figures may lack digits
		return nil
	}
	if x.first && x.r.Rating != nil && !strings.HasPrefix(line, "[SCORE") {
		return errAnother
	}
	if m := io500Result().FindStringSubmatch(line); m != nil {
		if m[2] != "" && m[5] == "GB/s" { // it means GiB/s (VI4IO/io-500-dev#56)
			m[5] = "GiB/s"
		}
		return x.addPhase(m[3], m[4], m[5], m[6], m[1] == "RESULT", strings.Contains(m[7], "INVALID"))
	}
	if m := io500Score().FindStringSubmatch(line); m != nil {
		return x.setTotal(m[1], m[2], m[3], strings.Contains(m[4], "INVALID"))
	}
	if strings.HasPrefix(line, "[RESULT") || strings.HasPrefix(line, "[SCORE") &&
		!strings.HasPrefix(line, "[SCOREX]") && strings.TrimSpace(line) != "[SCORE]" {
		return fmt.Errorf("%.80q is neither a phase with its score and time nor a score", line)
	}
	if m := io500Section().FindStringSubmatch(line); m != nil {
		if err := x.storeScore(); err != nil {
			return err
		}
		if _, again := x.phases[m[1]]; again || m[1] == "run" && x.section != "" {
			return errAnother
		}
		x.section, x.phase = m[1], map[string]string{}
		return nil
	}
	if m := io500Comment().FindStringSubmatch(line); m != nil {
		if m[1] == "START" {
			started(x.r, m[2], "2006-01-02 15:04:05")
		}
		return nil
	}
	if text, is := strings.CutPrefix(line, "IO500 version "); is {
		x.r.ProgramVersion, _, _ = strings.Cut(text, " ")
	}
	if m := io500Pair().FindStringSubmatch(line); m != nil {
		switch {
		case m[1] == "procs":
			n, err := whole(m[2])
			if err != nil || n > 1<<30 {
				return fmt.Errorf("procs: %.40q is not a number of processes", m[2])
			}
			x.r.Processes = int(n)
		case m[1] == "version":
			x.r.ProgramVersion = m[2]
		}
		if x.phase != nil && len(x.phase) < 100 {
			x.phase[m[1]] = m[2]
		}
		if m[1] == "score" || m[1] == "SCORE" { // here, so that a warning has this line's number
			return x.storeScore()
		}
	}
	return nil
}

// storeScore stores the score of the section that was read, without a time, because the section's time may come later.
func (x *io500Reader) storeScore() error {
	score, is := x.phase["score"]
	total, rated := x.phase["SCORE"]
	delete(x.phase, "score")
	delete(x.phase, "SCORE")
	switch {
	case rated && x.section == "SCORE":
		total, remark, _ := strings.Cut(total, " ")
		return x.setTotal(x.phase["BW"], x.phase["MD"], total, strings.Contains(remark, "INVALID"))
	case is:
		unit := "kIOPS"
		if strings.HasPrefix(x.section, "ior") {
			unit = "GiB/s"
		}
		return x.addPhase(x.section, score, unit, "", true, false)
	}
	return nil
}

// setTotal sets the total score. It is the geometric mean of the bandwidth score and the operation score, and each of
// these is the geometric mean of its phases' scores. A score without phases in the file isn't checked.
func (x *io500Reader) setTotal(bandwidth, operations, total string, invalid bool) error {
	v, err := number(total)
	if err != nil {
		return err
	}
	if r := x.r.Rating; r != nil && r.Value == v { // printed again
		return nil
	} else if r != nil {
		return errAnother
	}
	x.r.Rating = &foreign.Rating{Name: "IO500 score", Quantity: foreign.Score, Value: v, NotValid: invalid}
	groups := map[bool][]digits{}
	for phase, score := range x.phases {
		if io500Scored().MatchString(phase) && score.x > 0 {
			isBandwidth := phase[:1] == "i"
			groups[isBandwidth] = append(groups[isBandwidth], score)
		}
	}
	check := func(name, printed string, made ...digits) digits {
		score, is := digitsOf(printed)
		if mean := meanOf(made); is && len(made) > 0 && mean.x > 0 && !mean.meets(score) {
			x.doubt("%s is %s, but the geometric mean of its %d parts is %.4g", name, printed, len(made), mean.x)
		}
		return score
	}
	check("the total score", total, check("the score of bandwidths", bandwidth, groups[true]...),
		check("the score of operations", operations, groups[false]...))
	return nil
}

// meanOf returns the geometric mean, with the uncertainty that the printed digits leave.
func meanOf(list []digits) digits {
	mean, high := 0., 0.
	for _, d := range list {
		mean, high = mean+math.Log(d.x)/float64(len(list)), high+math.Log(d.x+d.half)/float64(len(list))
	}
	return digits{math.Exp(mean), math.Exp(high) - math.Exp(mean)}
}

// addPhase adds the table of a phase. The shell version prints all phases once more before the score.
func (x *io500Reader) addPhase(phase, field, unit, seconds string, counts, invalid bool) error {
	score, is := units[unit]
	if !is { // in thousands per second
		score = printed{column("", foreign.PerSecond, unit), 1000}
	}
	score.Name, score.Main = "score", true
	key := strings.ReplaceAll(phase, "_", "-")
	now, _ := digitsOf(field)
	if before, is := x.phases[key]; is && now.meets(before) {
		return nil
	} else if is {
		return errAnother
	}
	t := foreign.Table{Test: phase}
	for _, o := range io500Operations {
		if strings.HasPrefix(key, o.begin) && strings.HasSuffix(key, o.end) {
			t.Operation, t.Way = o.operation, o.way
		}
	}
	if invalid {
		t.Settings = []foreign.Setting{{Name: "verdict", Value: "INVALID"}}
	}
	if err := score.put(&t, field); err != nil {
		return fmt.Errorf("%s: %w", phase, err)
	}
	if seconds != "" {
		if err := (printed{column("time", foreign.Seconds, "s"), 1}).put(&t, seconds); err != nil {
			return fmt.Errorf("%s: %w", phase, err)
		}
	}
	if counts {
		x.phases[key] = now
	}
	if now.x == 0 { // the phase didn't run
		return nil
	}
	return x.add(t)
}
