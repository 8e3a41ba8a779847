// Package lists makes lists from lists, and sums and maxima of their elements, which package slices doesn't have.
package lists

import (
	"iter"
	"slices"
)

// Each returns the values of the function of for all elements, or nil without elements.
func Each[T, U any](list []T, of func(T) U) (each []U) {
	if len(list) > 0 {
		each = make([]U, 0, len(list))
	}
	for _, x := range list {
		each = append(each, of(x))
	}
	return each
}

// Of returns the values of the function of for the numbers from 0 to n-1.
func Of[U any](n int, of func(i int) U) []U {
	list := make([]U, n)
	for i := range list {
		list[i] = of(i)
	}
	return list
}

// Numbers returns the numbers from 0 to n-1.
func Numbers(n int) []int {
	return Of(n, func(i int) int { return i })
}

// Where returns the elements for which holds returns true, or nil.
func Where[T any](list []T, holds func(T) bool) (those []T) {
	for _, x := range list {
		if holds(x) {
			those = append(those, x)
		}
	}
	return those
}

// Filled returns the elements that aren't the zero value, such as the texts that aren't empty, or nil.
func Filled[T comparable](list []T) []T {
	var zero T
	return Where(list, func(x T) bool { return x != zero })
}

// Flat returns the elements of all lists that the function of returns for the elements, or nil.
func Flat[T, U any](list []T, of func(T) []U) (all []U) {
	for _, x := range list {
		all = append(all, of(x)...)
	}
	return all
}

// Unique returns the elements without duplicates, in the order in which they first occur. It returns nil for no
// elements.
func Unique[T comparable](list []T) (unique []T) {
	seen := map[T]bool{}
	for _, x := range list {
		if !seen[x] {
			seen[x], unique = true, append(unique, x)
		}
	}
	return unique
}

// Elements iterates over the addresses of the elements.
func Elements[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// Find returns the address of the first element for which holds returns true, or nil.
func Find[T any](list []T, holds func(*T) bool) *T {
	for x := range Elements(list) {
		if holds(x) {
			return x
		}
	}
	return nil
}

// First returns the first element for which holds returns true, or the zero value.
func First[T any](list []T, holds func(T) bool) (first T) {
	if i := slices.IndexFunc(list, holds); i >= 0 {
		first = list[i]
	}
	return first
}

// Try calls do with one element after the other until it returns an error, which it returns.
func Try[T any](list []T, do func(T) error) error {
	for _, x := range list {
		if err := do(x); err != nil {
			return err
		}
	}
	return nil
}

// Count returns the number of elements for which holds returns true.
func Count[T any](list []T, holds func(T) bool) (n int) {
	for _, x := range list {
		if holds(x) {
			n++
		}
	}
	return n
}

type number interface {
	~int | ~int32 | ~int64 | ~uint64 | ~float64
}

// Sum returns the sum of the elements.
func Sum[N number](list []N) (sum N) {
	for _, x := range list {
		sum += x
	}
	return sum
}

// SumOf returns the sum of the values of the function of for all elements.
func SumOf[T any, N number](list []T, of func(T) N) (sum N) {
	for _, x := range list {
		sum += of(x)
	}
	return sum
}

// Max returns the largest value of the function of for the elements, or 0 if none is larger.
func Max[T any, N number](list []T, of func(T) N) (most N) {
	for _, x := range list {
		most = max(most, of(x))
	}
	return most
}
