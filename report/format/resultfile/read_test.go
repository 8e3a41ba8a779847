package resultfile

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers is the least that is a result.
type numbers struct {
	Name string `json:"name"`
	Rows []int  `json:"rows"`
}

var form = NewForm("rows", func(r *numbers) *[]int { return &r.Rows }, func(*numbers) *string { return new(string) })

// decoded is encoding/json with a limit, which shows that no more than a part is decoded at a time.
func decoded(text []byte) (*numbers, error) {
	if len(text) > 2*part {
		return nil, errors.New("too much at a time")
	}
	r := new(numbers)
	return r, json.Unmarshal(text, r)
}

func fast(text []byte, into *int) bool {
	n, err := strconv.Atoi(string(text))
	*into = n
	return err == nil && n%7 != 0 // some are left to the decoder
}

// A large document of any layout is read in parts, to the same result as the whole by encoding/json.
func TestInParts(t *testing.T) {
	n := 800_000
	want := &numbers{Name: `a "]},` + "\u00e9"}
	for i := range n {
		want.Rows = append(want.Rows, 100_000_000+i)
	}
	compact, err := json.Marshal(want)
	require.NoError(t, err)
	indented, err := json.MarshalIndent(want, " ", "\t")
	require.NoError(t, err)
	last := strings.Replace(string(compact), `"name":`, `"rows" : [`+fmt.Sprint(want.Rows[0])+
		`],"name":`, 1)
	for name, text := range map[string][]byte{"compact": compact, "indented": indented} {
		for _, f := range []func([]byte, *int) bool{nil, fast} {
			got, err := form.inParts(text, f, decoded)
			require.NoError(t, err, name)
			require.Equal(t, want, got)
		}
	}
	_, err = form.inParts([]byte(last), fast, decoded)
	require.ErrorIs(t, err, errForm, "the list is there twice")
	for _, cut := range []int{1, 2, 10, len(compact) / 2, len(compact) - 1} {
		_, err = form.inParts(compact[:cut], fast, decoded)
		require.ErrorIs(t, err, errForm, "%d", cut)
	}
	_, err = form.inParts(append(compact, "{}"...), fast, decoded)
	require.ErrorIs(t, err, errForm)
	_, err = form.inParts([]byte(strings.Replace(string(compact), "100000007", `"x"`, 1)), fast, decoded)
	require.ErrorContains(t, err, "rows from number 7 on: ")
}

// What is too large to be decoded is refused.
func TestTooLarge(t *testing.T) {
	text := make([]byte, most+1)
	_, err := form.inParts(text, nil, decoded)
	require.EqualError(t, err, "the document has 96 MiB: at most 96 are read")
	long := []byte(`{"name":"","rows":["` + strings.Repeat("a", mostElement) + `"]}`)
	_, err = form.inParts(long, nil, decoded)
	require.EqualError(t, err, "rows: an element of 48 MiB, at most 48 are read")
}

func FuzzInParts(f *testing.F) {
	for _, s := range []string{`{"name":"a","rows":[1,2]}`, `{"rows":[]}`, `{"rows":[1,]}`, `{"rows":[1],"rows":[2]}`,
		`{"a":{"rows":[1]},"rows":[3]}`, `{"name":"\\","rows" : [ 1 , 2 ] } `, `[`, ``, `{"rows":[1}]}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := form.inParts(data, fast, decoded)
		if err != nil {
			return
		}
		want, err := decoded(data)
		require.NoError(t, err, "what is read is JSON")
		if want.Rows == nil {
			want.Rows = []int{}
		}
		require.Equal(t, want.Rows, got.Rows)
	})
}
