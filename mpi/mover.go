package mpi

// DataMover is an Engine whose calls may move no data. An engine without this method moves data.
type DataMover interface{ MovesData() bool }

// MovesData reports whether an engine moves data, so that received data can be checked.
func MovesData(e Engine) bool {
	m, ok := e.(DataMover)
	return !ok || m.MovesData()
}
