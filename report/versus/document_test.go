package versus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/document"
)

// A notice names every result's value of an aspect, where they are not all the same.
func TestDiffering(t *testing.T) {
	values := []string{"x", "x", "y"}
	aspects := []Aspect{
		{document.Bad, "same", func(int) string { return "1" }, "none"},
		{document.Warning, "letters", func(i int) string { return values[i] }, "take one"},
	}
	require.Equal(t, []document.Notice{{Level: document.Warning, Text: "the letters differ: a x, b x, c y",
		Remedy: "take one"}}, Differing([]string{"a", "b", "c"}, aspects))
	require.Empty(t, Differing([]string{"a", "b"}, aspects))
}
