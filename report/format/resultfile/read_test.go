package resultfile

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// numbers is the least that is a result.
type numbers struct {
	Rows []int `json:"rows"`
}

// Lists that are given back are used again, or their place is: however many results are read, of whatever layout, few
// lists stay in memory.
func TestRecycle(t *testing.T) {
	form := NewForm("rows", func(r *numbers) *[]int { return &r.Rows }, func(*numbers) *string { return new(string) })
	fast := func(text []byte, into *int) bool { return json.Unmarshal(text, into) == nil }
	decode := func(text []byte) (*numbers, error) {
		r := new(numbers)
		return r, json.Unmarshal(text, r)
	}
	for range 100 {
		for _, text := range []string{`{"rows":[1,2]}`, "{\n  \"rows\": [\n    1,\n    2\n  ]\n}\n"} {
			r, err := form.Read([]byte(text), fast, decode)
			require.NoError(t, err)
			require.Equal(t, []int{1, 2}, r.Rows)
			form.Recycle(r)
		}
	}
	left := 0
	for form.used.Get() != nil {
		left++
	}
	require.Less(t, left, 20)
}
