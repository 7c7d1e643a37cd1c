// loop.c: the life of a loop, its turns and its timers.
//
// One uv_loop_t of our own carries everything: libwebsockets' sockets (as a "foreign" loop), our listeners, our
// timers. A turn of it is: timers, idle handles, PREPARE, wait for events and dispatch them, CHECK, close callbacks.
// Input is handed out in every phase, so on_turn_end is called in CHECK (all ready input has been dispatched) and
// again in PREPARE when timers or idle handles brought something (else it would wait for the next event).
//
// libwebsockets starts an idle handle after every socket event. It runs, and stops itself, before the next wait: an
// extra trip round the loop, but no extra epoll_wait (strace in decision record 0002).
#include "private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// lws_create_context and lws_context_destroy touch process-global state without a lock (OpenSSL's library set-up,
// the list of event-loop plug-ins, the log sink). Loops are created rarely: one at a time, then.
static pthread_mutex_t libwebsockets_globals = PTHREAD_MUTEX_INITIALIZER;

uint64_t cws_now_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

// The loop's cached clock: read once per turn, exact enough for deadlines.
uint64_t cws_now_ms(cws_loop *loop) { return uv_now(&loop->uv); }

// MARK: - Turns

// Kills before it tells: on_closed may give the caller something to send, and on_turn_end may doom connections.
static void end_turn(cws_loop *loop) {
    for (int round = 0; round < 8; round++) {
        while (loop->doomed != NULL) {
            cws_connection *c = loop->doomed;
            loop->doomed = c->next;
            c->next = NULL;
            c->doomed = false;
            cws_kill(c);
        }
        if (!loop->turn_has_news) { return; }
        loop->turn_has_news = false;
        loop->call.on_turn_end(loop->context);
    }
}

static void do_nothing(uv_idle_t *handle) { (void)handle; }

static void fire_timer(cws_loop *loop) {
    loop->timer_is_due = false;
    loop->in_timer = true;
    CWS_CALL(loop, on_timer);
    loop->in_timer = false;
}

static void on_timer(uv_timer_t *handle) { fire_timer(handle->data); }

static void on_after_poll(uv_check_t *handle) {
    cws_loop *loop = handle->data;
    if (loop->options.gather_us > 0) { loop->polled_at = cws_now_us(); }
    // Before 1.45 libuv runs timers after this: a wait that ended for ours was for something.
    bool is_for_timer = uv_is_active((uv_handle_t *)&loop->timer) && uv_timer_get_due_in(&loop->timer) == 0;
    if (loop->timer_is_due) { fire_timer(loop); }
    cws_meter_turn(loop, !loop->turn_has_news && !is_for_timer && !loop->goes_on);
    loop->turn_has_news |= loop->goes_on;
    loop->goes_on = false;
    end_turn(loop);
    cws_bodies_turn(loop);
}

static void on_before_poll(uv_prepare_t *handle) {
    cws_loop *loop = handle->data;
    end_turn(loop);
    if (loop->doomed != NULL || loop->turn_has_news || loop->timer_is_due || loop->goes_on) {
        uv_idle_start(&loop->again, do_nothing);  // an active idle handle makes the coming poll not wait
    } else {
        uv_idle_stop(&loop->again);
        cws_gather(loop);
        // Not before the wait above: on a busy loop bulk bytes go out once in that time.
        if (cws_bodies_wait(loop)) { uv_idle_start(&loop->again, do_nothing); }
    }
}

static void on_wake(uv_async_t *handle) {
    cws_loop *loop = handle->data;
    atomic_store(&loop->woken, false);
    CWS_CALL(loop, on_wake);
}

void cws_loop_wake(cws_loop *loop) {
    atomic_store(&loop->woken, true);
    uv_async_send(&loop->wake);
    cws_gather_interrupt(loop);
}

void cws_loop_go_on(cws_loop *loop) { loop->goes_on = true; }

