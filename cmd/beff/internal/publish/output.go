package publish

import (
	"compress/gzip"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
)

// Output is the files of a run: the documents, and the journal of its samples. They are opened before the measurement,
// so that a typo fails within a second. Documents are always whole: a new version is written to a file next to the old
// one and then takes its name.
type Output struct {
	Endings []string // of the documents, the JSON document's first
	Own     string   // name of the files if the output is a directory
	Force   bool
	Journal *journal.File // nil: writes no files
	prefix  string        // empty: writes no files
	packed  bool          // the result document is compressed by gzip
	made    []string      // documents that are new
	old     bool          // documents of another run exist, and stay until this one has samples
}

// File is one of the documents, with its ending.
type File struct {
	Ending string
	Write  func(io.Writer) error
}

// FilesOf returns the documents of a run: the result document, and those of the benchmark's own formats that are kept.
func FilesOf(r report.Report) []File {
	files := []File{{".json", r.Sealed}}
	for _, t := range r.Texts() {
		if t.Kept {
			files = append(files, File{t.Ending, t.Write})
		}
	}
	return files
}

// EndingsOf returns the endings of FilesOf. It needs no result.
func EndingsOf(r report.Report) []string {
	return lists.Each(FilesOf(r), func(f File) string { return f.Ending })
}

// Open creates the files of a new run and locks them. A file that exists is an error, unless it may be overwritten, or
// a run that measured nothing left it. Open writes notes to stderr.
func (o *Output) Open(prefix string, stderr io.Writer) error {
	if err := o.name(prefix); err != nil {
		return err
	}
	left, err := o.lock(o.Force)
	if err != nil {
		return err
	}
	if left != nil && len(left.Records) > 0 && !o.Force {
		return errors.Join(fmt.Errorf("output %s exists, and keeps the data of a run: resume it with --resume %s, "+
			"choose another --output, or --force", o.Journal.Path, words.ShellQuoted([]string{o.prefix})), o.Leave())
	}
	if err := o.create(left != nil && left.Head.Made); err != nil {
		if left != nil {
			return errors.Join(err, o.Leave())
		}
		o.Discard()
		return err
	}
	if left != nil && !left.Ended {
		fmt.Fprintf(stderr, "beff: %s was left by process %d on %s, which is gone: it is taken\n", o.Journal.Path,
			left.Head.Owner.PID, words.OneLine(left.Head.Owner.Host))
	}
	return o.Journal.Clear()
}

// Documents creates only the documents, for something that needs no time. A document that exists is an error unless it
// may be overwritten.
func (o *Output) Documents(prefix string) error {
	err := o.name(prefix)
	if err == nil {
		err = o.create(false)
	}
	if err != nil {
		o.Discard()
	}
	return err
}

// name sets the prefix of all files. In a directory the files are named Own.
func (o *Output) name(prefix string) error {
	if IsDirectory(prefix) {
		if err := os.MkdirAll(prefix, 0o755); err != nil {
			return Failed(err)
		}
		prefix = filepath.Join(prefix, o.Own)
	}
	o.prefix, o.packed = input.Stem(prefix), strings.HasSuffix(prefix, o.Endings[0]+input.Gzip)
	for _, ending := range o.Endings {
		o.prefix = strings.TrimSuffix(o.prefix, ending)
	}
	if name := filepath.Base(o.prefix); strings.HasSuffix(o.prefix, "/") || name == "." || name == ".." {
		o.prefix = ""
		return fmt.Errorf("output %q: want a prefix for the files' names, such as %s", prefix,
			filepath.Join(prefix, "rating"))
	}
	return nil
}

// path returns the path of a document.
func (o *Output) path(ending string) string {
	if o.packed && ending == o.Endings[0] {
		ending += input.Gzip
	}
	return o.prefix + ending
}

// Prefix returns the prefix of all files' names, empty without files.
func (o *Output) Prefix() string { return o.prefix }

// Result returns the path of the result document.
func (o *Output) Result() string { return o.path(o.Endings[0]) }

// Packed returns a function that writes the contents of a file, compressed by gzip if its name ends with .gz.
func Packed(name string, write func(io.Writer) error) func(io.Writer) error {
	if !strings.HasSuffix(name, input.Gzip) {
		return write
	}
	return func(w io.Writer) error {
		z := gzip.NewWriter(w)
		return errors.Join(write(z), z.Close())
	}
}

