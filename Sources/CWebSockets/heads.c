// heads.c: looks at a request's head as it came, before libwebsockets reads it.
//
// L41: libwebsockets takes what RFC 9112 says to refuse, and then sees another request than a proxy in front of it: a
// blank before the colon makes "Content-Length " a header that it does not know, a line without a colon swallows the
// next line, what follows a bare CR is dropped or joined. The body of one request then runs as the next one. It also
// hides the second of two `Forwarded` lines, and drops a connection whose head does not fit, without an answer.
// L42: a header whose name begins the name of one that it knows, such as "X-A" ("x-auth-token"), swallows the next
// line, be that Content-Length or the X-Forwarded-For of the proxy. So these are read here and not from libwebsockets.
// As the last header it swallows the empty line, and libwebsockets takes the next request for more of this head: so it
// is refused.
//
// So the head is read with MSG_PEEK, in front of libwebsockets' own callback of the socket's watcher, and waits in the
// kernel until it is whole (SO_RCVLOWAT): libwebsockets then gets it in one read, and what was looked at is what it
// reads. Each line is looked at once, however slowly its head comes. A head that is refused never gets there: some of
// them libwebsockets would not take for whole, and it would wait for the rest. Bytes behind a head that are no whole
// head yet are left to libwebsockets unseen; the answer to such a request is the last of its connection. TLS hides the
// bytes: there the names of the two fields that tell of a body are looked up in their wrong spellings (cws_head_take),
// and no proxy may be in front (the settings refuse it).
#include "private.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

typedef enum { HEAD_PARTIAL, HEAD_WHOLE, HEAD_REFUSED } head_verdict;

