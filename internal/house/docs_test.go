package house

import (
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPages checks that each page for users and each page of the notebook begins with a command, has at most 2,500
// words, and is in the navigation.
func TestPages(t *testing.T) {
	navigation := read(t, root+"/mkdocs.yml")
	for _, dir := range []string{"", "studies/"} {
		pages, err := filepath.Glob(root + "/docs/" + dir + "*.md")
		require.NoError(t, err)
		for _, page := range pages {
			text := read(t, page)
			first, _, _ := strings.Cut(text, "\n## ")
			require.Contains(t, first, "\n\n    ", "%s has no command above its first section", page)
			require.LessOrEqual(t, len(strings.Fields(text)), 2500, "%s: split it", page)
			require.Contains(t, navigation, ": "+dir+filepath.Base(page)+"\n", page)
		}
	}
}

// TestTroubleshooting checks that the program has each message of the page on troubleshooting: the parts between "…"
// are in the sources.
func TestTroubleshooting(t *testing.T) {
	var sources strings.Builder
	files(t, func(name string) {
		if !strings.HasSuffix(name, "_test.go") {
			sources.WriteString(read(t, filepath.Join(root, name)))
		}
	}, ".go")
	text := regexp.MustCompile(`" \+\s+"`).ReplaceAllString(sources.String(), "")
	text = strings.ReplaceAll(text, "%%", "%")
	seen := 0
	for _, m := range regexp.MustCompile("(?m)^\\| `([^`]+)`").FindAllStringSubmatch(
		read(t, root+"/docs/troubleshooting.md"), -1) {
		for part := range strings.SplitSeq(strings.TrimPrefix(m[1], "beff: "), "…") {
			if part = strings.TrimSpace(part); len(part) > 4 && part != "No such file or directory" { // the shell's
				seen++
				assert.True(t, strings.Contains(text, part), "%s: no message has %q", m[1], part)
			}
		}
	}
	require.Greater(t, seen, 30)
}

// TestDocsNameTargets checks that each target that a page names after make is in the Makefile.
func TestDocsNameTargets(t *testing.T) {
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z0-9-]+):`).FindAllStringSubmatch(read(t, root+"/Makefile"), -1) {
		targets[m[1]] = true
	}
	seen := 0
	making := regexp.MustCompile("(?m)(?:`|^ {4})make ([a-z0-9-]+)")
	files(t, func(name string) {
		if strings.HasPrefix(name, "docs/") || !strings.Contains(name, "/") {
			for _, m := range making.FindAllStringSubmatch(read(t, filepath.Join(root, name)), -1) {
				seen++
				require.True(t, targets[m[1]], "%s: make %s", name, m[1])
			}
		}
	}, ".md")
	require.Greater(t, seen, 40)
}

// TestLinksToFiles checks that links to files of the repository lead to files that exist.
func TestLinksToFiles(t *testing.T) {
	link := regexp.MustCompile(`effective-bandwidth/beff/blob/main/([^)#\s"]+)`)
	seen := 0
	files(t, func(name string) {
		for _, m := range link.FindAllStringSubmatch(read(t, filepath.Join(root, name)), -1) {
			seen++
			require.FileExists(t, filepath.Join(root, m[1]), name)
		}
	}, ".md")
	require.Positive(t, seen)
}

// TestPromisesHaveTests checks that each promise of docs/security.md names tests or scripts that exist.
func TestPromisesHaveTests(t *testing.T) {
	there := tests(t)
	scripts, err := filepath.Glob(root + "/cmd/beff/testdata/script/*.txtar")
	require.NoError(t, err)
	for _, path := range scripts {
		there["TestScripts/"+strings.TrimSuffix(filepath.Base(path), ".txtar")] = true
	}
	_, table, _ := strings.Cut(read(t, root+"/docs/security.md"), "\n| promise | test |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")
	require.Greater(t, len(rows), 30)
	test := regexp.MustCompile("`([^`]*)`")
	for _, row := range rows {
		cells := strings.Split(row, " | ")
		require.Len(t, cells, 2, row)
		if strings.HasPrefix(cells[1], "each `Fuzz`") {
			continue
		}
		named := test.FindAllStringSubmatch(cells[1], -1)
		require.NotEmpty(t, named, row)
		for _, m := range named {
			require.True(t, there[m[1]], "there is no %s: %s", m[1], row)
		}
	}
}

// tests returns the names of all tests.
func tests(t *testing.T) map[string]bool {
	list := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	files(t, func(name string) {
		for _, m := range function.FindAllStringSubmatch(read(t, filepath.Join(root, name)), -1) {
			list[m[1]] = true
		}
	}, "_test.go")
	return list
}

