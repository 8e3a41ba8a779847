package imb

import (
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
)

// The words of the options of one-sided kernels.
var (
	completions = texts(probe.Completions)
	windowKinds = texts(probe.WindowKinds)
	targetWorks = texts(probe.TargetWorks)
)

// oneSided returns a setter of a part of the settings of one-sided kernels.
func oneSided[T any](parse func(string) (T, error), set func(*probe.OneSided, T)) setter {
	return parsed(parse, func(r *Request, v T) {
		var o probe.OneSided
		if r.Settings.OneSided != nil {
			o = *r.Settings.OneSided
		}
		set(&o, v)
		r.Settings.OneSided = nil
		if !reflect.ValueOf(o).IsZero() {
			r.Settings.OneSided = &o
		}
	})
}

// kept returns a parser of words that the table of options has checked. The first one, the default, is left out.
func kept[T ~string](words []T) func(string) (T, error) {
	return func(text string) (T, error) {
		if T(text) == words[0] {
			return "", nil
		}
		return T(text), nil
	}
}

// parseOffset parses the distance of two partners.
func parseOffset(text string) (*int, error) {
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 0 {
		return nil, errors.New("want a whole number, 0 for half of the processes")
	}
	offset := int(n)
	return &offset, nil
}

// parseStrides parses a list of strides.
func parseStrides(text string) ([]int64, error) {
	var list []int64
	for entry := range strings.SplitSeq(text, ",") {
		n, err := positive(entry)
		if err != nil {
			return nil, errors.New("want whole numbers from 1 on, separated by commas, such as 1,2,4")
		}
		list = append(list, n)
	}
	return list, nil
}

// inWords returns numbers as the command line has them.
func inWords(list []int64) string {
	var words []string
	for _, n := range list {
		words = append(words, strconv.FormatInt(n, 10))
	}
	return strings.Join(words, ",")
}
