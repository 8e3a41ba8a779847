package foreign

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// result returns a small result that passes its check.
func result() *Result {
	return &Result{Program: "P", Imported: "x", Processes: 2, Tables: []Table{{Test: "t", Operation: Message,
		Way: HalfRoundTrip, Lengths: true, Columns: []Column{{Name: "time", Quantity: Seconds, Main: true},
			{Name: "MB/s", Quantity: BytesPerSecond, Main: true}},
		Rows: []Row{{Bytes: 8, Values: []float64{2, 3}, Each: []float64{1, 3}}}}}}
}

func TestCheck(t *testing.T) {
	require.NoError(t, result().Check())
	table := func(r *Result) *Table { return &r.Tables[0] }
	row := func(r *Result) *Row { return &r.Tables[0].Rows[0] }
	for name, c := range map[string]struct {
		change func(*Result)
		want   string
	}{
		"program":    {func(r *Result) { r.Program = "" }, "name the program"},
		"processes":  {func(r *Result) { r.Processes = -1 }, "-1 processes"},
		"rating":     {func(r *Result) { r.Rating = &Rating{Name: "x", Value: 1} }, `rating "x"`},
		"rated":      {func(r *Result) { r.Rating = &Rating{Name: "x", Quantity: Score, Value: math.NaN()} }, "NaN"},
		"test":       {func(r *Result) { table(r).Test = "" }, "a test without a name"},
		"operation":  {func(r *Result) { table(r).Operation = "dance" }, `operation "dance"`},
		"only a way": {func(r *Result) { table(r).Operation = "" }, "isn't known"},
		"way":        {func(r *Result) { table(r).Way = "quick" }, `way "quick"`},
		"no columns": {func(r *Result) { table(r).Columns = nil }, "0 columns"},
		"quantity":   {func(r *Result) { table(r).Columns[0].Quantity = "furlongs" }, "furlongs"},
		"two mains":  {func(r *Result) { table(r).Columns[1].Quantity = Seconds }, "two main columns"},
		"no main": {func(r *Result) { table(r).Columns[0].Main, table(r).Columns[1].Main = false, false },
			"no main column"},
		"short row":  {func(r *Result) { row(r).Values = row(r).Values[:1] }, "row 1: 1 figures in 2 columns"},
		"length":     {func(r *Result) { row(r).Bytes = -1 }, "below 0"},
		"infinite":   {func(r *Result) { row(r).Values[1] = math.Inf(1) }, "MB/s is +Inf"},
		"negative":   {func(r *Result) { row(r).Each[0] = -1 }, "a repetition's figure is -1"},
		"mean":       {func(r *Result) { row(r).Values[0] = 2.1 }, "time is 2.1, its repetitions give 2"},
		"half":       {func(r *Result) { row(r).HalfWidth = math.NaN() }, "no interval"},
		"confidence": {func(r *Result) { row(r).Confidence = 2 }, "no interval"},
		"tables":     {func(r *Result) { r.Tables = make([]Table, MostTables+1) }, "at most"},
	} {
		r := result()
		c.change(r)
		require.ErrorContains(t, r.Check(), c.want, name)
	}
}

func TestDerive(t *testing.T) {
	require.Equal(t, 4.0, (&Row{Each: []float64{9, 1, 2}}).Derive())
	require.True(t, math.IsNaN((&Row{}).Derive()))
}

// Every operation has a title, and every way a description.
func TestWords(t *testing.T) {
	for o := range titles {
		require.True(t, o.Known(), o)
		require.NotEmpty(t, o.Title())
	}
	require.Equal(t, "MPI_Iallreduce", Collective("MPI_Iallreduce").Title())
	require.Empty(t, Collective("MPI_Send"))
	require.False(t, Operation("").Known())
	for w := range ways {
		x := Table{Way: w}
		require.NotContains(t, x.Words(), "%", w)
	}
	require.Contains(t, (&Table{Way: Window, Window: 64}).Words(), "a window of 64 messages")
	require.Contains(t, (&Table{Way: Window, Settings: []Setting{{WindowSize, "varied"}}}).Words(),
		"a window of messages under way at once, then an answer (window size varied)")
}

// Tables of one test are told apart by the settings in which they differ.
func TestNames(t *testing.T) {
	list := []Table{
		{Test: "a", Settings: []Setting{{"nodes", "8"}, {"network", "isolated"}}},
		{Test: "a", Settings: []Setting{{"nodes", "8"}, {"network", "congested"}}},
		{Test: "b", Settings: []Setting{{"nodes", "8"}, {"network", "isolated"}}}, {Test: "c"}, {Test: "c"},
		{Test: "d"}, {Test: "d", Settings: []Setting{{Buffers, "D D"}}},
	}
	require.Equal(t, []string{"a, network isolated", "a, network congested", "b", "c", "c", "d", "d, buffers D D"},
		Names(list))
}
