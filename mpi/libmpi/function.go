package libmpi

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// function is the address of a C function with the arguments of the call that it replaces.
type function uintptr

// functions is a user's library.
type functions struct {
	*plugin.UserLibrary
	api     *plugin.Library
	options *byte
}

func (e *engine) LoadFunctions(library, options string, names []string) (mpi.Functions, error) {
	text, err := e.world.text(options)
	if err != nil {
		return nil, err
	}
	l, err := plugin.OpenUser(library, names, e.world.c, text)
	if err != nil {
		free(e.world.api, text)
		return nil, err
	}
	return &functions{l, e.world.api, text}, nil
}

func (l *functions) Function(i int) mpi.Function { return function(l.Functions[i]) }

func (l *functions) Close() {
	l.UserLibrary.Close()
	free(l.api, l.options)
}
