package watch

import (
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The kernel drops datagrams without the token: this process never sees them.
func TestAttachFilter(t *testing.T) {
	token := strings.Repeat("0123456789", 3)
	box, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	require.NoError(t, err)
	defer box.Close()
	attachFilter(box, token)
	sender, err := net.Dial("udp", box.LocalAddr().String())
	require.NoError(t, err)
	defer sender.Close()
	forged := []string{"", "short", strings.Repeat("[", maxMessage), "x" + token[1:], token[:20]}
	for _, text := range append(forged, token+"letter") {
		_, err := sender.Write([]byte(text))
		require.NoError(t, err)
	}
	data := make([]byte, maxMessage)
	n, err := box.Read(data)
	require.NoError(t, err)
	require.Equal(t, token+"letter", string(data[:n]))
}
