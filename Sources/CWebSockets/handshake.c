// handshake.c: what an upgrade request must look like before libwebsockets may answer it.
//
// Everything is decided in HTTP_CONFIRM_UPGRADE, the last moment at which the connection still speaks HTTP and a
// status can be sent. libwebsockets itself accepts (L8): any Sec-WebSocket-Version or none (and with version 12 its
// parser then swallows all input), keys of any length, two keys, POST, HTTP/1.0, and "Connection: u".
#include "private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// MARK: - Headers

// The string that has been copied to the front of what is left, which it takes.
static const char *kept(cws_strings *strings) {
    const char *copy = strings->next;
    size_t used = strlen(copy) + 1;
    strings->next += used;
    strings->left -= used;
    return copy;
}

// A copy of one header in `strings`; "" when it is absent. Two headers of one name arrive joined by a comma.
const char *cws_header(cws_strings *strings, struct lws *wsi, enum lws_token_indexes token) {
    size_t length = (size_t)lws_hdr_total_length(wsi, token);
    if (length == 0) { return ""; }
    // One more byte for the end, and one per joined fragment: lws_hdr_total_length does not count the commas.
    size_t needed = length + 64;
    if (needed > strings->left) {
        strings->overflowed = true;
        return "";
    }
    char *copy = strings->next;
    if (lws_hdr_copy(wsi, copy, (int)needed, token) < 0) {
        strings->overflowed = true;
        return "";
    }
    return kept(strings);
}

// A copy of a header that libwebsockets has no token for; "" when it is absent. `name` is in lower case and ends with
// a colon. Of two headers of one name libwebsockets finds the first; heads.c joins those that matter.
static const char *custom_header(cws_strings *strings, struct lws *wsi, const char *name) {
    int name_length = (int)strlen(name);
    int length = lws_hdr_custom_length(wsi, name, name_length);
    if (length <= 0) { return ""; }
    char *copy = strings->next;
    if ((size_t)length + 1 > strings->left
        || lws_hdr_custom_copy(wsi, copy, (int)strings->left, name, name_length) < 0) {
        strings->overflowed = true;
        return "";
    }
    return kept(strings);
}

// Whether a header is there, be it empty.
static bool is_there(struct lws *wsi, enum lws_token_indexes token) {
    char none[1];
    // An empty one has no length, but it has a fragment.
    return lws_hdr_total_length(wsi, token) > 0 || lws_hdr_copy_fragment(wsi, none, sizeof none, token, 0) >= 0;
}

void cws_forwarding_read(cws_strings *strings, cws_connection *c, struct lws *wsi, cws_forwarding *forwarding) {
    forwarding->x_forwarded_for = "";
    forwarding->forwarded = "";
    forwarding->any = 0;
    forwarding->likely = 0;
    // A client connection has no request headers any more.
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HOST) == 0 && lws_hdr_total_length(wsi, WSI_TOKEN_HTTP) == 0) { return; }
    // What no client sends by itself.
    static const char *const certain[] = {
        "forwarded:",          "x-forwarded-host:",   "x-forwarded-proto:", "x-forwarded-port:", "x-forwarded-server:",
        "x-forwarded-by:",     "x-forwarded-prefix:", "x-forwarded-ssl:",   "x-forwarded-uri:",  "x-forwarded-scheme:",
        "x-forwarded-protocol:", "x-forwarded-path:", "x-forwarded-method:", "x-forwarded-client-cert:"};
    // What a proxy of the client's may send as well, or a service in front of the server.
    static const char *const likely[] = {"cf-connecting-ip:",  "cf-ray:",    "true-client-ip:",
                                         "x-client-ip:",       "cdn-loop:",  "x-cluster-client-ip:",
                                         "fastly-client-ip:",  "x-real-ip:", "x-original-forwarded-for:",
                                         "x-envoy-external-address:"};
    forwarding->x_forwarded_for = c->x_forwarded_for == NULL ? cws_header(strings, wsi, WSI_TOKEN_X_FORWARDED_FOR)
                                                             : c->x_forwarded_for;
    forwarding->forwarded = c->forwarded == NULL ? custom_header(strings, wsi, "forwarded:") : c->forwarded;
    forwarding->any = c->x_forwarded_for != NULL || c->forwarded != NULL || is_there(wsi, WSI_TOKEN_X_FORWARDED_FOR);
    for (size_t i = 0; i < sizeof certain / sizeof *certain && !forwarding->any; i++) {
        forwarding->any = lws_hdr_custom_length(wsi, certain[i], (int)strlen(certain[i])) >= 0;
    }
    forwarding->likely = forwarding->any || is_there(wsi, WSI_TOKEN_HTTP_X_REAL_IP)
                         || is_there(wsi, WSI_TOKEN_HTTP_VIA);
    for (size_t i = 0; i < sizeof likely / sizeof *likely && !forwarding->likely; i++) {
        forwarding->likely = lws_hdr_custom_length(wsi, likely[i], (int)strlen(likely[i])) >= 0;
    }
}

