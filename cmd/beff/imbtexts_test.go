package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// imbBinaries is the directory of IMB 2021.11's binaries, with which the test records their texts again.
var imbBinaries = flag.String("imb", "", "directory of IMB's binaries, whose texts TestTextsOfIMB records by $MPIRUN")

// imbTexts has the output of IMB 2021.11, masked, in a file for each command line of beff imb. IMB ran with Open MPI
// 4.1.4, but with MPICH 4.0.2 for groups of windows, which Open MPI mixes up.
const imbTexts = "testdata/imb-2021.11.txtar"

// The text is IMB's, line by line, for all components, in the multiple mode, with a map, with the fewest processes, at
// the limits of time and memory, and for benchmarks that need other processes. The same masks hide digits, names of
// machines and the command in both texts. deliberate has the lines that differ on purpose.
func TestTextsOfIMB(t *testing.T) {
	all, err := txtar.ParseFile(imbTexts)
	require.NoError(t, err)
	for i := range all.Files {
		f := &all.Files[i]
		t.Run(f.Name, func(t *testing.T) {
			if *imbBinaries != "" {
				f.Data = []byte(masked(t, ofIMB(t, f.Name)))
			}
			var stdout, stderr bytes.Buffer
			words := append([]string{"imb"}, strings.Fields(f.Name)...)
			if words[1] == "io" {
				words = append(words, "--compute", "1ms") // IMB computes for 0.1 s in each repetition
			}
			code := run(words, &stdout, &stderr)
			require.Zero(t, code, &stderr)
			require.Equal(t, masked(t, string(f.Data)), masked(t, stdout.String()))
		})
	}
	if *imbBinaries != "" {
		require.NoError(t, os.WriteFile(imbTexts, txtar.Format(all), 0o644))
	}
}

// ofIMB returns the output of IMB for a command line of beff imb: component -n P options.
func ofIMB(t *testing.T, line string) string {
	words := strings.Fields(line)
	command := append(strings.Fields(os.Getenv("MPIRUN")), "-n", words[2],
		filepath.Join(*imbBinaries, "IMB-"+strings.ToUpper(words[0])))
	command = append(command, words[3:]...)
	c := exec.Command(command[0], command[1:]...)
	c.Dir = t.TempDir()
	text, err := c.Output()
	require.NoError(t, err, command)
	return string(text)
}

// deliberate matches the lines of one text that the other text lacks, or has in other words.
var deliberate = append(slices.Clone(addedLines),
	regexp.MustCompile(`(?m)^#    (Intel\(R\) MPI Benchmarks|beff probe) .*\n`))

// addedLines matches lines of beff that IMB doesn't have.
var addedLines = func() (list []*regexp.Regexp) {
	for _, key := range []string{"Rated system", "Rated site", "Rated note", "Engine", "Method", "Mbyte",
		"Data check", "Hints"} {
		list = append(list, regexp.MustCompile(`(?m)^# `+key+` *: .*\n`))
	}
	return list
}()

// masks hide the differences between runs: the newline after the title, for which IMB-IO prints an n, facts of the
// machine, the command, and numbers with the blanks before them.
var masks = []struct {
	pattern     *regexp.Regexp
	replacement string
}{
	{regexp.MustCompile(`(part)n#`), "$1\n#"},
	{regexp.MustCompile(`(?m)^(# (?:Date|Machine|System|Release|Version|MPI Version|MPI Thread Environment) *:).*$`),
		"$1"},
	{regexp.MustCompile(`(# Calling sequence was: ?\n#?\n)# .*?( ?\n)`), "$1# COMMAND$2"},
	{regexp.MustCompile(` *\d+(\.\d+)?`), " 0"},
}

// masked returns a text with the variable parts masked.
func masked(t *testing.T, text string) string {
	for _, m := range masks {
		text = m.pattern.ReplaceAllString(text, m.replacement)
	}
	for _, line := range deliberate {
		text = line.ReplaceAllString(text, "")
	}
	require.NotEmpty(t, text)
	return text
}
