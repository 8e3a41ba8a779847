package parts

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/effective-bandwidth/beff/report/words"
	"github.com/effective-bandwidth/beff/stats"
)

// SKaMPIBlock holds the results of one measurement.
type SKaMPIBlock struct {
	Name string
	Pair bool // between two processes, so that their number isn't a parameter
	Bare bool // calls without data
	Rows []SKaMPIRow
}

// SKaMPIRow is the time of one operation.
type SKaMPIRow struct {
	Processes   int
	Bytes       int64
	Seconds     float64 // mean
	Error       float64 // standard error of the mean in seconds; 0 if not known
	Repetitions int64
}

// SKaMPIRowOf returns the row for a list of at least one time in seconds.
func SKaMPIRowOf(processes int, bytes int64, times []float64) SKaMPIRow {
	r := SKaMPIRow{Processes: processes, Bytes: bytes, Repetitions: int64(len(times))}
	for _, t := range times {
		r.Seconds += t / float64(len(times))
	}
	if len(times) > 1 {
		r.Error = stats.Deviation(times) / math.Sqrt(float64(len(times)))
	}
	return r
}

// SKaMPI writes measured times in the format of SKaMPI 5's output files (.sko): blocks between "# begin result" and "#
// end result", with a line for each number of processes and length. The paper announces this output (Sec. 6).
//
// A line begins with the parameters in the form of SKaMPI's own scripts: count= for two processes, nodes= and count=
// for collective calls, nodes= for calls without data. Four columns follow: bytes, the mean in microseconds, its
// standard error, and the number of repetitions. Times have three decimals instead of SKaMPI's one, in the same
// columns, because messages take less than a microsecond today. SKaMPI's further columns, the times of each process,
// are left out, as SKaMPI does unless its script asks for them.
func SKaMPI(w io.Writer, program string, started time.Time, wall float64, blocks []SKaMPIBlock) error {
	b := bufio.NewWriter(w)
	line := func(format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	line("# SKaMPI Version 5.0 format, written by %s\n", words.OneLine(program))
	line("# Started at %s\n\n", started.Format(time.ANSIC))
	for _, x := range blocks {
		name := words.OneLine(x.Name)
		line("# begin result \"%s\"", name)
		for _, r := range x.Rows {
			if !x.Pair || x.Bare {
				fmt.Fprintf(b, "nodes= %d ", r.Processes)
			}
			if !x.Bare {
				fmt.Fprintf(b, "count= %d ", r.Bytes)
			}
			line("%8d %9.3f %9.3f %8d", r.Bytes, r.Seconds/words.Micro, r.Error/words.Micro, r.Repetitions)
		}
		line("# end result \"%s\"\n", name)
	}
	line("\n# Finished at %s", started.Add(time.Duration(wall*float64(time.Second))).Format(time.ANSIC))
	line("# Total runtime %.0f seconds\n", wall)
	return b.Flush()
}
