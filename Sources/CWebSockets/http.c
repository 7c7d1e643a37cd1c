// http.c: plain HTTP/1.1 requests, and refusals with a status.
//
// No request body is ever read (L6: negative and overflowing Content-Length; the multipart parser lws_spa). A request
// that announces one is answered 413 and closed, never "completed": libwebsockets would discard the body for as long
// as it dribbles (L7). A small answer goes out in one lws_write; what the socket does not take at once libwebsockets
// keeps and sends whenever the socket is writable (L16: one write per answer). All others come in pieces (bodies.c).
// Connections are kept alive under the connection's deadline (connection.c), except after POST and after a status of
// 400 or more.
#include "private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *status_text(int status) {
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 206: return "Partial Content";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 410: return "Gone";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 416: return "Range Not Satisfiable";
    case 421: return "Misdirected Request";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 503: return "Service Unavailable";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
    }
}

bool cws_http_has_body(const cws_connection *c, struct lws *wsi) {
    char length[24];
    if (c->head_has_body && c->heads == 0) { return true; }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0) { return true; }
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) == 0) { return false; }
    // Anything but a plain 0 is a body: "-1", "0x10", "99999999999999999999", two lengths.
    return lws_hdr_copy(wsi, length, sizeof length, WSI_TOKEN_HTTP_CONTENT_LENGTH) <= 0 || strcmp(length, "0") != 0;
}

size_t cws_http_head_write(char *text, size_t room, const cws_connection *c, int status, const char *type,
                           const char *headers, bool has_content, int64_t length, bool chunked, bool keep_alive) {
    struct tm now;
    time_t seconds = time(NULL);
    char date[40];
    char extent[48] = "";
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&seconds, &now));
    if (has_content && length >= 0) {
        snprintf(extent, sizeof extent, "Content-Length: %lld\r\n", (long long)length);
    }
    if (chunked) { snprintf(extent, sizeof extent, "Transfer-Encoding: chunked\r\n"); }
    bool has_type = has_content && type != NULL;
    // RFC 6797: a browser that has used TLS once uses TLS for a year (B28).
    int used = snprintf(text, room, "HTTP/1.1 %d %s\r\nDate: %s\r\nX-Content-Type-Options: nosniff\r\n%s%s%s%s%s%s"
                        "Connection: %s\r\n\r\n", status, status_text(status), date,
                        c->tls ? "Strict-Transport-Security: max-age=31536000\r\n" : "",
                        has_type ? "Content-Type: " : "", has_type ? type : "", has_type ? "\r\n" : "", extent,
                        headers == NULL ? "" : headers, keep_alive ? "keep-alive" : "close");
    return used < 0 || (size_t)used >= room ? 0 : (size_t)used;
}

// One answer, in one write. False when the connection is broken.
static bool answer(cws_connection *c, struct lws *wsi, int status, const char *type, const char *headers,
                   const uint8_t *body, size_t length, bool head_only, bool keep_alive) {
    bool has_content = status != 204 && status != 304;
    size_t room = 512 + (type == NULL ? 0 : strlen(type)) + (headers == NULL ? 0 : strlen(headers));
    size_t body_length = has_content && !head_only ? length : 0;
    uint8_t *buffer = malloc(LWS_PRE + room + body_length);
    if (buffer == NULL) { return false; }
    char *text = (char *)buffer + LWS_PRE;
    size_t used = cws_http_head_write(text, room, c, status, type, headers, has_content, (int64_t)length, false,
                                      keep_alive);
    if (body_length > 0) { memcpy(text + used, body, body_length); }
    size_t total = used + body_length;
    bool written = lws_write(wsi, (uint8_t *)text, total, LWS_WRITE_HTTP) >= (int)total;
    free(buffer);
    c->responding = written && lws_partial_buffered(wsi);
    cws_deadline(c, (uint64_t)c->loop->options.handshake_seconds_max * 1000
                        + total / CWS_RESPONSE_BYTES_PER_SECOND * 1000);
    return written;
}

int cws_retry_seconds(void) { return 2 + (int)(cws_now_us() % 5); }

// Answers with a status and closes. Returns what the calling callback must return.
int cws_http_refuse(cws_connection *c, struct lws *wsi, int status, cws_reject reason) {
    const char *headers = NULL;
    char retry[32];
    switch (status) {
    case 405: headers = "Allow: GET, HEAD, POST\r\n"; break;
    case 426: headers = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"; break;
    case 429: headers = "Retry-After: 5\r\n"; break;
    case 503:
        snprintf(retry, sizeof retry, "Retry-After: %d\r\n", cws_retry_seconds());
        headers = retry;
        break;
    default: break;
    }
    cws_reject_count(c->loop, reason);
    c->ended_by_us = true;
    const char *body = status_text(status);
    answer(c, wsi, status, "text/plain", headers, (const uint8_t *)body, strlen(body), false, false);
    if (cws_http_has_body(c, wsi)) { cws_linger_prepare(c, wsi); }
    return -1;
}

