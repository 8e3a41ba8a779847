// Package accept judges results by a requirement sheet. A sheet is a TOML file: it defines which figures, at which
// sizes, must be above or below which limits, with which confidence, and under which conditions results count. Judge
// finds each requirement's runs among results, and decides whether the requirement is met, missed or undecided, with
// the probability that this is wrong. All runs count unless a condition excludes them; excluded runs are listed with
// the reason. The verdicts become documents, worksheets and reports for CI systems. The package measures nothing.
//
// The rule of verdicts is stats.Sequential. docs/studies/accept.md shows how often it is wrong.
package accept
