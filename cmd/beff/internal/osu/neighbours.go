package osu

//lint:file-ignore ST1005 these errors are in OSU's words, for which scripts look

import (
	"errors"
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// setNeighbours takes cart:DIMENSIONS:RADIUS, or graph:FILE.
func setNeighbours(l *Line, value string) error {
	switch err := imb.SetNeighbours(l.Request, value); {
	case err == nil:
		return nil
	case strings.HasPrefix(strings.ToLower(value), "cart"):
		return errors.New("Please pass -Ncart:<dim:rad>")
	}
	return errors.New("Invalid topology type. Valid topology types[cart,graph]")
}

// unfit returns OSU's line if a number of processes can't be such neighbours.
func unfit(n settings.Neighbours, processes int) error {
	if n.Unfit(processes) == "" {
		return nil
	}
	if sides := n.Sides(processes); sides != nil {
		return fmt.Errorf("ERROR: the given neighborhood radius (r = %d)is greater than the half of the minimum "+
			"dimension size %d. Increase the number of processes or reduce dim and rad. Aborting!", n.Radius,
			sides[len(sides)-1])
	}
	return errors.New("Number of processes is less than graph nodes. Please increase number of processes.")
}
