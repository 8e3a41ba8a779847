package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// longText is the least length of a text that kong doesn't get as a variable.
const longText = 32

// inPlace returns the short ones of vars, and an option that puts the long ones where help texts name them. kong goes
// through all variables once for each flag, by a regular expression: 100 long texts for each of some 300 flags took
// 20 ms of each process' start.
func inPlace(vars kong.Vars) (short kong.Vars, long kong.Option) {
	short = kong.Vars{}
	var pairs []string
	for name, text := range vars {
		if len(text) < longText {
			short[name] = text
			continue
		}
		pairs = append(pairs, "${"+name+"}", text)
	}
	texts := strings.NewReplacer(pairs...)
	return short, kong.PostBuild(func(k *kong.Kong) error {
		return kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			switch x := node.(type) {
			case *kong.Node:
				x.Help = texts.Replace(x.Help)
			case *kong.Value:
				for name, text := range x.Tag.Vars {
					x.Tag.Vars[name] = texts.Replace(text)
					x.Help = strings.ReplaceAll(x.Help, "${"+name+"}", x.Tag.Vars[name])
				}
				x.Help = texts.Replace(x.Help)
			}
			return next(nil)
		})
	})
}
