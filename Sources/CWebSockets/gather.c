// gather.c: a busy loop lets its input wait for a few milliseconds, so that one wake-up serves many messages.
//
// A message that comes alone costs a wake-up: leave the wait, warm the caches, go to sleep again. With a few hundred a
// second that is most of what a loop does (decision record 0004). Network cards meet the same with interrupt
// coalescing. Below CWS_GATHER_RATE nothing ever waits; a loop that has no idle time left does not wait either; and
// what other threads post ends the wait at once.
#include "private.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cws_gather_open(cws_loop *loop) {
    atomic_init(&loop->gathering, false);
    atomic_init(&loop->woken, false);
    loop->gather_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return loop->gather_fd < 0 ? -1 : 0;
}

void cws_gather_close(cws_loop *loop) {
    if (loop->gather_fd >= 0) { close(loop->gather_fd); }
    loop->gather_fd = -1;
}

void cws_loop_set_gather(cws_loop *loop, uint32_t gather_us) {
    loop->options.gather_us = gather_us;
}

// Whether input has come so fast lately that it pays to wait for more.
static bool is_busy(cws_loop *loop, uint64_t now) {
    uint64_t measured = now - loop->rate_since;
    if (measured >= CWS_GATHER_WINDOW_US) {
        loop->is_busy = loop->rate_messages * 1000000 >= CWS_GATHER_RATE * measured;
        loop->rate_messages = 0;
        loop->rate_since = now;
    }
    return loop->is_busy;
}

void cws_gather(cws_loop *loop) {
    if (loop->options.gather_us == 0 || loop->stopping) { return; }
    uint64_t now = cws_now_us();
    if (!is_busy(loop, now)) { return; }
    uint64_t until = loop->polled_at + loop->options.gather_us;
    uv_update_time(&loop->uv);
    int timer = uv_backend_timeout(&loop->uv);  // 0 while something must not wait, -1 without a timer
    if (timer >= 0 && now + (uint64_t)timer * 1000 < until) { until = now + (uint64_t)timer * 1000; }
    if (until <= now) { return; }
    // Whoever wakes the loop says so before they look whether it gathers: one of the two sees the other.
    atomic_store(&loop->gathering, true);
    if (atomic_load(&loop->woken)) {
        atomic_store(&loop->gathering, false);
        return;
    }
    struct timespec wait = {.tv_sec = 0, .tv_nsec = (long)(until - now) * 1000};
    struct pollfd waker = {.fd = loop->gather_fd, .events = POLLIN};
    if (ppoll(&waker, 1, &wait, NULL) > 0) {
        uint64_t count;
        (void)!read(loop->gather_fd, &count, sizeof count);
    }
    atomic_store(&loop->gathering, false);
    uv_update_time(&loop->uv);  // else the coming wait would count from before this one
}

void cws_gather_interrupt(cws_loop *loop) {
    if (!atomic_load(&loop->gathering)) { return; }
    uint64_t one = 1;
    (void)!write(loop->gather_fd, &one, sizeof one);
}
