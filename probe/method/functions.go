package method

import (
	"fmt"
	"slices"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// loadFunctions opens the user's library on all processes. If one process fails, all return an error. The processes
// agree before they call the library's functions. If some have failed, none ends the library, because its functions may
// wait for all processes.
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

// functionOf returns the user's function of a kernel, or nil if the kernel calls none.
func (m *Measurer) functionOf(k *kernel.Kernel) mpi.Function {
	if !k.Function {
		return nil
	}
	return m.functions.Function(slices.Index(m.Settings.Library.Functions, k.Name))
}

// Finish ends the use of everything that Prepare has loaded. All processes call it at the end of a normal run.
func (m *Measurer) Finish() {
	if m.functions != nil {
		m.functions.Close()
	}
}
