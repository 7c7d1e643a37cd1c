// heads.c: looks at a request's head as it came, before libwebsockets reads it.
//
// L41: libwebsockets takes what RFC 9112 says to refuse, and then sees another request than a proxy in front of it: a
// blank before the colon makes "Content-Length " a header that it does not know, a line without a colon swallows the
// next line, what follows a bare CR is dropped or joined. The body of one request then runs as the next one. It also
// hides the second of two `Forwarded` lines, and drops a connection whose head does not fit, without an answer.
// L42: a header whose name begins the name of one that it knows, such as "X-A" ("x-auth-token"), swallows the next
// line, be that Content-Length or the X-Forwarded-For of the proxy. So these are read here and not from libwebsockets.
//
// So the head is read with MSG_PEEK, in front of libwebsockets' own callback of the socket's watcher, and waits in the
// kernel until it is whole (SO_RCVLOWAT): libwebsockets then gets it in one read, and what was looked at is what it
// reads. Bytes behind a head that are no whole head yet are left to libwebsockets unseen; the answer to such a request
// is the last of its connection. TLS hides the bytes: there the names of the two fields that tell of a body are looked
// up in their wrong spellings (cws_head_take).
#include "private.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

typedef enum { HEAD_PARTIAL, HEAD_WHOLE, HEAD_BROKEN, HEAD_LONG } head_verdict;

// RFC 9110, 5.6.2: what a field's name is made of.
static bool is_name_byte(uint8_t byte) {
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')) { return true; }
    return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL;
}

// The length of the line that begins here, with its end; 0 = the end is not there. A CR stands before LF alone
// (RFC 9112, 2.2), and a NUL nowhere.
static size_t line_length(const uint8_t *bytes, size_t length, bool *broken) {
    for (size_t i = 0; i < length; i++) {
        if (bytes[i] == 0 || (bytes[i] == '\r' && i + 1 < length && bytes[i + 1] != '\n')) {
            *broken = true;
            return 0;
        }
        if (bytes[i] == '\n') { return i + 1; }
    }
    return 0;
}

// Appends a value to what earlier lines of the name have said: they are one list (RFC 9110, 5.3), and its last element
// was written by the proxy that is nearest.
static bool join(char **list, const uint8_t *value, size_t length) {
    size_t before = *list == NULL ? 0 : strlen(*list);
    char *joined = realloc(*list, before + length + 3);
    if (joined == NULL) { return false; }
    *list = joined;
    if (before > 0) {
        memcpy(joined + before, ", ", 2);
        before += 2;
    }
    memcpy(joined + before, value, length);
    joined[before + length] = 0;
    return true;
}

static bool is_named(const uint8_t *line, size_t length, const char *name) {
    return length == strlen(name) && strncasecmp((const char *)line, name, length) == 0;
}

// One line of the fields, without its end. Adds to `kept` what libwebsockets keeps of every field, known or not.
static bool field_is_good(cws_connection *c, const uint8_t *line, size_t length, size_t *kept) {
    size_t name = 0;
    while (name < length && is_name_byte(line[name])) { name++; }
    // No blank before the colon (5.1), no folded line (5.2), no line without a colon.
    if (name == 0 || name == length || line[name] != ':') { return false; }
    const uint8_t *value = line + name + 1;
    size_t count = length - name - 1;
    *kept += count;
    while (count > 0 && (*value == ' ' || *value == '\t')) { value++, count--; }
    while (count > 0 && (value[count - 1] == ' ' || value[count - 1] == '\t')) { count--; }
    if (is_named(line, name, "forwarded")) { return join(&c->forwarded, value, count); }
    if (is_named(line, name, "x-forwarded-for")) { return join(&c->x_forwarded_for, value, count); }
    if (is_named(line, name, "transfer-encoding")) { c->head_has_body = true; }
    if (is_named(line, name, "content-length") && !(count == 1 && *value == '0')) { c->head_has_body = true; }
    return true;
}

// Of the request at hand nothing is kept any more.
void cws_head_forget(cws_connection *c) {
    free(c->forwarded);
    free(c->x_forwarded_for);
    c->forwarded = NULL;
    c->x_forwarded_for = NULL;
    c->head_has_body = false;
}

// Looks at the head that begins here; `*end` is where the next one would.
static head_verdict look(cws_connection *c, const uint8_t *bytes, size_t length, size_t *end) {
    bool broken = false;
    bool has_request_line = false;
    size_t kept = 0;
    for (size_t at = 0; at < length;) {
        size_t line = line_length(bytes + at, length - at, &broken);
        if (broken) { return HEAD_BROKEN; }
        if (line == 0) { return HEAD_PARTIAL; }
        size_t content = line - 1;
        if (content > 0 && bytes[at + content - 1] == '\r') { content--; }
        if (content == 0 && has_request_line) {
            *end = at + line;
            return HEAD_WHOLE;
        }
        // An empty line before a request is passed over (2.2).
        if (content > 0 && has_request_line && !field_is_good(c, bytes + at, content, &kept)) { return HEAD_BROKEN; }
        if (!has_request_line) { kept = content; }
        // There is no room for it: libwebsockets would drop the connection without a word.
        if (kept > CWS_HEADER_BYTES_MAX) { return HEAD_LONG; }
        if (content > 0) { has_request_line = true; }
        at += line;
    }
    return HEAD_PARTIAL;
}

