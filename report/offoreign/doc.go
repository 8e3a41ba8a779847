// Package offoreign is about results of other programs: report, pictures, lines for scripts, and comparisons, also with
// our own results, which say what differs in method.
package offoreign
