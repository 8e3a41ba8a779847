// Package ofprobe handles probes' results. It reads and proves their documents, makes their report with tables and
// figures, lines for scripts and a CSV file of all rows, and compares results.
package ofprobe
