// Package versus computes and tabulates the comparison of two results: ratios, whether a ratio is larger than the
// spread of the repetitions, and how a ratio splits into parts. It knows no benchmark.
package versus
