// Package lists has what package slices lacks: lists that are made of others, and what their elements come to. It
// imports nothing of ours.
package lists

import "iter"

// Each returns what of returns for each element; nil for no elements.
func Each[T, U any](list []T, of func(T) U) (each []U) {
	for _, x := range list {
		each = append(each, of(x))
	}
	return each
}

// Of returns what of returns for each number from 0 to n-1.
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

// Where returns the elements for which something holds; nil for none.
func Where[T any](list []T, holds func(T) bool) (those []T) {
	for _, x := range list {
		if holds(x) {
			those = append(those, x)
		}
	}
	return those
}

// Elements goes through the addresses of the elements.
func Elements[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// Find returns the address of the first element for which something holds; nil if there is none.
func Find[T any](list []T, holds func(*T) bool) *T {
	for x := range Elements(list) {
		if holds(x) {
			return x
		}
	}
	return nil
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

// SumOf returns the sum of what of returns for each element.
func SumOf[T any, N number](list []T, of func(T) N) (sum N) {
	for _, x := range list {
		sum += of(x)
	}
	return sum
}

// Most returns the largest of what of returns for the elements, 0 if none is larger.
func Most[T any, N number](list []T, of func(T) N) (most N) {
	for _, x := range list {
		most = max(most, of(x))
	}
	return most
}
