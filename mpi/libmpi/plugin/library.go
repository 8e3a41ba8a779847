package plugin

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"unicode"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Library is a loaded plug-in: its functions and its MPI's constants. Functions that return an int32 return
// MPI_SUCCESS, which is 0, or the return code of the call that failed. Only the thread that calls Init may call them,
// except Interrupt and, while that thread is in none of them, Abort.
type Library struct {
	functions
	Constants Constants
}

// Files are the files that Open loads.
type Files struct {
	Path    string // of the plug-in
	Library string // of the MPI, only for a portable plug-in
}

// functions has a field for each function of plugin.h, such as Alloc for beff_alloc.
type functions struct {
	Describe     func(*About) int32
	GetConstants func(*Constants)
	Init         func(level int32, provided *int32) int32
	Finalize     func() int32

	SessionsBegin func(first *SessionTimes) int32
	SessionsEnd   func(first *SessionTimes) int32

	DescribeHost  func(*Host) int32
	Abort         func(c *Comm, code int32)
	DescribeError func(code int32, out *Failure)
	Guard         func(who string)
	ReleasePages  func()

	Alloc       func(count, size int64) unsafe.Pointer
	AllocPages  func(size int64) unsafe.Pointer
	AllocFolded func(size, fold int64) unsafe.Pointer
	Free        func(unsafe.Pointer)
	FreePages   func(memory unsafe.Pointer, size int64)

	Device        func(functions *uintptr, explanation string, ofOthers bool)
	DeviceBuffer  func(base unsafe.Pointer, size int64)
	DeviceFailure func() int32

	World      func(out *Comm) int32
	Split      func(c *Comm, color, key int32, out *Comm) int32
	Cart       func(c *Comm, dims int32, shape, periodic *int32, out *Comm) int32
	Dup        func(c, out *Comm) int32
	ThreadComm func(c *Comm, thread int32, out *Comm) int32
	Ranks      func(c *Comm, members, world *int32) int32
	CommFree   func(*Comm) int32
	Barrier    func(*Comm) int32
	Bcast      func(data unsafe.Pointer, n, root int32, c *Comm) int32
	Gather     func(send, recv unsafe.Pointer, n, root int32, c *Comm) int32
	Allreduce  func(values *float64, n, reduction int32, c *Comm) int32

	LongType func(n int64, unit Handle, size int32, out *Handle) int32
	TypeFree func(Handle) int32

	StridedType func(count, length int32, stride int64, out *Handle) int32
	PiecesType  func(count int32, lengths *int32, places *int64, out *Handle) int32

	FormType      func(n int64, unit Handle, resized, vector int32, out *Handle) int32
	FormReduction func(kind, reduction int32, out *Handle) int32
	ReductionFree func(Handle) int32

	Prepare   func(*Program) int32
	Release   func(*Program)
	Run       func(*Program) int32
	Interrupt func()

	Threads   func(create, join uintptr)
	TeamOpen  func(*Team) int32
	TeamRun   func(*Team)
	TeamClose func(*Team)

	WindowHints    func(info Handle)
	WindowCreate   func(*Window) int32
	WindowAllocate func(*Window) int32
	WindowFree     func(*Window) int32

	FileOpen     func(*File) int32
	FileTruncate func(*File) int32
	FileClose    func(*File) int32
	FileSync     func(*File) int32
	FileLength   func(f *File, length *int64) int32
	FileView     func(f *File, start int64, slots, slot, block, bytes int32, info Handle) int32
	FileInfo     func(f *File, out *Handle) int32
	CommInfo     func(c *Comm, out *Handle) int32
	InfoCreate   func(out *Handle) int32
	InfoFree     func(Handle) int32
	InfoSet      func(info Handle, key, value string) int32
	InfoSize     func(info Handle, n *int32) int32
	InfoGet      func(info Handle, n int32, out *Hint) int32
}

// Open loads a plug-in and its MPI. The plug-in must have been built from this program's sources.
func Open(files Files) (*Library, error) {
	path, err := filepath.Abs(files.Path) // the loader would search for a name without a slash
	if err != nil {
		return nil, err
	}
	note, err := ReadNote(path)
	if err != nil {
		return nil, err
	}
	if err := note.Check(); err != nil {
		return nil, err
	}
	if note.Portable() && files.Library == "" {
		return nil, fmt.Errorf("it is for any library of the interface %s, but no library is named", note.Family)
	}
	// Open MPI's components, and a portable plug-in, use the library's symbols as global ones.
	const how = purego.RTLD_NOW | purego.RTLD_GLOBAL
	if note.Portable() {
		library, err := purego.Dlopen(files.Library, how)
		if err != nil {
			return nil, err
		}
		if err := note.fits(library, files.Library); err != nil {
			return nil, err
		}
	}
	handle, err := purego.Dlopen(path, how)
	if err != nil {
		return nil, err
	}
	l := &Library{}
	list := reflect.ValueOf(&l.functions).Elem()
	for i := range list.NumField() {
		symbol := cName(list.Type().Field(i).Name)
		address, err := purego.Dlsym(handle, symbol)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", symbol, err)
		}
		purego.RegisterFunc(list.Field(i).Addr().Interface(), address)
	}
	l.GetConstants(&l.Constants)
	l.Threads(pthread("pthread_create"), pthread("pthread_join"))
	opened = note.Family
	return l, nil
}

// pthread returns the address of a function for threads. A plug-in doesn't link with it itself, because the symbol's
// version in the C library of the build may be missing in older C libraries.
func pthread(name string) uintptr {
	address, _ := purego.Dlsym(purego.RTLD_DEFAULT, name)
	return address
}

// fits returns an error for a loaded library that doesn't have the plug-in's binary interface. The file's name isn't
// enough: libmpi.so.12 was also the name of Open MPI 1.10. Open MPI's handles are variables with known names. All
// libraries with the standard ABI have MPI 5.0's functions that return its version.
func (n Note) fits(library uintptr, path string) error {
	has := func(symbol string) bool {
		_, err := purego.Dlsym(library, symbol)
		return err == nil
	}
	open := has("ompi_mpi_comm_world")
	switch {
	case !has("MPI_Init"):
		return fmt.Errorf("%s is not an MPI library: it has no MPI_Init", path)
	case n.Family == Standard && !has("MPI_Abi_get_version"), n.Family == OpenMPI && !open, n.Family == MPICH && open:
		return fmt.Errorf("%s doesn't have the plug-in's binary interface (%s): run beff mpi add with the mpicc of "+
			"that MPI", path, n.Family)
	}
	return nil
}

// opened is the family of the plug-in that the process has opened, which is the only one.
var opened string

// Opened returns the binary interface of the plug-in that this process has opened, and an address in its MPI. They are
// empty and 0 if there is none.
func Opened() (family string, address uintptr) {
	address, _ = purego.Dlsym(purego.RTLD_DEFAULT, "MPI_Get_library_version")
	return opened, address
}

// Has reports whether the library has a function.
func (*Library) Has(name string) bool {
	_, err := purego.Dlsym(purego.RTLD_DEFAULT, name)
	return err == nil
}

// cName returns the name in C of a function or a record, such as beff_per_loop for PerLoop.
func cName(name string) string {
	var b strings.Builder
	b.WriteString("beff")
	for _, r := range name {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
