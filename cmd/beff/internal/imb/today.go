package imb

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
)

// Words that today's IMB takes for a switch.
var (
	onWords  = []string{"on", "1", "enable", "yes", "true"}
	offWords = []string{"off", "0", "disable", "no", "false"}
)

// parseSwitch parses "on" or "off", or another of IMB's words for them.
func parseSwitch(text string) (bool, error) {
	switch lower := strings.ToLower(text); {
	case slices.Contains(onWords, lower):
		return true, nil
	case slices.Contains(offWords, lower):
		return false, nil
	}
	return false, errors.New("want on or off")
}

// switched returns a setter of a switch.
func switched(set func(r *Request, on bool)) setter { return parsed(parseSwitch, set) }

// notice adds a line for the user: an option was ignored, or taken in another way.
func (r *Request) notice(format string, values ...any) {
	if text := fmt.Sprintf(format, values...); !slices.Contains(r.Notices, text) {
		r.Notices = append(r.Notices, text)
	}
}

// ignored returns a setter that only notes that an option has no effect, and why.
func ignored(option, why string) setter {
	return func(r *Request, value, _ string) error {
		r.notice("%s is ignored: %s", option, why)
		return nil
	}
}

// Types of data by IMB's names, and why a type is replaced.
var (
	dataTypes    = []string{"byte", "char", "int", "float", "double", "float16", "bfloat16"}
	redDataTypes = []string{"char", "int", "float", "double", "float16", "bfloat16"}
	replaced     = map[string]string{
		"float16": "the MPI standard has no such type", "bfloat16": "the MPI standard has no such type",
	}
)

// setDataType sets the type of the data of IMB-MPI1's kernels. A char is a byte: the same bytes move.
func setDataType(r *Request, value, _ string) error {
	r.Settings.DataType = ""
	switch why, ok := replaced[value]; {
	case ok:
		r.notice("-data_type %s: %s; the data are bytes", value, why)
	case value == "char":
		r.notice("-data_type char: the data are bytes, which move alike")
	case value != "byte":
		r.Settings.DataType = probe.DataType(value)
	}
	return nil
}

// setRedType sets the type of the numbers that are reduced.
func setRedType(r *Request, value, _ string) error {
	r.Settings.RedType = ""
	switch why, ok := replaced[value]; {
	case ok:
		r.notice("-red_data_type %s: %s; the numbers are floats", value, why)
	case value == "char":
		r.notice("-red_data_type char: the MPI standard doesn't add characters (MPI 4.1, 6.9.2); the numbers are " +
			"floats")
	case value != "float":
		r.Settings.RedType = probe.DataType(value)
	}
	return nil
}

// contigTypes are the values of -contig_type.
var contigTypes = []string{"base", "base_vec", "resize", "resize_vec"}

// setContigType sets the form of the data.
func setContigType(r *Request, value, _ string) error {
	r.Settings.ContigType = ""
	if value != "base" {
		r.Settings.ContigType = probe.ContigType(value)
	}
	return nil
}

// aggregateModes has the only mode by the values of -aggregate_mode.
var aggregateModes = map[string]probe.Mode{"aggregate": probe.Aggregate, "non_aggregate": probe.NonAggregate,
	"multi": ""}

// setAggregateMode sets the only mode of kernels that have two.
func setAggregateMode(r *Request, value, _ string) error {
	r.Settings.OnlyMode = aggregateModes[value]
	return nil
}

// setThreadLevel sets the level of MPI_Init_thread.
func setThreadLevel(r *Request, value, _ string) error {
	r.ThreadLevel = value
	if value == noInit {
		r.ThreadLevel = ""
		r.notice("-thread_level %s is ignored: without MPI_Init there is no message", noInit)
	}
	return nil
}

// noInit is IMB's word for no call of MPI_Init at all.
const noInit = "nompinit"

// parseSizes parses lengths in bytes, separated by commas, with the suffixes k, m and g.
func parseSizes(text string) ([]int64, error) {
	return ReadLengths(strings.ReplaceAll(text, ",", "\n"))
}

// msgPause is the shortest pause of -msg_pause, in seconds.
const msgPause = 0.1

// noteWithoutEffect adds notices of options that have no effect on any of the selected kernels.
func (r *Request) noteWithoutEffect(selections []probe.Selection) {
	for _, name := range r.Given {
		i := slices.IndexFunc(table, func(o Option) bool { return o.Name == name })
		of := table[i].of
		if len(of) == 0 || slices.ContainsFunc(selections,
			func(s probe.Selection) bool { return slices.Contains(of, s.Kernel.Component) }) {
			continue
		}
		r.notice("-%s is ignored: it has no effect on these benchmarks", name)
	}
	if r.Settings.ContigType != "" && r.Settings.Method != probe.ByToday {
		r.Settings.ContigType = ""
		r.notice("-contig_type is ignored: the guide has elements one behind the other")
	}
}

// setWarm sets whether there are repetitions before the timed ones.
func setWarm(r *Request, on bool) {
	r.Settings.WarmUp = nil
	if !on {
		r.Settings.WarmUp = new(int64)
	}
}

// setPause sets the pause behind each row.
func setPause(r *Request, on bool) {
	r.Settings.Pause = 0
	if on {
		r.Settings.Pause = msgPause
	}
}

// pauseAround is the pause before and behind a row of IMB-P2P, in seconds.
const pauseAround = 0.1

// setPauseAround sets the pause before and behind a row of IMB-P2P. Less than none is none.
func setPauseAround(r *Request, value, _ string) error {
	microseconds, err := strconv.ParseInt(value, 10, 32)
	if err != nil {
		return errors.New("want a whole number of microseconds")
	}
	r.Settings.PauseAround = float64(max(microseconds, 0)) / 1e6
	return nil
}

// setMemoryType notes that there is no memory but the processors'.
func setMemoryType(r *Request, value, _ string) error {
	if value != "cpu" {
		r.notice("-mem_alloc_type %s is ignored: data are in the memory of the processors", value)
	}
	return nil
}

// method returns the method whose default list counts: that of IMB's executables, or that of beff probe.
func (in *scope) method() probe.Method {
	if in.component == "" {
		return probe.ByGuide
	}
	return probe.ByToday
}