static void wait_for_more_than(cws_connection *c, size_t length) {
    int wanted = (int)length + 1;
    setsockopt(lws_get_socket_fd(c->wsi), SOL_SOCKET, SO_RCVLOWAT, &wanted, sizeof wanted);
    c->head_waits = length > 0;
}

// Answers that the head is too long; the connection is at its end.
static void refuse_length(cws_connection *c) {
    static const char answer[] = "HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\n"
                                 "Connection: close\r\n\r\n";
    c->heads = 0;
    c->ended_by_us = true;
    cws_reject_count(c->loop, CWS_REJECT_HANDSHAKE);
    (void)!send(lws_get_socket_fd(c->wsi), answer, sizeof answer - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    cws_linger_prepare(c, c->wsi);
}

static bool has_notes(const cws_connection *c) {
    return c->forwarded != NULL || c->x_forwarded_for != NULL || c->head_has_body;
}

// Whether libwebsockets may read now.
static bool head_is_ready(cws_connection *c) {
    if (c->heads > 0 || c->head_is_broken) { return true; }  // libwebsockets has not taken it yet
    cws_loop *loop = c->loop;
    ssize_t count = recv(lws_get_socket_fd(c->wsi), loop->scratch, CWS_SCRATCH_BYTES, MSG_PEEK | MSG_DONTWAIT);
    if (count <= 0) { return true; }  // the end, or an error: libwebsockets finds it too
    size_t length = (size_t)count, at = 0, end = 0;
    cws_head_forget(c);
    head_verdict verdict = look(c, loop->scratch, length, &end);
    if (verdict == HEAD_PARTIAL && length > c->head_bytes && length < CWS_SCRATCH_BYTES) {
        c->head_bytes = (uint16_t)length;
        wait_for_more_than(c, length);
        return false;
    }
    if (c->head_waits) { wait_for_more_than(c, 0); }
    c->head_bytes = 0;
    // Heads that came with it. What is noted of a head is that of one request: the looking ends at the first one of
    // which something is noted.
    while (verdict == HEAD_WHOLE && c->heads < UINT8_MAX) {
        c->heads++;
        at += end;
        if (at == length || has_notes(c)) { break; }
        cws_connection next = {0};
        verdict = look(&next, loop->scratch + at, length - at, &end);
        bool is_noted = has_notes(&next);
        cws_head_forget(&next);
        if (is_noted && verdict != HEAD_BROKEN) { break; }
    }
    c->head_is_last = at < length;
    c->head_is_broken = verdict == HEAD_BROKEN;
    if (at == 0 && (verdict == HEAD_LONG || (verdict == HEAD_PARTIAL && length == CWS_SCRATCH_BYTES))) {
        refuse_length(c);
        cws_doom(c, false);
        return false;
    }
    return true;
}

// In place of libuv's own callback of the watcher of a socket that libwebsockets reads.
static void before_read(uv_loop_t *uv, uv__io_t *io, unsigned events) {
    cws_loop *loop = (cws_loop *)((char *)uv - offsetof(cws_loop, uv));
    uv_poll_t *handle = (uv_poll_t *)((char *)io - offsetof(uv_poll_t, io_watcher));
    struct lws *wsi = handle->data;
    cws_connection *c = wsi == NULL ? NULL : lws_get_opaque_user_data(wsi);
    bool reads_head = c != NULL && c->wsi == wsi && c->state == CWS_HTTP && (events & POLLIN) != 0
                      && c->body == NULL && !(c->responding && lws_partial_buffered(wsi)) && !c->doomed;
    if (reads_head && !head_is_ready(c)) {
        if ((events & (POLLERR | POLLHUP)) == 0) { return; }
    }
    loop->read_io(uv, io, events);
}

// libuv keeps the callback of a watcher for as long as the watcher lives, whatever is started or stopped on it.
void cws_heads_watch(cws_connection *c) {
    cws_loop *loop = c->loop;
    if (c->tls || c->wsi == NULL) { return; }
    int fd = lws_get_socket_fd(c->wsi);
    if (fd < 0 || (unsigned)fd >= loop->uv.nwatchers) { return; }
    uv__io_t *io = loop->uv.watchers[fd];
    if (io == NULL || io->cb == before_read) { return; }
    loop->read_io = io->cb;  // libuv's own, the same for all sockets
    io->cb = before_read;
    c->watched = true;
}

// Takes the head of a request that libwebsockets hands out.
cws_head cws_head_take(cws_connection *c, struct lws *wsi) {
    if (c->watched) {
        if (c->heads == 0) { return c->head_is_broken ? CWS_HEAD_BROKEN : CWS_HEAD_LAST; }
        c->heads--;
        return c->heads == 0 && c->head_is_last ? CWS_HEAD_LAST : CWS_HEAD_GOOD;
    }
    static const char *const wrong[] = {"content-length :",    "content-length\t:",    "content-length  :",
                                        "transfer-encoding :", "transfer-encoding\t:", "transfer-encoding  :",
                                        " content-length:",    "\tcontent-length:",    " transfer-encoding:",
                                        "\ttransfer-encoding:", "\rcontent-length:",   "\rtransfer-encoding:",
                                        "content-length\r:",   "transfer-encoding\r:"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (lws_hdr_custom_length(wsi, wrong[i], (int)strlen(wrong[i])) >= 0) { return CWS_HEAD_BROKEN; }
    }
    return CWS_HEAD_GOOD;
}
