package ranking

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
)

// ratedAs returns a result with a half interval of its rating.
func ratedAs(name string, x, half float64) Entry {
	e := named(name, x, Valid)
	e.Figures[bEff] = rating.Value{Value: x, Within: rating.Around(x, half, rating.ByRepetitions)}
	return e
}

// placeOf returns the sentence of a result among others.
func placeOf(e Entry, others []Entry) string { return Places(append([]Entry{e}, others...))[0] }

// A sentence on the place needs at least three other systems. Results whose intervals overlap are neither higher nor
// lower.
func TestPlaces(t *testing.T) {
	own := ratedAs("own", 2e9, 0.05)
	others := []Entry{ratedAs("a", 1e9, 0.05), ratedAs("b", 4e9, 0.05), ratedAs("c", 3e9, 0.05)}
	near := ratedAs("near", 2.1e9, 0.05)
	three := append(others[1:3:3], near)
	wide := ratedAs("own", 2e9, 0.7)
	const begin = "Compared with the 3 other ratings of its class given here, its b_eff "
	lowest, highest := ratedAs("own", 5e8, 0.05), ratedAs("own", 8e9, 0.05)
	for want, c := range map[string]struct {
		own    Entry
		others []Entry
	}{
		"is between c on 4 processes (3.00 GB/s) and a on 4 processes (1.00 GB/s).": {own, others},
		"is the lowest, below a on 4 processes (1.00 GB/s).":                        {lowest, others},
		"is the highest, above b on 4 processes (4.0 GB/s).":                        {highest, others},
		"can't be distinguished from any.":                                          {wide, three},
		"can't be distinguished from near on 4 processes (2.10 GB/s); 1 is surely higher and 1 is surely lower.": {own,
			append(others[:2:2], near)},
	} {
		require.Equal(t, begin+want, placeOf(c.own, c.others))
	}
	for name, list := range map[string][]Entry{
		"two":            others[:2],
		"own runs":       append(others[:2:2], own, own),
		"not valid":      append(others[:2:2], changed(others[2], func(e *Entry) { e.Status = NotValid })),
		"another size":   append(others[:2:2], changed(others[2], func(e *Entry) { e.Processes = 8 })),
		"another class":  append(others[:2:2], changed(others[2], func(e *Entry) { e.Rules = "3.6" })),
		"runs of one":    append(others[:2:2], others[0]),
		"the 2001 paper": Reference(),
	} {
		require.Empty(t, placeOf(own, list), name)
	}
	own = named("own", 2e9, Valid)
	require.Equal(t, begin+"can't be distinguished from any.", placeOf(own, others), "nothing is known of it")
	require.Empty(t, placeOf(named("own", 0, Valid), others), "without a rating it has no place")
	model := func(e Entry) Entry {
		e.Engine, e.Figures = rating.Simulated, rating.Values{bEff: {Value: e.Rating()}}
		return e
	}
	for i := range others {
		others[i] = model(others[i])
	}
	require.Contains(t, placeOf(model(own), others), "is between c", "models have no noise")
}

// The places of many results cost as much for each as those of few.
func TestPlacesOfMany(t *testing.T) {
	cost := func(n int) float64 {
		var list []Entry
		for i := range n {
			list = append(list, ratedAs(fmt.Sprint("system ", i), float64(1e9+i*1e7), 0.001))
		}
		require.Contains(t, Places(list)[n/2], "is between")
		return testing.AllocsPerRun(1, func() { Places(list) })
	}
	require.Less(t, cost(1000), 15*cost(100))
}

// Runs by two libraries are two rows with ranks of their own.
func TestLibraries(t *testing.T) {
	list := []Entry{ratedAs("X", 3e9, 0.01), ratedAs("X", 1e9, 0.01), ratedAs("X", 2e9, 0.01)}
	for i, library := range []string{"Open MPI", "MPICH", "MPICH"} {
		list[i].LibraryName, list[i].Library = library, library+" 4"
	}
	rows := Rank(list, false)[0].Rows
	require.Len(t, rows, 2)
	require.Equal(t, []string{"Open MPI 4", "MPICH 4"}, []string{rows[0].Library, rows[1].Library})
	require.Equal(t, []int{1, 2}, []int{rows[0].Runs, rows[1].Runs})
}

// A notice names the rows that are named after hosts.
func TestNamedByHosts(t *testing.T) {
	list := []Entry{named("n001", 1e9, Valid), named("Hawk", 1e9, Valid)}
	require.Empty(t, Document(Rank(list, false), View{}).Notices)
	list[0].ByHost = true
	notices := Document(Rank(list, false), View{}).Notices
	require.Len(t, notices, 1)
	require.Contains(t, notices[0].Text, "named after the host of process 0: n001")
}

// A noisy rating is very noisy if an end of its interval is farther off than a quarter of it. One that is 0
// has no rank.
func TestVeryNoisy(t *testing.T) {
	for high, want := range map[float64]string{5e9: "noisy", 5.1e9: "very noisy"} {
		e := named("own", 4e9, Noisy)
		e.Figures[bEff] = rating.Value{Value: 4e9, Within: &rating.Interval{Low: 3.5e9, High: high}}
		require.Equal(t, want, (&Row{Entry: &e, runs: []*Entry{&e}}).status())
	}
	for rated, rank := range map[float64]int{0: 0, 1: 1} {
		rows := Rank([]Entry{named("own", rated, Valid)}, false)[0].Rows
		require.Equal(t, rank, rows[0].Rank)
	}
}

// Each table has an ID of its own, by which readers link to it.
func TestID(t *testing.T) {
	require.Equal(t, []string{"ranking", "ranking-2", "ranking-3"}, []string{id(0), id(1), id(2)})
}
