// Package job finds where the processes of a job are and how much memory each may use, and lets them agree on a value
// that one process finds, or on its error. It measures nothing and prints nothing.
package job
