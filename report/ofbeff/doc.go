// Package ofbeff is the room of b_eff's results. It reads and proves their documents, makes their report with tables
// and figures, and lines for scripts, and compares results.
//
// # Comparison
//
// Each result is compared with the first one: by the ratio of each figure, by whether the difference is larger than the
// spread of the repetitions, and by the patterns and message lengths that it comes from.
//
// # Length classes
//
// The class short has the 11 lengths up to 1 kB, where time is latency. The class middle has the next six lengths, and
// long the last four, up to Lmax. The first 13 lengths are fixed, the other 8 depend on the memory (paper, Sec. 3). So
// classes go by the place in the list, and every result has the same number of lengths in each class.
//
// # Spread
//
// A rating has 3 repetitions. Each repetition alone gives a value of each figure. The 95 % interval of the ratio of two
// results is that of the difference between the means of the values' logarithms, by Welch's t-test, which assumes no
// equal variances. A difference is larger than the spread if the interval does not contain 1, and lies on the same side
// of 1 as the ratio of the best repetitions. A machine that is in another state for a whole run is not seen by this:
// more runs are needed.
//
// # Shares
//
// b_eff is a product of powers of sums over lengths. So the logarithm of the ratio of two b_eff splits exactly into
// parts. The part of pattern p at length l is
//
//	w_p · (b'(p,l) − b(p,l)) / L(Σb'(p), Σb(p)),  L(x,y) = (x−y)/(ln x − ln y),
//	w = 1/2/6 for a ring, 1/2/30 for a random
//
// (the additive logarithmic mean decomposition). A share is a part divided by the logarithm of the ratio. Shares sum to
// 100 %, and a share that works against the difference is negative. Patterns are paired by their place in the list: the
// first ring with the first ring.
package ofbeff
