// bodies.c: HTTP answers that come later, in pieces.
//
// The caller defers a request, says the head when it knows it, and then gives one piece after the other, each when it
// is asked for. At most one piece of an answer is in memory, and it is written after the turn's events have been sent:
// at most CWS_BODY_BYTES_PER_TURN in one turn of the loop, by all answers together. So bulk bytes never delay events.
//
// These bytes are not written by lws_write. libwebsockets copies what the socket does not take (L16). While it waits
// for the socket it leaves input unread and spins on it (L24), and with reading stopped it does not write at all (L40).
// So reading is stopped for as long as an answer takes: what a peer sends meanwhile waits in the kernel. The bytes go
// to the socket or to its TLS stream from here, and a duplicate of the descriptor tells when the socket takes more.
#include "private.h"

#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// A head, or what stands round a chunk.
#define CWS_FRAMING_BYTES 4096

struct cws_body {
    uv_poll_t poll;  // on the duplicate
    cws_connection *connection;
    struct cws_body *next;  // in the loop's queue
    int fd;                 // the duplicate; -1 until the socket takes less than it was given
    int64_t left;           // bytes that the head has promised and that were not given yet; -1 = it promised no number
    size_t filled;          // of `bytes`
    size_t sent;            // of those
    bool head_only;
    bool keep_alive;
    bool speaks_chunks;  // HTTP/1.1
    bool chunked;
    bool begun;     // the head was said
    bool due;       // what is in `bytes` has to go out
    bool last;      // nothing follows it
    bool blocked;   // the socket takes no more
    bool silenced;  // libwebsockets' own watcher is stopped
    uint8_t bytes[CWS_FRAMING_BYTES + CWS_PIECE_BYTES_MAX];
};

// MARK: - The queue

static void enqueue(cws_loop *loop, cws_body *body) {
    body->next = NULL;
    cws_body **end = &loop->bodies;
    while (*end != NULL) { end = &(*end)->next; }
    *end = body;
    loop->body_count++;
}

static void dequeue(cws_loop *loop, cws_body *body) {
    cws_body **at = &loop->bodies;
    while (*at != body) { at = &(*at)->next; }
    *at = body->next;
    loop->body_count--;
}

static cws_body *find(cws_loop *loop, cws_id id) {
    for (cws_body *body = loop->bodies; body != NULL; body = body->next) {
        if (cws_connection_id(body->connection) == id) { return body->connection->doomed ? NULL : body; }
    }
    return NULL;
}

static bool can_write(const cws_body *body) {
    return body->due && !body->blocked && !body->connection->doomed;
}

bool cws_bodies_wait(cws_loop *loop) {
    for (cws_body *body = loop->bodies; body != NULL; body = body->next) {
        if (can_write(body)) { return true; }
    }
    return false;
}

// MARK: - Ends

static void on_poll_closed(uv_handle_t *handle) { free(handle); }

// The answer is over, or its connection is. Once per cws_http_defer.
void cws_body_end(cws_connection *c, bool completed) {
    cws_body *body = c->body;
    if (body == NULL) { return; }
    cws_loop *loop = c->loop;
    cws_id id = cws_connection_id(c);
    c->body = NULL;
    dequeue(loop, body);
    if (c->wsi != NULL) { lws_rx_flow_control(c->wsi, 1); }
    if (body->fd >= 0) {
        int fd = body->fd;
        uv_poll_stop(&body->poll);
        uv_close((uv_handle_t *)&body->poll, on_poll_closed);  // the body's first member
        close(fd);
    } else {
        free(body);
    }
    loop->call.on_body_ended(loop->context, id, completed ? 1 : 0);
}

// All bytes are with the kernel: on to the next request, or to the end of the connection.
static void complete(cws_body *body) {
    cws_connection *c = body->connection;
    bool keep_alive = body->keep_alive;
    cws_body_end(c, true);
    if (!keep_alive) {
        c->ended_by_us = true;
        // Unread input would make the close a reset, which can overtake the last bytes.
        if (cws_has_unread_input(c)) { cws_linger_prepare(c, c->wsi); }
        cws_doom(c, false);
        return;
    }
    cws_deadline(c, (uint64_t)c->loop->options.handshake_seconds_max * 1000);
    if (lws_http_transaction_completed(c->wsi)) { cws_doom(c, false); }
}

