package rating

import "fmt"

// Pages is what the memory of the nodes held of files that were read, by samples of the pages that each process reads.
type Pages struct {
	// Pages that were looked at, by all processes together.
	Looked int64 `json:"looked" jsonschema:"minimum=1"`
	// Of these, in memory before the files were read.
	Before int64 `json:"before" jsonschema:"minimum=0"`
	// Of these, in memory after that.
	After int64 `json:"after" jsonschema:"minimum=0"`
	// Bytes that came from storage meanwhile, as far as the file system counts them; left out if none did, or if the
	// system doesn't tell.
	Fetched int64 `json:"fetched,omitempty" jsonschema:"minimum=0"`
}

// Check returns an error unless there can be such pages; of none there is nothing to check.
func (p *Pages) Check() error {
	if p != nil && (p.Looked < 1 || p.Before < 0 || p.After < 0 || p.Before > p.Looked || p.After > p.Looked ||
		p.Fetched < 0) {
		return fmt.Errorf("%d of %d pages in memory before it was read, %d after that, %d bytes fetched", p.Before,
			p.Looked, p.After, p.Fetched)
	}
	return nil
}

// MostCached is the part of what is read that may come from memory: reading is too fast by about as much.
const MostCached = 0.05

// filesInMemory lists the file systems that are memory themselves.
var filesInMemory = map[string]bool{"tmpfs": true, "ramfs": true}

// MemorySign returns the sign of data of which a part was read from memory, on a file system of a type.
func MemorySign(part float64, of, remedy string) Sign {
	text := "read from memory: %s of what was read was in the memory of the nodes that read it"
	if filesInMemory[of] {
		remedy = "rate another file system: " + of + " is memory, and has no storage behind it"
		text += ", as " + of + " is memory itself"
	}
	return PartSign("memory", remedy, part, MostCached, text)
}
