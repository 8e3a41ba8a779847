package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// programmersWords matches words from Go's libraries and from kong that no user should read.
const programmersWords = `strconv|invalid character|invalid syntax|EOL|EOF|expected .* (value|but)|go-yaml|` +
	`(^|[ (])(json|toml|yaml|exec|time): ` +
	`|\b(open|stat|lstat|read|mkdir|fork/exec) [^ ]+: |parsing|unmarshal|flag|goroutine|panic|<nil>|%!|regexp|` +
	`bit u?int|must be one of|exit status|\$PATH|reflect|uint`

// The error of any mistake is one line in plain words, with the intended or the expected words.
func TestPlainWords(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"empty.json": "", "text.json": "rating", "cut.json": `{"a": [1,2`, "other.json": `{"a":1}`,
		"number.json": `{"benchmark": "b_eff", "schema_version": 1, "seed": 1e99}`, "type.json": `{"benchmark": [1]}`,
		"machine.yaml": "a: [b", "program.json": `{"a"`, "beff.toml": "", "broken/beff/beff.toml": "run = [",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	for line, want := range map[string]string{
		"-v":                                "did you mean --version",
		"hlep":                              "no command hlep: beff help lists them",
		"nonsense":                          "beff help lists them",
		"mpi lst":                           "no command mpi lst: did you mean list",
		"mpi":                               "want add, list or remove",
		"help rpeort":                       "did you mean report",
		"report":                            "want a result",
		"report missing.json":               "no such file",
		"report emty.json":                  "did you mean empty.json",
		"report no/where.json":              "there is no directory no",
		"report empty.json":                 "the file is empty",
		"report text.json":                  "it is no JSON",
		"report cut.json":                   "ends early",
		"report other.json":                 "not a result document",
		"report number.json":                "number",
		"report type.json":                  "not a result document",
		"report other.json --format pfd":    "did you mean pdf",
		"report other.json --format plots":  "plots are files: give a directory",
		"report other.json --frmat pdf":     "did you mean --format",
		"probe PingPnog":                    "did you mean PingPong",
		"probe --sytem x PingPong":          "did you mean --system",
		"probe run PingPong":                `unknown benchmark "run"`,
		"probe -n 4 tree binomial":          "-n or --ranks: write it after probe tree",
		"probe tree Scatterv_Traf":          "did you mean Scatterv_Traff",
		"imb mpi1 -npmni 4":                 "did you mean -npmin",
		"imb mpi1 -npmin x":                 "want a whole number",
		"run --patterns rign":               "did you mean ring",
		"run --patterns [":                  "a bracket has no end",
		"run --methods sendrec":             "did you mean sendrecv",
		"run --engine loal":                 "want auto, mpi, local or sim: did you mean local",
		"run --rules 4":                     "want 2001 or 3.6",
		"run -n":                            "-n or --ranks: its value is missing",
		"run -n x":                          `-n or --ranks "x": want a whole number`,
		"run -o --quick":                    "--output: its value is missing before --quick",
		"run --seed many":                   "want a whole number from 0 to 4294967295",
		"run --within 5x":                   "want something like",
		"run --quik":                        "did you mean --quick",
		"run -o no/where":                   "there is no directory no",
		"run --resume nothing":              "nothing to resume",
		"io -T soon":                        "want 45m",
		"io -p nothing":                     "no such file or directory",
		"io --hints hints":                  "no such file",
		"rank --sort dat other.json":        "did you mean date",
		"rank --where library~[ other.json": "missing closing",
		"rank --where date>soon other.json": "want a date",
		"trend --columns latencie .":        "did you mean latency",
		"trend --baseline nothing .":        "want a date",
		"import nothing":                    "no such file",
		"import text.json":                  "no",
		"mpi add --mpicc no-such-mpicc":     "there is no program no-such-mpicc on the PATH",
		"mpi remove nothing":                "there are no plug-ins",
		"completion zhs":                    "did you mean zsh",
		"model run machine.yaml":            "no YAML",
		"model run te3":                     "did you mean t3e",
		"model run nothing.yaml":            "no such file",
		"model fit other.json":              "give --output",
		"verify no/where":                   "NOT VERIFIED: no such file",
		"compare other.json":                "want two results or more",
		"compare a b --fail-below x":        "want a ratio",
	} {
		var stdout, stderr bytes.Buffer
		require.NotZero(t, run(strings.Fields(line), &stdout, &stderr), line)
		text := stdout.String() + stderr.String()
		assert.Contains(t, text, want, line)
		rest := text
		for _, word := range strings.Fields(line) {
			if len(word) > 4 {
				rest = strings.ReplaceAll(rest, word, "")
			}
		}
		assert.NotRegexp(t, programmersWords, rest, line)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "%s: %s", line, text)
	}
	broken, err := filepath.Abs("broken")
	require.NoError(t, err)
	t.Setenv("XDG_CONFIG_HOME", broken)
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run([]string{"run", "--dry-run"}, &stdout, &stderr))
	require.Equal(t, "beff: "+broken+"/beff/beff.toml:1:7: array is incomplete\n", stderr.String())
}

// kong still returns each of the texts in misuses.
func TestMisuses(t *testing.T) {
	lines := []string{"run --ranks", "run --ranks=x", "run --engine loal", "report", "mpi", "model fit a.json",
		"probe -n 2 list", "run surplus", "run --quik"}
	require.Len(t, lines, len(misuses))
	for i, line := range lines {
		short, long := inPlace(texts)
		parser, err := kong.New(newCLI(), kong.Name("beff"), short, long, kong.Vars{"version": "v"},
			kong.ExplicitGroups(groups))
		require.NoError(t, err)
		_, err = parser.Parse(strings.Fields(line))
		require.Error(t, err, line)
		for k, x := range misuses[:i+1] {
			require.Equal(t, k == i, x.text().MatchString(err.Error()), "%s: %v: %v", line, err, x.text())
		}
	}
}
