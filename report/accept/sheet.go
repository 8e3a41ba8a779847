package accept

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/words"
)

// MaxBytes limits the size of a sheet. The time that an error message takes grows with the square of the size.
const MaxBytes = 64 << 10

// maxRequirements is the largest number of requirements in a sheet.
const maxRequirements = 1000

// fields is the content of a sheet's file.
type fields struct {
	Title        string   `toml:"title"`
	Version      string   `toml:"version"`
	Source       string   `toml:"source"`
	Confidence   *float64 `toml:"confidence"`
	Spread       string   `toml:"spread"`
	Unit         string   `toml:"unit"`
	Most         int      `toml:"most"`
	Engine       string   `toml:"engine"`
	Age          string   `toml:"age"`
	System       system   `toml:"system"`
	Requirements []entry  `toml:"requirement"`
}

// system is a sheet's description of the machine.
type system struct {
	Name    string `toml:"name"`
	Nodes   int    `toml:"nodes"`
	NICs    int    `toml:"nics"`
	Sockets int    `toml:"sockets"`
	Cores   int    `toml:"cores"`
	Memory  string `toml:"memory"`
}

// entry is a requirement in the file.
type entry struct {
	ID             string   `toml:"id"`
	Title          string   `toml:"title"`
	Figure         string   `toml:"figure"`
	Bytes          any      `toml:"bytes"`
	Processes      int      `toml:"processes"`
	Nodes          any      `toml:"nodes"`
	Per            string   `toml:"per"`
	Parity         string   `toml:"parity"`
	Distance       string   `toml:"distance"`
	Cut            string   `toml:"cut"`
	Memory         string   `toml:"memory"`
	Threshold      any      `toml:"threshold"`
	MayMiss        int      `toml:"may_miss"`
	Statistic      string   `toml:"statistic"`
	Runs           int      `toml:"runs"`
	Spread         string   `toml:"spread"`
	Engine         string   `toml:"engine"`
	Age            string   `toml:"age"`
	Where          string   `toml:"where"`
	Valid          *bool    `toml:"valid"`
	MemoryFilled   *float64 `toml:"memory_filled"`
	DataOfMemory   *float64 `toml:"data_of_memory"`
	ReadersShifted bool     `toml:"readers_shifted"`
	SameRun        []string `toml:"same_run"`
	Attest         []string `toml:"attest"`
	Measure        string   `toml:"measure"`
}

// Set is a value that a user sets in addition to a sheet: id=max 4500 us, system.nodes=256, spread=3%.
type Set struct{ Key, Value string }

// Parse parses a sheet, and applies sets to it. Its errors contain the file and the line.
func Parse(name string, text []byte, sets []Set) (*Sheet, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("%s: is longer than %d bytes, the limit for sheets", name, MaxBytes)
	}
	var f fields
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, fmt.Errorf("%s:%w", name, placed(err))
	}
	if err := lists.Try(sets, f.set); err != nil {
		return nil, err
	}
	at := func(number int, key string) string { // in requirement number, or in the sheet if number is -1
		if line := lineOf(text, number, key); line > 0 {
			return fmt.Sprintf("%s:%d", name, line)
		}
		return name
	}
	sheet, key, err := f.sheet()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at(-1, key), err)
	}
	sheet.digest = digestOf(text, sets)
	for i := range f.Requirements {
		list, key, err := sheet.requirements(&f.Requirements[i])
		if err == nil && len(sheet.Requirements)+len(list) > maxRequirements {
			key, err = "bytes", fmt.Errorf("want at most %d requirements", maxRequirements)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", at(i, key), cmp.Or(words.Line(f.Requirements[i].ID, '?'),
				"requirement "+strconv.Itoa(i+1)), err)
		}
		for _, r := range list {
			r.number = i
		}
		sheet.Requirements = append(sheet.Requirements, list...)
	}
	if r, key, err := sheet.checkReferences(); err != nil {
		return nil, fmt.Errorf("%s: %s: %w", at(r.number, key), r.ID, err)
	}
	return sheet, nil
}

// set replaces a value of the file.
func (f *fields) set(s Set) error {
	number := func(to *int) error {
		n, err := strconv.Atoi(s.Value)
		if err != nil {
			return fmt.Errorf("%s=%s: want a whole number", s.Key, s.Value)
		}
		*to = n
		return nil
	}
	numbers := map[string]*int{"most": &f.Most, "system.nodes": &f.System.Nodes, "system.nics": &f.System.NICs,
		"system.sockets": &f.System.Sockets, "system.cores": &f.System.Cores}
	texts := map[string]*string{"spread": &f.Spread, "unit": &f.Unit, "engine": &f.Engine, "age": &f.Age,
		"system.name": &f.System.Name, "system.memory": &f.System.Memory}
	known := []string{}
	for i := range f.Requirements {
		if r := &f.Requirements[i]; r.ID == s.Key {
			r.Threshold = s.Value
			return nil
		}
		known = append(known, f.Requirements[i].ID)
	}
	switch {
	case numbers[s.Key] != nil:
		return number(numbers[s.Key])
	case texts[s.Key] != nil:
		*texts[s.Key] = s.Value
		return nil
	}
	known = slices.AppendSeq(slices.AppendSeq(known, maps.Keys(numbers)), maps.Keys(texts))
	slices.Sort(known)
	return fmt.Errorf("%s=%s: no requirement has this name%s", s.Key, s.Value, meant(s.Key, known))
}

