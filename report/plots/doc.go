// Package plots turns results into figures: BEff and BEffOverlay for b_eff, Chunks, Partitions and Ranking for what
// else is measured. It measures, averages and writes nothing: bandwidths come from samples.go, files are package
// document's.
//
// A figure is drawn with lines, filled polygons and text only, no images, so that it looks the same in PNG, SVG and
// PDF. Everything in it grows with the width of the canvas: it is laid out once, for a text width of 16 cm, and never
// again. Curves differ in colour (Okabe and Ito's, safe for colour-blind eyes), in dashes and in marks, so that a black
// and white copy can be read.
//
// gonum/plot draws axes, ticks and grid. It is only shown places on a linear axis, never values, as its logarithmic
// scale panics at zero: the logarithms are scale.go's. What is no positive number is not drawn, and a line breaks where
// a point is missing.
package plots
