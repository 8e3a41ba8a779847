// Command precise compares beff probe Roundtrip with ReproMPI: how long each takes until the mean of a round trip is
// known to a fraction, and whether the means agree. It prints a table in Markdown.
//
//	cd tools && go run ./precise -peer DIR/mpibenchPredNreps -beff ../bin/beff -launch "mpirun -n 2" > table.md
//
// ReproMPI has a barrier before each repetition, and uses the slower process's time; beff waits for its partner's
// message, and uses its own time. ReproMPI stops by the relative standard error without outliers, in steps that double;
// beff stops by the interval of the mean, or of the median with -statistic median. The programs run in turn, for one
// length at a time. Precise fetches and builds nothing. The machine must be quiet.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/stats"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "precise:", err)
		os.Exit(1)
	}
}

// The statistics by which beff stops.
const mean, median = "mean", "median"

// options are the options of the command line.
type options struct {
	peer, beff, launch, lengths string
	statistic                   string
	rounds, most                int
	part                        float64
}

// outcome is the outcome of one run of a program.
type outcome struct {
	figure      float64 // seconds of a round trip: the mean, or the median
	mean        float64 // of all repetitions
	repetitions float64
	wall        float64 // seconds of the whole program, from its start to its end
}

// inRepetitions returns the seconds of all repetitions, without the rest of the program.
func (o outcome) inRepetitions() float64 { return o.mean * o.repetitions }

func run(args []string, stdout io.Writer) error {
	var o options
	f := flag.NewFlagSet("precise", flag.ContinueOnError)
	f.StringVar(&o.peer, "peer", "", "ReproMPI's mpibenchPredNreps")
	f.StringVar(&o.beff, "beff", "bin/beff", "the binary of beff")
	f.StringVar(&o.launch, "launch", "mpirun -n 2", "launcher of two processes")
	f.StringVar(&o.lengths, "lengths", "1,64,1024,16384,262144,4194304", "message lengths in bytes")
	f.StringVar(&o.statistic, "statistic", mean, "the figure that beff stops by, and that "+
		"is compared: mean or median")
	f.IntVar(&o.rounds, "rounds", 9, "runs of each program at each length")
	f.IntVar(&o.most, "most", 10000, "repetitions of a run at most")
	f.Float64Var(&o.part, "precision", 0.025, "half width of the mean's 95 % interval, as a fraction of the mean")
	if err := f.Parse(args); err != nil {
		return err
	}
	byMedian := o.statistic == median
	if o.peer == "" || o.rounds < 3 || !(o.part > 0) || o.statistic != mean && !byMedian {
		return fmt.Errorf("-peer %q, -rounds %d, -precision %g, -statistic %q: want a program, three rounds or more, "+
			"a fraction, mean or median", o.peer, o.rounds, o.part, o.statistic)
	}
	fmt.Fprintf(stdout, "Round trips until the %[1]s is known to %[2]g %% at 95 %%: medians of %[3]d runs; %[1]ss "+
		"with the interval over the runs.\n\n| bytes | %[1]s of ReproMPI [us] | of beff [us] | agree | repetitions "+
		"of ReproMPI | of beff | in repetitions, ReproMPI [ms] | beff [ms] | whole run, ReproMPI [s] | beff [s] "+
		"|\n%[4]s\n",
		o.statistic, 100*o.part, o.rounds, strings.Repeat("|---", 10)+"|")
	for word := range strings.SplitSeq(o.lengths, ",") {
		n, err := strconv.ParseInt(word, 10, 31)
		if err != nil || n < 1 {
			return fmt.Errorf("-lengths %q: want numbers of at least 1, separated by commas", o.lengths)
		}
		row, err := o.row(n)
		if err != nil {
			return err
		}
		fmt.Fprintln(stdout, row)
	}
	return nil
}

