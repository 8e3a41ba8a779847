package mpi

// Loader is an Engine that calls functions of users' libraries in the place of MPI's collective calls.
type Loader interface {
	// LoadFunctions opens a shared library, and returns its functions of these names. Options are for the library's own
	// function that initializes it, if it has one. It calls nothing of the library. An error is that of this process
	// alone.
	LoadFunctions(library, options string, names []string) (Functions, error)
}

// Functions are those of a library, in the order of their names.
type Functions interface {
	// Function returns one, as Call.Function takes it.
	Function(i int) Function
	// Begin initializes the library by its own function for that, if it has one, which may communicate: all processes
	// call it after all have loaded the library. An error is that of this process alone.
	Begin() error
	// Close ends the use of the library by its own function for that, if it has one.
	Close()
}

// Function stands for a collective call in programs: a C function with its arguments.
type Function any

// Replaceable reports whether a Function may stand for the call.
func (op Op) Replaceable() bool {
	return op.known() && op.Family() == Collective && op != Barrier && op != DupFree && op != Decide
}
