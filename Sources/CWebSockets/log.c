// log.c: where libwebsockets' log lines go.
//
// libwebsockets' log level and sink are process-global and its sink is told neither context nor connection. Each
// loop is confined to one thread, so a thread-local pointer says whose lines these are: no lock, no guess. The
// pointer and the sink are the only mutable state outside a loop in this file, and libwebsockets forces both.
//
// B33: a peer can provoke lines at will ("malformed or absent conn hdr", ...), so they are limited to
// CWS_LOG_LINES_PER_SECOND, stripped of control characters, and passed on one level lower than libwebsockets says:
// to it, a peer's mistake is an error.
#include "private.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local cws_loop *current;

cws_loop *cws_log_enter(cws_loop *loop) {
    cws_loop *previous = current;
    current = loop;
    return previous;
}

void cws_log_leave(cws_loop *previous) { current = previous; }

static void deliver(cws_loop *loop, int level, char *line) {
    size_t length = strlen(line);
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r')) { line[--length] = 0; }
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f) { line[i] = '?'; }
    }
    loop->call.on_log(loop->context, level, line);
}

// True when one more line may go out this second. After a flood it logs how many lines were dropped.
static bool within_rate(cws_loop *loop) {
    uint64_t second = cws_now_us() / 1000000;
    if (second != loop->log_second) {
        uint32_t dropped = loop->log_dropped;
        loop->log_second = second;
        loop->log_lines = 0;
        loop->log_dropped = 0;
        if (dropped > 0) {
            char line[80];
            snprintf(line, sizeof line, "libwebsockets: %u more log lines were suppressed", dropped);
            deliver(loop, 1, line);
        }
    }
    if (loop->log_lines >= CWS_LOG_LINES_PER_SECOND) {
        loop->log_dropped++;
        return false;
    }
    loop->log_lines++;
    return true;
}

static void emit(int level, const char *text) {
    cws_loop *loop = current;
    if (loop == NULL || loop->call.on_log == NULL) { return; }
    if (strstr(text, "http_proxy needs to be") != NULL) { return; }  // our empty http_proxy_address (vhost.c)
    if (!within_rate(loop)) { return; }
    char line[400];
    snprintf(line, sizeof line, "libwebsockets: %s", text);
    deliver(loop, (level & LLL_ERR) ? 1 : 2, line);
}

void cws_log_install(void) { lws_set_log_level(LLL_ERR | LLL_WARN, emit); }

void cws_log(cws_loop *loop, int level, const char *format, ...) {
    if (loop->call.on_log == NULL || !within_rate(loop)) { return; }
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    deliver(loop, level, line);
}
