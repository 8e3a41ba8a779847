package resultfile_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/format/resultfile"
)

// numbers is the least that is a result.
type numbers struct {
	Name   string `json:"name"`
	Digest string `json:"digest,omitempty"`
	Rows   []int  `json:"rows"`
}

var numbersForm = resultfile.NewForm("rows", func(r *numbers) *[]int { return &r.Rows },
	func(r *numbers) *string { return &r.Digest })

func readNumber(text []byte, into *int) (ok bool) {
	n, err := strconv.Atoi(string(text))
	*into = n
	return err == nil
}

func TestSplit(t *testing.T) {
	const head = "{\n  \"name\": \"a\",\n  \"rows\": []\n}\n"
	for _, rows := range [][]int{{}, {1}, {1, 22}, {1, 22, 333}} {
		got, list, ok := numbersForm.Split(written(t, numbersForm, &numbers{Name: "a", Rows: rows}), readNumber)
		require.True(t, ok)
		require.Equal(t, rows, list)
		require.Equal(t, head, string(got))
	}
}

// Of any other layout nothing is taken, not even a part.
func TestSplitOtherLayouts(t *testing.T) {
	const good = "{\n  \"name\": \"a\",\n  \"rows\": [\n    1,\n    22\n  ]\n}\n"
	_, _, ok := numbersForm.Split([]byte(good), readNumber)
	require.True(t, ok)
	for name, text := range map[string]string{
		"empty":             "",
		"compact":           strings.Join(strings.Fields(good), ""),
		"other indentation": strings.ReplaceAll(good, "  ", "    "),
		"tabs":              strings.ReplaceAll(good, "  ", "\t"),
		"CRLF":              strings.ReplaceAll(good, "\n", "\r\n"),
		"another row":       strings.Replace(good, "22", "x", 1),
		"no comma":          strings.Replace(good, "1,", "1", 1),
		"two commas":        strings.Replace(good, "1,", "1,,", 1),
		"comma at the end":  strings.Replace(good, "22", "22,", 1),
		"two in a line":     strings.Replace(good, "1,\n    22", "1, 22", 1),
		"blank line":        strings.Replace(good, "1,\n", "1,\n\n", 1),
		"row without blank": strings.Replace(good, "    22", "22", 1),
		"list not last":     strings.Replace(good, "  ]\n", "  ],\n  \"digest\": \"\"\n", 1),
		"no newline at end": strings.TrimSuffix(good, "\n"),
		"more behind":       good + good,
		"other name":        strings.Replace(good, `"rows"`, `"lines"`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			require.NotEqual(t, good, text)
			_, list, ok := numbersForm.Split([]byte(text), readNumber)
			require.False(t, ok)
			require.Nil(t, list)
		})
	}
}

// A text that only looks like a long list takes no memory.
func TestSplitOfNothing(t *testing.T) {
	text := append([]byte("{\n  \"rows\": [\n    1,"), bytes.Repeat([]byte("\n"), 1<<20)...)
	text = append(text, "\n  ]\n}\n"...)
	require.Less(t, testing.AllocsPerRun(1, func() {
		_, _, ok := numbersForm.Split(text, readNumber)
		require.False(t, ok)
	}), 10.0)
}
