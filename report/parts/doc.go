// Package parts has the parts of reports that all benchmarks' reports have: facts, notices, verdict, cells of tables,
// lines for scripts. It knows no benchmark.
package parts
