// Package onesided has the kernels that access the memory of other processes: those of IMB-EXT, of IMB-RMA, and of the
// PGAS Microbenchmark Suite. They are rows and the builders of their programs.
package onesided
