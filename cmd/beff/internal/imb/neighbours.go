package imb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// ErrNoGraph is the error of neighbours that are neither a grid nor a file.
var ErrNoGraph = errors.New("want cart:DIMENSIONS:RADIUS or graph:FILE")

// SetNeighbours takes the neighbours of neighbourhood calls: cart:DIMENSIONS:RADIUS, or graph:FILE with a line SRC,DST
// for each edge, which Read reads.
func SetNeighbours(r *Request, value string) error {
	if r.Settings.OSU == nil {
		r.Settings.OSU = &settings.OSU{}
	}
	kind, rest, _ := strings.Cut(value, ":")
	switch {
	case strings.EqualFold(kind, "graph") && rest != "":
		r.Edges, r.Settings.OSU.Neighbours = rest, nil
		return nil
	case strings.EqualFold(kind, "cart"):
		d, away, _ := strings.Cut(rest, ":")
		dimensions, err1 := strconv.Atoi(d)
		radius, err2 := strconv.Atoi(away)
		if errors.Join(err1, err2) == nil {
			r.Edges, r.Settings.OSU.Neighbours = "", &settings.Neighbours{Dimensions: dimensions, Radius: radius}
			return nil
		}
	}
	return ErrNoGraph
}

// ReadEdges reads a line SRC,DST for each edge. Lines that begin with # are comments.
func ReadEdges(text string) (*settings.Neighbours, error) {
	n := &settings.Neighbours{}
	for _, line := range entries(text) {
		from, to, _ := strings.Cut(line, ",")
		source, err1 := strconv.Atoi(strings.TrimSpace(from))
		destination, err2 := strconv.Atoi(strings.TrimSpace(to))
		if errors.Join(err1, err2) != nil {
			return nil, fmt.Errorf("%.40q: want SRC,DST", line)
		}
		n.Sources, n.Destinations = append(n.Sources, source), append(n.Destinations, destination)
	}
	if len(n.Sources) == 0 {
		return nil, errors.New("it has no edge")
	}
	return n, n.Check()
}
