// Package settings holds the choices of a user for a run of kernels: lengths, repetitions, precision, the method and
// its variants, with their defaults and limits. It knows no kernels and measures nothing.
package settings
