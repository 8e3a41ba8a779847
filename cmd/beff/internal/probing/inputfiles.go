package probing

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// readNames parses a list of benchmarks (-input) with one name per line. Lines that begin with # are comments.
func readNames(text string) ([]string, error) {
	names := entries(text)
	for _, name := range names {
		if strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("%q: want one name in a line", name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("it names no benchmark")
	}
	return names, nil
}

// readLengths parses a list of message lengths (-msglen) and returns them in bytes. Each line is a whole number, which
// may have a suffix: k for 2^10, m for 2^20, g for 2^30.
func readLengths(text string) ([]int64, error) {
	var lengths []int64
	for _, entry := range entries(text) {
		unit, digits := int64(1), strings.ToLower(entry)
		switch {
		case strings.HasSuffix(digits, "k"):
			unit = 1 << 10
		case strings.HasSuffix(digits, "m"):
			unit = 1 << 20
		case strings.HasSuffix(digits, "g"): // IMB-P2P accepts it
			unit = 1 << 30
		}
		if unit > 1 {
			digits = strings.TrimSpace(digits[:len(digits)-1])
		}
		n, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || int64(n) > math.MaxInt64/unit {
			return nil, fmt.Errorf("%q: want a number of bytes, such as 4096, 64k or 1m", entry)
		}
		lengths = append(lengths, int64(n)*unit)
	}
	if len(lengths) == 0 {
		return nil, fmt.Errorf("it has no message length")
	}
	return lengths, nil
}

// ParseLengths parses lengths in bytes, separated by commas, with the suffixes of readLengths.
func ParseLengths(text string) ([]int64, error) {
	return readLengths(strings.ReplaceAll(text, ",", "\n"))
}

// readFactors parses a list of factors, one number of at least 0 per line. An error names the line.
func readFactors(text string) (factors []float64, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		word := strings.TrimSpace(line)
		if word == "" || word[0] == '#' {
			continue
		}
		f, err := strconv.ParseFloat(word, 64)
		if err != nil || !(f >= 0) || math.IsInf(f, 0) {
			return nil, fmt.Errorf("line %d: %q: want a number of at least 0", n, word)
		}
		factors = append(factors, f)
	}
	if len(factors) == 0 {
		return nil, fmt.Errorf("it has no factor")
	}
	return factors, nil
}

// readEdges parses a list of edges, one SRC,DST per line. Lines that begin with # are comments.
func readEdges(text string) (*settings.Neighbours, error) {
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

// entries returns the lines of a list without comments and empty lines.
func entries(text string) []string {
	lines := lists.Each(strings.Split(text, "\n"), strings.TrimSpace)
	return lists.Where(lines, func(line string) bool { return line != "" && line[0] != '#' })
}
