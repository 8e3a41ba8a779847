// Writes a line to standard error every few milliseconds, as other libraries do now and then.
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static void *print(void *nothing) {
	static const char line[] = "[other] a line of another program\n";
	while (write(2, line, sizeof line - 1) > 0) usleep(20000);
	return nothing;
}

__attribute__((constructor)) static void begin(void) {
	pthread_t thread;
	pthread_create(&thread, NULL, print, NULL);
}
