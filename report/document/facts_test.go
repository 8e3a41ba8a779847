package document

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Blanks separate a fact's value from its name, however long the name is.
func TestLongFact(t *testing.T) {
	name := strings.Repeat("n", 40)
	d := &Document{Title: "t", Facts: []Fact{{Name: name, Value: "215 MB/s"}, {Name: "short", Value: "x"}}}
	var text bytes.Buffer
	require.NoError(t, PlainText(&text, d))
	require.Contains(t, text.String(), name+"  215 MB/s\n")
}
