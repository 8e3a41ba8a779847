package mpi

// Loader is an Engine that calls functions of users' libraries in place of MPI's collective calls.
type Loader interface {
	// LoadFunctions opens a shared library, and returns the functions with these names, without calling them. It passes
	// options to the library's own initialization function, if there is one. An error may occur on only some processes.
	LoadFunctions(library, options string, names []string) (Functions, error)
}

// Functions are the loaded functions of a library, in the order in which they were named.
type Functions interface {
	// Function returns function i, as Call.Function takes it.
	Function(i int) Function
	// Begin calls the library's own initialization function, if it has one. That function may communicate, so all
	// processes call Begin after all have loaded the library. An error may occur on only some processes.
	Begin() error
	// Close calls the library's own function that ends its use, if it has one.
	Close()
}

// Function is a C function, with its arguments, that replaces a collective call in programs.
type Function any

// Replaceable reports whether a Function may replace the call.
func (op Op) Replaceable() bool {
	return op.known() && op.Family() == Collective && op != Barrier && op != DupFree && op != Decide
}
