package mpi_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// Two kinds of memory are of one driver, or one of them is the host's. Kinds that are the same are one.
func TestMessageMemory(t *testing.T) {
	for _, x := range []struct {
		names       string
		place, fail string
		stages      bool
	}{
		{"host", "", "", false},
		{"host,host", "", "", false},
		{"rocm", "rocm:device", "", true},
		{"cuda,cuda:device", "cuda:device", "", true},
		{"cuda,host", "cuda:device to host", "", true},
		{"host,cuda", "host to cuda:device", "", true},
		{"cuda,cuda:managed", "cuda:device to cuda:managed", "", false},
		{"cuda:host,host", "cuda:host to host", "", false},
		{"cuda,rocm", "", "want kinds of one driver", false},
		{"cuda,", "cuda:device to host", "", true},
		{"cuda,disk", "", `unknown memory "disk"`, false},
		{"cuda,host,host", "", `unknown memory "host,host"`, false},
	} {
		m, err := mpi.ParseMessageMemory(x.names)
		if x.fail != "" {
			require.ErrorContains(t, err, x.fail, x.names)
			continue
		}
		require.NoError(t, err, x.names)
		require.NoError(t, m.Check(), x.names)
		require.Equal(t, x.place, m.Place(), x.names)
		require.Equal(t, x.stages, m.Stages(), x.names)
		require.Equal(t, m.Buffers, m.Side(false), x.names)
	}
	for _, m := range []mpi.MessageMemory{{Buffers: mpi.Host}, {Other: "cuda:device"}, {Buffers: "cuda"},
		{Buffers: "cuda:device", Other: "cuda:device"}, {Buffers: "rocm:host", Other: "cuda:device"}} {
		require.Error(t, m.Check(), "%q", m.Place())
	}
}
