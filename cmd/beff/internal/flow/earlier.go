package flow

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/rating/journal"
	"github.com/effective-bandwidth/beff/report/words"
)

// Earlier is the earlier part of a resumed run. Only rank 0 has it. It is nil for a new run.
type Earlier struct {
	*journal.Journal
	head      earlierHead
	Selective bool // the command line selects measurements
}

// earlierHead is the part of any result document that a resumed run takes over or compares.
type earlierHead struct {
	Benchmark string         `json:"benchmark"`
	System    *rating.System `json:"system"`
	Started   time.Time      `json:"started"`
	Joined    []rating.Join  `json:"joined"`
	Processes int            `json:"processes"`
	// Environment has the command line of the run, and the devices, which must not change.
	Environment *rating.Environment `json:"environment"`
	// The following facts must not change.
	Version   string          `json:"beff_version"`
	Command   string          `json:"command"`      // of probes; it may change
	Threads   string          `json:"thread_level"` // of probes
	Engine    mpi.Library     `json:"engine"`
	Placement []job.Placement `json:"placement"`
}

// Command returns the command line of a probe.
func (p *Earlier) Command() string { return p.head.Command }

// newEarlier returns the earlier part of a run from its journal. It returns an error if the journal is of another
// benchmark or another number of processes.
func newEarlier(left *journal.Journal, benchmark string, processes int, selective bool) (*Earlier, error) {
	p := &Earlier{Journal: left, Selective: selective}
	if err := json.Unmarshal(left.Head.Document, &p.head); err != nil {
		return nil, fmt.Errorf("the head of the journal: %w", err)
	}
	switch {
	case p.head.Benchmark != benchmark:
		return nil, exit.Misuse("the journal is of %s, not of %s", p.head.Benchmark, benchmark)
	case p.head.Processes != processes:
		return nil, exit.Misuse("the journal has %d processes, but this job has %d", p.head.Processes, processes)
	}
	return p, nil
}

// Decide returns the value from which all processes plan: the one decided by an earlier part of the run, or otherwise
// the one that find returns on rank 0. If the command line is selective, both must be the same.
func Decide[T any](j *Job, before *Earlier, find func(before *T) (T, error)) (T, error) {
	return job.Decide(j.Engine.World(), func() (T, error) {
		if before == nil {
			return find(nil)
		}
		was, err := Decided[T](before)
		if err != nil || !before.Selective {
			return was, err
		}
		now, err := find(&was)
		if err != nil {
			return was, err
		}
		if changed := changes(was, now); len(changed) > 0 {
			return was, exit.Misuse("this is another run than the one to resume: %s; repeat its flags, or leave "+
				"them out", strings.Join(changed, ", "))
		}
		return was, nil
	})
}

// Decided returns the decision of an earlier part of the run. A field that this build doesn't know is an error: it may
// have selected measurements, and without it the plan would be another one.
func Decided[T any](before *Earlier) (was T, err error) {
	d := json.NewDecoder(bytes.NewReader(before.Head.Decided))
	d.DisallowUnknownFields()
	if err := d.Decode(&was); err != nil {
		return was, exit.Misuse("the journal is of another build of beff, and --resume can't use it (%w); its samples "+
			"stay", err)
	}
	return was, nil
}

// differences returns the facts that have changed since the earlier part of a run.
func (p *Earlier) differences(h journal.Head) ([]string, error) {
	var now earlierHead
	if err := json.Unmarshal(h.Document, &now); err != nil {
		return nil, err
	}
	list := changes(p.head.facts(), now.facts())
	if p.Head.Binary != h.Binary {
		list = append(list, "another build of the program")
	}
	return list, nil
}

// facts returns the facts that must not change, by name.
func (h *earlierHead) facts() map[string]any {
	hosts := lists.Each(h.Placement, func(p job.Placement) string { return p.Host + ": " + p.Ranks })
	devices := ""
	if h.Environment != nil && h.Environment.Devices != nil {
		devices = h.Environment.Devices.String()
	}
	return map[string]any{"devices": devices, "version": h.Version,
		"library": strings.TrimSpace(h.Engine.Library + " " + h.Engine.Version),
		"engine":  h.Engine.Engine, "thread level": h.Threads, "placement": strings.Join(hosts, ", ")}
}

// changes returns the differences of two values that encoding/json writes as objects: "seed: 1 before, 2 now".
func changes(was, now any) (list []string) {
	before, after := fields(was), fields(now)
	names := maps.Clone(before)
	maps.Copy(names, after)
	for _, path := range slices.Sorted(maps.Keys(names)) {
		if x, y := before[path], after[path]; !reflect.DeepEqual(x, y) {
			name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
			list = append(list, fmt.Sprintf("%s: %v before, %v now", name, valueWords(x), valueWords(y)))
		}
	}
	return list
}

// valueWords returns a JSON value in words.
func valueWords(v any) any {
	if v == nil || reflect.DeepEqual(v, "") {
		return "none"
	}
	return v
}

// fields returns the fields of a value and of the objects within it by their paths, as encoding/json reads them back.
func fields(v any) map[string]any {
	list := map[string]any{}
	var content any
	if text, err := json.Marshal(v); err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		_ = d.Decode(&content) // content was just encoded
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		object, is := v.(map[string]any)
		if !is {
			list[path] = v
		}
		for name, x := range object {
			walk(path+"."+name, x)
		}
	}
	walk("", content)
	return list
}

