// Package stats has the mathematics of measured times: intervals of means and medians, quantiles, outliers, models of
// times over lengths, and robust fits of tables of times. It knows no benchmark and no units: what goes in comes out.
//
// Intervals are two-sided. An interval with confidence 0.95 of a mean is Student's, of a median that of the order
// statistics, which needs no distribution. No function drops a value: outliers are counted, and the mean without them
// is given beside the mean with them.
package stats
