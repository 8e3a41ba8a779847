package watch

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Address is where rank 0 listens. All processes get it before anything is measured.
type Address struct {
	Hosts []string // its IP addresses
	Port  int
	// Token begins each message, because anyone may send datagrams. It is a secret of the job: it is sent by MPI, and
	// appears in no argument, variable or file.
	Token string
}

// A process that makes no progress sends messages to rank 0: datagrams of the token and its wait in JSON. maxMessage
// is the length of the longest one in bytes.
const maxMessage = 8 << 10

// fresh is the time for which a message counts. The sender repeats it at each look.
const fresh = 4 * longestLook

// Answers is the time in which the other processes of a job notice what rank 0 has noticed, and their messages arrive.
const Answers = 2 * longestLook

// Mailbox collects on rank 0 the messages of the other processes.
type Mailbox struct {
	Address Address
	conn    *net.UDPConn
	heard   func(rating.Wait)

	mu   sync.Mutex // guards from
	from map[int]arrived
}

// arrived is the last message of a rank.
type arrived struct {
	wait rating.Wait
	at   time.Time
}

// Listen opens the mailbox: on all addresses of this host, or only on the loopback address if all processes are here.
// It calls heard for each message.
func Listen(here bool, heard func(rating.Wait)) (*Mailbox, error) {
	var at *net.UDPAddr
	if here {
		at = &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}
	}
	conn, err := net.ListenUDP("udp", at)
	if err != nil {
		return nil, err
	}
	p := &Mailbox{conn: conn, heard: heard, from: map[int]arrived{}, Address: Address{Token: rand.Text(),
		Port: conn.LocalAddr().(*net.UDPAddr).Port}}
	attachFilter(conn, p.Address.Token)
	if here {
		p.Address.Hosts = []string{at.IP.String()}
		go p.read()
		return p, nil
	}
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		conn.Close()
		return nil, err
	}
	for _, a := range addresses {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLinkLocalUnicast() {
			p.Address.Hosts = append(p.Address.Hosts, ip.IP.String())
		}
	}
	go p.read()
	return p, nil
}

// read receives messages until the mailbox is closed.
func (p *Mailbox) read() {
	data := make([]byte, maxMessage)
	for {
		n, err := p.conn.Read(data)
		if err != nil {
			return
		}
		token := data[:min(n, len(p.Address.Token))]
		var wait rating.Wait
		if subtle.ConstantTimeCompare(token, []byte(p.Address.Token)) == 0 ||
			json.Unmarshal(data[len(token):n], &wait) != nil {
			continue
		}
		p.mu.Lock()
		p.from[wait.Rank] = arrived{wait, time.Now()}
		p.mu.Unlock()
		p.heard(wait)
	}
}

// Close closes the mailbox.
func (p *Mailbox) Close() { p.conn.Close() }

// Waits returns the waits that other processes have reported lately, by rank.
func (p *Mailbox) Waits() []rating.Wait {
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.DeleteFunc(p.from, func(_ int, a arrived) bool { return time.Since(a.at) > fresh })
	list := lists.Each(slices.Collect(maps.Values(p.from)), func(a arrived) rating.Wait { return a.wait })
	slices.SortFunc(list, func(a, b rating.Wait) int { return cmp.Compare(a.Rank, b.Rank) })
	return list
}

// Send reports waits to rank 0: to each of its addresses, because some may be out of reach. It waits for no answer.
func (a Address) Send(waits []rating.Wait) {
	for _, w := range waits {
		text, err := json.Marshal(w)
		data := append([]byte(a.Token), text...)
		if err != nil || len(data) > maxMessage {
			continue
		}
		for _, host := range a.Hosts {
			if conn, err := net.Dial("udp", net.JoinHostPort(host, strconv.Itoa(a.Port))); err == nil {
				_, _ = conn.Write(data)
				conn.Close()
			}
		}
	}
}

// maxNamed limits the number of ranks that a summary names.
const maxNamed = 8

// manyRanks is the number of processes up to which each prints its own wait, so that a summary needs no ranks.
const manyRanks = 64

// Summary describes a job of some processes to rank 0's knowledge: how many wait in which call, and which don't answer.
func Summary(processes int, waits []rating.Wait, names Names) string {
	calls := map[string][]int{}
	heard := make(map[int]bool, len(waits))
	for _, w := range waits {
		call, _, _ := strings.Cut(w.Call, " with rank ")
		call, _, _ = strings.Cut(cmp.Or(call, "no call"), ", ")
		calls[call] = append(calls[call], w.Rank)
		heard[w.Rank] = true
	}
	var parts []string
	for _, call := range slices.Sorted(maps.Keys(calls)) {
		ranks := calls[call]
		text := fmt.Sprintf("%d in %s", len(ranks), call)
		if few := slices.Sorted(slices.Values(ranks)); len(few) <= maxNamed && processes > manyRanks {
			text += fmt.Sprintf(": %s %s", words.Plural("rank", len(few)), job.Ranges(few))
		}
		parts = append(parts, text)
	}
	text := fmt.Sprintf("%d of %d ranks wait (%s)", len(heard), processes, strings.Join(parts, ", "))
	silent := lists.Where(lists.Numbers(processes), func(rank int) bool { return !heard[rank] })
	switch n := len(silent); {
	case n == 0:
	case n == 1:
		text += fmt.Sprintf("; rank %d on %s doesn't answer", silent[0], names.Host(silent[0]))
	case n <= maxNamed:
		text += fmt.Sprintf("; ranks %s don't answer", job.Ranges(silent))
	default:
		text += fmt.Sprintf("; %d ranks don't answer, such as %s", n, job.Ranges(silent[:maxNamed]))
	}
	return text
}
