package rating

// FileSystem describes the file system that a run's files are on.
type FileSystem struct {
	// Directory of the files.
	Directory string `json:"directory"`
	// Such as lustre or ext4.
	Type string `json:"type,omitempty"`
	// Bytes.
	Size int64 `json:"size,omitempty" jsonschema:"minimum=0"`
	// Bytes before the run.
	Free int64 `json:"free,omitempty" jsonschema:"minimum=0"`
	// Bytes before the run that are free for the superuser alone.
	Reserved int64 `json:"reserved,omitempty" jsonschema:"minimum=0"`
	// Inodes.
	Files int64 `json:"files,omitempty" jsonschema:"minimum=0"`
	// Inodes before the run.
	FreeFiles int64 `json:"free_files,omitempty" jsonschema:"minimum=0"`
}

// Used returns the part of the bytes that was in use, as IOR and mdtest count it: what is free for the superuser alone
// isn't in use.
func (f *FileSystem) Used() float64 {
	if f.Size == 0 {
		return 0
	}
	return 1 - float64(f.Free+f.Reserved)/float64(f.Size)
}
