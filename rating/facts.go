package rating

// System is what its people say of a machine: none of it is found out, all of it may be empty.
type System struct {
	// By which results of the same machine are put together.
	Name string `json:"name,omitempty" yaml:"name"`
	Site string `json:"site,omitempty" yaml:"site"`
	Note string `json:"note,omitempty" yaml:"note"`
}

// Host is the machine that process 0 runs on. Facts that could not be found are empty.
type Host struct {
	// Operating system (uname -s).
	System string `json:"system"`
	// Host name (uname -n).
	Name string `json:"name"`
	// Uname -r.
	Release string `json:"release"`
	// Uname -v.
	Version string `json:"version"`
	// Uname -m.
	Machine string `json:"machine"`
	// Model name of the first processor.
	CPU string `json:"cpu,omitempty"`
	// Logical processors of the node.
	Cores int `json:"cores,omitempty"`
	// Bytes: the node's memory or the cgroup's limit if less.
	Memory int64 `json:"memory,omitempty"`
	// Active ports of the network adapters, such as "mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123".
	Interconnect []string `json:"interconnect,omitempty"`
}

// Warning is something that a reader of the figures should know, with what can be done about it.
type Warning struct {
	// Stable short name.
	Code   string `json:"code"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// Criterion is one condition of a valid rating.
type Criterion struct {
	// Stable short name.
	Name    string `json:"name"`
	Text    string `json:"text"`
	Reached bool   `json:"reached"`

	// Since is the first schema version of documents with this criterion; 0: all have it.
	Since int `json:"-"`
}

// Valid says whether all criteria are reached.
func Valid(criteria []Criterion) bool {
	for _, c := range criteria {
		if !c.Reached {
			return false
		}
	}
	return true
}
