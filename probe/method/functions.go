package method

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// loadFunctions opens the user's library on all processes. An error of one is that of all. They agree before the
// library's own functions are called, and if some of them have failed, none ends the library: these functions may wait
// for all processes.
func (m *Measurer) loadFunctions() (err error) {
	l := m.Settings.Library
	if l == nil {
		return nil
	}
	var functions mpi.Functions
	if e, loads := m.Engine.(mpi.Loader); loads {
		file := l.File
		if m.Library != nil {
			file, err = m.Library(file)
		}
		if err == nil {
			functions, err = e.LoadFunctions(file, l.Options, l.Functions)
		}
	} else {
		err = fmt.Errorf("the engine %s calls no functions of users", m.Engine.Library().Engine)
	}
	if err := m.Agree(m.World, err); err != nil {
		return err
	}
	if err := m.Agree(m.World, functions.Begin()); err != nil {
		return err
	}
	m.functions = functions
	return nil
}

// functionOf returns the user's function of a kernel, nil if it calls none.
func (m *Measurer) functionOf(k *kernel.Kernel) mpi.Function {
	if !k.Function {
		return nil
	}
	return m.functions.Function(slices.Index(m.Settings.Library.Functions, k.Name))
}

// Finish ends the use of what Prepare has loaded. All processes call it, at the end of a run in order.
func (m *Measurer) Finish() {
	if m.functions != nil {
		m.functions.Close()
	}
}
