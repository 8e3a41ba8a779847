package settings

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Congestors have names, lengths, and bursts that end and come again.
func TestParseCongestors(t *testing.T) {
	list, err := ParseCongestors("incast:65536@10ms:0.3+stencil@1ms:0.001")
	require.NoError(t, err)
	require.Equal(t, []Congestor{{"incast", 65536, 0.01, 0.3}, {"stencil", 0, 0.001, 0.001}}, list)
	for text, want := range map[string]string{
		"":                  "unknown congestor",
		"incast+none":       `unknown congestor "none": want alltoall, incast,`,
		"incast:0":          "with 1 to 2^30 bytes",
		"incast:1073741825": "with 1 to 2^30 bytes",
		"incast@10:0.3":     "want NAME@PERIOD:DUTY",
		"incast@10ms":       "want NAME@PERIOD:DUTY",
		"incast@100ns:0.5":  "a period from 1us to 10s",
		"incast@1ms:1":      "to less than 1",
		"incast@1ms:0.0009": "a duty from 0.001",
		"incast@1ms:1e-300": "a duty from 0.001",
	} {
		_, err := ParseCongestors(text)
		require.ErrorContains(t, err, want, text)
	}
}
