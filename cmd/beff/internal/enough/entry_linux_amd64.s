#include "textflag.h"

// beff_entry is where a program begins that is linked with -E beff_entry, and goes on with Go's own beginning. The stack
// and DX are the loader's.
TEXT beff_entry(SB), NOSPLIT|NOFRAME, $0
	MOVQ DX, R12
	SUBQ $32, SP
	MOVQ $97, AX       // getrlimit
	MOVQ $9, DI        // RLIMIT_AS
	LEAQ 8(SP), SI
	SYSCALL
	MOVQ 8(SP), BX     // the limit that counts
	ADDQ $32, SP
	TESTQ AX, AX
	JNE  begin
	CMPQ BX, ·least(SB)
	JCC  begin
	MOVQ $1, AX        // write
	MOVQ $2, DI
	MOVQ ·refusal+0(SB), SI
	MOVQ ·refusal+8(SB), DX
	SYSCALL
	MOVQ $231, AX      // exit_group
	MOVQ $1, DI
	SYSCALL
begin:
	MOVQ $72, AX       // fcntl
	MOVQ $1, DI
	MOVQ $1, SI        // F_GETFD
	SYSCALL
	CMPQ AX, $-9       // EBADF
	JNE  open
	MOVB $1, ·closed(SB)
open:
	MOVQ R12, DX
	JMP  _rt0_amd64_linux(SB)
