// Package fabric knows what nodes are behind: which switch, which group of switches, which cell. It reads maps of
// nodes, finds them in times of pairs, and makes the cuts that they name. It measures nothing.
package fabric
