package imb

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// setNeighbours takes the neighbours of neighbourhood calls: cart:DIMENSIONS:RADIUS, or graph:FILE with a line SRC,DST
// for each edge, which Read reads.
func setNeighbours(r *Request, value, _ string) error {
	kind, rest, _ := strings.Cut(value, ":")
	switch {
	case strings.EqualFold(kind, "graph") && rest != "":
		r.Edges, r.micro().Neighbours = rest, nil
		return nil
	case strings.EqualFold(kind, "cart"):
		d, away, _ := strings.Cut(rest, ":")
		dimensions, err1 := strconv.Atoi(d)
		radius, err2 := strconv.Atoi(away)
		if errors.Join(err1, err2) == nil {
			r.Edges, r.micro().Neighbours = "", &settings.Neighbours{Dimensions: dimensions, Radius: radius}
			return nil
		}
	}
	return errors.New("want cart:DIMENSIONS:RADIUS or graph:FILE")
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
