package ofior

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/ior"
)

// settingsOf returns the settings of a test by their names.
func settingsOf(s *ior.Settings) map[string]string {
	list := map[string]string{}
	for _, x := range commonSettings(s) {
		list[x.Name] = x.Value
	}
	return list
}

// Each setting that changes what is measured changes what a comparison knows of a test.
func TestCommonSettings(t *testing.T) {
	of := func() ior.Settings {
		return ior.Settings{API: ior.POSIX, Transfer: 1 << 20, Block: 1 << 20, Segments: 1}
	}
	base := of()
	usual := settingsOf(&base)
	require.Equal(t, "1 MiB", usual["xfersize"], "as IOR's text has it")
	for name, change := range map[string]func(*ior.Settings){
		"api": func(s *ior.Settings) { s.API = ior.MPIIO }, "xfersize": func(s *ior.Settings) { s.Transfer = 4096 },
		"blocksize":              func(s *ior.Settings) { s.Block = 2 << 20 },
		"segments":               func(s *ior.Settings) { s.Segments = 2 },
		"access":                 func(s *ior.Settings) { s.FilePerProcess = true },
		"type":                   func(s *ior.Settings) { s.Collective = true },
		"ordering in a file":     func(s *ior.Settings) { s.Random = true },
		"random over all":        func(s *ior.Settings) { s.Scattered = true },
		"ordering inter file":    func(s *ior.Settings) { s.ShiftNodes = 1 },
		"fsync":                  func(s *ior.Settings) { s.Sync = true },
		"fsync of each transfer": func(s *ior.Settings) { s.SyncEach = true },
		"barriers":               func(s *ior.Settings) { s.Barriers = true },
		"stonewallingTime":       func(s *ior.Settings) { s.Stonewall = 3 },
		"stoneWallingWearOut":    func(s *ior.Settings) { s.WearOut = true },
		"dropped from memory":    func(s *ior.Settings) { s.Cold = true },
		"memory filled":          func(s *ior.Settings) { s.Filled = 1 << 20 },
	} {
		changed := of()
		change(&changed)
		require.NotEqual(t, usual[name], settingsOf(&changed)[name], name)
	}
}
