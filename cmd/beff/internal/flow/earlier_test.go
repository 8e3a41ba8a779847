package flow

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
)

// fill sets every exported field of a value, and of all values in it, to a value other than zero.
func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, n)
		fill(value, n)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), n)
			}
		}
	case reflect.String:
		v.SetString(string(rune('a' + *n%26)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n))
	case reflect.Int, reflect.Int64, reflect.Int32:
		v.SetInt(int64(*n))
	case reflect.Uint8, reflect.Uint64, reflect.Uint32:
		v.SetUint(uint64(*n % 256))
	default:
		panic(v.Type().String())
	}
}

// keepsAll checks that a journal of a measurement has every field of it, in one record or in several.
func keepsAll[M any](t *testing.T, since func(now, before *M) (M, bool), add func(m *M, news M), part func(m *M) M) {
	var all M
	n := 0
	fill(reflect.ValueOf(&all).Elem(), &n)
	require.Greater(t, n, 20)
	if o, is := any(&all).(*measured.Outcome); is { // only the journal has groups of many processes as ranges
		for b := range lists.Elements(o.Blocks) {
			b.Processes, b.GroupRanges, b.CongestorRanges = 128, nil, nil
			b.Groups = lists.Of(2, func(g int) []int {
				return lists.Of(b.Processes, func(i int) int { return 128*g + i })
			})
			b.CongestorGroups = lists.Each(b.Groups, func(ranks []int) measured.CongestorGroup {
				return measured.CongestorGroup{Congestor: "incast", Ranks: ranks}
			})
		}
	}
	first := part(&all)
	var records [][]byte
	var before M
	for _, now := range []M{first, all} {
		news, some := since(&now, &before)
		require.True(t, some)
		text, err := json.Marshal(news)
		require.NoError(t, err)
		records, before = append(records, text), now
	}
	got, unread := journal.Replay(records, add)
	require.Zero(t, unread)
	require.EqualExportedValues(t, all, *got)
	_, some := since(&all, got)
	require.False(t, some, "nothing is missing")
}

// A journal keeps every field of a measurement.
func TestJournalKeepsAll(t *testing.T) {
	t.Run("b_eff", func(t *testing.T) {
		keepsAll(t, (*beff.Measured).Since, (*beff.Measured).Add, func(m *beff.Measured) beff.Measured {
			return beff.Measured{Samples: m.Samples[:1]}
		})
	})
	t.Run("b_eff_io", func(t *testing.T) {
		keepsAll(t, (*beffio.Measured).Since, (*beffio.Measured).Add, func(m *beffio.Measured) beffio.Measured {
			return beffio.Measured{Samples: m.Samples[:1], Hints: m.Hints[:1]}
		})
	})
	t.Run("probe", func(t *testing.T) {
		keepsAll(t, (*measured.Outcome).Since, (*measured.Outcome).Add, func(m *measured.Outcome) measured.Outcome {
			first := m.Blocks[0]
			first.Rows = first.Rows[:1]
			return measured.Outcome{Blocks: []measured.Block{first}, Notes: m.Notes[:1]}
		})
	})
}

// A journal is refused if its plan has a field that this build doesn't know, because the plan would be another one.
func TestResumeOfEarlierBuild(t *testing.T) {
	was := beff.Config{Rules: beff.Rules2001, Memory: 1 << 30, Seed: 7}
	text, err := json.Marshal(was)
	require.NoError(t, err)
	decided := func(text []byte) (beff.Config, error) {
		return Decided[beff.Config](&Earlier{Journal: &journal.Journal{Head: journal.Head{Decided: text}}})
	}
	got, err := decided(text)
	require.NoError(t, err)
	require.Equal(t, was, got)
	_, err = decided(append(text[:len(text)-1], `,"AtLeast":90000000000}`...))
	require.ErrorContains(t, err, `another build of beff`)
	require.ErrorContains(t, err, `"AtLeast"`)
	require.Equal(t, exit.Usage, exit.Code(err))
}

// A run that is resumed on other devices, or by another build, differs from its earlier part.
func TestDifferences(t *testing.T) {
	on := func(pci string) earlierHead {
		return earlierHead{Version: "1", Environment: &rating.Environment{Devices: &rating.Devices{Driver: "CUDA 12.4",
			Places: []rating.DevicePlace{{Ranks: "0-1", Name: "H100", PCI: pci}}}}}
	}
	now, err := json.Marshal(on("0000:1f:00.0"))
	require.NoError(t, err)
	for pci, want := range map[string][]string{"0000:1f:00.0": {"another build of the program"}, "0000:1e:00.0": {
		"devices: CUDA 12.4; ranks 0-1: device 0, H100 at 0000:1e:00.0 before, " +
			"CUDA 12.4; ranks 0-1: device 0, H100 at 0000:1f:00.0 now", "another build of the program"}} {
		before := Earlier{Journal: &journal.Journal{Head: journal.Head{Binary: "a"}}, head: on(pci)}
		got, err := before.differences(journal.Head{Binary: "b", Document: now})
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