void cws_loop_set_timer(cws_loop *loop, int64_t milliseconds) {
    if (loop->torn_down) { return; }
    // Before 1.45 libuv runs a timer that a timer sets to now before it looks at any socket, as often as it is set
    // (L39). Such a timer fires after the next poll.
    loop->timer_is_due = milliseconds == 0 && loop->in_timer;
    if (milliseconds < 0 || loop->timer_is_due) {
        uv_timer_stop(&loop->timer);
        return;
    }
    uv_update_time(&loop->uv);  // uv_timer_start counts from the loop's cached clock
    uv_timer_start(&loop->timer, on_timer, (uint64_t)milliseconds, 0);
}

// MARK: - Life

static char *copy(const char *string) { return string == NULL ? NULL : strdup(string); }

static void copy_options(cws_loop *loop, const cws_options *options) {
    loop->options = *options;
    loop->options.echo_path = copy(options->echo_path);
    loop->options.tls_certificate_path = copy(options->tls_certificate_path);
    loop->options.tls_key_path = copy(options->tls_key_path);
    size_t count = 0;
    while (options->subprotocols != NULL && options->subprotocols[count] != NULL) { count++; }
    loop->subprotocols = calloc(count + 1, sizeof *loop->subprotocols);
    for (size_t i = 0; i < count; i++) { loop->subprotocols[i] = copy(options->subprotocols[i]); }
    loop->options.subprotocols = (const char *const *)loop->subprotocols;
    // A control frame (125 bytes) must fit in one receive buffer, a handshake response in the service buffer.
    if (loop->options.receive_buffer_bytes < 256) { loop->options.receive_buffer_bytes = 256; }
    if (loop->options.service_buffer_bytes < 4096) { loop->options.service_buffer_bytes = 4096; }
    if (options->tls_certificate_path != NULL) {
        // L18: with a part of a TLS record left unread, a connection that is paused while it hands out the other part
        // is read round and round, for ever. So whatever a record holds is read at once.
        uint32_t *receive = &loop->options.receive_buffer_bytes, *service = &loop->options.service_buffer_bytes;
        if (*receive < CWS_TLS_RECORD_BYTES) { *receive = CWS_TLS_RECORD_BYTES; }
        if (*service < CWS_TLS_RECORD_BYTES + LWS_PRE) { *service = CWS_TLS_RECORD_BYTES + LWS_PRE; }
    }
    if (loop->options.message_bytes_max > INT32_MAX) { loop->options.message_bytes_max = INT32_MAX; }
}

static void free_memory(cws_loop *loop) {
    for (uint32_t i = 0; i < loop->chunk_count; i++) { free(loop->chunks[i]); }
    free(loop->chunks);
    for (char **s = loop->subprotocols; s != NULL && *s != NULL; s++) { free(*s); }
    free(loop->subprotocols);
    free((char *)loop->options.echo_path);
    free((char *)loop->options.tls_certificate_path);
    free((char *)loop->options.tls_key_path);
    free(loop->protocols);
    free(loop->scratch);
    cws_gather_close(loop);
    free(loop);
}

