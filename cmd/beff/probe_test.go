package main

import (
	"bytes"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
)

// probeLine returns the request that `beff probe` makes from a command line.
func probeLine(args ...string) (*probing.Request, error) {
	p := &process.Process{Stdout: io.Discard, Stderr: io.Discard}
	line, err := parseLine(p, append([]string{"probe"}, args...))
	if err != nil || line == nil {
		return nil, err
	}
	r, err := line.Model.Target.Addr().Interface().(*cli).Probe.Run.request(line.Path)
	if err == nil {
		r.Flags = nil
	}
	return r, err
}

// Every row of the table of options makes the same request in both grammars, in all its spellings and as a key, by
// itself and in a campaign file. Without the option the request is different.
func TestOptionsInBothGrammars(t *testing.T) {
	none, err := probeLine("PingPong")
	require.NoError(t, err)
	for _, o := range imb.Options(imb.Beff) {
		t.Run(o.Name, func(t *testing.T) {
			lines := map[imb.Grammar][][]string{}
			for _, g := range []imb.Grammar{imb.Beff, imb.Guide} {
				if !slices.Contains(imb.Options(g), o) {
					continue // --guide has the same effect
				}
				for _, name := range o.Spellings(g) {
					if args := []string{"PingPong", name}; o.Value != "" {
						lines[g] = append(lines[g], append(args, o.Example))
					} else {
						lines[g] = append(lines[g], args)
					}
				}
			}
			if o.Group == "" { // not a flag
				lines[imb.Beff] = nil
			}
			if slices.Contains(imb.Keys(), o) {
				key, value := o.Flag()+"="+o.Example, strconv.Quote(o.Example)
				if o.Value == "" {
					key, value = o.Flag(), "true"
				}
				file := filepath.Join(t.TempDir(), "campaign.toml")
				text := "kernels = \"PingPong\"\n" + o.Flag() + " = " + value + "\n"
				require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
				lines[imb.Beff] = append(lines[imb.Beff], []string{"PingPong", "--option", key}, []string{"-f", file},
					[]string{"-f", file, "PingPong"})
			}
			var want *probing.Request
			for g, all := range lines {
				for _, args := range all {
					r, err := inGrammar(g, args)
					require.NoError(t, err, args)
					if want == nil {
						want = r
						require.NotEqual(t, none, r)
					}
					require.Equal(t, want, r, args)
				}
			}
		})
	}
}

// The settings of a campaign belong in a file. The command itself has at most 48 flags, each in a group of its help.
// Among them --quantiles, --skew and --noise are about single repetitions, --library and --function about
// a user's own functions, --topology and --cut about the middle of the network, --beside about the costs of others'
// messages, and --buffers, --staged and --device about the memory of GPUs.
func TestFlagsOfProbe(t *testing.T) {
	line, err := parseLine(&process.Process{Stdout: io.Discard, Stderr: io.Discard}, []string{"probe", "PingPong"})
	require.NoError(t, err)
	flags := line.Flags()
	require.LessOrEqual(t, len(flags), 48)
	for _, f := range flags {
		require.True(t, f.Group != nil || f.Name == "help" || f.Name == "help-all" || f.Name == "version", f.Name)
	}
}

