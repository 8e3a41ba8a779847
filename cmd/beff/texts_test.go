package main

import (
	"bytes"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// Long texts replace their names as variables would.
func TestLongTexts(t *testing.T) {
	model := func(options ...kong.Option) map[string][]string {
		k, err := kong.New(newCLI(), append(options, kong.Vars{"version": "v"},
			kong.ExplicitGroups(groups))...)
		require.NoError(t, err)
		all := map[string][]string{}
		require.NoError(t, kong.Visit(k.Model, func(node kong.Visitable, next kong.Next) error {
			switch x := node.(type) {
			case *kong.Node:
				all[x.FullPath()] = append(all[x.FullPath()], x.Help, x.Detail)
			case *kong.Value:
				all[x.Summary()] = append(all[x.Summary()], x.Help, x.Default, x.Enum)
			case *kong.Flag:
				all[x.Summary()] = append(all[x.Summary()], x.Help, x.Default, x.Enum, x.PlaceHolder)
			}
			return next(nil)
		}))
		return all
	}
	short, long := inPlace(texts)
	require.Equal(t, model(texts), model(short, long))
	require.Less(t, len(short), len(texts)/4)
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		p := &process.Process{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}}
		if _, err := parseLine(p, []string{"version"}); err != nil {
			b.Fatal(err)
		}
	}
}
