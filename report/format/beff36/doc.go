// Package beff36 writes a b_eff result as the original, HLRS release 3.6, writes its .sum: with the same sections,
// columns and places. Programs that read the original's file read this one. Prose is ours, and the title says who wrote
// the file. A figure that was not measured is 0, as there.
package beff36