// libwebsockets decides by the same rule whether it closes after the answer; ours must say the same.
static bool keeps_alive(struct lws *wsi, const char *http) {
    char connection[24];
    bool alive = strcmp(http, "HTTP/1.1") == 0;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_CONNECTION) > 0
        && lws_hdr_copy(wsi, connection, sizeof connection, WSI_TOKEN_CONNECTION) > 0) {
        if (strcasecmp(connection, "keep-alive") == 0) { alive = true; }
        if (strcasecmp(connection, "close") == 0) { alive = false; }
    }
    return alive;
}

int cws_http_request(cws_connection *c, struct lws *wsi) {
    cws_loop *loop = c->loop;
    cws_head verdict = cws_head_take(c, wsi);
    if (verdict == CWS_HEAD_BROKEN) {
        cws_linger_prepare(c, wsi);
        return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE);
    }
    if (cws_http_has_body(c, wsi)) { return cws_http_refuse(c, wsi, 413, CWS_REJECT_BODY); }
    cws_http_head head;
    memset(&head, 0, sizeof head);
    enum lws_token_indexes path = WSI_TOKEN_GET_URI;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0) {
        head.method = "GET";
    } else if (lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0) {
        head.method = "HEAD";
        path = WSI_TOKEN_HEAD_URI;
    } else if (lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0) {
        head.method = "POST";
        path = WSI_TOKEN_POST_URI;
    } else {
        return cws_http_refuse(c, wsi, 405, CWS_REJECT_HANDSHAKE);
    }
    cws_strings strings = {(char *)loop->scratch, CWS_SCRATCH_BYTES, false, false};
    head.address = c->address;
    head.path = cws_path(&strings, wsi, path);
    head.query = cws_query(&strings, wsi);
    int too_long = strings.overflowed ? 414 : 431;
    head.host = cws_header(&strings, wsi, WSI_TOKEN_HOST);
    head.origin = cws_header(&strings, wsi, WSI_TOKEN_ORIGIN);
    head.authorization = cws_header(&strings, wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
    head.cookie = cws_header(&strings, wsi, WSI_TOKEN_HTTP_COOKIE);
    head.if_none_match = cws_header(&strings, wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH);
    head.range = cws_header(&strings, wsi, WSI_TOKEN_HTTP_RANGE);
    head.if_range = cws_header(&strings, wsi, WSI_TOKEN_HTTP_IF_RANGE);
    head.accept_encoding = cws_header(&strings, wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING);
    head.accept_language = cws_header(&strings, wsi, WSI_TOKEN_HTTP_ACCEPT_LANGUAGE);
    cws_forwarding_read(&strings, c, wsi, &head.forwarding);
    head.tls = c->tls;
    const char *http = cws_header(&strings, wsi, WSI_TOKEN_HTTP);
    if (strings.overflowed) { return cws_http_refuse(c, wsi, too_long, CWS_REJECT_HANDSHAKE); }
    if (strings.malformed) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE); }
    // RFC 9112, 2.3, as in heads.c, for what comes over TLS. RFC 9110, 2.5: any minor version of 1 is spoken as 1.1.
    bool is_version = strlen(http) == 8 && strncmp(http, "HTTP/", 5) == 0 && http[6] == '.' && http[5] >= '0'
                      && http[5] <= '9' && http[7] >= '0' && http[7] <= '9';
    if (!is_version) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE); }
    if (http[5] != '1') { return cws_http_refuse(c, wsi, 505, CWS_REJECT_HANDSHAKE); }

    cws_request request = {.connection = c, .wsi = wsi, .head_only = path == WSI_TOKEN_HEAD_URI};
    // After POST libwebsockets waits for a body of up to 100 MiB that was never announced.
    request.may_defer = path != WSI_TOKEN_POST_URI;
    request.keep_alive = path != WSI_TOKEN_POST_URI && verdict == CWS_HEAD_GOOD && keeps_alive(wsi, http);
    request.speaks_chunks = strcmp(http, "HTTP/1.1") == 0;
    CWS_CALL(loop, on_request, &request, &head);
    if (request.deferred) { return 0; }
    if (!request.answered) { cws_http_reply(&request, 404, "text/plain", NULL, (const uint8_t *)"Not Found", 9); }
    c->ended_by_us = !request.keep_alive;
    if (request.refused) { cws_linger_prepare(c, wsi); }
    if (request.broken || request.refused || path == WSI_TOKEN_POST_URI) { return -1; }
    // What came behind it was not looked at: libwebsockets, which may have it already, must not read it.
    if (verdict == CWS_HEAD_LAST && !lws_partial_buffered(wsi)) {
        cws_linger_prepare(c, wsi);
        return -1;
    }
    return lws_http_transaction_completed(wsi) ? -1 : 0;  // waits by itself until all bytes are with the kernel
}

void cws_http_reply(cws_request *request, uint16_t status, const char *content_type, const char *headers,
                    const uint8_t *body, size_t length) {
    if (request->answered) { return; }
    request->answered = true;
    // A refusal ends the connection: how many an address gets is bounded by how many connections it may open.
    request->refused = status >= 400;
    if (request->refused) { request->keep_alive = false; }
    request->broken = !answer(request->connection, request->wsi, status, content_type, headers, body, length,
                              request->head_only, request->keep_alive);
}
