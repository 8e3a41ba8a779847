package libmpi

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The processes of a node take the devices of a list, those near them, or all, in turn.
func TestPickDevice(t *testing.T) {
	all := []found{{pci: "0000:17:00.0"}, {pci: "0000:65:00.0", near: true}, {pci: "0000:98:00.0"},
		{pci: "0000:e3:00.0", near: true}}
	for name, x := range map[string]struct {
		choice DeviceChoice
		want   []int // of the processes 0 to 4
	}{
		"all":         {DeviceChoice{}, []int{0, 1, 2, 3, 0}},
		"list":        {DeviceChoice{List: []int{2, 0}}, []int{2, 0, 2, 0, 2}},
		"near":        {DeviceChoice{Near: true}, []int{1, 3, 1, 3, 1}},
		"list of one": {DeviceChoice{List: []int{3}, Near: true}, []int{3, 3, 3, 3, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			for local, want := range x.want {
				x.choice.Local = local
				got, err := x.choice.pick(all)
				require.NoError(t, err)
				require.Equal(t, want, got)
			}
		})
	}
	far := DeviceChoice{Near: true, Local: 1}
	got, err := far.pick(all[:1])
	require.NoError(t, err)
	require.Zero(t, got, "none is near: all in turn")
	_, err = (&DeviceChoice{List: []int{4}}).pick(all)
	require.EqualError(t, err, "there is no device 4: this process sees 4, numbered from 0")
	_, err = (&DeviceChoice{}).pick(nil)
	require.EqualError(t, err, "this process sees no device")
}

func TestNormalPCI(t *testing.T) {
	for from, want := range map[string]string{"00000000:1F:00.0": "0000:1f:00.0", "0000:1f:00.0": "0000:1f:00.0",
		"00010002:C1:00.0": "10002:c1:00.0"} {
		require.Equal(t, want, normalPCI(from))
	}
}
