// Package schema holds the published JSON Schemas (draft 2020-12) of result documents, one for each benchmark and
// version of its document. They are made of the result types, whose tags carry units and limits; a schema is never
// written by hand. They say what a document looks like, not whether its figures follow from each other: that is for
// each benchmark's Verify. beff itself reads documents by rules that it makes of the same types (report/prove).
package schema

//go:generate go test .. -run ^TestPublishedSchemas$ -update
