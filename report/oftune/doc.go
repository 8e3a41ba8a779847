// Package oftune has all that is written of a campaign over a library's algorithms, its proof included.
package oftune
