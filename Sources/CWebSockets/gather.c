// gather.c: a busy loop lets its input wait for a few milliseconds, so that one wake-up serves many messages.
//
// A message that comes alone costs a wake-up: leave the wait, warm the caches, go to sleep again. With a few hundred a
// second that is most of what a loop does (decision record 0004). Network cards meet the same with interrupt
// coalescing. What counts is how many connections talk, not how much, nor how many come and go: one hostile client, by
// a flood of messages or of connections, must not make everybody else wait (issue 10, done when 5). Below
// CWS_GATHER_TALKERS nothing ever waits; a loop that has no idle time left does not wait either; and what other threads
// post ends the wait at once.
#include "private.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

int cws_gather_open(cws_loop *loop) {
    atomic_init(&loop->gathering, false);
    atomic_init(&loop->woken, false);
    loop->gather_window = 1;  // 0 in a connection says that it has not talked yet
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

// Counts whoever has said something, once for each window, and not in their first one.
void cws_gather_note(cws_connection *c) {
    cws_loop *loop = c->loop;
    if (c->talked_window == loop->gather_window) { return; }
    if (c->talked_window != 0) { loop->talkers++; }
    c->talked_window = loop->gather_window;
}

// Whether so many have talked lately that it pays to wait for more.
static bool is_busy(cws_loop *loop, uint64_t now) {
    uint64_t measured = now - loop->gather_since;
    if (measured >= CWS_GATHER_WINDOW_US) {
        loop->is_busy = (uint64_t)loop->talkers * CWS_GATHER_WINDOW_US >= CWS_GATHER_TALKERS * measured;
        loop->talkers = 0;
        loop->gather_since = now;
        if (++loop->gather_window == 0) { loop->gather_window = 1; }
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
