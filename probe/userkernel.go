package probe

import (
	"slices"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
)

// kernel returns the kernel of a planned block.
func (p *Plan) kernel(b *measured.Block) (*kernel.Kernel, bool) {
	k := lists.First(p.Selections, func(s Selection) bool {
		return s.Kernel.Component == b.Component && s.Kernel.Name == b.Kernel
	}).Kernel
	return k, k != nil
}

// Kernel returns the kernel of a block: a kernel of the table, a user's function, or the caller's own kernel that the
// result was measured with.
func (r *Result) Kernel(b *measured.Block) (*kernel.Kernel, bool) {
	if b.Component != kernel.USER {
		k, _, ok := suites.Find(b.Component, b.Kernel)
		return k, ok && k.Name == b.Kernel
	}
	if k, known := r.own[b.Kernel]; known {
		return k, true
	}
	l := r.Settings.Library
	if l == nil || !slices.Contains(l.Functions, b.Kernel) {
		return nil, false
	}
	k, err := suites.FunctionKernel(b.Kernel)
	if err != nil {
		return nil, false
	}
	r.addOwn(k)
	return k, true
}

// addOwn makes a kernel of the user known to the result.
func (r *Result) addOwn(k *kernel.Kernel) {
	if r.own == nil {
		r.own = map[string]*kernel.Kernel{}
	}
	r.own[k.Name] = k
}

// checkFunctions returns an error unless all functions of users can be called.
func (r *Result) checkFunctions() error {
	if err := r.Settings.CheckLibrary(); err != nil {
		return err
	}
	if l := r.Settings.Library; l != nil {
		return lists.Try(l.Functions, func(name string) error {
			_, err := suites.FunctionKernel(name)
			return err
		})
	}
	return nil
}
