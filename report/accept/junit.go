package accept

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// The elements of JUnit's XML as Jenkins and GitLab read them. GitLab shows the body of a failure, and Jenkins also
// shows its message. Both identify a case by class and name.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Stamp    string `xml:"timestamp,attr,omitempty"`

		Program junitProperty `xml:"properties>property"` // version of beff
		Cases   []junitCase   `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Failure *junitReason `xml:"failure"`
		Error   *junitReason `xml:"error"`
		Skipped *junitReason `xml:"skipped"`
		Out     string       `xml:"system-out"`
	}
	junitReason struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes the verdicts as test cases, a suite for each system: a missed requirement is a failure, a failed
// condition an error, and a requirement with any other verdict than Met is skipped.
func JUnit(w io.Writer, list []*Acceptance) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(junitSuites{Suites: lists.Each(list, (*Acceptance).junit)}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junit returns the suite of a system.
func (a *Acceptance) junit() junitSuite {
	s := junitSuite{Name: strings.Join(strings.Fields(a.Title+" "+a.Version+" "+a.name), " "), Tests: len(a.Judged),
		Program: junitProperty{"beff_version", rating.Release}}
	if !a.Finished.IsZero() {
		s.Stamp = a.Finished.UTC().Format("2006-01-02T15:04:05")
	}
	sheet := word(s.Name)
	for _, j := range a.Judged {
		c := junitCase{Class: fmt.Sprintf("%s.%s", sheet, word(j.name())), Name: j.sized(), Out: j.text()}
		why := &junitReason{Type: string(j.Verdict), Message: j.line(), Text: j.text()}
		switch j.Verdict {
		case Missed:
			c.Failure, s.Failures = why, s.Failures+1
		case ConditionFailed:
			c.Error, s.Errors = why, s.Errors+1
		case Undecided, NotMeasured, Reported, MayMiss:
			c.Skipped, s.Skipped = why, s.Skipped+1
		}
		s.Cases = append(s.Cases, c)
	}
	return s
}

// text lists a verdict with all of its runs.
func (j *Judged) text() string {
	lines := []string{fmt.Sprintf("%s: %s", j.Verdict, j.line())}
	for _, run := range j.Runs {
		date := words.Either(run.Date.IsZero(), "", run.Date.UTC().Format(time.DateOnly)+" ")
		why := words.Either(run.Refused == "", "", " (doesn't count: "+run.Refused+")")
		lines = append(lines, words.OneLine(date+j.Shown(run.Value)+" "+run.File+why))
	}
	return strings.Join(lines, "\n")
}
