// Package chart draws figures: scales, curves, bands, bars, spreads and legends. It knows no benchmark: which curves a
// figure has is said by the rooms of the benchmarks, files are package document's.
//
// A figure is drawn with lines, filled polygons and text only, no images, so that it looks the same in PNG, SVG and
// PDF. Everything in it grows with the width of the canvas: it is laid out once, for a text width of 16 cm, and never
// again. Curves differ in colour (Okabe and Ito's, safe for colour-blind eyes), in dashes and in marks, so that a black
// and white copy can be read.
//
// gonum/plot draws axes, ticks and grid. It is only shown places on a linear axis, never values, as its logarithmic
// scale panics at zero: the logarithms are scale.go's. What is no positive number is not drawn, and a line breaks where
// a point is missing.
package chart
