package tools

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// io500First matches a line of result_summary.txt, of result.txt, or of the shell version's text.
var io500First = words.MustCompile(`IO500 version |\[RESULT(?:-\w+)?\]\s.*: time |\[(?:ior-easy-write|run)\]\s*$|` +
	`\[SCORE ?(?:-\w+)?\]\s+Bandwidth `)

// io500Result matches a line of a phase.
var io500Result = words.MustCompile(`^\[(?:RESULT|      )(?:-\w+)?\]\s+(?:(?:BW|IOPS)\s+phase \d+\s+)?` +
	`([a-z][\w-]*)\s+(\S+) (GiB/s|GB/s|kIOPS|kiops)\s*: time (\S+) seconds(.*)$`)

// io500Score matches the line of the scores.
var io500Score = words.MustCompile(`^\[SCORE ?(?:-\w+)?\]\s+Bandwidth (\S+) (GiB/s|GB/s)\s*: IOPS (\S+) kiops\s*: ` +
	`TOTAL ([\d.eE+-]+)(.*)$`)

var (
	io500Section = words.MustCompile(`^\[([A-Za-z][\w-]*)\]\s*$`)
	io500Pair    = words.MustCompile(`^([A-Za-z][\w-]*)\s*=\s*(.*?)\s*$`)
	io500Comment = words.MustCompile(`^; (START|END) (\S+ \S+)`)
)

// io500Operation returns the operation of a phase, by the beginning and end of its name.
func io500Operation(phase string) (foreign.Operation, foreign.Way) {
	phase = strings.ReplaceAll(phase, "_", "-")
	is := func(begin, end string) bool { return strings.HasPrefix(phase, begin) && strings.HasSuffix(phase, end) }
	switch {
	case is("ior-", "-write"):
		return foreign.Write, foreign.Stonewalled
	case is("ior-", "-read"):
		return foreign.Read, foreign.WholePhase
	case is("mdtest-", "-write"), is("mdtest-", "-create"):
		return foreign.CreateFiles, foreign.Stonewalled
	case is("mdtest-", "-stat"):
		return foreign.StatFiles, foreign.Timed
	case is("mdtest-", "-delete"):
		return foreign.RemoveFiles, foreign.Timed
	case is("mdtest-", "-read"):
		return foreign.ReadFiles, foreign.Timed
	case phase == "find":
		return foreign.FindFiles, foreign.Timed
	}
	return "", ""
}

// io500Reader holds the part of a run that was read.
type io500Reader struct {
	*run
	section string
	phase   map[string]string // key-value pairs of the section
}

// newIO500 returns a reader of result_summary.txt, result.txt, or the text that a run prints.
func newIO500(t *run) reading { return &io500Reader{run: t} }

func (x *io500Reader) end() error {
	err := x.scored()
	for i := range x.r.Tables {
		x.r.Tables[i].Processes = x.r.Processes
	}
	x.r.Complete = x.r.Rating != nil
	return err
}

func (x *io500Reader) line(line string) error {
	if x.open { // figures may lack digits
		return nil
	}
	if m := io500Result().FindStringSubmatch(line); m != nil {
		return x.phased(m[1], m[2], m[3], m[4], strings.Contains(m[5], "INVALID"))
	}
	if m := io500Score().FindStringSubmatch(line); m != nil {
		return x.score(m[4], strings.Contains(m[5], "INVALID"))
	}
	if m := io500Section().FindStringSubmatch(line); m != nil {
		if err := x.scored(); err != nil {
			return err
		}
		x.section, x.phase = m[1], map[string]string{}
		return nil
	}
	if m := io500Comment().FindStringSubmatch(line); m != nil {
		if m[1] == "START" {
			x.r.Started = date(m[2], "2006-01-02 15:04:05")
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
		if m[1] == "score" || m[1] == "SCORE" { // with its line number
			return x.scored()
		}
	}
	return nil
}

// scored stores the score of the section that was read; its time may follow it.
func (x *io500Reader) scored() error {
	score, is := x.phase["score"]
	total, rated := x.phase["SCORE"]
	delete(x.phase, "score")
	delete(x.phase, "SCORE")
	switch {
	case rated && x.section == "SCORE":
		total, remark, _ := strings.Cut(total, " ")
		return x.score(total, strings.Contains(remark, "INVALID"))
	case is:
		unit := "kIOPS"
		if strings.HasPrefix(x.section, "ior") {
			unit = "GiB/s"
		}
		return x.phased(x.section, score, unit, "", false)
	}
	return nil
}

// score sets the total score.
func (x *io500Reader) score(field string, invalid bool) error {
	v, err := number(field)
	if err != nil {
		return err
	}
	if x.r.Rating != nil {
		return errAnother
	}
	x.r.Rating = &foreign.Rating{Name: "IO500 score", Quantity: foreign.Score, Value: v, NotValid: invalid}
	return nil
}

// phased adds the table of a phase.
func (x *io500Reader) phased(phase, field, unit, seconds string, invalid bool) error {
	score, is := io500Units[unit]
	if !is {
		score = printed{mainColumn("score", foreign.PerSecond, unit), 1000}
	}
	t := foreign.Table{Test: phase}
	t.Operation, t.Way = io500Operation(phase)
	if invalid {
		t.Settings = []foreign.Setting{{Name: "verdict", Value: "INVALID"}}
	}
	if err := score.put(&t, field); err != nil {
		return fmt.Errorf("%s: %w", phase, err)
	}
	if t.Rows[0].Values[0] == 0 { // the phase didn't run
		return nil
	}
	if seconds != "" {
		if err := (printed{column("time", foreign.Seconds, "s"), 1}).put(&t, seconds); err != nil {
			return fmt.Errorf("%s: %w", phase, err)
		}
	}
	return x.add(t)
}

// io500Units are the units of bandwidths. All other scores are in thousands per second.
var io500Units = map[string]printed{"GiB/s": {mainColumn("score", foreign.BytesPerSecond, "GiB/s"), gibi},
	"GB/s": {mainColumn("score", foreign.BytesPerSecond, "GB/s"), giga}}
