package suites

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/probe/kernel"
)

// metadataKernels returns the kernels of metadata. They are mdtest's phases in mdtest's order, in which each phase uses
// the files that the phase before it left, and beff's own: rewriting, renaming and listing files while they exist, and
// MPI's file calls.
func metadataKernels() []kernel.Kernel {
	list := []kernel.Kernel{}
	add := func(name, calls string, rows kernel.Rows, use *kernel.PathUse, ops ...mpi.Op) {
		list = append(list, kernel.Kernel{Name: name, Class: kernel.Metadata, Calls: calls, Moved: 0,
			Builder: &kernel.Builder{Ops: ops, Rows: rows, Path: use, Build: use.Build}})
	}
	add("Tree_create", "mkdir of each directory of the tree", kernel.NoLength, kernel.Creating(kernel.Branches),
		mpi.PathMkdir)
	directories, files, parallel := kernel.Directories, kernel.PlainFiles, kernel.MPIFiles
	add("Dir_create", "mkdir", kernel.NoLength, kernel.Creating(directories), mpi.PathMkdir)
	add("Dir_stat", "stat", kernel.NoLength, kernel.Statting(directories), mpi.PathStat)
	add("Dir_rename", "rename", kernel.NoLength, kernel.Renaming(directories), mpi.PathRename)
	add("Dir_list", "readdir of each entry, opendir and closedir of each directory", kernel.NoLength,
		kernel.Listing(directories), mpi.PathEntries)
	add("Dir_remove", "rmdir", kernel.NoLength, kernel.Removing(directories), mpi.PathRmdir)
	add("File_create", "open to create, write, close", kernel.AllLengths, kernel.Creating(files), mpi.PathCreate,
		mpi.PathWrite, mpi.PathClose)
	add("File_write", "open to write, write, close", kernel.AllLengths, kernel.Writing(files), mpi.PathCreate,
		mpi.PathWrite, mpi.PathClose)
	add("File_stat", "stat", kernel.AllLengths, kernel.Statting(files), mpi.PathStat)
	add("File_read", "open, read, close", kernel.AllLengths, kernel.Reading(files), mpi.PathOpen, mpi.PathRead,
		mpi.PathClose)
	add("File_rename", "rename", kernel.AllLengths, kernel.Renaming(files), mpi.PathRename)
	add("File_list", "readdir of each entry, opendir and closedir of each directory", kernel.AllLengths,
		kernel.Listing(files), mpi.PathEntries)
	add("File_remove", "unlink", kernel.AllLengths, kernel.Removing(files), mpi.PathUnlink)
	add("MPI_create", "MPI_File_open to create, MPI_File_close", kernel.NoLength, kernel.Creating(parallel),
		mpi.FileOpen, mpi.FileClose)
	add("MPI_open", "MPI_File_open, MPI_File_close", kernel.NoLength, kernel.Writing(parallel), mpi.FileOpen,
		mpi.FileClose)
	add("MPI_set_size", "MPI_File_open, MPI_File_set_size, MPI_File_close", kernel.NoLength, kernel.Sizing(parallel),
		mpi.FileOpen, mpi.FileSetSize, mpi.FileClose)
	add("MPI_delete", "MPI_File_delete", kernel.NoLength, kernel.Removing(parallel), mpi.FileDelete)
	add("Tree_remove", "rmdir of each directory of the tree", kernel.NoLength, kernel.Removing(kernel.Branches),
		mpi.PathRmdir)
	return kernel.Table(kernel.Meta, list, nil)
}
