// Package fabric models a job's network: the switch, group of switches and cell to which each node is attached. It
// reads maps of nodes, finds these units from the times of pairs of processes, and makes cuts from their names. It
// measures nothing.
package fabric
