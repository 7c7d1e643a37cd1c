// gather.c: a busy loop lets its input wait for a few milliseconds, so that one wake-up serves many messages.
//
// A message that comes alone costs a wake-up: leave the wait, warm the caches, go to sleep again. With a few hundred a
// second that is most of what a loop does (decision record 0004). Network cards solve the same by interrupt coalescing.
// The number of connections that talk decides, not how much they send, nor how many come and go: one hostile client
// must not delay everybody else by a flood of messages or connections. Below CWS_GATHER_TALKERS nothing ever waits. A
// loop without idle time does not wait either. A job from another thread ends the wait at once.
//
// Only what is sent on with the next batch may wait. The loop's owner says of a message when it was urgent; the wait
// shrinks with the share of such messages, lately, and is none when every CWS_GATHER_URGENT-th message is one.
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

// Counts each connection that has talked, once a window, and not in its first window.
void cws_gather_note(cws_connection *c) {
    cws_loop *loop = c->loop;
    loop->messages++;
    if (c->talked_window == loop->gather_window) { return; }
    if (c->talked_window != 0) { loop->talkers++; }
    c->talked_window = loop->gather_window;
}

// Whether enough connections have talked lately for a wait to pay.
static bool is_busy(cws_loop *loop, uint64_t now) {
    uint64_t measured = now - loop->gather_since;
    if (measured >= CWS_GATHER_WINDOW_US) {
        loop->is_busy = (uint64_t)loop->talkers * CWS_GATHER_WINDOW_US >= CWS_GATHER_TALKERS * measured;
        loop->talkers = 0;
        loop->last_messages = loop->messages;
        loop->last_urgent = loop->urgent;
        loop->messages = 0;
        loop->urgent = 0;
        loop->gather_since = now;
        if (++loop->gather_window == 0) { loop->gather_window = 1; }
    }
    return loop->is_busy;
}

void cws_gather_urgent(cws_loop *loop) {
    loop->urgent++;
}

// How long input may wait, by this window and the last.
static uint64_t window_us(const cws_loop *loop) {
    uint64_t messages = (uint64_t)loop->messages + loop->last_messages;
    uint64_t urgent = ((uint64_t)loop->urgent + loop->last_urgent) * CWS_GATHER_URGENT;
    return urgent >= messages ? 0 : loop->options.gather_us * (messages - urgent) / messages;
}

void cws_gather(cws_loop *loop) {
    if (loop->options.gather_us == 0 || loop->stopping) { return; }
    uint64_t now = cws_now_us();
    if (!is_busy(loop, now)) { return; }
    uint64_t until = loop->polled_at + window_us(loop);
    uv_update_time(&loop->uv);
    int timer = uv_backend_timeout(&loop->uv);  // 0 while something must not wait, -1 without a timer
    if (timer >= 0 && now + (uint64_t)timer * 1000 < until) { until = now + (uint64_t)timer * 1000; }
    if (until <= now) { return; }
    // A thread that wakes the loop sets `woken` before it reads `gathering`, so one of the two sees the other.
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
