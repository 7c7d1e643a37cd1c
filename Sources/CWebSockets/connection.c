// connection.c: the slot table, deadlines, and the one callback through which libwebsockets speaks.
//
// Every TCP connection has a cws_connection from before its adoption until its descriptor is closed. libwebsockets
// carries the pointer as opaque and as "user space". Slots are never freed before the loop is, so a late callback
// never touches freed memory; one that belongs to a former owner of the slot is recognised by `c->wsi != wsi`.
#include "private.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

// MARK: - Slots

static bool grow(cws_loop *loop) {
    cws_connection **chunks = realloc(loop->chunks, (loop->chunk_count + 1) * sizeof *chunks);
    if (chunks == NULL) { return false; }
    loop->chunks = chunks;
    cws_connection *chunk = calloc(CWS_CHUNK, sizeof *chunk);
    if (chunk == NULL) { return false; }
    chunks[loop->chunk_count] = chunk;
    for (uint32_t i = CWS_CHUNK; i-- > 0;) {
        chunk[i].loop = loop;
        chunk[i].slot = loop->chunk_count * CWS_CHUNK + i;
        chunk[i].generation = 1;  // so that no id is 0
        chunk[i].linger_fd = -1;  // 0 is somebody's descriptor
        chunk[i].next = loop->free_list;
        loop->free_list = &chunk[i];
    }
    loop->chunk_count++;
    return true;
}

cws_connection *cws_connection_take(cws_loop *loop) {
    if (loop->free_list == NULL && !grow(loop)) { abort(); }  // out of memory for 40 kB
    cws_connection *c = loop->free_list;
    loop->free_list = c->next;
    loop->connection_count++;
    c->next = NULL;
    c->deadline_ms = UINT64_MAX;
    c->linger_fd = -1;
    c->close_code = 1006;
    return c;
}

void cws_connection_release(cws_connection *c) {
    cws_loop *loop = c->loop;
    if (c->state == CWS_FREE && !c->admitted) { return; }
    bool admitted = c->admitted;
    cws_address address = c->address;
    cws_id id = cws_connection_id(c);
    uint32_t slot = c->slot;
    uint32_t generation = c->generation + 1;
    cws_deadline_clear(c);
    cws_messages_drop(c);
    cws_meter_drop(c);
    cws_head_forget(c);
    if (c->doomed) {
        cws_connection **at = &loop->doomed;
        while (*at != c) { at = &(*at)->next; }
        *at = c->next;
    }
    memset(c, 0, sizeof *c);
    c->linger_fd = -1;
    c->loop = loop;
    c->slot = slot;
    c->generation = generation == 0 ? 1 : generation;
    c->next = loop->free_list;
    loop->free_list = c;
    loop->connection_count--;
    if (admitted) { loop->call.on_released(loop->context, &address, id); }
}

cws_connection *cws_connection_find(cws_loop *loop, cws_id id) {
    uint32_t slot = (uint32_t)id;
    if (slot / CWS_CHUNK >= loop->chunk_count) { return NULL; }
    cws_connection *c = &loop->chunks[slot / CWS_CHUNK][slot % CWS_CHUNK];
    return c->generation == (uint32_t)(id >> 32) && (c->state == CWS_OPEN || c->state == CWS_CLOSING) ? c : NULL;
}

// MARK: - Deadlines

static void timed_insert(cws_connection *c) {
    cws_loop *loop = c->loop;
    if (c->timed) { return; }
    c->timed = true;
    c->timed_prev = NULL;
    c->timed_next = loop->timed;
    if (loop->timed != NULL) { loop->timed->timed_prev = c; }
    loop->timed = c;
    // An idle server has no timer running at all.
    if (!loop->torn_down && !uv_is_active((uv_handle_t *)&loop->sweep)) {
        uv_timer_start(&loop->sweep, cws_sweep, CWS_SWEEP_MS, CWS_SWEEP_MS);
    }
}

