package ofbeff

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/words"
)

// nameForms has the words for the names of patterns. They replace the part of a name that the form matches.
var nameForms = []struct {
	form  *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`^random-0*(\d+)`), "random pattern $1"},
	{regexp.MustCompile(`^ring-1\*(\d+)fix`), "1 ring of $1 processes"},
	{regexp.MustCompile(`^ring-(\d+)\*(\d+)fix`), "$1 rings of $2 processes"},
	{regexp.MustCompile(`^worst-cycle`), "worst cycle"},
	{regexp.MustCompile(`^bisection-(best|worst)`), "$1 bisection"},
	{regexp.MustCompile(`^ping-pong`), "ping-pong of 2 processes"},
	{regexp.MustCompile(`^cart(\d)d-acyclic`), "$1-D acyclic"},
	{regexp.MustCompile(`^cart(\d)d-cyclic-dim(\d)`), "$1-D cyclic, dimension $2"},
	{regexp.MustCompile(`^cart(\d)d-cyclic-all`), "$1-D cyclic, all together"},
	{regexp.MustCompile(`#(\d+)$`), " ($1)"},
}

// twoSizes is the name of rings of two sizes: the number of rings, the first size, and the difference of the second.
var twoSizes = regexp.MustCompile(`^ring-(\d+)\*(\d+)&([+-]1)`)

// nameOf returns the name of a pattern in words.
func nameOf(p beff.Pattern) string {
	name := twoSizes.ReplaceAllStringFunc(p.Name, func(name string) string {
		var n [3]int
		for i, text := range twoSizes.FindStringSubmatch(name)[1:] {
			n[i], _ = strconv.Atoi(text)
		}
		rings, size, step := n[0], n[1], n[2]
		second := (p.Processes - rings*size) / step
		return fmt.Sprintf("%s of %d and %d of %d processes", words.Count(rings-second, "ring"), size, second,
			size+step)
	})
	for _, f := range nameForms {
		name = f.form.ReplaceAllString(name, f.words)
	}
	return name
}
