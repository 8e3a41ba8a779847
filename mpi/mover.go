package mpi

// Mover is an Engine whose calls may move no data. An engine without this method moves data.
type Mover interface{ Moves() bool }

// Moves reports whether an engine moves data, so that received data can be checked.
func Moves(e Engine) bool {
	m, ok := e.(Mover)
	return !ok || m.Moves()
}
