// Package ranking makes lists of the results of many systems, as the TOP500 does. There is one list for each class of
// ratings (Class), because results of different classes don't measure the same thing. A list is ordered by its
// benchmark's number and has one row for each system and number of processes. A row of b_eff also shows the system's
// b_eff_io.
package ranking
