package words

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSafe(t *testing.T) {
	var b bytes.Buffer
	w := Safe(&b, false)
	n, err := fmt.Fprint(w, "größe\ta\n\x1b[2J\x07\u009b1m\x9b\r\u202eb\x00")
	require.NoError(t, err)
	require.Equal(t, 26, n)
	require.Equal(t, "größe\ta\n [2J  1m\ufffd  b ", b.String())
	require.Equal(t, &b, Unwrap(w))
	require.Equal(t, &b, Unwrap(&b))
	b.Reset()
	_, err = fmt.Fprint(Safe(&b, true), "± 3 %, −12 µs … größer")
	require.NoError(t, err)
	require.Equal(t, "+- 3 %, -12 us ... größer", b.String(), "letters of names stay")
}