// row measures a length, and returns its row of the table.
func (o *options) row(bytes int64) (string, error) {
	var peers, ours []outcome
	for range o.rounds {
		for _, x := range []struct {
			list *[]outcome
			once func(int64) (outcome, error)
		}{{&peers, o.reproMPI}, {&ours, o.runBeff}} {
			got, err := x.once(bytes)
			if err != nil {
				return "", err
			}
			*x.list = append(*x.list, got)
		}
	}
	a, b := interval(peers), interval(ours)
	agree := map[bool]string{true: "yes", false: "no"}[a.low <= b.high && b.low <= a.high]
	middle := func(list []outcome, value func(outcome) float64) float64 {
		var values []float64
		for _, x := range list {
			values = append(values, value(x))
		}
		return stats.Middle(values)
	}
	count := func(x outcome) float64 { return x.repetitions }
	wall := func(x outcome) float64 { return x.wall }
	return fmt.Sprintf("| %d | %s | %s | %s | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f |", bytes, a, b, agree,
		middle(peers, count), middle(ours, count), 1e3*middle(peers, outcome.inRepetitions),
		1e3*middle(ours, outcome.inRepetitions), middle(peers, wall), middle(ours, wall)), nil
}

// span is a mean with its interval, in seconds.
type span struct{ mean, low, high float64 }

func (s span) String() string {
	return fmt.Sprintf("%.3f (%.3f … %.3f)", 1e6*s.mean, 1e6*s.low, 1e6*s.high)
}

// interval returns the mean of the runs' figures with its interval at 95 %.
func interval(list []outcome) span {
	var figures []float64
	for _, x := range list {
		figures = append(figures, x.figure)
	}
	average, in := stats.Mean(figures, 0.95)
	return span{average, in.Low, in.High}
}

// timed runs a program, and returns its output and its duration.
func (o *options) timed(command ...string) (text string, seconds float64, err error) {
	words := append(strings.Fields(o.launch), command...)
	program := exec.Command(words[0], words[1:]...)
	var out, wrong bytes.Buffer
	program.Stdout, program.Stderr = &out, &wrong
	begin := time.Now()
	if err = program.Run(); err != nil {
		err = fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, strings.TrimSpace(wrong.String()))
	}
	return out.String(), time.Since(begin).Seconds(), err
}

// reproMPI runs ReproMPI, whose threshold is the standard error: half of the interval is 1.96 times as long.
func (o *options) reproMPI(bytes int64) (outcome, error) {
	text, wall, err := o.timed(o.peer, "--calls-list=Send_Recv", "--pingpong-ranks=0,1",
		fmt.Sprintf("--msizes-list=%d", bytes), fmt.Sprintf("--rep-prediction=min=5,max=%d,step=5", o.most),
		"--pred-method=rse", fmt.Sprintf("--var-thres=%.6f", o.part/stats.Student(0.975, math.MaxInt32)))
	if err != nil {
		return outcome{}, err
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 5 || words[0] != "Send_Recv" {
			continue
		}
		repetitions, err1 := strconv.ParseFloat(words[1], 64)
		average, err2 := strconv.ParseFloat(words[3], 64)
		middle, err3 := strconv.ParseFloat(words[4], 64)
		if err1 == nil && err2 == nil && err3 == nil {
			got := outcome{average, average, repetitions, wall}
			if o.statistic == median {
				got.figure = middle
			}
			return got, nil
		}
	}
	return outcome{}, fmt.Errorf("%s printed no line of Send_Recv", o.peer)
}

// runBeff runs beff probe.
func (o *options) runBeff(bytes int64) (outcome, error) {
	directory, err := os.MkdirTemp("", "precise-")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(directory)
	prefix := filepath.Join(directory, "x")
	_, wall, err := o.timed(o.beff, "probe", "Roundtrip", fmt.Sprintf("--msgsize=%d", bytes),
		fmt.Sprintf("--within=%g%%", 100*o.part), fmt.Sprintf("--repetitions=5:%d", o.most),
		"--option", "statistic="+o.statistic, "-o", prefix)
	if err != nil {
		return outcome{}, err
	}
	data, err := os.ReadFile(prefix + ".json")
	if err != nil {
		return outcome{}, err
	}
	r, err := ofprobe.Verify(data)
	if err != nil {
		return outcome{}, err
	}
	if len(r.Blocks) != 1 || len(r.Blocks[0].Rows) != 1 || len(r.Blocks[0].Rows[0].Statistics) != 1 {
		return outcome{}, fmt.Errorf("%s measured no row", o.beff)
	}
	row := &r.Blocks[0].Rows[0]
	figure, _ := row.Statistics[0].Of(r.Settings.Figure())
	return outcome{figure, row.Statistics[0].Mean, float64(row.Repetitions), wall}, nil
}
