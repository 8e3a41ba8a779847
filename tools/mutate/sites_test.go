package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

const source = `package p

import "fmt"

const limit = 3

type T struct{}

func (t *T) f(a, b float64, ok bool) (float64, error) {
	if ok && a < b {
		return -a * 0.5, fmt.Errorf("1 + 2: %v", a+b)
	}
	for i := 0; i < limit; i++ {
		a += b
	}
	return max(a, b), nil
}
`

// Each operator, constant and condition is changed, but no code that only makes text.
func TestMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.go")
	require.NoError(t, os.WriteFile(path, []byte(source), 0o600))
	list, err := mutants(path)
	require.NoError(t, err)
	var after []string
	for _, m := range list {
		after = append(after, m.after)
		changed, err := m.apply()
		require.NoError(t, err)
		require.NotEqual(t, source, string(changed))
		require.Contains(t, string(changed), m.after)
	}
	want := []string{
		"const limit = 4", "const limit = 2",
		"if ok || a < b {", "if ok && a <= b {", "if ok && a >= b {",
		`return  a * 0.5, fmt.Errorf("1 + 2: %v", a+b)`, `return -a / 0.5, fmt.Errorf("1 + 2: %v", a+b)`,
		`return -a * 1.0, fmt.Errorf("1 + 2: %v", a+b)`,
		"for i := 1; i < limit; i++ {", "for i := 0; i <= limit; i++ {", "for i := 0; i >= limit; i++ {",
		"for i := 0; i < limit; i-- {", "a -= b", "return min(a, b), nil",
	}
	slices.Sort(want)
	slices.Sort(after)
	require.Equal(t, want, after)
	require.Equal(t, "T.f", list[len(list)-1].function)
	require.Contains(t, list[len(list)-1].key(), "T.f: return max(a, b), nil => return min(a, b), nil")
}

// Quick tests run together before slow ones, which run one by one. Tests that don't run the line are left out.
func TestStages(t *testing.T) {
	at := func(run bool) map[string][]block {
		return map[string][]block{"a.go": {{place{3, 1}, place{5, 9}, run}}}
	}
	c := campaign{tests: []test{
		{"TestA", 0.01, at(true)}, {"TestB", 0.29, at(true)}, {"TestC", 0.02, at(false)}, {"TestD", 0.3, at(true)},
		{"TestE", 2, at(true)}, {"TestF", 3, at(false)},
	}}
	require.Equal(t, []string{"^(TestA|TestB)$", "^TestD$", "^TestE$"}, c.stages(mutant{file: "x/a.go", line: 4}))
	require.Equal(t, []string{"^(TestA|TestB|TestC)$", "^TestD$", "^TestE$", "^TestF$"},
		c.stages(mutant{file: "x/a.go", line: 6}), "a table")
}

// A test covers a place if it runs a block with it, or if no block has it and the test runs a line of its function.
func TestCovers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cover")
	require.NoError(t, os.WriteFile(path, []byte("mode: set\nm/p/a.go:3.10,5.2 2 1\nm/p/a.go:7.1,9.2 1 0\n"), 0o600))
	covered, err := readProfile(path)
	require.NoError(t, err)
	for at, want := range map[place]bool{{1, 1}: true, {3, 9}: true, {3, 10}: true, {5, 1}: true, {6, 1}: true,
		{7, 1}: false,
		{9, 1}: false, {9, 2}: true, {10, 1}: true} {
		m := mutant{file: "x/a.go", line: at.line, column: at.column}
		require.Equal(t, want, test{covered: covered}.covers(m), "%v", at)
	}
	m := mutant{file: "x/a.go", line: 6, column: 3, body: body{end: 1, first: 3, last: 9}}
	require.True(t, test{covered: covered}.covers(m))
	m.body.first = 6
	require.False(t, test{covered: covered}.covers(m))
}

// Every mutant in equivalent.txt still exists.
func TestEquivalentsExist(t *testing.T) {
	known, err := readEquivalents("equivalent.txt")
	require.NoError(t, err)
	found := map[string]bool{}
	for _, directories := range []string{"../../*", "../../report/*", "../../probe/*", "../../cmd/beff/internal/*"} {
		paths, err := filepath.Glob(directories + "/*.go")
		require.NoError(t, err)
		for _, path := range paths {
			list, err := mutants(path)
			require.NoError(t, err)
			for _, m := range list {
				found[m.key()] = true
			}
		}
	}
	maps.DeleteFunc(known, func(key string, _ bool) bool { return found[key] })
	require.Empty(t, known)
}
