// Package programfile reads users' program files: the calls of one repetition, written down for all processes at once
// in YAML. A file is parsed once. For each process, root and length it is resolved to the calls of that process alone,
// with all loops and conditions unrolled, and with places as numbers.
//
// Every error is one line with the file, the line, and the rank where it depends on one. Files may be a stranger's:
// what they cost is bounded (MostText, MostCalls).
package programfile
