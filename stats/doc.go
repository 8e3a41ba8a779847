// Package stats is the mathematics of measured times: it knows no benchmark, no unit and no engine.
package stats