// neutral lists the flags that don't select measurements, or that must be repeated, such as the directory of files.
var neutral = []string{"directory", "keep", "resume", "wall", "engine", "mpi", "ranks", "machine",
	"set", "system", "site", "note", "force", "dry-run", "help", "help-all", "patience", "noise", "hang-limit",
	"topology", "verbose", "buffers", "staged", "device"}

// Selective reports whether a command line selects measurements.
func Selective(line *kong.Context) bool {
	return slices.ContainsFunc(Given(line), func(step *kong.Path) bool {
		return step.Positional != nil || step.Flag != nil && !slices.Contains(neutral, step.Flag.Name)
	})
}

// Given returns the steps of a command line without the flags from beff.toml, which may have changed since.
func Given(line *kong.Context) []*kong.Path {
	return lists.Where(line.Path, func(step *kong.Path) bool { return !step.Resolved })
}

// begin creates the files of a run, or takes over the files of an earlier part. It returns the samples of earlier parts
// on all processes, or nil for a new run.
func (r *run[M]) begin(before *Earlier) (*M, error) {
	return job.Decide(r.Engine.World(), func() (earlier *M, err error) {
		r.mu.Lock() // a signal waits until the files are whole
		defer r.mu.Unlock()
		r.atJournal(func() {
			if before != nil {
				earlier, err = r.takeOver(before, r.spec.Flags.Force)
			} else if r.out.Journal != nil {
				var head journal.Head
				if head, err = r.head(); err == nil {
					err = r.out.Begin(head, r.benchmark.JournalBytes(), r.documents(new(M), rating.ErrUnderWay))
				}
			}
		})
		if err != nil {
			r.discard(before)
			return nil, err
		}
		r.journal.begin(r.out, r.benchmark.Since, earlier)
		if earlier != nil {
			r.kept = earlier
			r.anyKept.Store(r.benchmark.Samples(earlier) > 0)
		}
		if live, is := r.benchmark.(Live[M]); is {
			live.Begin(r.Stderr)
		}
		return earlier, nil
	})
}

// discard removes the files of a new run. It keeps the files of an earlier part.
func (r *run[M]) discard(before *Earlier) {
	if before == nil {
		r.out.Discard()
	} else {
		_ = r.out.Leave()
	}
}

// takeOver takes over the facts and the samples of the earlier parts of a run, and begins the new part.
func (r *run[M]) takeOver(before *Earlier, anyway bool) (*M, error) {
	earlier, unread := journal.Replay(before.Records, r.benchmark.Add)
	unread += before.Damaged
	if t, is := r.benchmark.(Trimmer[M]); is {
		t.Trim(earlier)
	}
	join := rating.Join{Started: r.about.Started, Samples: r.benchmark.Samples(earlier),
		WallSeconds: r.benchmark.Seconds(earlier)}
	r.about.Started = before.head.Started
	if was := before.head.Environment; was != nil && r.about.Environment != nil {
		r.about.Environment.Command = was.Command
	}
	r.about.Waits = before.Waits
	if r.about.System == (rating.System{}) && before.head.System != nil {
		r.about.System = *before.head.System
	}
	head, err := r.head()
	if err != nil {
		return nil, err
	}
	if join.Differences, err = before.differences(head); err != nil {
		return nil, err
	}
	if len(join.Differences) > 0 && !anyway {
		return nil, fmt.Errorf("this differs from the earlier part: %s; --force resumes all the same, and the result "+
			"records it", strings.Join(join.Differences, "; "))
	}
	r.about.Joined = append(slices.Clone(before.head.Joined), join)
	if head, err = r.head(); err != nil {
		return nil, err
	}
	head.Made = before.Head.Made
	fmt.Fprintf(r.Stderr, "beff: resuming after sample %d of %s\n", join.Samples,
		r.about.Started.Format(time.RFC1123Z))
	for _, w := range rating.WaitWarning(before.Waits) {
		fmt.Fprintf(r.Stderr, "beff: before that, %s\n", words.OneLine(w.Text))
	}
	if before.Halved > 0 {
		fmt.Fprintln(r.Stderr, "beff: a copy of the journal's head is damaged: nothing is lost by it")
	}
	if unread > 0 {
		fmt.Fprintf(r.Stderr, "beff: %s of the journal can't be read: their samples are measured again\n",
			words.Count(unread, "record"))
	}
	return earlier, r.out.BeginNext(head, earlier)
}

// earlier returns the earlier part of a resumed run on rank 0, which then holds its lock. done is true on all ranks if
// the earlier part is complete.
func (r *run[M]) earlier() (before *Earlier, done bool, err error) {
	prefix := r.spec.Flags.Resume
	if prefix == nil {
		return nil, false, nil
	}
	world := r.Engine.World()
	done, err = job.Decide(world, func() (bool, error) {
		var left *journal.Journal
		err := r.watch.inFile("reading the journal of "+*prefix, func() (err error) {
			left, err = r.out.Resume(*prefix, r.Stderr)
			return err
		})
		if err == nil && left != nil {
			before, err = newEarlier(left, r.spec.Name, world.Size(), r.spec.Selective)
		}
		return left == nil, err
	})
	return before, done, err
}
