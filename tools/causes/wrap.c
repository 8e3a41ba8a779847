/* Starts a program without some abilities, for the campaign of causes. process_vm_readv and process_vm_writev fail with
   EPERM, as if seccomp or ptrace_scope forbade them. Compiled with LOCKS, the program makes file locks fail with ENOLCK
   instead, as on a file system without locks. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IS(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)

int main(int argc, char **argv)
{
	struct sock_filter program[] = {
		LOAD(nr),
#ifdef LOCKS
		IS(SYS_fcntl, 0, 6),
		LOAD(args[1]), /* the lower half */
		IS(6 /* F_SETLK */, 3, 0),
		IS(7 /* F_SETLKW */, 2, 0),
		IS(37 /* F_OFD_SETLK */, 1, 0),
		IS(38 /* F_OFD_SETLKW */, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOLCK),
#else
		IS(SYS_process_vm_readv, 1, 0),
		IS(SYS_process_vm_writev, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
#endif
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof program / sizeof *program, program};
	if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		perror("wrap");
		return 1;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 1;
}
