package ofprobe

import (
	"strings"

	"github.com/effective-bandwidth/beff/foreign"
	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// shared says what kernels measure, in the words that programs share, and in which way. Collective kernels have their
// calls' names.
var shared = map[string]struct {
	operation foreign.Operation
	way       foreign.Way
}{
	"PingPong":               {foreign.Message, foreign.HalfRoundTrip},
	"PingPongSpecificSource": {foreign.Message, foreign.HalfRoundTrip},
	"Uniband":                {foreign.Message, foreign.Window},
	"Biband":                 {foreign.BothWays, foreign.Window},
	"PingPing":               {foreign.BothWays, foreign.EachReversed},
	"Sendrecv":               {foreign.NaturalRing, foreign.SimpleExchange},
	"Unidir_put":             {foreign.Put, foreign.Epoch},
	"Unidir_get":             {foreign.Get, foreign.Epoch},
	"Bidir_put":              {foreign.PutBothWays, foreign.Epoch},
	"Accumulate":             {foreign.Accumulate, foreign.Epoch},
	"Get_accumulate":         {foreign.GetAccumulate, foreign.Epoch},
	"Fetch_and_op":           {foreign.FetchAndOp, foreign.Epoch},
	"Compare_and_swap":       {foreign.CompareAndSwap, foreign.Epoch},
	"osu_latency":            {foreign.Message, foreign.HalfRoundTrip},
	"osu_bw":                 {foreign.Message, foreign.Window},
	"osu_bibw":               {foreign.BothWays, foreign.Window},
	"osu_mbw_mr":             {foreign.SeveralPairs, foreign.Window},
	"osu_bw_fan_out":         {foreign.FanOut, foreign.Window},
	"osu_bw_fan_in":          {foreign.FanIn, foreign.Window},
	"osu_multi_lat":          {foreign.SeveralPairs, foreign.HalfRoundTrip},
	"osu_put_latency":        {foreign.Put, foreign.Epoch},
	"osu_put_bw":             {foreign.Put, foreign.Window},
	"osu_put_bibw":           {foreign.PutBothWays, foreign.Window},
	"osu_get_latency":        {foreign.Get, foreign.Epoch},
	"osu_get_bw":             {foreign.Get, foreign.Window},
	"osu_acc_latency":        {foreign.Accumulate, foreign.Epoch},
	"osu_get_acc_latency":    {foreign.GetAccumulate, foreign.Epoch},
	"osu_fop_latency":        {foreign.FetchAndOp, foreign.Epoch},
	"osu_cas_latency":        {foreign.CompareAndSwap, foreign.Epoch},
	"Dir_create":             {foreign.CreateDirectory, foreign.Timed},
	"Dir_stat":               {foreign.StatDirectory, foreign.Timed},
	"Dir_rename":             {foreign.RenameDirectory, foreign.Timed},
	"Dir_remove":             {foreign.RemoveDirectory, foreign.Timed},
	"File_create":            {foreign.CreateFiles, foreign.Timed},
	"File_stat":              {foreign.StatFiles, foreign.Timed},
	"File_read":              {foreign.ReadFiles, foreign.Timed},
	"File_remove":            {foreign.RemoveFiles, foreign.Timed},
}

// sharedOf returns what a kernel measures; known is false if no other program does.
func sharedOf(k *Kernel, b *measured.Block) (o foreign.Operation, w foreign.Way, known bool) {
	if k.Multi || len(b.Groups) > 1 {
		if k.Name == "PingPong" {
			return foreign.SeveralPairs, foreign.HalfRoundTrip, true
		}
		return "", "", false
	}
	if x, is := shared[k.Name]; is {
		return x.operation, x.way, true
	}
	call := foreign.Collective(strings.TrimSuffix(k.Name, "_pure"))
	if k.Component == kernel.OSU {
		call = foreign.Collective(strings.TrimPrefix(k.Name, "osu_"))
	}
	switch {
	case call != "" && k.Class == kernel.Averaged:
		return call, foreign.ByBarrier, true
	case call != "" && k.Class == kernel.Hidden:
		return call, foreign.Overlapped, true
	case call == "" || k.Component != kernel.MPI1 && k.Component != kernel.NBC:
		return "", "", false
	case k.Class == kernel.Overlap:
		return call, foreign.Overlapped, true
	case call[0] == 'i': // without computing beside it: a time of its own
		return "", "", false
	}
	return call, foreign.BackToBack, true
}

// Common returns the result in the form that results of several programs share: the main time and the bandwidth of
// each kernel that others measure, too.
func (r Report) Common() *foreign.Result {
	c := &foreign.Result{Identity: r.Identity, Software: r.Software, Imported: r.Imported, Program: "beff probe",
		ProgramVersion: r.Beff, Command: r.Command, Processes: r.Processes, Machine: r.Machine, Period: r.Period,
		Complete: r.Complete, Warnings: r.Warnings}
	if r.Imported != "" {
		c.Program = "IMB"
	}
	for _, k := range Of(r.Result) {
		for _, b := range k.Blocks {
			o, way, known := sharedOf(k, b)
			if !known || b.Pass > 1 {
				continue
			}
			t := foreign.Table{Test: k.Title(), Operation: o, Way: way, Processes: b.Processes, Window: b.WindowSize,
				Lengths: !k.NoLength()}
			if way == foreign.Window && t.Window == 0 {
				t.Window = settings.Default.Window
			}
			if b.Mode != settings.Plain {
				t.Settings = append(t.Settings, foreign.Setting{Name: "mode", Value: string(b.Mode)})
			}
			if k.Class == kernel.Metadata {
				c.Tables = append(c.Tables, inRates(t, b))
				continue
			}
			time := k.Times()[0]
			t.Columns = []foreign.Column{{Name: time.Name, Quantity: foreign.Seconds, Main: true}}
			if k.Moved > 0 {
				t.Columns = append(t.Columns, foreign.Column{Name: "bandwidth", Quantity: foreign.BytesPerSecond,
					Main: true})
			}
			for row := range lists.Elements(b.Rows) {
				if x := row.Slowest(time); x > 0 {
					of := foreign.Row{Bytes: row.Bytes, Repetitions: row.Repetitions, Values: []float64{x}}
					if k.Moved > 0 {
						of.Values = append(of.Values, row.Bandwidth())
					}
					t.Rows = append(t.Rows, of)
				}
			}
			if o == foreign.SeveralPairs {
				t.Processes = max(1, len(b.Groups)) * b.Processes
			}
			c.Tables = append(c.Tables, t)
		}
	}
	return c
}

// inRates returns a table with the rate of a phase of metadata, of files of one length as mdtest has them.
func inRates(t foreign.Table, b *measured.Block) foreign.Table {
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
