// Package database writes tidy tables (report/tidy) into an SQLite database, with a driver that needs no cgo. A
// database holds any number of results, and more can be added later. The table named columns describes the columns of
// all other tables.
package database

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"modernc.org/sqlite" // also registers the driver
	sqlitelib "modernc.org/sqlite/lib"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// application is the application_id of beff's databases: "beff".
const application = 0x62656666

// Times to wait for another process, which may export a lot: until Open calls waits, and after that.
const (
	patience = 2 * time.Second
	longest  = time.Hour
)

// Database is an open database. If Close returns nil, everything that was added is stored, otherwise nothing.
type Database struct {
	handle *sql.DB
	tx     *sql.Tx
	path   string
	file   fs.FileInfo          // path's file when it was opened
	made   bool                 // the file had no tables
	insert map[string]*sql.Stmt // statements by table
}

// Open opens a database, or creates it, and waits until no other process writes to it. After a while it calls waits,
// which may print a message. It refuses a file that isn't a database of beff. It accepts an empty file, because a
// killed process may leave one.
func Open(path string, waits func()) (*Database, error) {
	for {
		there, err := file(path)
		if err != nil {
			return nil, err
		}
		d := &Database{path: path, file: there, insert: map[string]*sql.Stmt{}}
		name := url.URL{Scheme: "file", OmitHost: true, Path: path,
			RawQuery: fmt.Sprintf("_pragma=busy_timeout(%d)&_txlock=immediate", patience.Milliseconds())}
		if d.handle, err = sql.Open("sqlite", name.String()); err != nil {
			return nil, err
		}
		d.handle.SetMaxOpenConns(1)
		err = d.begin(waits)
		switch named := d.isNamed(); {
		case named && err == nil:
			return d, nil
		case named:
			return nil, errors.Join(fmt.Errorf("%s: %w", path, err), d.Discard())
		}
		_ = d.Discard() // another process has removed the file
	}
}

// isNamed reports whether the path still names the file that was opened.
func (d *Database) isNamed() bool {
	now, err := os.Stat(d.path)
	return err == nil && os.SameFile(d.file, now)
}

// file returns information about the database's file, which it creates if necessary. It checks the files next to it
// that SQLite would open, since SQLite would replay a journal.
func file(path string) (fs.FileInfo, error) {
	for _, beside := range []string{path + "-journal", path + "-wal", path + "-shm"} {
		if info, err := os.Lstat(beside); err == nil && !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s is not a regular file: move it away", beside)
		}
		if err := input.CheckCompanion(beside, path); err != nil {
			return nil, fmt.Errorf("%w: choose another name", err)
		}
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return f.Stat()
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	return info, err
}

// begin begins the transaction for everything that is added. It examines the database within the transaction, when no
// other process can change it.
func (d *Database) begin(waits func()) (err error) {
	d.tx, err = d.handle.Begin()
	if locked := (*sqlite.Error)(nil); errors.As(err, &locked) && locked.Code() == sqlitelib.SQLITE_BUSY {
		waits()
		if _, err = d.handle.Exec(fmt.Sprintf("PRAGMA busy_timeout = %d", longest.Milliseconds())); err == nil {
			d.tx, err = d.handle.Begin()
		}
	}
	if err != nil {
		return err
	}
	var id, entries int64
	if err = d.tx.QueryRow("PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if err = d.tx.QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&entries); err != nil {
		return err
	}
	if d.made = id == 0 && entries == 0; !d.made && id != application {
		return errors.New("the file exists, and is not a database that beff made: choose another name")
	}
	_, err = d.tx.Exec(fmt.Sprintf("PRAGMA application_id = %d", application))
	return err
}

// Declare creates a table if it doesn't exist, and adds columns that an older table lacks.
func (d *Database) Declare(t *tidy.Table) error {
	columns := lists.Each(t.Columns, func(c tidy.Column) string { return declaration(t, c) })
	_, err := d.tx.Exec(fmt.Sprintf("CREATE TABLE IF NOT EXISTS %s (%s)", quoted(t.Name), strings.Join(columns, ", ")))
	if err != nil {
		return err
	}
	if err := d.checkPlain(t.Name); err != nil {
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

// column and made match the SQL text by which Declare creates a column and a table.
const column = `[\w"]+( TEXT| INTEGER| REAL)?( PRIMARY KEY| NOT NULL REFERENCES runs \(run\))?`

var made = regexp.MustCompile(`^CREATE (TABLE|(UNIQUE )?INDEX) [\w"]+ (ON [\w"]+ )?\(` + column +
	`(, ` + column + `)*\)$`)

// checkPlain returns an error if a table has more than columns and indices. Triggers, for example, which somebody else
// has put into a database, would run with each row.
func (d *Database) checkPlain(table string) error {
	list, err := d.tx.Query("SELECT sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND sql NOT NULL", table)
	if err != nil {
		return err
	}
	defer list.Close()
	for list.Next() {
		var text string
		if err := list.Scan(&text); err != nil {
			return err
		}
		if !made.MatchString(text) {
			return fmt.Errorf("%s: its table %s isn't as beff made it: choose another name", d.path, table)
		}
	}
	return list.Err()
}

// Names of tables and a column with a special meaning.
const (
	runs = "runs"
	run  = "run"
	meta = "columns"
)

// declaration returns the SQL declaration of a column.
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

// describe stores the descriptions of a table's columns in the table of columns.
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
		tidy.Int("number", "", "", func(x *column) int { return x.number }),
		tidy.String("column_name", "", func(x *column) string { return x.Name }),
		tidy.String("unit", "", func(x *column) string { return x.Unit }),
		tidy.String("about", "", func(x *column) string { return x.About }),
	}, tidy.Each(list))
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
		names := lists.Each(t.Columns, func(c tidy.Column) string { return quoted(c.Name) })
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

// Next returns the number for a new run. It reports true if the database already has the result with this digest or
// measurement. The table of runs must be declared.
func (d *Database) Next(digest, measurement string) (number int64, there bool, err error) {
	err = d.tx.QueryRow("SELECT 1 + coalesce(max(run), 0), coalesce(sum(digest = ? OR measurement = ?), 0) > 0 "+
		"FROM runs", digest, measurement).Scan(&number, &there)
	return number, there, err
}

// Close commits the transaction and closes the database.
func (d *Database) Close() error {
	if err := d.tx.Commit(); err != nil {
		return errors.Join(fmt.Errorf("%s: %w", d.path, err), d.Discard())
	}
	return d.handle.Close()
}

// Discard closes the database without storing anything. If it was empty, Discard removes the file before the
// transaction ends. Until then no other process can write to it, and a waiting process finds afterwards that the file
// is gone.
func (d *Database) Discard() (err error) {
	if d.made && d.isNamed() {
		err = os.Remove(d.path)
	}
	if d.tx != nil {
		_ = d.tx.Rollback()
	}
	return errors.Join(err, d.handle.Close())
}

// quoted quotes a name for SQL.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
