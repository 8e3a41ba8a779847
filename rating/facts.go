package rating

// System is what its people say of a machine: none of it is found out, all of it may be empty.
type System struct {
	Name string `json:"name,omitempty" yaml:"name" jsonschema:"description=by which results of the same machine are put together"`
	Site string `json:"site,omitempty" yaml:"site"`
	Note string `json:"note,omitempty" yaml:"note"`
}

// Host is the machine that process 0 runs on. Facts that could not be found are empty.
type Host struct {
	System  string `json:"system" jsonschema:"description=operating system (uname -s)"`
	Name    string `json:"name" jsonschema:"description=host name (uname -n)"`
	Release string `json:"release" jsonschema:"description=uname -r"`
	Version string `json:"version" jsonschema:"description=uname -v"`
	Machine string `json:"machine" jsonschema:"description=uname -m"`
	CPU     string `json:"cpu,omitempty" jsonschema:"description=model name of the first processor"`
	Cores   int    `json:"cores,omitempty" jsonschema:"description=logical processors of the node"`
	Memory  int64  `json:"memory,omitempty" jsonschema:"description=bytes: the node's memory or the cgroup's limit if less"`
	// Interconnect lists the fabric's active ports, such as "mlx5_0 port 1: InfiniBand, 200 Gb/s, MT4123".
	Interconnect []string `json:"interconnect,omitempty" jsonschema:"description=active ports of the network adapters"`
}

// Warning is something that a reader of the figures should know, with what can be done about it.
type Warning struct {
	Code   string `json:"code" jsonschema:"description=stable short name"`
	Text   string `json:"text"`
	Remedy string `json:"remedy"`
}

// Criterion is one condition of a valid rating.
type Criterion struct {
	Name    string `json:"name" jsonschema:"description=stable short name"`
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
