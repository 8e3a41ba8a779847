// Package chart draws pictures that are given as data: a Plot of curves, boxes and levels, Dots, or a Matrix. The
// packages of the benchmarks define the data, in base units. Package chart adds scales, styles, legends, labels,
// descriptions in words, and the ends of captions. It doesn't depend on any benchmark. Package document writes the
// files.
//
// A figure consists of lines, filled polygons and text, without images, so that it looks the same in PNG, SVG and PDF.
// Its layout is made for a text width of 16 cm and scales with the width of the canvas. Curves differ in colour (Okabe
// and Ito's palette, safe for colour-blind readers), in dashes and in marks, so that a black and white copy is legible.
//
// gonum/plot draws axes, ticks and grid. It gets only positions on a linear axis, never values, because its logarithmic
// scale panics at zero; scale.go computes the logarithms. Values that are not positive numbers are not drawn, and a
// line breaks where a point is missing.
package chart
