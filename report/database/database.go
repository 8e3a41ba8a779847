// Package database writes tidy tables (report/tidy) into an SQLite database, by a driver without cgo. A database has as
// many results as one likes, and takes further ones later. Its table columns describes the columns of all others.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	_ "modernc.org/sqlite" // the driver

	"github.com/effective-bandwidth/beff/report/tidy"
)

// application is the application_id of our databases: "beff".
const application = 0x62656666

// Database is an open database. What was added is in it when Close has returned no error, all of it or nothing.
type Database struct {
	handle *sql.DB
	tx     *sql.Tx
	path   string
	made   bool                 // it wasn't there before
	insert map[string]*sql.Stmt // by table
}

// Open opens a database, which is made if it isn't there. A file that is no database of ours is refused.
func Open(path string) (d *Database, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	}
	d = &Database{path: path, made: info == nil || info.Size() == 0, insert: map[string]*sql.Stmt{}}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path,
		RawQuery: "_pragma=busy_timeout(10000)&_txlock=immediate"}
	if d.handle, err = sql.Open("sqlite", name.String()); err != nil {
		return nil, err
	}
	d.handle.SetMaxOpenConns(1)
	if err = d.begin(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), d.discard())
	}
	return d, nil
}

// begin begins the transaction that everything is added in.
func (d *Database) begin() (err error) {
	var id int64
	if err = d.handle.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if !d.made && id != application {
		return errors.New("the file is there, and no database that beff made: choose another name")
	}
	if d.tx, err = d.handle.Begin(); err != nil {
		return err
	}
	_, err = d.tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", application))
	return err
}

// Declare makes a table that isn't there, and columns that an older one lacks.
func (d *Database) Declare(t *tidy.Table) error {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, declaration(t, c))
	}
	_, err := d.tx.Exec(fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s)", quoted(t.Name), strings.Join(columns, ", ")))
	if err != nil {
		return err
	}
	there, err := d.columns(t.Name)
	if err != nil {
		return err
	}
	for i, c := range t.Columns {
		if !there[c.Name] {
			_, err := d.tx.Exec(fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s", quoted(t.Name), columns[i]))
			if err != nil {
				return err
			}
		}
	}
	if t.Name == runs {
		_, err = d.tx.Exec("CREATE UNIQUE INDEX IF NOT EXISTS runs_digest ON runs (digest)")
	} else if t.Columns[0].Name == run {
		_, err = d.tx.Exec(fmt.Sprintf("CREATE INDEX IF NOT EXISTS %s ON %s (run)", quoted(t.Name+"_run"),
			quoted(t.Name)))
	}
	if err != nil || t.Name == meta {
		return err
	}
	return d.describe(t)
}

// The names that have a meaning here.
const (
	runs = "runs"
	run  = "run"
	meta = "columns"
)

// declaration returns a column in SQL.
func declaration(t *tidy.Table, c tidy.Column) string {
	text := quoted(c.Name) + [...]string{" TEXT", " INTEGER", " REAL"}[c.Kind]
	switch {
	case c.Name == run && t.Name == runs:
		text += " PRIMARY KEY"
	case c.Name == run:
		text += " NOT NULL REFERENCES runs (run)"
	}
	return text
}

// columns returns the names of a table's columns.
func (d *Database) columns(table string) (map[string]bool, error) {
	list, err := d.tx.Query("SELECT name FROM pragma_table_info(?)", table)
	if err != nil {
		return nil, err
	}
	defer list.Close()
	names := map[string]bool{}
	for list.Next() {
		var name string
		if err := list.Scan(&name); err != nil {
			return nil, err
		}
		names[name] = true
	}
	return names, list.Err()
}

// describe puts the descriptions of a table's columns into the table of columns.
func (d *Database) describe(t *tidy.Table) error {
	type column struct {
		tidy.Column
		number int
	}
	var list []column
	for i, c := range t.Columns {
		list = append(list, column{c, i})
	}
	about := tidy.Of(meta, "columns of all tables", []tidy.Field[column]{
		tidy.String("table_name", "", func(*column) string { return t.Name }),
		tidy.Int("number", "", "", func(x *column) int64 { return int64(x.number) }),
		tidy.String("column_name", "", func(x *column) string { return x.Name }),
		tidy.String("unit", "", func(x *column) string { return x.Unit }),
		tidy.String("about", "", func(x *column) string { return x.About }),
	}, tidy.List(list))
	if err := d.Declare(about); err != nil {
		return err
	}
	if _, err := d.tx.Exec("DELETE FROM columns WHERE table_name = ?", t.Name); err != nil {
		return err
	}
	return d.Add(about)
}

// Add adds the rows of a declared table.
func (d *Database) Add(t *tidy.Table) error {
	insert := d.insert[t.Name]
	if insert == nil {
		var names []string
		for _, c := range t.Columns {
			names = append(names, quoted(c.Name))
		}
		var err error
		insert, err = d.tx.Prepare(fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", quoted(t.Name),
			strings.Join(names, ", "), strings.Repeat(", ?", len(names)-1)))
		if err != nil {
			return err
		}
		d.insert[t.Name] = insert
	}
	for row := range t.Rows {
		if _, err := insert.Exec(row...); err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return nil
}

// Next returns the number for a further run; there is true if the database has the result of this digest. The table of
// runs must be declared.
func (d *Database) Next(digest string) (number int64, there bool, err error) {
	err = d.tx.QueryRow("SELECT 1 + coalesce(max(run), 0), coalesce(sum(digest = ?), 0) > 0 FROM runs", digest).
		Scan(&number, &there)
	return number, there, err
}

// Close ends the transaction and closes the database.
func (d *Database) Close() error {
	if err := d.tx.Commit(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", d.path, err), d.discard())
	}
	return d.handle.Close()
}

// Discard closes the database without what was added. A new one is removed.
func (d *Database) Discard() error { return d.discard() }

func (d *Database) discard() error {
	if d.tx != nil {
		_ = d.tx.Rollback()
	}
	err := d.handle.Close()
	if d.made {
		if gone := os.Remove(d.path); !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// quoted returns a name in SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
