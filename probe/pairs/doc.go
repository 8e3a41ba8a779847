// Package pairs has the times of pairs of processes, and finds who is slow: which hosts, processes, links or directions
// stand out of a table of times. It measures nothing.
package pairs