void cws_bodies_end(cws_loop *loop) {
    while (loop->bodies != NULL) { cws_body_end(loop->bodies->connection, false); }
}

// MARK: - Beginning

cws_id cws_http_defer(cws_request *request) {
    cws_connection *c = request->connection;
    // After POST libwebsockets waits for a body.
    if (request->answered || c->body != NULL || c->state != CWS_HTTP || !request->may_defer) { return 0; }
    cws_body *body = malloc(sizeof *body);
    if (body == NULL) { return 0; }
    memset(body, 0, offsetof(cws_body, bytes));
    body->connection = c;
    body->fd = -1;
    body->head_only = request->head_only;
    body->keep_alive = request->keep_alive;
    body->speaks_chunks = request->speaks_chunks;
    c->body = body;
    enqueue(c->loop, body);
    request->answered = true;
    request->deferred = true;
    lws_rx_flow_control(c->wsi, 0);
    lws_set_timeout(c->wsi, NO_PENDING_TIMEOUT, 0);  // its clock would run out in the middle of a long answer
    cws_deadline(c, UINT64_MAX);                     // it is the caller's turn
    return cws_connection_id(c);
}

// The first bytes go out when it is the answer's turn. The peer has so long to take them.
static void make_due(cws_body *body, size_t length) {
    cws_connection *c = body->connection;
    body->filled = length;
    body->sent = 0;
    body->due = true;
    cws_deadline(c, (uint64_t)c->loop->options.handshake_seconds_max * 1000
                        + length / CWS_RESPONSE_BYTES_PER_SECOND * 1000);
}

int cws_http_begin(cws_loop *loop, cws_id id, uint16_t status, const char *content_type, const char *headers,
                   int64_t length) {
    cws_body *body = find(loop, id);
    if (body == NULL || body->begun) { return -1; }
    bool has_content = status != 204 && status != 304;
    if (!has_content) { length = 0; }
    body->chunked = length < 0 && body->speaks_chunks;
    // An HTTP/1.0 client sees the end of a body without a length by the end of the connection.
    if (status >= 400 || (length < 0 && !body->chunked)) { body->keep_alive = false; }
    size_t used = cws_http_head_write((char *)body->bytes, CWS_FRAMING_BYTES, body->connection, status,
                                      has_content ? content_type : NULL, headers, has_content, length, body->chunked,
                                      body->keep_alive);
    if (used == 0) {
        cws_http_cut(loop, id);
        return -1;
    }
    body->begun = true;
    body->left = length;
    body->last = body->head_only || length == 0;
    make_due(body, used);
    return 0;
}

int cws_http_piece(cws_loop *loop, cws_id id, const uint8_t *bytes, size_t length, int is_last) {
    cws_body *body = find(loop, id);
    if (body == NULL || !body->begun || body->last || body->due) { return -1; }
    if (length > CWS_PIECE_BYTES_MAX || (length == 0 && !is_last)) { return -1; }
    // A body of another length than promised cannot be told from the next answer: the connection ends instead.
    if (body->left >= 0 && ((int64_t)length > body->left || (is_last && (int64_t)length < body->left))) {
        cws_http_cut(loop, id);
        return -1;
    }
    size_t used = 0;
    if (body->chunked && length > 0) {
        used = (size_t)snprintf((char *)body->bytes, CWS_FRAMING_BYTES, "%zx\r\n", length);
    }
    if (length > 0) { memcpy(body->bytes + used, bytes, length); }
    used += length;
    if (body->chunked) {
        const char *end = length == 0 ? "0\r\n\r\n" : is_last ? "\r\n0\r\n\r\n" : "\r\n";
        memcpy(body->bytes + used, end, strlen(end));
        used += strlen(end);
    }
    if (body->left >= 0) { body->left -= (int64_t)length; }
    body->last = is_last || body->left == 0;
    make_due(body, used);
    return 0;
}

void cws_http_cut(cws_loop *loop, cws_id id) {
    cws_body *body = find(loop, id);
    if (body != NULL) { cws_doom(body->connection, true); }
}

// MARK: - Writing

