package main

import (
	"debug/buildinfo"
	"errors"
	"os"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

// parts writes the list of a binary's modules in the CycloneDX format. Go's linker has recorded them in the binary.
func (r *release) parts(arch, binary string) (err error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	component := func(kind cyclonedx.ComponentType, path, version string) cyclonedx.Component {
		url := "pkg:golang/" + path + "@" + version
		return cyclonedx.Component{Type: kind, Name: path, Version: version, BOMRef: url, PackageURL: url}
	}
	program := component(cyclonedx.ComponentTypeApplication, info.Main.Path, "v"+r.version)
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: r.time.Format("2006-01-02T15:04:05Z"), Component: &program}
	library := component(cyclonedx.ComponentTypeLibrary, "std", strings.TrimPrefix(info.GoVersion, "go"))
	components := []cyclonedx.Component{library}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		components = append(components, component(cyclonedx.ComponentTypeLibrary, m.Path, m.Version))
	}
	var refs []string
	for _, c := range components {
		refs = append(refs, c.BOMRef)
	}
	bom.Components = &components
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &refs}}
	f, err := os.Create(r.name(arch, ".cdx.json"))
	if err != nil {
		return err
	}
	return errors.Join(cyclonedx.NewBOMEncoder(f, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom), f.Close())
}