// Flags take precedence over the campaign file, which takes precedence over beff.toml. Errors in files name file and
// key.
func TestCampaign(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir()))
	user := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "beff")
	require.NoError(t, os.Mkdir(user, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(user, "beff.toml"), []byte("npmin = 4\ntiming = \"root\""), 0o600))
	request := func(text string, args ...string) (*probing.Request, error) {
		require.NoError(t, os.WriteFile("c.toml", []byte(text), 0o600))
		return probeLine(append([]string{"-f", "c.toml"}, args...)...)
	}
	const campaign = "kernels = [\"Bcast\"]\nnpmin = 3\nlengths = \"1:9:4\"\nat-once = false\n"
	r, err := request(campaign)
	require.NoError(t, err)
	require.Equal(t, []string{"Bcast"}, r.Names)
	require.Equal(t, 3, r.Settings.Who.MinProcesses)
	require.Equal(t, settings.ByRoot, r.Settings.Series.Timing)
	require.False(t, r.Settings.Pairs.AtOnce)
	r, err = request(campaign, "--npmin", "2", "--msgsize", "7", "Barrier")
	require.NoError(t, err)
	require.Equal(t, []string{"Barrier"}, r.Names)
	require.Equal(t, 2, r.Settings.Who.MinProcesses)
	require.Equal(t, []int64{7}, r.Settings.Rows.Lengths)
	for text, want := range map[string]string{
		"ofset = 1":                       `c.toml: there is no key "ofset": did you mean offset?`,
		"output = \"x\"":                  `c.toml: there is no key "output"`,
		"library = \"./evil.so\"":         "c.toml: library: code that a run loads may only be named on the command ",
		"function = \"MPIB_Bcast_evil\"":  "c.toml: function: code",
		"mpi = \"./evil.so\"":             "c.toml: mpi: code",
		"[probe]\noffset = 1":             `c.toml: there is no key "probe.offset"`,
		"completion = \"never\"":          `c.toml: completion "never": want `,
		"at-once = 3":                     `c.toml: at-once "3": want on or off`,
		"msglog = 3\nlengths = \"0:1:1\"": "c.toml: msglog and lengths exclude each other",
		"offset = ":                       "c.toml:1:",
		"kernels = [\"\"]":                `c.toml: kernels: "": want names`,
	} {
		_, err := request(text)
		require.ErrorContains(t, err, want)
	}
}

// inGrammar parses a command line in a grammar, without the executable's name.
func inGrammar(g imb.Grammar, args []string) (*probing.Request, error) {
	if g == imb.Beff {
		return probeLine(args...)
	}
	r, err := imb.Parse(kernel.MPI1, args)
	if err == nil {
		r.Component, r.Settings.Method = "", ""
	}
	return r, err
}

// kong knows each row as it knows the flags of a struct: name, letter, placeholder or default, help and choices.
func TestOptionsAreKnownFlags(t *testing.T) {
	line, err := parseLine(&process.Process{Stdout: io.Discard, Stderr: io.Discard}, []string{"probe", "PingPong"})
	require.NoError(t, err)
	for _, o := range imb.Options(imb.Beff) {
		found := o.Group == ""
		for _, f := range line.Flags() {
			if f.Name != o.Flag() {
				continue
			}
			require.NotEmpty(t, o.Group)
			found = true
			require.Equal(t, o.Short, strings.Trim(string(f.Short), "\x00"))
			require.Equal(t, o.Explain(imb.Beff), f.Help)
			require.Equal(t, strings.Join(o.Choices, ","), f.Enum)
			require.Equal(t, o.Value == "", f.IsBool())
			require.Equal(t, o.List || o.Repeatable, f.Target.Kind() == reflect.Slice)
		}
		require.True(t, found, o.Name)
	}
}

// The flags of beff's grammar apply in their order, as IMB's do.
func TestLastOptionCounts(t *testing.T) {
	for _, args := range [][]string{
		{"--iter", "5,off", "--option", "iter-policy=auto"}, {"--option", "iter-policy=off", "--iter", "5,auto"},
	} {
		r, err := probeLine(args...)
		require.NoError(t, err)
		require.Equal(t, settings.Auto, r.Settings.Repetitions.Policy, args)
	}
}

