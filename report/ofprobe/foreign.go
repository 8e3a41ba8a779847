package ofprobe

import (
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/report/foreign"
)

// otherOperations has the operations and methods of kernels that aren't IMB's, in the terms that all programs share.
// Collective kernels aren't listed, because their names are the calls' names.
var otherOperations = map[string]struct {
	operation foreign.Operation
	way       foreign.Way
}{
	"osu_latency":         {foreign.Message, foreign.HalfRoundTrip},
	"osu_bw":              {foreign.Message, foreign.Window},
	"osu_bibw":            {foreign.BothWays, foreign.Window},
	"osu_mbw_mr":          {foreign.SeveralPairs, foreign.Window},
	"osu_bw_fan_out":      {foreign.FanOut, foreign.Window},
	"osu_bw_fan_in":       {foreign.FanIn, foreign.Window},
	"osu_multi_lat":       {foreign.SeveralPairs, foreign.HalfRoundTrip},
	"osu_put_latency":     {foreign.Put, foreign.Epoch},
	"osu_put_bw":          {foreign.Put, foreign.Window},
	"osu_put_bibw":        {foreign.PutBothWays, foreign.Window},
	"osu_get_latency":     {foreign.Get, foreign.Epoch},
	"osu_get_bw":          {foreign.Get, foreign.Window},
	"osu_acc_latency":     {foreign.Accumulate, foreign.Epoch},
	"osu_get_acc_latency": {foreign.GetAccumulate, foreign.Epoch},
	"osu_fop_latency":     {foreign.FetchAndOp, foreign.Epoch},
	"osu_cas_latency":     {foreign.CompareAndSwap, foreign.Epoch},
	"Dir_create":          {foreign.CreateDirectory, foreign.Timed},
	"Dir_stat":            {foreign.StatDirectory, foreign.Timed},
	"Dir_rename":          {foreign.RenameDirectory, foreign.Timed},
	"Dir_remove":          {foreign.RemoveDirectory, foreign.Timed},
	"File_create":         {foreign.CreateFiles, foreign.Timed},
	"File_stat":           {foreign.StatFiles, foreign.Timed},
	"File_read":           {foreign.ReadFiles, foreign.Timed},
	"File_remove":         {foreign.RemoveFiles, foreign.Timed},
}

// operationOfBlock returns the operation of a kernel and the way it is measured, or "" if no other program measures the
// same.
func operationOfBlock(k *Kernel, b *measured.Block) (foreign.Operation, foreign.Way) {
	if x, is := otherOperations[k.Name]; is {
		return x.operation, x.way
	}
	o, way := foreign.OfIMB(k.Name, k.Multi || len(b.Groups) > 1)
	call := foreign.Collective(strings.TrimPrefix(k.Name, "osu_"))
	switch {
	case call == "":
		return o, way
	case k.Class == kernel.Averaged:
		return call, foreign.ByBarrier
	case k.Class == kernel.OverlapParts:
		return call, foreign.Overlapped
	case k.Component != kernel.MPI1 && k.Component != kernel.NBC:
		return "", ""
	}
	return o, way
}

// Common returns the result in the form that all programs share: the main time and the bandwidth of each kernel.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Program: foreign.ProbeProgram,
		ProgramVersion: r.Beff, Command: r.Command, Processes: r.Processes, Machine: r.Machine, Period: r.Period,
		Complete: r.Complete, Warnings: r.Warnings}
	for _, k := range kernelsOf(r.Result) {
		for _, b := range k.Blocks {
			if b.Pass <= 1 {
				c.Tables = append(c.Tables, tableOf(k, b))
			}
		}
	}
	return c
}

// tableOf returns a block as a table.
func tableOf(k *Kernel, b *measured.Block) foreign.Table {
	o, way := operationOfBlock(k, b)
	t := foreign.Table{Test: k.Title(), Operation: o, Way: way, Processes: b.Processes, Window: b.WindowSize,
		Lengths: !k.NoLength()}
	if way == foreign.Window && t.Window == 0 {
		t.Window = settings.Default.Window
	}
	if b.Mode != settings.Plain {
		t.Settings = append(t.Settings, foreign.Setting{Name: "mode", Value: string(b.Mode)})
	}
	if k.Class == kernel.Metadata {
		return rateTable(t, b)
	}
	time := k.Times()[0]
	t.Columns = []foreign.Column{{Name: time.Name, Quantity: foreign.Seconds, Main: true}}
	if k.Moved > 0 {
		t.Columns = append(t.Columns, foreign.Column{Name: "bandwidth", Quantity: foreign.BytesPerSecond, Main: true})
	}
	threads := int64(1)
	if b.Component == kernel.MT { // the lengths of IMB-MT count the data of all threads
		threads = int64(max(b.Threads, 1))
	}
	for row := range lists.Elements(b.Rows) {
		if x := row.Slowest(time); x > 0 {
			of := foreign.Row{Bytes: row.Bytes * threads, Repetitions: row.Repetitions, Values: []float64{x}}
			if k.Moved > 0 {
				of.Values = append(of.Values, row.Bandwidth())
			}
			t.Rows = append(t.Rows, of)
		}
	}
	if o == foreign.SeveralPairs {
		t.Processes = max(1, len(b.Groups)) * b.Processes
	}
	return t
}

// rateTable returns a table with the rates of a metadata phase. If all files have the same length, the table has no
// lengths, as mdtest's.
func rateTable(t foreign.Table, b *measured.Block) foreign.Table {
	t.Lengths = t.Lengths && len(b.Rows) > 1
	t.Columns = []foreign.Column{{Name: "Mean", Quantity: foreign.PerSecond, Main: true}}
	for row := range lists.Elements(b.Rows) {
		if len(row.Derived) == 0 || row.Derived[0].Rate == 0 {
			continue
		}
		x := foreign.Row{Repetitions: row.Repetitions, Values: []float64{row.Derived[0].Rate}}
		if t.Lengths {
			x.Bytes = row.Bytes
		}
		t.Rows = append(t.Rows, x)
	}
	return t
}