static bool put(cws_strings *strings, char byte) {
    if (strings->left == 0) {
        strings->overflowed = true;
        return false;
    }
    *strings->next++ = byte;
    strings->left--;
    return true;
}

// The path, percent-decoded and without dot segments: libwebsockets has done both.
const char *cws_path(cws_strings *strings, struct lws *wsi, enum lws_token_indexes token) {
    const char *path = cws_header(strings, wsi, token);
    if (strlen(path) != (size_t)lws_hdr_total_length(wsi, token)) { strings->malformed = true; }  // "%00" in it
    return path;
}

// The query, parameters joined by '&'. libwebsockets has cut it at every '&' and ';' and has decoded the pieces, so
// what must not be mistaken for a delimiter is encoded again.
const char *cws_query(cws_strings *strings, struct lws *wsi) {
    static const char hex[] = "0123456789ABCDEF";
    static const char plain[] = "-._~!$'()*,:@/?=";
    char *query = strings->next;
    for (int i = 0;; i++) {
        int length = lws_hdr_fragment_length(wsi, WSI_TOKEN_HTTP_URI_ARGS, i);
        if (length <= 0) { break; }
        char piece[1024];
        if (lws_hdr_copy_fragment(wsi, piece, sizeof piece, WSI_TOKEN_HTTP_URI_ARGS, i) < 0) {
            strings->overflowed = true;
            return "";
        }
        if (i > 0) { put(strings, '&'); }
        for (int j = 0; j < length; j++) {
            unsigned char byte = (unsigned char)piece[j];
            bool is_plain = (byte < 0x80 && isalnum(byte)) || (byte != 0 && strchr(plain, byte) != NULL);
            if (is_plain) {
                put(strings, (char)byte);
            } else {
                put(strings, '%');
                put(strings, hex[byte >> 4]);
                put(strings, hex[byte & 15]);
            }
        }
    }
    return put(strings, 0) ? query : "";
}

// The next element of a comma-separated list, without the blanks around it. NULL at the end.
static const char *next_element(const char **list, size_t *length) {
    const char *start = *list;
    while (*start == ' ' || *start == '\t' || *start == ',') { start++; }
    if (*start == 0) { return NULL; }
    const char *end = start;
    while (*end != 0 && *end != ',') { end++; }
    *list = end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) { end--; }
    *length = (size_t)(end - start);
    return start;
}

bool cws_list_has(const char *list, const char *name) {
    size_t length;
    const char *element;
    while ((element = next_element(&list, &length)) != NULL) {
        if (length == strlen(name) && strncasecmp(element, name, length) == 0) { return true; }
    }
    return false;
}

// The first offered subprotocol that is ours: the same choice that libwebsockets makes after us. Subprotocol names
// are compared exactly. NULL when none is ours.
static const char *choose_subprotocol(const cws_loop *loop, const char *offered) {
    size_t length;
    const char *element;
    while ((element = next_element(&offered, &length)) != NULL) {
        for (size_t i = 0; loop->subprotocols[i] != NULL; i++) {
            if (strlen(loop->subprotocols[i]) == length && memcmp(loop->subprotocols[i], element, length) == 0) {
                return loop->subprotocols[i];
            }
        }
    }
    return NULL;
}

static void read_into(cws_strings *strings, cws_connection *c, struct lws *wsi, cws_handshake *handshake) {
    handshake->address = c->address;
    handshake->path = cws_path(strings, wsi, WSI_TOKEN_GET_URI);
    handshake->query = cws_query(strings, wsi);
    handshake->origin = cws_header(strings, wsi, WSI_TOKEN_ORIGIN);
    handshake->host = cws_header(strings, wsi, WSI_TOKEN_HOST);
    handshake->authorization = cws_header(strings, wsi, WSI_TOKEN_HTTP_AUTHORIZATION);
    handshake->cookie = cws_header(strings, wsi, WSI_TOKEN_HTTP_COOKIE);
    cws_forwarding_read(strings, c, wsi, &handshake->forwarding);
    handshake->subprotocol = "";
    handshake->tls = c->tls;
    handshake->id = cws_connection_id(c);
}

