package house

import (
	"regexp"
	"strings"
)

// Rates holds the rates of a text, or their limits.
type Rates struct {
	Patterns  float64 // matches of the patterns per 1,000 words
	Telegrams float64 // percent of the sentences with two or more colons or semicolons
}

// The limits are a little above the current rates. Lower them when the texts are better.
var (
	// Pages limits README.md and docs/*.md.
	Pages = Rates{2.2, 1}
	// Developers limits docs/dev, CONTRIBUTING.md and SECURITY.md.
	Developers = Rates{0.5, 0.5}
	// Comments limits the Go comments of all files but tests.
	Comments = Rates{1.5, 0.5}
	// Help limits the texts of --help-all.
	Help = Rates{0.5, 3.5}
)

// Patterns has constructions that English seldom has. Go's standard library has 0.9 of them per 1,000 words.
var Patterns = []struct {
	Name, Advice string
	expression   *regexp.Regexp
}{
	{"stand-in", "repeat the noun", regexp.MustCompile(
		`\b(?:[Tt]hat|[Tt]hose) of\b|\bof (?:its|their|his|one's|our) own\b`)},
	{"sentence that begins with Of", "use for, in or with, or make it the subject", regexp.MustCompile(
		"(?m)(?:^|[.;:!?|] )Of (?:[A-Za-z0-9`_-]+ ){1,7}")},
	{"what without a noun", "name the thing", regexp.MustCompile(
		`(?:^|[^A-Za-z])[Ww]hat [a-z'’]+ [^.?|]*[.|;:]`)},
	{"behind, from … on", "write after, following, or at least", regexp.MustCompile(
		`\b[Bb]ehind\b|\bfrom (?:[A-Za-z0-9.%]+ ){1,4}on\b`)},
	{"beside, stand", "write next to, compared with, in addition to; text is or appears", regexp.MustCompile(
		`\b[Bb]esides?\b|\b(?:stand|stands|stood)\b`)},
	{"alone", "write only, before the word that it limits", regexp.MustCompile("[a-z0-9`E] alone\\b")},
	{"say, tell", "name the actor: beff prints, the report shows", regexp.MustCompile(
		`\b(?:say|says|said|tells|told|tell)\b`)},
	{"else, is so, where", "write otherwise, or if", regexp.MustCompile(`(?:, |[.;] )(?:else|Else)\b|` +
		`\b(?:is|are|isn't|was) so\b| where (?:there|it|that|they|this|no|nothing|none|one|each|several|times|a)\b`)},
	{"go on", "write resume, continue or make progress", regexp.MustCompile(`\b(?:go|goes|going|went) on\b`)},
}

var (
	question    = regexp.MustCompile(`\b[Ww]hat (if|to)\b`)
	sentenceEnd = regexp.MustCompile(`([.!?])\s+|\n|\|`)
	stop        = regexp.MustCompile(`[:;]\s`)
)

// Judge returns the rates of a text, and its matches and telegrams with some words around them.
func Judge(text string) (r Rates, found []string) {
	text = question.ReplaceAllString(text, "how $1")
	for _, p := range Patterns {
		for _, at := range p.expression.FindAllStringIndex(text, -1) {
			r.Patterns++
			around := text[max(0, at[0]-40):min(len(text), at[1]+30)]
			found = append(found, p.Name+": …"+strings.Join(strings.Fields(around), " ")+"… "+p.Advice)
		}
	}
	sentences := 0.
	for sentence := range strings.SplitSeq(sentenceEnd.ReplaceAllString(text, "$1\n"), "\n") {
		if len(strings.Fields(sentence)) <= 3 {
			continue
		}
		sentences++
		if len(stop.FindAllString(sentence, -1)) > 1 {
			r.Telegrams++
			found = append(found, "telegram: "+sentence+" Make two sentences.")
		}
	}
	r.Patterns *= 1000 / max(1, float64(len(strings.Fields(text))))
	r.Telegrams *= 100 / max(1, sentences)
	return r, found
}