// lock opens the journal, and returns its contents, nil if it is new. With force a damaged journal counts as new.
func (o *Output) lock(force bool) (*journal.Journal, error) {
	path, _, err := input.OutputTarget(o.prefix + journal.Suffix)
	if err != nil {
		return nil, Failed(err)
	}
	file, left, err := journal.Open(path, force)
	switch {
	case errors.Is(err, journal.ErrInUse) && left != nil:
		owner := left.Head.Owner
		return left, fmt.Errorf("output %s is in use by process %d on %s: choose another --output", o.prefix, owner.PID,
			words.OneLine(owner.Host))
	case err != nil:
		return left, Failed(err)
	}
	o.Journal = file
	return left, nil
}

// Resume opens the files of a run that ended early, and returns its journal, nil if the run is complete. It writes
// notes to stderr.
func (o *Output) Resume(prefix string, stderr io.Writer) (*journal.Journal, error) {
	if err := o.name(prefix); err != nil {
		return nil, err
	}
	if _, err := os.Stat(o.path(o.Endings[0]) + input.Gzip); err == nil && !o.packed {
		_, err := os.Stat(o.path(o.Endings[0]))
		o.packed = err != nil
	}
	path := o.prefix + journal.Suffix
	if _, err := os.Stat(path); err != nil {
		if f := report.Read(o.path(o.Endings[0])); f.Usable && f.Complete() {
			fmt.Fprintf(stderr, "beff: %s is complete: nothing is missing\n", f.Name())
			return nil, nil
		}
		return nil, fmt.Errorf("nothing to resume: %w", err)
	}
	if err := o.refuseLinks(); err != nil {
		return nil, err
	}
	left, err := o.lock(false)
	if err == nil && left == nil {
		err = errors.Join(fmt.Errorf("nothing to resume: %s is empty", path), o.Leave())
	}
	return left, err
}

// Begin writes the head of the journal, and documents without samples, so that readable ones exist from now on.
// Documents of another run that may be overwritten stay until there are samples. room is the number of bytes that the
// samples will need, as far as known.
func (o *Output) Begin(head journal.Head, room int64, files []File) error {
	if o.prefix == "" {
		return nil
	}
	head.Made = !o.old
	err := o.Journal.Begin(head)
	if err == nil {
		err = o.Journal.Reserve(room)
	}
	if err == nil {
		err = o.Journal.Sync()
	}
	if err != nil {
		return fmt.Errorf("output: there is no room for the samples: %w", err)
	}
	if o.old {
		return nil
	}
	return o.Keep(files)
}

// create creates the documents.
func (o *Output) create(beginnings bool) error {
	return lists.Try(o.Endings, func(ending string) error { return o.createOne(o.path(ending), beginnings) })
}

// createOne creates a document. One that exists must be empty, unless it may be overwritten, or is a beginning.
func (o *Output) createOne(name string, beginning bool) error {
	beginning = beginning && !isLink(name)
	old, err := Free(name, o.Force || beginning)
	if err != nil {
		return err
	}
	mine := !old || beginning
	o.old = o.old || !mine
	f, err := os.OpenFile(resolved(name), os.O_WRONLY, 0)
	switch {
	case err == nil:
		err = f.Close()
	case errors.Is(err, os.ErrNotExist): // created with its first text
		err = nil
	}
	if err == nil && mine {
		o.made = append(o.made, name)
	}
	if err == nil { // can a part be created next to it?
		if f, err = newPart(resolved(name)); err == nil {
			err = errors.Join(remove(f.Name()), f.Close())
		}
	}
	return Failed(err)
}

// Free returns an error unless a file may be written: it doesn't exist, or force allows to overwrite it. old means that
// a file exists that isn't empty.
func Free(name string, force bool) (old bool, err error) {
	_, info, err := input.OutputTarget(name)
	if err != nil {
		return false, Failed(err)
	}
	if old = info != nil && info.Size() > 0; old && !force {
		return old, fmt.Errorf("output %s exists: choose another --output, or --force", name)
	}
	return old, nil
}

// isLink reports whether a file is a link. Its target need not belong to the run whose journal is next to it, because a
// journal may come from a stranger.
func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// refuseLinks returns an error for a document that is a link.
func (o *Output) refuseLinks() error {
	for _, ending := range o.Endings {
		if name := o.path(ending); isLink(name) {
			return fmt.Errorf("output %s is a link, which a resumed run doesn't follow: remove it", name)
		}
	}
	return nil
}

// resolved returns the file for a name that Free has checked: the target of a link, which need not exist.
func resolved(name string) string {
	if path, _, err := input.OutputTarget(name); err == nil {
		return path
	}
	return name
}

