// Package schema holds the published JSON Schemas (draft 2020-12) of result documents, one for each benchmark and
// version of its document. They are made of the result types, whose tags carry units and limits; a schema is never
// written by hand. They say what a document looks like, not whether its figures follow from each other: that is
// Result.Check.
package schema

import (
	_ "embed"
)

//go:generate go test . -run ^TestPublished$ -update

var (
	//go:embed b_eff-1.json
	bEff1 string
	//go:embed b_eff_io-1.json
	bEffIO1 string
	//go:embed probe-1.json
	probe1 string
)

// BEff1 returns the schema of b_eff's result document, version 1 (beff.Result).
func BEff1() string { return bEff1 }

// BEffIO1 returns the schema of b_eff_io's result document, version 1 (beffio.Result).
func BEffIO1() string { return bEffIO1 }

// Probe1 returns the schema of a probe's result document, version 1 (probe.Result).
func Probe1() string { return probe1 }
