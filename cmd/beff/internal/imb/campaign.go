package imb

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/config"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// kernelsKey is the key of a campaign file for the names of kernels.
const kernelsKey = "kernels"

// LoadsCode reports whether a flag names code that a run loads. Such flags are allowed only on the command line,
// because campaign files and journals may come from anybody.
func LoadsCode(flag string) bool {
	return slices.Contains([]string{"library", "function", "mpi"}, flag)
}

// Keys returns the options that a campaign file may set: the options of beff probe, except those for the files of one
// run and those that load code.
func Keys() []*Option {
	return slices.DeleteFunc(Options(Beff), func(o *Option) bool {
		return o.Group == Output || LoadsCode(o.Flag())
	})
}

// ReadCampaign applies a campaign file to a request: TOML with the keys of Keys and the key kernels. It applies the
// keys in the order of Keys.
func ReadCampaign(r *probing.Request, path string) error {
	text, err := input.ReadAll(path, probing.LongestFile)
	if err != nil {
		return err
	}
	values, err := config.Parse(path, text)
	if err != nil {
		return err
	}
	given := map[string][]string{}
	for _, v := range values {
		if LoadsCode(v.Key()) {
			return fmt.Errorf("%s: %s: code that a run loads may only be named on the command line", path, v.Key())
		}
		given[v.Key()] = v.Parts
	}
	for _, name := range given[kernelsKey] {
		if err := r.Name(name); err != nil {
			return fmt.Errorf("%s: kernels: %q: %w", path, name, err)
		}
	}
	delete(given, kernelsKey)
	exclusive := map[string]string{} // the key that was applied, by Option.Excludes
	for _, o := range Keys() {
		parts, isGiven := given[o.Flag()]
		if !isGiven {
			continue
		}
		delete(given, o.Flag())
		if other := exclusive[o.Excludes]; other != "" && o.Excludes != "" {
			return fmt.Errorf("%s: %s and %s exclude each other", path, other, o.Flag())
		}
		exclusive[o.Excludes] = o.Flag()
		if !o.Repeatable {
			parts = []string{strings.Join(parts, ",")}
		}
		if err := lists.Try(parts, func(v string) error { return o.setKey(r, path+": "+o.Flag(), v) }); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(r.Flags, key) {
			return fmt.Errorf("%s: %w", path, unknownKey(r, key))
		}
		r.Flagged = append(r.Flagged, config.Value{Flag: key, Parts: given[key], File: path})
	}
	return nil
}

// SetKey sets a key of campaign files by KEY=VALUE, or a switch by KEY.
func SetKey(r *probing.Request, text string) error {
	key, value, _ := strings.Cut(text, "=")
	for _, o := range Keys() {
		if o.Flag() == key {
			return o.setKey(r, "--option "+key, value)
		}
	}
	if !slices.Contains(r.Flags, key) {
		return unknownKey(r, key)
	}
	r.Flagged = append(r.Flagged, config.Value{Flag: key, Parts: []string{value}, File: "--option"})
	return nil
}

// setKey sets the option to the value of a key. For an option without a value, the key's value is on, off or "" for on.
// written is the key in errors.
func (o *Option) setKey(r *probing.Request, written, value string) error {
	if o.Value != "" {
		return o.Set(r, Beff, written, value)
	}
	on, err := value == "", error(nil)
	if !on {
		on, err = parseSwitch(value)
	}
	if err != nil {
		return fmt.Errorf("%s %q: %w", written, value, err)
	}
	if on {
		return o.Set(r, Beff, written, "")
	}
	return nil
}

// unknownKey returns the error for an unknown key.
func unknownKey(r *probing.Request, key string) error {
	names := append([]string{kernelsKey}, r.Flags...)
	names = append(names, lists.Each(Keys(), (*Option).Flag)...)
	return fmt.Errorf("there is no key %q%s `beff probe keys` explains all", key,
		cmp.Or(words.DidYouMean(key, names), ":"))
}