// Keep writes the current documents. It writes all that it can, even if one fails.
func (o *Output) Keep(files []File) error {
	if o.prefix == "" {
		return nil
	}
	o.old = false
	var all error
	for _, d := range files {
		all = errors.Join(all, Failed(Replace(o.path(d.Ending), Packed(o.path(d.Ending), d.Write))))
	}
	return all
}

// BeginNext writes to the journal the head of a resumed part, and the measurement with which it begins.
func (o *Output) BeginNext(head journal.Head, earlier any) error {
	err := o.Journal.Begin(head)
	if err == nil {
		err = o.Journal.Append(journal.Whole, earlier)
	}
	if err == nil {
		err = o.Journal.Sync()
	}
	return Failed(err)
}

// Reclaim makes sure that the journal still has its name, and writes it again if it has not: with its directory, or
// next to the files of another run that has taken the name. It returns a message about that, if it did so.
func (o *Output) Reclaim() (told string, err error) {
	if o.Journal == nil || !o.Journal.Lost() {
		return "", nil
	}
	was := o.Journal.Path
	if err = o.Journal.Renew(was); err == nil {
		return was + " was removed or moved: it is made anew, with all samples", nil
	}
	if errors.Is(err, os.ErrExist) || errors.Is(err, journal.ErrInUse) {
		prefix := o.prefix + "-" + strings.ToLower(rand.Text()[:8])
		if err = o.Journal.Renew(prefix + journal.Suffix); err == nil {
			o.prefix, o.made, o.old = prefix, nil, false
			return fmt.Sprintf("%s is another file now: this run continues as %s", was, prefix), nil
		}
	}
	return "", fmt.Errorf("%s was removed or moved, and can't be made anew: %w", was, err)
}

// Old reports whether documents of another run still exist. The next Keep overwrites them.
func (o *Output) Old() bool { return o.old }

// Leave closes the files and leaves them unchanged.
func (o *Output) Leave() error {
	if o.Journal == nil {
		return nil
	}
	err := o.Journal.Close()
	o.Journal = nil
	return err
}

// End writes the documents of a run that ended for a reason, nil if it is complete. It removes the journal of a
// complete run. It keeps the journal of any other run, so that the run can be resumed, or if the documents can't be
// written.
func (o *Output) End(files []File, reason error) error {
	if o.prefix == "" {
		return nil
	}
	// The documents may need the space that the journal has reserved.
	if err := errors.Join(o.Journal.Trim(), o.Keep(files)); err != nil {
		if o.Journal.Lost() {
			return fmt.Errorf("%w; the journal is gone, too", err)
		}
		return fmt.Errorf("%w; the samples are in %s", err, o.Journal.Path)
	}
	if reason == nil {
		return o.Journal.Remove()
	}
	return o.Journal.Append(journal.Ended, journal.Ending{Reason: reason.Error()})
}

// Discard removes the files of a run that has measured nothing. It keeps files that were empty before the run.
func (o *Output) Discard() {
	for _, name := range o.made {
		if info, err := os.Stat(name); err == nil && info.Size() > 0 {
			os.Remove(resolved(name))
		}
	}
	if o.Journal != nil {
		o.Journal.Remove()
	}
	o.made, o.Journal = nil, nil
}

// Where returns the end of a sentence with the place of the result.
func (o *Output) Where() string {
	if o.prefix == "" {
		return "; nothing is kept, as no --output was given"
	}
	return "; the measured data are in " + words.OneLine(words.Joined(lists.Each(o.Endings, o.path), "and"))
}

// PrintResume prints how to resume a run that ended early.
func (o *Output) PrintResume(w io.Writer) {
	if o.prefix != "" {
		fmt.Fprintf(w, "beff: --resume %s measures the missing parts\n", words.ShellQuoted([]string{o.prefix}))
	}
}

// PrintDone prints the place of the result, if there is one.
func (o *Output) PrintDone(w io.Writer) {
	if o.prefix != "" {
		fmt.Fprintf(w, "beff: done%s\n", o.Where())
	}
}

// Replace replaces a file. At every moment the old or the new version is there, whole. A link stays a link;
// input.OutputTarget decides which links are followed.
func Replace(name string, write func(io.Writer) error) error {
	part, err := NewPart(name)
	if err != nil {
		return err
	}
	if err := write(part); err != nil {
		part.Drop()
		return err
	}
	return part.Keep()
}

// syncDirectory makes a new name survive a power failure, on file systems that support that.
func syncDirectory(path string) {
	if d, err := os.Open(path); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
