// Package pairs holds times of pairs of processes and finds the hosts, processes, links and directions that are
// outliers among them. It measures nothing.
package pairs
