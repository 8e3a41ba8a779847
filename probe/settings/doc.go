// Package settings holds what a user chooses of a run of kernels: lengths, repetitions, precision, the method and its
// variants, with their defaults and limits. It knows no kernels and measures nothing.
package settings