static void on_writable(uv_poll_t *poll, int status, int events) {
    (void)status;  // what is broken the next write finds out
    (void)events;
    cws_body *body = (cws_body *)poll;
    uv_poll_stop(poll);
    body->blocked = false;
}

// Waits until the socket takes more. False when there is no descriptor left to do so with.
static bool wait_for_room(cws_body *body) {
    cws_connection *c = body->connection;
    if (body->fd < 0) {
        int fd = fcntl(lws_get_socket_fd(c->wsi), F_DUPFD_CLOEXEC, 0);
        if (fd < 0) { return false; }
        if (uv_poll_init(&c->loop->uv, &body->poll, fd) != 0) {
            close(fd);
            return false;
        }
        body->fd = fd;
    }
    body->blocked = true;
    return uv_poll_start(&body->poll, UV_WRITABLE, on_writable) == 0;
}

// Bytes that the socket took; 0 = none at present, -1 = it is broken.
static ssize_t put(cws_connection *c, const uint8_t *bytes, size_t length) {
    if (!c->tls) {
        ssize_t sent = send(lws_get_socket_fd(c->wsi), bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
        return sent >= 0 ? sent : errno == EAGAIN || errno == EINTR ? 0 : -1;
    }
    // A write that was refused has to be tried again with the same bytes: always one record from where it stands.
    SSL *stream = lws_get_ssl(c->wsi);
    if (length > CWS_TLS_RECORD_BYTES) { length = CWS_TLS_RECORD_BYTES; }
    ERR_clear_error();
    int sent = SSL_write(stream, bytes, (int)length);
    return sent > 0 ? sent : SSL_get_error(stream, sent) == SSL_ERROR_WANT_WRITE ? 0 : -1;
}

// Returns the bytes that went out.
static size_t write_some(cws_body *body, size_t most) {
    cws_connection *c = body->connection;
    size_t before = body->sent;
    while (body->sent < body->filled && body->sent - before < most) {
        ssize_t sent = put(c, body->bytes + body->sent, body->filled - body->sent);
        if (sent < 0 || (sent == 0 && !wait_for_room(body))) {
            cws_doom(c, true);
            break;
        }
        if (sent == 0) { break; }
        body->sent += (size_t)sent;
    }
    return body->sent - before;
}

// After the events of a turn have been sent. Takes the answers in turn.
void cws_bodies_turn(cws_loop *loop) {
    size_t allowance = CWS_BODY_BYTES_PER_TURN;
    for (uint32_t i = loop->body_count; i > 0 && allowance > 0 && loop->bodies != NULL; i--) {
        cws_body *body = loop->bodies;
        dequeue(loop, body);
        enqueue(loop, body);
        if (!can_write(body)) { continue; }
        size_t sent = write_some(body, allowance);
        allowance -= sent < allowance ? sent : allowance;
        if (body->sent < body->filled || body->connection->doomed) { continue; }
        body->due = false;
        if (body->last) {
            complete(body);
        } else {
            cws_deadline(body->connection, UINT64_MAX);  // it is the caller's turn
            loop->call.on_body_wanted(loop->context, cws_connection_id(body->connection));
        }
    }
}

// MARK: - Silence

static void silence(uv_handle_t *handle, void *argument) {
    cws_loop *loop = argument;
    int fd;
    if (handle->type != UV_POLL || uv_is_closing(handle) || uv_fileno(handle, &fd) != 0) { return; }
    for (cws_body *body = loop->bodies; body != NULL; body = body->next) {
        if (!body->silenced && lws_get_socket_fd(body->connection->wsi) == fd) { uv_poll_stop((uv_poll_t *)handle); }
    }
}

// L40: of requests that came together libwebsockets wants to hear when the socket takes bytes, and then does nothing
// about it as long as reading is stopped: the loop would spin. Its watcher is stopped for the answers that take longer
// than a sweep; it starts it again itself when reading goes on.
void cws_bodies_silence(cws_loop *loop) {
    bool is_due = false;
    for (cws_body *body = loop->bodies; body != NULL; body = body->next) { is_due |= !body->silenced; }
    if (!is_due) { return; }
    uv_walk(&loop->uv, silence, loop);
    for (cws_body *body = loop->bodies; body != NULL; body = body->next) { body->silenced = true; }
}
