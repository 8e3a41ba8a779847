// Package accept judges results by a requirement sheet. A sheet is a TOML file: which figures, at which sizes, must be
// above or below which limits, how sure that must be, and under which conditions results count. Judge finds the runs of
// each requirement among results, and says whether it is met, missed or undecided, with the probability that this is
// wrong. All runs count: none is dropped because it doesn't fit, and those that can't count are listed with the reason.
// Documents, worksheets and reports for CI systems are made of the verdicts. Nothing is measured here.
//
// The rule of verdicts is stats.Sequential. docs/studies/accept.md shows how often it is wrong.
package accept
