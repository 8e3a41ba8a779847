package report

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// secrets has the names to be replaced in a result, by kind, each with its number in the order in which they appear.
type secrets struct {
	numbers map[string]map[string]int
	longest int // bytes of a name
}

// Kinds of names, which are also the words that replace them, and the kind of hidden values.
const (
	aHost, aUser, aPath, aServer = "node", "user", "path", "server"
	aVariable                    = "hidden variable"
)

var (
	absolutePath = regexp.MustCompile(`(^|[^\w/.)\]}-])(/[\w.+@%~-]+(?:/[\w.+@%~-]+)*)`)
	anyPath      = regexp.MustCompile(`[^\s=:,;]*/[^\s=:,;]*`)
	homePath     = regexp.MustCompile(`/(?:home|users|Users|u)(?:/[a-z])?/(\w[\w.-]+)`)
	address      = regexp.MustCompile(`\b\d{1,3}(\.\d{1,3}){3}\b`)
	secretName   = regexp.MustCompile(`(^|_)(USER|LOGNAME|HOME|HOSTNAME|HOSTS?|NODELIST|ACCOUNT|MAIL|PWD)$`)
	domain       = regexp.MustCompile(`^(\.[\w-]+)*`)
	openPath     = regexp.MustCompile(`^/(tmp$|path-\d|(usr|lib|lib64|dev|proc|sys|bin)(/|$))`) // hides nothing
)

// instead returns the name that replaces another one: its kind and its number.
func (s *secrets) instead(name, kind string) string {
	if s.numbers[kind] == nil {
		s.numbers[kind] = map[string]int{}
	}
	known := s.numbers[kind]
	if known[name] == 0 {
		known[name], s.longest = len(known)+1, max(s.longest, len(name))
	}
	return fmt.Sprintf("%s-%d", kind, known[name])
}

// path returns the path that replaces another one. The name of a library stays, because figures may depend on it.
func (s *secrets) path(p string) string {
	switch {
	case openPath.MatchString(p):
		return p
	case strings.Contains(path.Base(p), ".so"):
		return path.Join("/"+s.instead(path.Dir(p), aPath), path.Base(p))
	}
	return "/" + s.instead(p, aPath)
}

// text returns a text with all names replaced. In a command line or the name of a file, each word with a slash is a
// path.
func (s *secrets) text(text, field string) string {
	for _, m := range homePath.FindAllStringSubmatch(text, -1) {
		s.instead(m[1], aUser)
	}
	text = absolutePath.ReplaceAllStringFunc(text, func(found string) string {
		at := strings.Index(found, "/")
		return found[:at] + s.path(found[at:])
	})
	if field == "command" || field == "imported" {
		text = anyPath.ReplaceAllStringFunc(text, func(found string) string {
			if strings.HasPrefix(found, "/") {
				return found // replaced above
			}
			return s.instead(found, aPath)
		})
	}
	return s.hide(text)
}

// hide replaces the names of hosts and users, each with the domain after it, if they aren't parts of longer words. The
// longest name counts. A text is searched once, because a result may have as many texts and names as hosts.
func (s *secrets) hide(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		by, n := "", 0
		if wordEnds(text, at) {
			by, n = s.named(text[at:])
		}
		if n == 0 {
			b.WriteByte(text[at])
			at++
			continue
		}
		b.WriteString(by)
		at += n + len(domain.FindString(text[at+n:]))
	}
	return b.String()
}

// named returns the replacement of the longest name with which a text begins, and that name's number of bytes, or 0.
func (s *secrets) named(text string) (by string, n int) {
	for n = min(len(text), s.longest); n > 0; n-- {
		for _, kind := range []string{aHost, aUser} {
			if s.numbers[kind][text[:n]] > 0 && wordEnds(text, n) {
				return s.instead(text[:n], kind), n
			}
		}
	}
	return "", 0
}

// wordEnds reports whether a word begins or ends at a place in a text.
func wordEnds(text string, at int) bool {
	word := func(i int) bool {
		if i < 0 || i >= len(text) {
			return false
		}
		lower := text[i] | ('a' - 'A')
		return text[i] == '_' || text[i] >= '0' && text[i] <= '9' || lower >= 'a' && lower <= 'z'
	}
	return word(at-1) != word(at)
}

// eachText replaces each text of a result by the result of f for the text and the JSON name of its field or list. It
// skips samples and figures, which have no names.
func eachText(v reflect.Value, field string, f func(text, field string) string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			eachText(v.Elem(), field, f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			eachText(v.Index(i), field, f)
		}
	case reflect.String:
		v.SetString(f(v.String(), field))
	case reflect.Struct:
		for i := range v.NumField() {
			of := v.Type().Field(i)
			name, _, _ := strings.Cut(of.Tag.Get("json"), ",")
			if v.Type() == reflect.TypeFor[rating.Host]() && name == "name" {
				name = "host"
			}
			if of.IsExported() && !slices.Contains(withoutNames, name) {
				eachText(v.Field(i), name, f)
			}
		}
	}
}

// withoutNames are fields of documents that have no names of hosts, users or paths. hosts are fields that name a host.
var (
	withoutNames = []string{"samples", "derived", "benchmark", "digest", "engine", "rules"}
	hosts        = []string{"host", "from_host", "to_host"}
)

// Public returns the result document without names of hosts, users and directories, and the numbers of replaced names
// in words. It fails if the figures don't follow from that document.
func (f *File) Public() (text []byte, replaced string, err error) {
	if f.Journal != "" {
		return nil, "", errors.New("its run has not ended: only whole results can be published")
	}
	again, err := f.Again()
	if err != nil {
		return nil, "", err
	}
	bare, s := reflect.ValueOf(f.kind.bare(again.report)), &secrets{numbers: map[string]map[string]int{}}
	eachText(bare, "", func(text, field string) string {
		if slices.Contains(hosts, field) && text != "" && !again.model() {
			short, _, _ := strings.Cut(text, ".")
			s.instead(words.Either(address.MatchString(text), text, short), aHost)
		}
		return text
	})
	head := again.report.Header()
	if head.Environment != nil {
		s.environment(head.Environment)
	}
	eachText(bare, "", s.text)
	var list []string
	for _, kind := range []string{aHost, aUser, aPath, aServer, aVariable} {
		if n := len(s.numbers[kind]); n > 0 {
			list = append(list, words.Count(n, kind))
		}
	}
	head.Identity.Replaced = words.Joined(list, "and")
	var b bytes.Buffer
	if err := again.report.Sealed(&b); err != nil {
		return nil, "", err
	}
	if _, err := f.kind.read(b.Bytes()); err != nil {
		return nil, "", fmt.Errorf("%s: without its names it doesn't verify: %w", f.Name(), line(err))
	}
	return b.Bytes(), head.Identity.Replaced, nil
}

// environment removes the nodes of the batch job, and hides values of variables that name users, hosts or addresses.
func (s *secrets) environment(e *rating.Environment) {
	e.Job.Nodes = ""
	if strings.ContainsAny(e.Mount.Source, ":@") {
		e.Mount.Source = s.instead(e.Mount.Source, aServer)
	}
	e.Mount.Options = address.ReplaceAllStringFunc(e.Mount.Options, func(found string) string {
		return s.instead(found, aServer)
	})
	for i := range e.Variables {
		v := &e.Variables[i]
		if !v.Hidden && (secretName.MatchString(v.Name) || address.MatchString(v.Value)) {
			v.Value, v.Hidden = "", true
			s.instead(v.Name, aVariable)
		}
	}
}
