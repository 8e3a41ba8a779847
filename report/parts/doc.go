// Package parts has the parts that the reports of all benchmarks share: facts, notices, the verdict, cells of tables,
// lines for scripts. It doesn't depend on any benchmark.
package parts
