// Package tune chooses among the algorithms that an MPI library has for a collective call, by measured times, and
// writes the choice as the library's own rules. A further algorithm is chosen only where it is faster than the
// library's choice by more than a tolerance and by more than chance; everywhere else the library goes on to decide. It
// starts nothing and measures nothing.
package tune
