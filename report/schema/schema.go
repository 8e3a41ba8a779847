// Package schema holds the published JSON Schemas (draft 2020-12) of result documents, one for each benchmark and
// version of its document. They are made of the result types, whose tags carry units and limits; a schema is never
// written by hand. They say what a document looks like, not whether its figures follow from each other: that is for
// each benchmark's Verify.
package schema

import (
	"embed"
	"fmt"
)

//go:generate go test .. -run ^TestPublishedSchemas$ -update

//go:embed *.json
var files embed.FS

// Of returns the schema of a benchmark's result document in a version; "" if none is published.
func Of(benchmark string, version int) string {
	text, err := files.ReadFile(fmt.Sprintf("%s-%d.json", benchmark, version))
	if err != nil {
		return ""
	}
	return string(text)
}
