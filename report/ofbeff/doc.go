// Package ofbeff is the room of b_eff's results. It reads and proves their documents, makes their report with tables
// and figures, and lines for scripts, and compares results.
//
// # Comparison
//
// Each result is compared with the first one: by the ratio of each figure, by whether the difference is larger than
// what the figures' own intervals say, and by the patterns and message lengths that it comes from. docs/sure.md and the
// section "How this was computed" of a comparison say how.
//
// # Length classes
//
// The class short has the 11 lengths up to 1 kB, where time is latency. The class middle has the next six lengths, and
// long the last four, up to Lmax. The first 13 lengths are fixed, the other 8 depend on the memory (paper, Sec. 3). So
// classes go by the place in the list, and every result has the same number of lengths in each class.
//
// # Parts
//
// b_eff is a product of powers of sums over lengths. So the logarithm of the ratio of two b_eff splits exactly into
// parts. The part of pattern p at length l is
//
//	w_p · (b'(p,l) − b(p,l)) / L(Σb'(p), Σb(p)),  L(x,y) = (x−y)/(ln x − ln y),
//	w = 1/2/6 for a ring, 1/2/30 for a random
//
// (the additive logarithmic mean decomposition). Parts sum to the logarithm of the ratio, and one that works against
// the difference is negative. Rings are paired by their place in the list: the first ring with the first ring.
// Random patterns are drawn, so that each has a part of its own only where both sides measured the same ones.
package ofbeff
