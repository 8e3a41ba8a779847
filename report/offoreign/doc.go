// Package offoreign handles results of other programs: it makes their report, pictures and lines for scripts, and
// compares them with each other and with beff's own results, naming the differences in method.
package offoreign
