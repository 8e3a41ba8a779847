package imb

import (
	"errors"
	"reflect"

	"github.com/effective-bandwidth/beff/probe/settings"
)

// Setters of settings that are left out as a whole where they are the defaults.

// oneSided returns a setter of a part of the settings of one-sided kernels.
func oneSided[T any](parse func(string) (T, error), set func(*settings.OneSided, T)) setter {
	return parsed(parse, func(r *Request, v T) {
		var o settings.OneSided
		if r.Settings.OneSided != nil {
			o = *r.Settings.OneSided
		}
		set(&o, v)
		r.Settings.OneSided = nil
		if !reflect.ValueOf(o).IsZero() {
			r.Settings.OneSided = &o
		}
	})
}

// threading returns a setter of a part of the settings of kernels with threads.
func threading[T any](parse func(string) (T, error), set func(*settings.Threading, T)) setter {
	return parsed(parse, func(r *Request, v T) {
		t := r.Settings.Threads()
		set(&t, v)
		if r.Settings.Threading = nil; t != (settings.Threading{}) {
			r.Settings.Threading = &t
		}
	})
}

// loading returns a setter of a part of the settings of victims and congestors.
func loading[T any](parse func(string) (T, error), set func(*settings.Load, T)) setter {
	return parsed(parse, func(r *Request, v T) {
		var l settings.Load
		if r.Settings.Load != nil {
			l = *r.Settings.Load
		}
		set(&l, v)
		r.Settings.Load = nil
		if !reflect.ValueOf(l).IsZero() {
			r.Settings.Load = &l
		}
	})
}

// ofLibrary returns the setter of a property of a user's library.
func ofLibrary(set func(l *settings.Library, value string)) setter {
	return func(r *Request, value, _ string) error {
		if value == "" {
			return errors.New("want a name")
		}
		var l settings.Library
		if r.Settings.Library != nil {
			l = *r.Settings.Library
		}
		set(&l, value)
		r.Settings.Library = &l
		return nil
	}
}