// RFC 9110, 5.6.2: what a field's name is made of.
static bool is_name_byte(uint8_t byte) {
    if ((byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z')) { return true; }
    return byte != 0 && strchr("!#$%&'*+-.^_`|~", byte) != NULL;
}

// How far a head was looked at that is not whole yet.
typedef struct {
    size_t line;     // where the line at hand begins
    size_t scanned;  // up to here it has no end
    size_t last;     // where the line before begins
    size_t kept;     // what libwebsockets keeps of the lines before, at most
    bool has_request_line;
    const char *refusal;  // the status with which it is refused, and the lines that belong to it
} head_scan;

// What libwebsockets writes beside a field's name and value (three numbers, two ends).
enum { KEPT_BESIDE = 10 };

// Where the line at hand ends, behind its LF; 0 = the end is not there. A CR stands before LF alone (RFC 9112, 2.2),
// and a NUL nowhere.
static size_t line_end(const head_scan *scan, const uint8_t *bytes, size_t length, bool *broken) {
    for (size_t i = scan->scanned; i < length; i++) {
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

static bool is_exactly(const uint8_t *bytes, size_t length, const char *text) {
    return length == strlen(text) && memcmp(bytes, text, length) == 0;
}

static bool is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

// RFC 9110, 9.1: names of methods are case-sensitive. One that nobody knows is 501, one that nothing here has is 405.
static const char *method_refusal(const uint8_t *method, size_t length) {
    static const char *const taken[] = {"GET", "HEAD", "POST"};
    static const char *const known[] = {"OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        if (is_exactly(method, length, taken[i])) { return NULL; }
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (is_exactly(method, length, known[i])) { return "405 Method Not Allowed\r\nAllow: GET, HEAD, POST"; }
    }
    return "501 Not Implemented";
}

// The origin form alone (RFC 9112, 3.2.1), of visible bytes, and of whole percent-encodings.
static bool target_is_good(const uint8_t *target, size_t length) {
    if (length == 0 || target[0] != '/') { return false; }
    for (size_t i = 0; i < length; i++) {
        if (target[i] <= ' ' || target[i] == 0x7F) { return false; }
        if (target[i] == '%' && (i + 2 >= length || !isxdigit(target[i + 1]) || !isxdigit(target[i + 2]))) {
            return false;
        }
    }
    return true;
}

// RFC 9112, 3: the method, the target and the version, with one blank between them. Libwebsockets answers to some of
// the others by a 403 of its own, or not at all, and takes others (L43). NULL = the line is good.
static const char *request_line_refusal(const uint8_t *line, size_t length) {
    static const char *const bad = "400 Bad Request";
    const uint8_t *first = memchr(line, ' ', length);
    if (first == NULL) { return bad; }
    const uint8_t *target = first + 1, *second = memchr(target, ' ', length - (size_t)(target - line));
    if (second == NULL) { return bad; }
    const uint8_t *version = second + 1;
    size_t method_length = (size_t)(first - line), version_length = length - (size_t)(version - line);
    for (size_t i = 0; i < method_length; i++) {
        if (!is_name_byte(line[i])) { return bad; }
    }
    // RFC 9110, 2.5: any minor version of 1 is spoken as 1.1; another major version is 505.
    if (method_length == 0 || version_length != 8 || memcmp(version, "HTTP/", 5) != 0 || !is_digit(version[5])
        || version[6] != '.' || !is_digit(version[7])) {
        return bad;
    }
    if (version[5] != '1') { return "505 HTTP Version Not Supported"; }
    const char *refusal = method_refusal(line, method_length);
    if (refusal != NULL) { return refusal; }
    return target_is_good(target, (size_t)(second - target)) ? NULL : bad;
}

// RFC 9112, 3.2: one line, and what a name, an address and a port are made of.
static bool host_is_good(cws_connection *c, const uint8_t *value, size_t length) {
    if (c->head_has_host) { return false; }
    c->head_has_host = true;
    for (size_t i = 0; i < length; i++) {
        if (!isalnum(value[i]) && (value[i] == 0 || strchr("-._~!$&'()*+,;=:[]%", value[i]) == NULL)) { return false; }
    }
    return true;
}

// RFC 9112, 9.6: `close` in any of the lines, beside whatever. Libwebsockets sees it where it stands alone.
static void note_connection(cws_connection *c, const uint8_t *value, size_t length) {
    bool is_alone = !c->head_has_connection && is_named(value, length, "close");
    c->head_has_connection = true;
    for (size_t at = 0; at < length && !c->head_says_close;) {
        while (at < length && (value[at] == ' ' || value[at] == '\t' || value[at] == ',')) { at++; }
        size_t end = at;
        while (end < length && value[end] != ' ' && value[end] != '\t' && value[end] != ',') { end++; }
        c->head_says_close = is_named(value + at, end - at, "close");
        at = end;
    }
    if (c->head_says_close && !is_alone) { c->head_is_final = true; }
}

// One line of the fields, without its end.
static bool field_is_good(cws_connection *c, const uint8_t *line, size_t length) {
    size_t name = 0;
    while (name < length && is_name_byte(line[name])) { name++; }
    // No blank before the colon (5.1), no folded line (5.2), no line without a colon.
    if (name == 0 || name == length || line[name] != ':') { return false; }
    const uint8_t *value = line + name + 1;
    size_t count = length - name - 1;
    while (count > 0 && (*value == ' ' || *value == '\t')) { value++, count--; }
    while (count > 0 && (value[count - 1] == ' ' || value[count - 1] == '\t')) { count--; }
    if (is_named(line, name, "host")) { return host_is_good(c, value, count); }
    if (is_named(line, name, "connection")) { note_connection(c, value, count); }
    if (is_named(line, name, "forwarded")) { return join(&c->forwarded, value, count); }
    if (is_named(line, name, "x-forwarded-for")) { return join(&c->x_forwarded_for, value, count); }
    if (is_named(line, name, "transfer-encoding")) { c->head_has_body = true; }
    if (is_named(line, name, "content-length") && !(count == 1 && *value == '0')) { c->head_has_body = true; }
    return true;
}

// Whether libwebsockets takes a field for the beginning of another one, and then the line after it for its rest (L42).
static bool swallows_next_line(const uint8_t *line) {
    size_t name = 0;
    while (is_name_byte(line[name])) { name++; }
    bool begins = false;
    const char *known;
    for (int token = 0; (known = (const char *)lws_token_to_string((enum lws_token_indexes)token)) != NULL; token++) {
        if (strncasecmp(known, (const char *)line, name) != 0) { continue; }
        if (known[name] == ':') { return false; }
        begins = true;
    }
    return begins;
}

// Of the request at hand nothing is kept any more.
void cws_head_forget(cws_connection *c) {
    free(c->forwarded);
    free(c->x_forwarded_for);
    c->forwarded = NULL;
    c->x_forwarded_for = NULL;
    c->head_has_body = false;
    c->head_has_host = c->head_has_connection = c->head_says_close = c->head_is_final = false;
}

static head_verdict refused(head_scan *scan, const char *status) {
    scan->refusal = status;
    return HEAD_REFUSED;
}

// Looks on at the head that begins here. When it is whole, `scan->line` is where the next one would begin.
static head_verdict look(cws_connection *c, head_scan *scan, const uint8_t *bytes, size_t length) {
    while (scan->line < length) {
        bool broken = false;
        size_t start = scan->line, end = line_end(scan, bytes, length, &broken);
        if (broken) { return refused(scan, "400 Bad Request"); }
        // There is no room for it: libwebsockets would drop the connection without a word.
        size_t extent = (end == 0 ? length : end) - start;
        if (scan->kept + extent > CWS_HEADER_BYTES_MAX + 2) {
            return refused(scan, scan->has_request_line ? "431 Request Header Fields Too Large" : "414 URI Too Long");
        }
        if (end == 0) {
            scan->scanned = length - 1;  // a CR is looked at again, with what follows it
            return HEAD_PARTIAL;
        }
        size_t content = extent - 1;
        if (content > 0 && bytes[start + content - 1] == '\r') { content--; }
        scan->line = scan->scanned = end;
        if (content == 0 && scan->has_request_line) {
            return swallows_next_line(bytes + scan->last) ? refused(scan, "400 Bad Request") : HEAD_WHOLE;
        }
        // Empty lines before a request are taken off where they may stand (pass_empty_lines).
        if (content == 0) { return refused(scan, "400 Bad Request"); }
        const char *refusal = NULL;
        if (!scan->has_request_line) {
            refusal = request_line_refusal(bytes + start, content);
        } else if (!field_is_good(c, bytes + start, content)) {
            refusal = "400 Bad Request";
        }
        if (refusal != NULL) { return refused(scan, refusal); }
        scan->has_request_line = true;
        scan->last = start;
        scan->kept += content + KEPT_BESIDE;
    }
    return HEAD_PARTIAL;
}

// An empty line before a request is passed over (RFC 9112, 2.2); libwebsockets would end the connection.
static size_t pass_empty_lines(cws_connection *c, size_t length) {
    uint8_t *bytes = c->loop->scratch;
    size_t empty = 0;
    while (empty < length) {
        size_t line = bytes[empty] == '\n' ? 1 : 2;
        if (empty + line > length || bytes[empty + line - 1] != '\n' || (line == 2 && bytes[empty] != '\r')) { break; }
        empty += line;
    }
    if (empty == 0) { return length; }
    ssize_t taken = recv(lws_get_socket_fd(c->wsi), bytes, empty, MSG_DONTWAIT);
    size_t gone = taken < 0 ? 0 : (size_t)taken;
    c->head_bytes = 0;
    memmove(bytes, bytes + gone, length - gone);
    return length - gone;
}

static void wait_for_more_than(cws_connection *c, size_t length) {
    int wanted = (int)length + 1;
    setsockopt(lws_get_socket_fd(c->wsi), SOL_SOCKET, SO_RCVLOWAT, &wanted, sizeof wanted);
    c->head_waits = length > 0;
}

// Answers to a head that libwebsockets does not get; the connection is at its end.
static void refuse(cws_connection *c, const char *status) {
    char answer[192];
    int length = snprintf(answer, sizeof answer, "HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                          status);
    c->ended_by_us = true;
    cws_reject_count(c->loop, CWS_REJECT_HANDSHAKE);
    (void)!send(lws_get_socket_fd(c->wsi), answer, (size_t)length, MSG_NOSIGNAL | MSG_DONTWAIT);
    cws_linger_prepare(c, c->wsi);
    cws_doom(c, false);
}

static bool has_notes(const cws_connection *c) {
    return c->forwarded != NULL || c->x_forwarded_for != NULL || c->head_has_body;
}

// Remembers how far a head was looked at, until there is more of it.
static void keep(cws_connection *c, const head_scan *scan, size_t length) {
    c->head_bytes = (uint16_t)length;
    c->head_line = (uint16_t)scan->line;
    c->head_last = (uint16_t)scan->last;
    c->head_kept = (uint16_t)scan->kept;
    c->head_has_line = scan->has_request_line;
}

// Counts the heads that came with the first one, which ends at `at`. What is noted of a head is that of one request:
// the counting ends at the first one of which something is noted.
static void count_heads(cws_connection *c, size_t at, size_t length) {
    c->heads = 1;
    bool is_final = c->head_is_final;
    while (at < length && !has_notes(c) && !is_final && c->heads < UINT8_MAX) {
        cws_connection next = {0};
        head_scan scan = {0};
        head_verdict verdict = look(&next, &scan, c->loop->scratch + at, length - at);
        bool is_noted = has_notes(&next);
        is_final = verdict == HEAD_WHOLE && !is_noted && next.head_is_final;
        cws_head_forget(&next);
        if (verdict != HEAD_WHOLE || is_noted) { break; }
        c->heads++;
        at += scan.line;
    }
    c->head_is_last = at < length || is_final;
}

// Whether libwebsockets may read now.
static bool head_is_ready(cws_connection *c) {
    if (c->heads > 0 || c->head_is_unseen) { return true; }  // libwebsockets has not taken it yet
    cws_loop *loop = c->loop;
    ssize_t count = recv(lws_get_socket_fd(c->wsi), loop->scratch, CWS_SCRATCH_BYTES, MSG_PEEK | MSG_DONTWAIT);
    if (count <= 0) { return true; }  // the end, or an error: libwebsockets finds it too
    size_t length = (size_t)count;
    if (c->head_line == 0) {
        length = pass_empty_lines(c, length);
        cws_head_forget(c);
    }
    head_scan scan = {c->head_line, c->head_line, c->head_last, c->head_kept, c->head_has_line, NULL};
    if (c->head_bytes > c->head_line) { scan.scanned = (size_t)c->head_bytes - 1; }
    head_verdict verdict = look(c, &scan, loop->scratch, length);
    if (verdict == HEAD_PARTIAL && (length == 0 || length > c->head_bytes) && length < CWS_SCRATCH_BYTES) {
        keep(c, &scan, length);
        wait_for_more_than(c, length);
        return false;
    }
    if (c->head_waits) { wait_for_more_than(c, 0); }
    const head_scan none = {0};
    keep(c, &none, 0);
    switch (verdict) {
    case HEAD_WHOLE: count_heads(c, scan.line, length); return true;
    case HEAD_REFUSED: refuse(c, scan.refusal); return false;
    case HEAD_PARTIAL: break;
    }
    // No more of it comes, says the kernel: libwebsockets finds the end. Nothing after it is looked at.
    c->head_is_unseen = true;
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
        if (c->doomed || (events & (POLLERR | POLLHUP)) == 0) { return; }
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
        if (c->heads == 0) { return CWS_HEAD_LAST; }
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
