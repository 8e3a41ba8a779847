package main

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// chosen holds the flags of commands that take many results, and not all of them.
type chosen struct {
	Where []string `placeholder:"CONDITION" sep:"none" help:"${where}"`
	Since string   `placeholder:"DATE" help:"${since}"`
}

// choose returns the results that the flags ask for.
func (c chosen) choose(points []history.Point, now time.Time) ([]history.Point, error) {
	for _, text := range c.Where {
		holds, err := ranking.NewFilter(text)
		if err != nil {
			return nil, exit.Misuse("--where: %w", err)
		}
		points = slices.DeleteFunc(points, func(p history.Point) bool { return !holds(&p.Entry) })
	}
	if c.Since == "" {
		return points, nil
	}
	since, err := sinceWhen(c.Since, now)
	return slices.DeleteFunc(points, func(p history.Point) bool { return p.Date.Before(since) }), err
}

// sinceWhen returns the time that a date or a number of days before now names.
func sinceWhen(text string, now time.Time) (time.Time, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 {
			return now.AddDate(0, 0, -n), nil
		}
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02", "2006-01",
		"2006"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return now, exit.Misuse("%q: want a date such as 2026-10-31 or 2026-10, or days before today, such as 30d", text)
}
