// Package ofior writes, proves and compares results of tests of files by IOR's method.
package ofior
