package machine

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

//go:embed presets/*.yaml
var presets embed.FS

// Presets returns the names of the machines that come with the program.
func Presets() []string {
	files, err := fs.Glob(presets, "presets/*.yaml")
	if err != nil {
		panic(err) // the pattern is right
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// Preset returns the file of a machine that comes with the program.
func Preset(name string) ([]byte, error) {
	text, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("no preset %q: there are %s", name, strings.Join(Presets(), ", "))
	}
	return text, nil
}
