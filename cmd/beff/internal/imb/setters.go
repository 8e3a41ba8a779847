package imb

import (
	"errors"
	"reflect"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// partOf returns a setter of a part of settings that are left out as a whole where they are the defaults.
func partOf[S, T any](of func(*settings.Settings) **S, parse func(string) (T, error), set func(*S, T)) setter {
	return parsed(parse, func(r *probing.Request, v T) {
		var s S
		at := of(&r.Settings)
		if *at != nil {
			s = **at
		}
		set(&s, v)
		if *at = nil; !reflect.ValueOf(s).IsZero() {
			*at = &s
		}
	})
}

// oneSided returns a setter of a part of the settings of one-sided kernels.
func oneSided[T any](parse func(string) (T, error), set func(*settings.OneSided, T)) setter {
	return partOf(func(s *settings.Settings) **settings.OneSided { return &s.OneSided }, parse, set)
}

// threading returns a setter of a part of the settings of kernels with threads.
func threading[T any](parse func(string) (T, error), set func(*settings.Threading, T)) setter {
	return partOf(func(s *settings.Settings) **settings.Threading { return &s.Threading }, parse, set)
}

// loading returns a setter of a part of the settings of victims and congestors.
func loading[T any](parse func(string) (T, error), set func(*settings.Load, T)) setter {
	return partOf(func(s *settings.Settings) **settings.Load { return &s.Load }, parse, set)
}

// ofLibrary returns the setter of a property of a user's library.
func ofLibrary(set func(l *settings.Library, value string)) setter {
	return func(r *probing.Request, value, _ string) error {
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

// metaNumber returns the setter of a whole number of the settings of kernels of metadata.
func metaNumber(to func(*settings.Metadata) *int) setter {
	return parsed(natural, func(r *probing.Request, n int64) { *to(r.Metadata()) = int(n) })
}
