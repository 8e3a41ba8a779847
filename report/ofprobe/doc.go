// Package ofprobe makes the documents of a probe's result: its report with tables and figures, lines for scripts, a CSV
// file of all rows; it compares results, and proves them.
package ofprobe
