package scratch

// FileSystem holds what Facts finds. What is not known is empty.
type FileSystem struct {
	Directory string
	Type      string // such as lustre or ext4
	Size      int64  // bytes
	Free      int64  // bytes that this user may use
	FreeFiles int64
}
