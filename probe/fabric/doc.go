// Package fabric models to which switch, group of switches, and cell nodes are attached. It reads maps of nodes, finds
// these units in times of pairs, and makes cuts by their names. It measures nothing.
package fabric
