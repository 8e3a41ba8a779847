package main

// processes holds the flags of the processes that a command measures with.
type processes struct {
	Ranks  *int   `short:"n" name:"ranks" placeholder:"P" help:"${ranks}"`
	MPI    string `name:"mpi" placeholder:"NAME" help:"${mpi}"`
	Engine string `enum:"${engines}" default:"auto" help:"${engine}"`
	watching
}
