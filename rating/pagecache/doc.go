// Package pagecache reports how much of a file this machine holds in memory, and drops it from there, by calls that
// every user may make on their files: mincore, fsync and posix_fadvise. It sees only the page cache of this machine's
// kernel. It doesn't see the caches of servers and devices, or of file systems that keep their own (GPFS' page pool).
package pagecache