// TestPagesOfDevelopersNameCode checks that tests and identifiers on the pages for developers exist, or are defined in
// an example's code. A pattern for go test may have the beginning of a name.
func TestPagesOfDevelopersNameCode(t *testing.T) {
	there, words := slices.Collect(maps.Keys(tests(t))), map[string]bool{}
	collect := func(text string) {
		for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
			return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			words[word] = true
		}
	}
	files(t, func(name string) { collect(name + "\n" + read(t, filepath.Join(root, name))) }, ".go", ".c", ".h")
	test, seen := regexp.MustCompile(`\bTest[A-Z]\w+`), 0
	identifier := regexp.MustCompile("`([A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)?)`")
	files(t, func(page string) {
		if filepath.Dir(page) != "docs/dev" && page != "CONTRIBUTING.md" {
			return
		}
		text := read(t, filepath.Join(root, page))
		collect(strings.Join(blocks.FindAllString(text, -1), "\n"))
		for _, m := range identifier.FindAllStringSubmatch(blocks.ReplaceAllString(text, ""), -1) {
			for part := range strings.SplitSeq(m[1], ".") {
				seen++
				assert.True(t, words[part], "%s: there is no %s", page, m[1])
			}
		}
		for line := range strings.Lines(text) {
			for _, name := range test.FindAllString(line, -1) {
				assert.True(t, slices.Contains(there, name) || strings.Contains(line, "-run") &&
					slices.ContainsFunc(there, func(x string) bool { return strings.HasPrefix(x, name) }),
					"%s: there is no %s", page, name)
			}
		}
	}, ".md")
	require.Greater(t, seen, 300)
}

// TestPackagesAreListed checks that the table in architecture.md has exactly the packages that exist. A name without a
// path is in the same directory as the name before it.
func TestPackagesAreListed(t *testing.T) {
	var want, have []string
	files(t, func(name string) {
		dir := filepath.ToSlash(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") || strings.Contains(dir, "testdata") || slices.Contains(want, dir) ||
			strings.HasPrefix(dir, "tools") || strings.HasPrefix(dir, "packaging") {
			return // of other modules, or input of tests
		}
		want = append(want, dir)
	}, ".go")
	_, table, found := strings.Cut(read(t, root+"/docs/dev/architecture.md"), "\n| package | purpose |\n|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	code := regexp.MustCompile("`([^`]*)`")
	for row := range strings.Lines(table) {
		cell, _, _ := strings.Cut(row[1:], "|")
		before := ""
		for _, m := range code.FindAllStringSubmatch(cell, -1) {
			name, all := strings.CutSuffix(m[1], "/...")
			if !slices.Contains(want, name) && before != "" {
				name = before + "/" + name
			}
			before = filepath.ToSlash(filepath.Dir(name))
			named := slices.DeleteFunc(slices.Clone(want), func(dir string) bool {
				return dir != name && !(all && strings.HasPrefix(dir, name+"/"))
			})
			require.True(t, len(named) > 0 || name == "tools", "there is no package %s", name)
			have = append(have, named...)
		}
	}
	require.ElementsMatch(t, want, have)
}

// TestTablesOfStudiesNameCommands checks that each table of figures on a page of the notebook, and each link to one in
// a file, comes after the command that wrote it.
func TestTablesOfStudiesNameCommands(t *testing.T) {
	pages, err := filepath.Glob(root + "/docs/studies/*.md")
	require.NoError(t, err)
	figures := regexp.MustCompile(`\| *[-+]?\d[-+\d.,()%… ]*\|`)
	link := regexp.MustCompile(`^\[([a-z0-9_]+\.csv)\]\(data/([a-z0-9_]+\.csv)\)`)
	linked := map[string]bool{}
	seen := 0
	for _, page := range pages {
		lines := strings.Split(read(t, page), "\n")
		for i := range lines {
			m := link.FindStringSubmatch(lines[i])
			table := i+2 < len(lines) && strings.HasPrefix(lines[i+1], "|---") && figures.MatchString(lines[i+2])
			if i < 2 || m == nil && !table {
				continue
			}
			seen++
			if m != nil {
				require.Equal(t, m[1], m[2], page)
				linked[m[1]] = true
			}
			command := strings.HasPrefix(lines[i-2], "    ") || strings.HasPrefix(lines[i-2], "```")
			if !command || lines[i-1] != "" {
				t.Errorf("%s:%d: no command is above the table", page, i+1)
			}
		}
	}
	require.Greater(t, seen, 15)
	data, err := os.ReadDir(root + "/docs/studies/data")
	require.NoError(t, err)
	for _, file := range data {
		require.True(t, linked[file.Name()], "no page has a line that begins with a link to data/%s", file.Name())
		rows, err := csv.NewReader(strings.NewReader(read(t, root+"/docs/studies/data/"+file.Name()))).ReadAll()
		require.NoError(t, err, file.Name())
		require.Greater(t, len(rows), 1, file.Name())
	}
}

// TestLinksLeadSomewhere checks that each link within the project leads to a file, and to a heading in the file. It
// leaves out code between fences.
func TestLinksLeadSomewhere(t *testing.T) {
	code := regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	heading := regexp.MustCompile(`(?m)^#+ (.*)$`)
	anchors := func(text string) map[string]bool {
		list := map[string]bool{}
		for _, m := range heading.FindAllStringSubmatch(text, -1) {
			name := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(m[1]), "")
			list[strings.ReplaceAll(name, " ", "-")] = true
		}
		return list
	}
	link := regexp.MustCompile(`\]\(([^)#: ]*)(?:#([^) ]*))?\)`)
	seen := 0
	files(t, func(name string) {
		if strings.Contains(name, "testdata/") {
			return
		}
		page := filepath.Join(root, name)
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(read(t, page), ""), -1) {
			seen++
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if m[2] != "" && !anchors(read(t, to))[m[2]] {
				t.Errorf("%s: %s has no heading %s", name, m[1], m[2])
			}
		}
	}, ".md")
	require.Greater(t, seen, 100)
}

// read returns the text of a file.
func read(t *testing.T, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}
