package libmpi

// ThreadLevels are the levels of thread support that RunThreaded may ask for, in the order of the standard (MPI 4.1,
// 11.6.2).
var ThreadLevels = []string{"single", "funneled", "serialized", "multiple"}
