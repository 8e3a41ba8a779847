package mpi

// Mover is an Engine that says whether its calls move data. Those that don't say so do.
type Mover interface{ Moves() bool }

// Moves reports whether an engine moves data, so that what arrives can be checked.
func Moves(e Engine) bool {
	m, ok := e.(Mover)
	return !ok || m.Moves()
}
