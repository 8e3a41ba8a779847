// Package versus is the mathematics of putting two results side by side, and its tables: ratios, whether a ratio is
// larger than the repetitions spread, and how a ratio splits into parts. It knows no benchmark.
package versus