// A wrong option gives one line with the option as the user wrote it, and exit code 2, in both grammars, and no panic.
func TestWrongOptions(t *testing.T) {
	for _, x := range []struct{ option, value, want string }{
		{"off_cache", "4096PiB", "want a cache and a line of it up to 2^40 bytes"},
		{"off_cache", "1MiB,4096PiB", "want a cache and a line of it up to 2^40 bytes"},
		{"off_cache", "9999999999PiB", "the cache's size: too large"},
		{"iter", "9999999999", "want MSGSPERSAMPLE"},
		{"iter", "1,9223372036854775807", "want MSGSPERSAMPLE"},
		{"mem", "4097PiB", "too large"},
		{"time", "1e300", "want 45m, 90s or a number of seconds"},
		{"time", "2500000h", "want a time up to 1e+09 seconds"},
		{"msglog", "62", "want the exponents"},
		{"msglog", "0:4294967296", "want the exponents"},
		{"npmin", "2147483648", "want a whole number of at least 1"},
		{"map", "2147483647x2147483647", "want P and Q of at least 1 with at most 2^31-1 processes"},
		{"map", "4294967296x4294967296", "want PxQ"},
	} {
		options := imb.Options(imb.Beff)
		o := options[slices.IndexFunc(options, func(o *imb.Option) bool { return o.Name == x.option })]
		written := []string{"-" + x.option, "--" + o.Flag()}
		if o.Group == "" {
			written = written[:1]
		}
		for i := range written {
			var stdout, stderr bytes.Buffer
			command := strings.Fields([]string{"imb mpi1", "probe"}[i])
			code := run(append(command, written[i], x.value, "-n", "2", "PingPong"), &stdout, &stderr)
			require.Equal(t, exit.Usage, code, "%s %s: %s", written[i], x.value, &stderr)
			require.Empty(t, stdout.String())
			require.True(t, strings.HasPrefix(stderr.String(), "beff: "+written[i]+` "`+x.value+`": `), &stderr)
			require.Contains(t, stderr.String(), x.want)
			require.Equal(t, 1, strings.Count(stderr.String(), "\n"), &stderr)
		}
	}
	long := filepath.Join(t.TempDir(), "long")
	require.NoError(t, os.WriteFile(long, bytes.Repeat([]byte("# a comment\n"), 1<<19), 0o600))
	for _, option := range []string{"msglen", "input"} {
		for file, want := range map[string]string{"/dev/zero": "is a device: only files are read",
			long: "is longer than"} {
			r, err := probeLine("--option", option+"="+file)
			require.NoError(t, err)
			require.ErrorContains(t, r.Read(), want)
		}
	}
}

// Any settings for some processes have a plan, or an error of one line. The first word is the number of processes. Few
// of the mutants are parsed as beff's own options, because that takes milliseconds.
func FuzzProbeLine(f *testing.F) {
	var seeds []string
	add := func(text string) {
		seeds = append(seeds, text)
		f.Add(text)
	}
	add("4 PingPong Exchange -npmin 2 -iter 1000,40,100 -msglog 3:12 -multi 1 -mem 0.5 -time 2 -off_cache 8,64")
	add("1 imb-io --off-cache 4096PiB --iter 2147483647,2147483647,1,auto --memory 4096PiB --msglog 40")
	add("33 -n 2147483647 --npmin 2147483647 --map 46340x46340 --sample-time 1e9 -multi 1")
	for _, o := range imb.Options(imb.Beff) {
		add("4 PingPong --option " + o.Flag() + "=" + o.Example)
		add("3 PingPong " + o.Usage())
	}
	mutants.Fuzz(f, func(t *testing.T, text string) {
		first, line, _ := strings.Cut(text, " ")
		processes, _ := strconv.Atoi(first) // 0 otherwise
		args := strings.Fields(line)
		grammars := []imb.Grammar{imb.Guide, imb.Beff}
		if !mutants.Fuzzing() && crc32.ChecksumIEEE([]byte(text))%512 > 0 && !slices.Contains(seeds, text) {
			grammars = grammars[:1]
		}
		for _, g := range grammars {
			r, err := inGrammar(g, args)
			if err == nil && r != nil {
				err = planned(t, r, 1+(processes&0xff))
			}
			if err != nil {
				require.NotContains(t, err.Error(), "\n", text)
			}
		}
	})
}

// planned plans a request without its files.
func planned(t *testing.T, r *probing.Request, processes int) error {
	require.NoError(t, r.Settings.Check())
	config, err := r.Config()
	if err != nil {
		return err
	}
	plan, err := probe.NewPlan(processes, config)
	if err == nil {
		require.Positive(t, plan.Rows())
	}
	return err
}
