package rating

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Join is the resumption of a run that had ended early.
type Join struct {
	// Beginning of the later part.
	Started time.Time `json:"started"`
	// Number of samples, or of rows of a probe, in all earlier parts.
	Samples int `json:"samples" jsonschema:"minimum=0"`
	// Seconds of measurement in all earlier parts.
	WallSeconds float64 `json:"wall_seconds" jsonschema:"minimum=0"`
	// Facts that differ between both parts, which the user allowed; left out if there are none.
	Differences []string `json:"differences,omitempty"`
}

// Parts returns a sentence about the parts in which a run was measured, or "" for one part.
func (p *Period) Parts() string {
	if len(p.Joined) == 0 {
		return ""
	}
	var at []string
	for _, j := range p.Joined {
		at = append(at, fmt.Sprintf("after sample %d on %s", j.Samples, j.Started.Format(time.RFC1123Z)))
	}
	return fmt.Sprintf("measured in %d parts, joined %s", len(p.Joined)+1, strings.Join(at, ", "))
}

// joinedWarning returns the warning about a run that was measured in parts.
func (p *Period) joinedWarning() []Warning {
	if len(p.Joined) == 0 {
		return nil
	}
	return []Warning{{Code: "joined", Text: "the run was " + p.Parts(),
		Remedy: "the machine may have changed between the parts: compare the repetitions, or measure in one part"}}
}

// JoinedCriterion returns the criterion that all parts of a run were measured alike, if they were not.
func (p *Period) JoinedCriterion() []Criterion {
	var all []string
	for _, j := range p.Joined {
		for _, d := range j.Differences {
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []Criterion{{Name: "joined", Text: "all parts were measured in the same way (" + strings.Join(all,
		"; ") + ")"}}
}
