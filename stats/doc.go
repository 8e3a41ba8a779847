// Package stats has the mathematics of measured times: intervals of means and medians, quantiles, outliers, models of
// times over lengths, and robust fits of tables of times. It knows no benchmark and no units.
//
// Intervals are two-sided. An interval of a mean is Student's; an interval of a median uses the order statistics, which
// need no distribution. No function drops a value: outliers are counted, and the mean without them is given in addition
// to the mean with them.
package stats
