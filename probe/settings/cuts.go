package settings

import (
	"fmt"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/fabric"
)

// Limits of cuts.
const (
	maxCuts  = 1024
	maxSteps = 1 << 20
)

// checkCuts returns an error if no job can have the cuts.
func (s *Settings) checkCuts() error {
	switch {
	case len(s.Pairs.Cuts) > maxCuts:
		return fmt.Errorf("%d cuts: want at most %d", len(s.Pairs.Cuts), maxCuts)
	case s.Pairs.Steps < 0 || s.Pairs.Steps > maxSteps:
		return fmt.Errorf("want up to %d steps of a cut, not %d", maxSteps, s.Pairs.Steps)
	}
	return lists.Try(s.Pairs.Cuts, fabric.CheckName)
}
