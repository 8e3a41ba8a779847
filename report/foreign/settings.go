package foreign

import "strings"

// String returns the setting as a text, such as "threads 4".
func (s Setting) String() string { return strings.TrimSpace(s.Name + " " + s.Value) }

// Buffers is the setting that names the memory of the messages on both sides. A program that doesn't print it uses
// HostBuffers.
const (
	Buffers       = "buffers"
	HostBuffers   = "H H"
	DeviceBuffers = "D D"
)

// AllSettings returns the settings, with the buffers last, which are the host's if the program doesn't print them.
func (t Table) AllSettings() (list []Setting) {
	buffers := Setting{Buffers, HostBuffers}
	for _, s := range t.Settings {
		if s.Name == Buffers {
			buffers = s
		} else {
			list = append(list, s)
		}
	}
	return append(list, buffers)
}

// Names returns a name for each table: its test, with the settings in which tables of the same test differ, such as
// "latency, threads 4".
func Names(tables []Table) []string {
	type set struct {
		test string
		Setting
	}
	of, with := map[string]int{}, map[set]int{} // numbers of tables
	for _, t := range tables {
		of[t.Test]++
		for _, s := range t.Settings {
			with[set{t.Test, s}]++
		}
	}
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.Test
		for _, s := range t.Settings {
			if with[set{t.Test, s}] < of[t.Test] {
				names[i] += ", " + s.String()
			}
		}
	}
	return names
}
