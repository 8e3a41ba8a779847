package rating

// FileSystem describes the file system that holds a run's files.
type FileSystem struct {
	// Directory of the files.
	Directory string `json:"directory"`
	// Type, such as lustre or ext4.
	Type string `json:"type,omitempty"`
	// Size in bytes.
	Size int64 `json:"size,omitempty" jsonschema:"minimum=0"`
	// Bytes before the run.
	Free int64 `json:"free,omitempty" jsonschema:"minimum=0"`
	// Inodes.
	Files int64 `json:"files,omitempty" jsonschema:"minimum=0"`
	// Inodes before the run.
	FreeFiles int64 `json:"free_files,omitempty" jsonschema:"minimum=0"`
}
