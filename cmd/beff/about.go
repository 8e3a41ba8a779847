package main

import "github.com/effective-bandwidth/beff/rating"

// about holds the flags with which people describe a machine, for all commands that measure.
type about struct {
	System string `placeholder:"NAME" help:"Name of the system in reports and rankings (default: the host's)."`
	Site   string `placeholder:"TEXT" help:"Institution and place of the system."`
	Note   string `placeholder:"TEXT" help:"${note}"`
}

func (a *about) system() rating.System {
	return rating.System{Name: a.System, Site: a.Site, Note: a.Note}
}
