package ofbeff

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/prove"
)

// Numbers are read to the last bit as strconv reads them, in whatever way they are written.
func TestFloat(t *testing.T) {
	const before = `,"pass":`
	read := func(text string) (float64, bool) {
		text = before + text + ","
		k := newKey(before)
		x, next := float([]byte(text), 0, &k)
		return x, next == len(text)-1
	}
	random := rand.New(rand.NewPCG(1, 2))
	check := func(text string) {
		want, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		got, ok := read(text)
		require.True(t, ok, text)
		require.Equal(t, math.Float64bits(want), math.Float64bits(got), text)
	}
	for range 20000 {
		x := math.Exp(60*random.Float64() - 40)
		check(strconv.FormatFloat(x, 'g', -1, 64))
		check(strconv.FormatFloat(x, 'f', -1, 64))
		check(strconv.FormatFloat(x, 'f', random.IntN(25), 64))
	}
	for _, text := range []string{"0", "0.0", "1", "9007199254740992", "9007199254740993", "0.9007199254740993",
		"18446744073709551617", "1844674407370955161.7",
		"0.0000000000000000000001", "0.00000000000000000000001", "1e-320", "1E+3", "1e22",
		"123456789012345678901234567890.5"} {
		check(text)
	}
	for _, text := range []string{"", "-1", "01", "00", ".5", "1.", "1e", "1e+", "+1", "0x1", "1_0", "Inf", "NaN",
		"1e999", "1.5.5", "1ee5", "1.e5", "1.E5", "0e+-1", "0p1"} {
		_, ok := read(text)
		require.False(t, ok, text)
	}
}

// Documents whose samples are in lines of their own are read as their rule and encoding/json read
// them, or left to them.
func FuzzSamples(f *testing.F) {
	m := fixture.Cluster("a")
	m.Config.Quick, m.Config.Memory = true, 512<<10
	m.Config.Patterns, m.Config.Methods = []string{"ping-pong"}, []string{"sendrecv"}
	head, _, ok := Form.Split(room.Sealed(f, m.Result()), readSample)
	require.True(f, ok)
	begin, found := bytes.CutSuffix(head, []byte("]\n}\n"))
	require.True(f, found)
	const first = `{"pattern":0,"length":1,"method":2,"repetition":0,"loops":10,` +
		`"seconds":1.5e-06,"seconds_min":0,"seconds_mean":0.25}`
	for _, change := range [][2]string{{"", ""}, {"1.5e-06", "01"}, {"0.25", "0x1p-2"}, {"10", "-1"}, {"1.5", "1."},
		{"10", "9999999999999999999"}, {"10", "0"}, {"1.5e-06", "0"}, {"1.5e-06", "1e-999"}, {"10", "1e1"},
		{":", ": "}, {`"loops"`, `"Loops"`}, {`"loops":10`, `"loops":10,"loops":11`}, {"}", "},"}, {"}", "}}"}} {
		f.Add(strings.Replace(first, change[0], change[1], 1))
	}
	for _, lines := range []string{first + "," + first, first + ",\n    " + first, first + "\n    " + first, "", "\n"} {
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		data := slices.Concat(begin, []byte("\n    "+lines+"\n  ]\n}\n"))
		want, wrong := prove.Decoded[beff.Result](data, Shape())
		got, err := read(data)
		require.Equal(t, wrong, err)
		require.Equal(t, want, got)
	})
}
