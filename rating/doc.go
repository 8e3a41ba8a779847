// Package rating holds the parts of a run and of its result that are the same for every benchmark: the header of a
// result document, the observer of a measurement, criteria, signs of noise and the verdict that follows from them,
// figures with their intervals, and the rules for results that may be ranked, judged and averaged together. It computes
// no benchmark's figures, and writes no documents.
package rating
