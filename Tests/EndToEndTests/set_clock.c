// Preloaded into a server: its wall clock is wrong by as many seconds as the file $WRONG_CLOCK says, at every moment.
// The monotonic clocks are left alone, as when a clock is set.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long seconds_wrong(void) {
    const char *path = getenv("WRONG_CLOCK");
    int file = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    char text[32] = "";
    if (file < 0) { return 0; }
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    return length > 0 ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    typedef int (*clock_function)(clockid_t, struct timespec *);
    clock_function real = (clock_function)dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) { time->tv_sec += seconds_wrong(); }
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int (*real)(struct timeval *, void *) = (int (*)(struct timeval *, void *))dlsym(RTLD_NEXT, "gettimeofday");
    int result = real(time, zone);
    if (result == 0) { time->tv_sec += seconds_wrong(); }
    return result;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at != NULL) { *at = now.tv_sec; }
    return now.tv_sec;
}
