package probe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// A map may leave processes out, which keep their ranks, as in IMB 2021.11.
func TestSmallerMap(t *testing.T) {
	p := &Plan{Processes: 7, Config: Config{Settings: settings.Settings{Who: settings.Who{Map: []int{2, 3}},
		IMB: settings.IMB{Method: settings.ByIMB2021}}}}
	require.NoError(t, suites.Check(&p.Settings, 7))
	p.enroll()
	require.Equal(t, []int{0, 2, 4, 1, 3, 5, 6}, p.order)
	p.Settings.Method = settings.ByGuide
	require.Error(t, suites.Check(&p.Settings, 7))
}
