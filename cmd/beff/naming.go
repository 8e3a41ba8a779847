package main

import "github.com/effective-bandwidth/beff/rating"

// naming holds the flags with which people describe a machine. Of results that are there an empty text takes one away.
// Each command sets the variable otherwise, which says what the name is without the flag.
type naming struct {
	System *string `placeholder:"NAME" help:"Name of the system in reports and rankings${otherwise}."`
	Site   *string `placeholder:"TEXT" help:"Institution and place of the system."`
	Note   *string `placeholder:"TEXT" help:"${note}"`
}

// apply replaces the words that are given.
func (n naming) apply(s *rating.System) {
	for _, x := range []struct {
		to    *string
		given *string
	}{{&s.Name, n.System}, {&s.Site, n.Site}, {&s.Note, n.Note}} {
		if x.given != nil {
			*x.to = *x.given
		}
	}
}

// named returns the words about a system with those that are given. s may be nil, and stays so without any words.
func (n naming) named(s *rating.System) (*rating.System, error) {
	var made rating.System
	if s != nil {
		made = *s
	}
	if n.apply(&made); made == (rating.System{}) {
		return nil, nil
	}
	return &made, made.Check()
}
