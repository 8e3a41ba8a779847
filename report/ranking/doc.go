// Package ranking makes one list of the results of many systems, as the TOP500 does. The list is ordered by b_eff and
// has one row for each system, which also shows its b_eff_io result.
package ranking
