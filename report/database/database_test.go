package database

import (
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/report/tidy"
)

// table returns a table with a number of rows.
func table(rows int) *tidy.Table {
	list := make([]int64, rows)
	return tidy.Of("numbers", "", []tidy.Field[int64]{
		tidy.Int("number", "", "", func(x *int64) int64 { return *x }),
		tidy.String("text", "", func(*int64) string { return "a text that needs room" }),
	}, tidy.Each(list))
}

func add(t *testing.T, d *Database, rows int) {
	require.NoError(t, d.Declare(table(0)))
	require.NoError(t, d.Add(table(rows)))
}

func count(t *testing.T, path string) (n int) {
	d, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer d.Close()
	require.NoError(t, d.QueryRow("SELECT count(*) FROM numbers").Scan(&n))
	return n
}

// Opening a database that another process creates waits for that process, and loses nothing, whether the other process
// keeps the database or discards it.
func TestTogether(t *testing.T) {
	for name, end := range map[string]func(*Database) error{"kept": (*Database).Close, "dropped": (*Database).Discard} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a.sqlite")
			first, err := Open(path, func() {})
			require.NoError(t, err)
			add(t, first, 3)
			opened := make(chan *Database)
			go func() {
				second, err := Open(path, func() {})
				if err != nil {
					t.Error(err)
				}
				opened <- second
			}()
			require.Eventually(t, func() bool { return opens(t, path) > 1 }, time.Minute, time.Millisecond)
			require.NoError(t, end(first))
			second := <-opened
			require.NotNil(t, second)
			add(t, second, 4)
			require.NoError(t, second.Close())
			require.Equal(t, map[string]int{"kept": 7, "dropped": 4}[name], count(t, path))
		})
	}
}

// If two exports begin at once and the file doesn't exist, one waits for the other, and the file has the results of
// both.
func TestAtOnce(t *testing.T) {
	for range 10 {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		begin, ended := make(chan bool), make(chan error)
		for _, rows := range []int{300, 600} {
			go func() {
				<-begin
				d, err := Open(path, func() {})
				if err == nil {
					err = errors.Join(d.Declare(table(0)), d.Add(table(rows)), d.Close())
				}
				ended <- err
			}()
		}
		close(begin)
		require.NoError(t, errors.Join(<-ended, <-ended))
		require.Equal(t, 900, count(t, path))
	}
}

// If a process is killed in its first transaction, the next one can use the file that it leaves.
func TestKilled(t *testing.T) {
	const variable = "BEFF_TEST_KILLED"
	if path := os.Getenv(variable); path != "" {
		d, err := Open(path, func() {})
		require.NoError(t, err)
		add(t, d, 200_000) // more than SQLite keeps in memory
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
	}
	path := filepath.Join(t.TempDir(), "a.sqlite")
	c := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
	c.Env = append(os.Environ(), variable+"="+path)
	require.EqualError(t, c.Run(), "signal: killed")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.NotZero(t, info.Size(), "some of it is on the disk")
	d, err := Open(path, func() {})
	require.NoError(t, err)
	add(t, d, 2)
	require.NoError(t, d.Close())
	require.Equal(t, 2, count(t, path))
}

// Open refuses other programs' files, and doesn't change them.
func TestOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	d, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = d.Exec("CREATE TABLE numbers (number); INSERT INTO numbers VALUES (1)")
	require.NoError(t, err)
	require.NoError(t, d.Close())
	_, err = Open(path, func() {})
	require.ErrorContains(t, err, "is not a database that beff made")
	require.Equal(t, 1, count(t, path))
	require.NoError(t, os.WriteFile(path, []byte("notes"), 0o644))
	_, err = Open(path, func() {})
	require.ErrorContains(t, err, "not a database")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "notes", string(text))
}

// Triggers and expressions in a database don't run, and Open doesn't wait for named pipes next to it.
func TestHostile(t *testing.T) {
	for _, change := range []string{
		"CREATE TRIGGER x AFTER INSERT ON Numbers BEGIN DELETE FROM numbers; END",
		"CREATE INDEX x ON numbers (abs(number))",
		"ALTER TABLE numbers ADD COLUMN x DEFAULT 1",
		"ALTER TABLE numbers ADD COLUMN x AS (number + 1)",
		"ALTER TABLE numbers RENAME TO other; CREATE VIEW numbers AS SELECT number, text FROM other",
	} {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		d, err := Open(path, func() {})
		require.NoError(t, err)
		add(t, d, 1)
		require.NoError(t, d.Close())
		other, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = other.Exec(change)
		require.NoError(t, err)
		require.NoError(t, other.Close())
		d, err = Open(path, func() {})
		require.NoError(t, err)
		require.ErrorContains(t, d.Declare(table(0)), "its table numbers isn't as beff made it", change)
		require.NoError(t, d.Discard())
		require.Equal(t, 1, count(t, path))
	}
	for _, beside := range []string{"-journal", "-wal", "-shm"} {
		path := filepath.Join(t.TempDir(), "a.sqlite")
		require.NoError(t, syscall.Mkfifo(path+beside, 0o600))
		_, err := Open(path, func() {})
		require.EqualError(t, err, path+beside+" is not a regular file: move it away")
	}
}

// Another user's journal is never played back into a database, whether the database exists or not.
func TestJournalOfStranger(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root makes files of other users")
	}
	dir := t.TempDir()
	require.NoError(t, os.Chmod(dir, 0o777|os.ModeSticky))
	path := filepath.Join(dir, "a.sqlite")
	for range 2 {
		for _, beside := range []string{"-journal", "-wal", "-shm"} {
			require.NoError(t, os.WriteFile(path+beside, nil, 0o666))
			require.NoError(t, os.Chown(path+beside, 65534, 65534))
			_, err := Open(path, func() {})
			require.EqualError(t, err, path+beside+
				" belongs to user 65534 in a directory of all users, and a.sqlite doesn't: choose another name")
			require.NoError(t, os.Remove(path+beside))
		}
		d, err := Open(path, func() {})
		require.NoError(t, err)
		add(t, d, 1)
		require.NoError(t, d.Close())
	}
}

// Open calls waits once if it has to wait for another process.
func TestCallsWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	first, err := Open(path, func() {})
	require.NoError(t, err)
	add(t, first, 1)
	said, began := 0, time.Now()
	second, err := Open(path, func() {
		said++
		require.InDelta(t, patience.Seconds(), time.Since(began).Seconds(), 2)
		require.NoError(t, first.Close())
	})
	require.NoError(t, err)
	require.Equal(t, 1, said)
	add(t, second, 1)
	require.NoError(t, second.Close())
	require.Equal(t, 2, count(t, path))
}

// Discard doesn't remove another file that has taken the database's name.
func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.sqlite")
	d, err := Open(path, func() {})
	require.NoError(t, err)
	add(t, d, 1)
	require.NoError(t, os.Rename(path, path+".moved"))
	require.NoError(t, os.WriteFile(path, []byte("another one's"), 0o600))
	require.NoError(t, d.Discard())
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "another one's", string(text))
}

// opens returns how often this process has a file open.
func opens(t *testing.T, path string) (n int) {
	links, err := filepath.Glob("/proc/self/fd/*")
	require.NoError(t, err)
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && to == path {
			n++
		}
	}
	return n
}
