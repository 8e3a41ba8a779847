// Package ofbeff makes the documents of a b_eff result: its report with tables and figures, the summary, lines for
// scripts; it compares results, and proves them.
//
// # Comparison
//
// Results stand side by side: the figures and their ratios, whether a difference is larger than the
// repetitions spread, and which patterns and message lengths it comes from. The first result is what the others are
// compared with.
//
// # Length classes
//
// Short are the 11 lengths up to 1 kB, where time is latency; middle are the six lengths that follow, and long the last
// four, up to Lmax. The classes go by place in the list: its first 13 lengths are fixed, the other 8 depend on the
// memory (paper, Sec. 3), so that every result has as many lengths in each class.
//
// # Spread
//
// A rating has 3 repetitions. For each figure the logarithm of its value in each repetition alone is taken, and of the
// difference of two results' means the 95 % interval by Welch's t, which takes the two variances as they are. A
// difference is larger than the spread if the interval of the ratio does not hold 1 and lies on the same side of it as
// the ratio of the best repetitions. What this can't see is a machine that is in another state for a whole run; only
// more runs can.
//
// # Shares
//
// b_eff is a product of powers of sums over lengths, so that the logarithm of a ratio of two b_eff splits exactly:
// pattern p at length l has
//
//	w_p · (b'(p,l) − b(p,l)) / L(Σb'(p), Σb(p)),  L(x,y) = (x−y)/(ln x − ln y),
//	w = 1/2/6 for a ring, 1/2/30 for a random
//
// (the additive logarithmic mean decomposition). A share is this over the logarithm of the ratio of both b_eff. Shares
// sum to 100 %; one that works against the difference is negative. Patterns are paired by their place: the first ring
// with the first ring.
package ofbeff