void cws_deadline(cws_connection *c, uint64_t milliseconds_from_now) {
    c->deadline_ms = milliseconds_from_now == UINT64_MAX ? UINT64_MAX : cws_now_ms(c->loop) + milliseconds_from_now;
    timed_insert(c);
}

void cws_deadline_clear(cws_connection *c) {
    c->deadline_ms = UINT64_MAX;
    if (!c->timed) { return; }
    c->timed = false;
    if (c->timed_prev != NULL) { c->timed_prev->timed_next = c->timed_next; } else { c->loop->timed = c->timed_next; }
    if (c->timed_next != NULL) { c->timed_next->timed_prev = c->timed_prev; }
}

// A peer that sends more, or has stopped sending, while our HTTP response is stuck: libwebsockets does not read in
// that state but leaves the socket readable, and the loop would spin until the response is through (L24).
bool cws_has_unread_input(cws_connection *c) {
    char byte;
    return recv(lws_get_socket_fd(c->wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0;
}

// A peer that has said it will send no more.
static bool input_has_ended(cws_connection *c) {
    char byte;
    return recv(lws_get_socket_fd(c->wsi), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void sweep_one(cws_connection *c, uint64_t now) {
    bool due = now >= c->deadline_ms;
    if (c->wsi == NULL && c->state != CWS_LINGERING) { return; }
    switch ((cws_state)c->state) {
    case CWS_HTTP:
        if (c->body != NULL) {
            if (due) {
                cws_reject_count(c->loop, CWS_REJECT_TIMEOUT);
                cws_doom(c, true);
            }
            return;
        }
        if (c->responding && !lws_partial_buffered(c->wsi)) {
            c->responding = false;
            cws_deadline(c, (uint64_t)c->loop->options.handshake_seconds_max * 1000);
            return;
        }
        if (due) { cws_reject_count(c->loop, CWS_REJECT_TIMEOUT); }
        if (due || (c->responding && cws_has_unread_input(c))) { cws_doom(c, true); }
        break;
    case CWS_CONNECTING:
        if (due) {
            cws_connect_failed(c, "timed out", 9);
            cws_doom(c, true);
        }
        break;
    case CWS_OPEN:
        // L23: a broken frame, or the end of input, while bytes are left behind: libwebsockets waits 5 s for them and
        // tells nobody, and the loop spins on the socket, which stays readable, meanwhile.
        if (c->blocked && lws_get_close_length(c->wsi) > 0) {
            cws_reject_count(c->loop, CWS_REJECT_FRAME);
            cws_doom(c, true);
        } else if (c->blocked && input_has_ended(c)) {
            cws_doom(c, true);
        } else if (due) {
            cws_fail(c, 1008, CWS_REJECT_MESSAGE_TIME);
            cws_doom(c, false);
        }
        break;
    case CWS_CLOSING:
        if (due) { cws_doom(c, true); }
        break;
    case CWS_LINGERING:
        if (due) { cws_linger_end(c); }
        break;
    case CWS_FREE:
    case CWS_DEAD:
        break;
    }
}

void cws_sweep(uv_timer_t *timer) {
    cws_loop *loop = timer->data;
    uint64_t now = cws_now_ms(loop);
    for (cws_connection *c = loop->timed; c != NULL;) {
        cws_connection *next = c->timed_next;
        sweep_one(c, now);  // may take `c` off the list, never another one
        c = next;
    }
    cws_bodies_silence(loop);
    if (loop->timed == NULL) { uv_timer_stop(timer); }
}

void cws_reject_count(cws_loop *loop, cws_reject reason) { loop->call.on_reject(loop->context, reason); }

// MARK: - What libwebsockets says

static int established(cws_connection *c, struct lws *wsi) {
    cws_loop *loop = c->loop;
    c->state = CWS_OPEN;
    cws_deadline_clear(c);
    if (c->echo) { return 0; }
    cws_handshake handshake;
    cws_handshake_read(c, wsi, &handshake);
    c->opened = true;
    cws_meter_opened(c);
    CWS_CALL(loop, on_open, cws_connection_id(c), &handshake, c->tag);
    cws_head_forget(c);
    return 0;
}

// libwebsockets has closed the descriptor. What remains is ours: linger on our duplicate, or let go.
static void destroyed(cws_connection *c) {
    c->wsi = NULL;
    cws_body_end(c, false);
    if (c->state == CWS_CONNECTING) { cws_connect_failed(c, "closed", 6); }
    cws_closed(c);
    if (c->linger_fd >= 0) {
        cws_linger_begin(c);
    } else {
        cws_connection_release(c);
    }
}

static int of_server(cws_connection *c, struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t length) {
    switch (reason) {
    case LWS_CALLBACK_RAW_ADOPT:
    case LWS_CALLBACK_RAW_RX:
        // L5: a CONNECT request turns the connection into a raw socket without any timeout.
        if (!c->ended_by_us) { cws_reject_count(c->loop, CWS_REJECT_RAW); }
        c->ended_by_us = true;
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return cws_handshake_check(c, wsi, in);  // L1: `in` may point to freed memory
    case LWS_CALLBACK_HTTP:
        return cws_http_request(c, wsi);
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return -1;  // L6, L7: never reached, cws_http_request closes
    case LWS_CALLBACK_ESTABLISHED:
        return established(c, wsi);
    case LWS_CALLBACK_RECEIVE:
        return cws_receive(c, wsi, in, length);
    case LWS_CALLBACK_RECEIVE_PONG:
        if (c->state == CWS_OPEN && c->opened) { CWS_CALL(c->loop, on_pong, cws_connection_id(c)); }
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return cws_writable(c, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return cws_peer_close(c, in, length);
    case LWS_CALLBACK_WS_SERVER_DROP_PROTOCOL:
        cws_library_closing(c, wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        cws_closed(c);  // L17: on_closed only if on_open was called
        return 0;
    default:
        return 0;
    }
}

static int of_client(cws_connection *c, struct lws *wsi, enum lws_callback_reasons reason, void *in, size_t length) {
    switch (reason) {
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
        cws_connect_refused(c, wsi, in, length);
        return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        return established(c, wsi);
    case LWS_CALLBACK_CLIENT_RECEIVE:
        return cws_receive(c, wsi, in, length);
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
        if (c->state == CWS_OPEN) { CWS_CALL(c->loop, on_pong, cws_connection_id(c)); }
        return 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        return cws_writable(c, wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return cws_peer_close(c, in, length);
    case LWS_CALLBACK_WS_CLIENT_DROP_PROTOCOL:
        cws_library_closing(c, wsi);
        return 0;
    case LWS_CALLBACK_CLIENT_CLOSED:
        cws_closed(c);
        return 0;
    default:
        return 0;
    }
}

int cws_lws_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
    if (reason == LWS_CALLBACK_WSI_CREATE) {
        cws_loop *loop = lws_context_user(lws_get_context(wsi));
        cws_connection *c = loop->adopting;
        if (c != NULL && c->wsi == NULL) {
            c->wsi = wsi;
            lws_set_opaque_user_data(wsi, c);
            // Also as "user space": libwebsockets calls DROP_PROTOCOL, which we need, only when there is one.
            lws_set_wsi_user(wsi, c);
        }
        return 0;
    }
    if (reason == LWS_CALLBACK_OPENSSL_LOAD_EXTRA_SERVER_VERIFY_CERTS) {
        cws_share_tickets(user);
        return 0;
    }
    cws_connection *c = wsi == NULL ? NULL : lws_get_opaque_user_data(wsi);
    if (c == NULL || c->wsi != wsi) { return 0; }
    if (reason == LWS_CALLBACK_WSI_DESTROY) {
        destroyed(c);
        return 0;
    }
    return c->client ? of_client(c, wsi, reason, in, length) : of_server(c, wsi, reason, in, length);
}
