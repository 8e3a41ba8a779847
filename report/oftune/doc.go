// Package oftune writes what a campaign over a library's algorithms found: its result document, and its report.
package oftune