// For on_open. A client connection has no request headers any more: libwebsockets has dropped them.
void cws_handshake_read(cws_connection *c, struct lws *wsi, cws_handshake *handshake) {
    cws_strings strings = {(char *)c->loop->scratch, CWS_SCRATCH_BYTES, false, false};
    read_into(&strings, c, wsi, handshake);
    handshake->subprotocol = lws_get_protocol(wsi)->name;
}

// MARK: - Rules

// RFC 6455, 4.1: 16 bytes in base64, so 22 characters and "==". Two keys arrive joined and are too long.
static bool key_is_valid(const char *key) {
    if (strlen(key) != 24 || key[22] != '=' || key[23] != '=') { return false; }
    for (int i = 0; i < 22; i++) {
        int k = key[i];
        if (!(k > 0 && isalnum(k)) && k != '+' && k != '/') { return false; }
    }
    return true;
}

// Returns what libwebsockets wants: 0 to go on with the upgrade, or without it, -1 to close. `named` is libwebsockets'
// own copy of the header, which may be freed (L1).
int cws_handshake_check(cws_connection *c, struct lws *wsi, char *named) {
    cws_loop *loop = c->loop;
    cws_strings strings = {(char *)loop->scratch, CWS_SCRATCH_BYTES, false, false};

    // L1 (CVE-2025-11677): for an unknown Upgrade libwebsockets has already answered 403 and freed the headers, then
    // calls us with a pointer into them. lws_hdr_... see that they are gone.
    const char *upgrade = cws_header(&strings, wsi, WSI_TOKEN_UPGRADE);
    if (*upgrade == 0) {
        cws_reject_count(loop, CWS_REJECT_UPGRADE);
        return -1;
    }
    // L4: "h2c" would switch to HTTP/2, whose code has open defects, even on a plain port. Clients that can do both ask
    // for it with each first request (Java's, `curl --http2`), and a server may go on as if they had not (RFC 9110,
    // 7.8). libwebsockets compares its copy once more when this returns: then it is no upgrade that it knows, and the
    // request is one like any other. The header is there, so the copy is.
    if (strcasecmp(upgrade, "h2c") == 0) {
        *named = '-';
        return 0;
    }
    cws_head head = cws_head_take(c, wsi);
    if (head == CWS_HEAD_BROKEN) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE); }
    if (strcasecmp(upgrade, "websocket") != 0) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_UPGRADE); }
    if (cws_http_has_body(c, wsi)) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_BODY); }

    cws_handshake handshake;
    read_into(&strings, c, wsi, &handshake);
    const char *version = cws_header(&strings, wsi, WSI_TOKEN_VERSION);
    const char *key = cws_header(&strings, wsi, WSI_TOKEN_KEY);
    const char *connection = cws_header(&strings, wsi, WSI_TOKEN_CONNECTION);
    const char *offered = cws_header(&strings, wsi, WSI_TOKEN_PROTOCOL);
    const char *http = cws_header(&strings, wsi, WSI_TOKEN_HTTP);
    if (strings.overflowed) { return cws_http_refuse(c, wsi, 431, CWS_REJECT_HANDSHAKE); }

    // L8, and RFC 6455, 4.2.1. libwebsockets copies Connection and Sec-WebSocket-Protocol into 128 bytes and closes
    // without an answer when they do not fit.
    bool is_http_1_1_get = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0 && strcmp(http, "HTTP/1.1") == 0;
    bool has_one_host = *handshake.host != 0 && strchr(handshake.host, ',') == NULL;
    if (strings.malformed || !is_http_1_1_get || !has_one_host || strlen(connection) > 120
        || !cws_list_has(connection, "upgrade") || strlen(offered) > 120) {
        return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE);
    }
    if (strcmp(version, "13") != 0) { return cws_http_refuse(c, wsi, 426, CWS_REJECT_HANDSHAKE); }
    if (!key_is_valid(key)) { return cws_http_refuse(c, wsi, 400, CWS_REJECT_HANDSHAKE); }

    const char *chosen = choose_subprotocol(loop, offered);
    c->echo = loop->options.echo_path != NULL && strcmp(handshake.path, loop->options.echo_path) == 0;
    if (chosen == NULL && !(c->echo && *offered == 0)) {
        return cws_http_refuse(c, wsi, 400, CWS_REJECT_SUBPROTOCOL);
    }
    if (c->echo) { return 0; }
    handshake.subprotocol = chosen;
    loop->turn_has_news = true;
    cws_request request = {.connection = c, .wsi = wsi};
    loop->call.on_handshake(loop->context, &request, &handshake);
    if (!request.answered) { return 0; }
    cws_reject_count(loop, CWS_REJECT_ORIGIN);
    c->ended_by_us = true;
    return -1;
}