// placed adds the line to a decoder's error.
func placed(err error) error {
	if e := (*toml.StrictMissingError)(nil); errors.As(err, &e) && len(e.Errors) > 0 {
		line, _ := e.Errors[0].Position()
		key := e.Errors[0].Key()
		name := key[len(key)-1]
		return fmt.Errorf("%d: unknown key %q%s", line, name, meant(name, keys(len(key) > 1 && key[0] == "requirement",
			len(key) > 1 && key[0] == "system")))
	}
	if e := (*toml.DecodeError)(nil); errors.As(err, &e) {
		line, _ := e.Position()
		return fmt.Errorf("%d: %s", line, words.Line(e.Error(), ' '))
	}
	return fmt.Errorf(" %s", words.Line(err.Error(), ' '))
}

// header matches the line with which a requirement begins.
var header = words.MustCompile(`^\s*\[\[\s*requirement\s*\]\]`)

// lineOf returns the line of a key in requirement number, or in the sheet if number is -1. If the key is missing, it
// returns the first line of the requirement, or 0.
func lineOf(text []byte, number int, key string) int {
	at, begins := -1, 0
	for n, line := range strings.Split(string(text), "\n") {
		if header().MatchString(line) {
			if at++; at == number {
				begins = n + 1
			}
			continue
		}
		name, _, is := strings.Cut(line, "=")
		if is && at == number && strings.TrimSpace(name) == key {
			return n + 1
		}
	}
	return begins
}

// defaultConfidence is the default for confidence.
const defaultConfidence = 0.95

// maxUnits is the default for most: the planned number of days or runs. Later ones are judged by a stricter bound.
const maxUnits = 5

// Engines of results.
const (
	OverMPI   = "mpi"
	Simulated = "simulated"
	Embedded  = "embedded"
	Imported  = "imported" // from another program
)

// sheet returns the sheet without its requirements. With an error it also returns the wrong key.
func (f *fields) sheet() (s *Sheet, key string, err error) {
	s = &Sheet{Title: f.Title, Version: f.Version, Source: f.Source, Confidence: defaultConfidence,
		Unit: cmp.Or(f.Unit, Day), MaxUnits: cmp.Or(f.Most, maxUnits), System: f.System.Name, nodes: f.System.Nodes,
		each:   map[string]int{perNode: 1, "nic": f.System.NICs, "socket": f.System.Sockets, "core": f.System.Cores},
		engine: f.Engine, age: f.Age, spread: f.Spread}
	if f.Confidence != nil {
		s.Confidence = *f.Confidence
	}
	if s.memory, err = bytesOf(f.System.Memory); err != nil {
		return nil, "memory", fmt.Errorf("memory %w", err)
	}
	for key, n := range map[string]int{"most": s.MaxUnits, "nodes": s.nodes, "nics": f.System.NICs,
		"sockets": f.System.Sockets, "cores": f.System.Cores} {
		if n < 0 {
			return nil, key, fmt.Errorf("%s = %d: want 1 or more", key, n)
		}
	}
	switch {
	case strings.TrimSpace(s.Title) == "":
		return nil, "title", errors.New("want a title")
	case !(s.Confidence >= 0.5 && s.Confidence < 1):
		return nil, "confidence", fmt.Errorf("confidence = %v: want a number from 0.5 to below 1, such as 0.95",
			s.Confidence)
	case s.Unit != Day && s.Unit != EachRun:
		return nil, "unit", fmt.Errorf("unit = %q: want %s or %s", s.Unit, Day, EachRun)
	case len(f.Requirements) == 0:
		return nil, "", errors.New("no requirement: want [[requirement]]")
	case len(f.Requirements) > maxRequirements:
		return nil, "", fmt.Errorf("%d requirements: want at most %d", len(f.Requirements), maxRequirements)
	}
	return s, "", nil
}

// bytesOf parses a number of bytes with its unit. It returns 0 for none.
func bytesOf(x any) (int64, error) {
	switch x := x.(type) {
	case nil:
		return 0, nil
	case int64:
		if x < 0 {
			return 0, fmt.Errorf("%d: want 0 or more", x)
		}
		return x, nil
	case string:
		if x == "" {
			return 0, nil
		}
		n, err := quantityOfBytes(x)
		if err != nil || n < 0 || n > math.MaxInt64/2 || n != math.Trunc(n) {
			return 0, fmt.Errorf("%q: want bytes, such as 1 MiB or 1048576", x)
		}
		return int64(n), nil
	}
	return 0, fmt.Errorf("%v: want bytes, such as \"1 MiB\" or 1048576", x)
}