// With a foreign loop libwebsockets closes in three steps: lws_context_destroy starts to close every socket, the
// loop must run so that libuv's close callbacks come, and a second lws_context_destroy frees the rest.
static void tear_down(cws_loop *loop) {
    if (loop->torn_down) { return; }
    cws_unlisten(loop);
    loop->torn_down = true;
    cws_bodies_end(loop);
    uv_close((uv_handle_t *)&loop->wake, NULL);
    uv_close((uv_handle_t *)&loop->timer, NULL);
    uv_close((uv_handle_t *)&loop->sweep, NULL);
    uv_close((uv_handle_t *)&loop->accept_pause, NULL);
    uv_close((uv_handle_t *)&loop->meter_timer, NULL);
    uv_close((uv_handle_t *)&loop->before_poll, NULL);
    uv_close((uv_handle_t *)&loop->after_poll, NULL);
    uv_close((uv_handle_t *)&loop->again, NULL);
    if (loop->lws != NULL) {
        uv_handle_t *pipe = cws_event_pipe_find(loop);
        lws_context_destroy(loop->lws);
        cws_event_pipe_guard(loop, pipe);
    }
    for (uint32_t i = 0; i < loop->chunk_count; i++) {
        for (uint32_t j = 0; j < CWS_CHUNK; j++) { cws_linger_end(&loop->chunks[i][j]); }
    }
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    pthread_mutex_lock(&libwebsockets_globals);
    if (loop->lws != NULL) { lws_context_destroy(loop->lws); }
    pthread_mutex_unlock(&libwebsockets_globals);
    loop->lws = NULL;
    // Whatever libwebsockets forgot to destroy still has its on_closed and on_released due.
    for (uint32_t i = 0; i < loop->chunk_count; i++) {
        for (uint32_t j = 0; j < CWS_CHUNK; j++) {
            cws_connection *c = &loop->chunks[i][j];
            if (c->state == CWS_FREE) { continue; }
            cws_closed(c);
            cws_connection_release(c);
        }
    }
}

cws_loop *cws_loop_create(const cws_options *options, const cws_callbacks *callbacks, void *context) {
    cws_loop *loop = calloc(1, sizeof *loop);
    if (loop == NULL) { return NULL; }
    loop->call = *callbacks;
    loop->context = context;
    copy_options(loop, options);
    loop->scratch = malloc(CWS_SCRATCH_BYTES);
    if (cws_gather_open(loop) != 0 || loop->scratch == NULL || uv_loop_init(&loop->uv) != 0) {
        cws_log(loop, 0, "cannot create an event loop");
        free_memory(loop);
        return NULL;
    }
    uv_async_init(&loop->uv, &loop->wake, on_wake);
    uv_timer_init(&loop->uv, &loop->timer);
    uv_timer_init(&loop->uv, &loop->sweep);
    uv_timer_init(&loop->uv, &loop->accept_pause);
    uv_timer_init(&loop->uv, &loop->meter_timer);
    uv_prepare_init(&loop->uv, &loop->before_poll);
    uv_check_init(&loop->uv, &loop->after_poll);
    uv_idle_init(&loop->uv, &loop->again);
    loop->wake.data = loop;
    loop->timer.data = loop;
    loop->sweep.data = loop;
    loop->accept_pause.data = loop;
    loop->meter_timer.data = loop;
    loop->before_poll.data = loop;
    loop->after_poll.data = loop;
    uv_prepare_start(&loop->before_poll, on_before_poll);
    uv_check_start(&loop->after_poll, on_after_poll);

    cws_loop *previous = cws_log_enter(loop);
    pthread_mutex_lock(&libwebsockets_globals);
    cws_log_install();
    int failed = cws_context_create(loop);
    pthread_mutex_unlock(&libwebsockets_globals);
    if (failed) {
        tear_down(loop);
        uv_loop_close(&loop->uv);
        free_memory(loop);
        loop = NULL;
    }
    cws_log_leave(previous);
    return loop;
}

void cws_loop_run(cws_loop *loop) {
    if (loop->torn_down) { return; }
    cws_loop *previous = cws_log_enter(loop);
    if (!loop->stopping) { uv_run(&loop->uv, UV_RUN_DEFAULT); }
    tear_down(loop);
    cws_log_leave(previous);
}

void cws_loop_stop(cws_loop *loop) {
    loop->stopping = true;
    uv_stop(&loop->uv);
}

void cws_loop_destroy(cws_loop *loop) {
    if (loop == NULL) { return; }
    cws_loop *previous = cws_log_enter(loop);
    tear_down(loop);
    uv_loop_close(&loop->uv);
    cws_log_leave(previous);
    free_memory(loop);
}
