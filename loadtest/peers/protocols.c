// MQTT 3.1.1, the NATS client protocol and Redis's RESP3, as far as subscribing to one topic and publishing needs them.

#define _GNU_SOURCE
#include "crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// MARK: MQTT

static size_t mqtt_string(uint8_t *out, const char *text) {
    size_t length = strlen(text);
    out[0] = (uint8_t)(length >> 8);
    out[1] = (uint8_t)length;
    memcpy(out + 2, text, length);
    return length + 2;
}

static void mqtt_packet(struct person *person, uint8_t type, const uint8_t *body, size_t count) {
    uint8_t out[128];
    if (count > 100) die("an MQTT packet that is too long");
    out[0] = type;
    out[1] = (uint8_t)count;
    memcpy(out + 2, body, count);
    person_send(person, out, count + 2);
}

static void mqtt_begin(struct person *person) {
    uint8_t body[100];
    size_t count = mqtt_string(body, "MQTT");
    body[count++] = 4;
    body[count++] = 2;  // a clean session
    body[count++] = 0;
    body[count++] = 0;  // no keep-alive
    char name[24];
    snprintf(name, sizeof name, "person%d", person->index);
    count += mqtt_string(body + count, name);
    mqtt_packet(person, 0x10, body, count);
    body[0] = 0;
    body[1] = 1;
    count = 2 + mqtt_string(body + 2, person->topic);
    body[count++] = 0;  // at most once
    mqtt_packet(person, 0x82, body, count);
}

static void mqtt_publish(struct person *person, const uint8_t *payload) {
    uint8_t body[100];
    size_t count = mqtt_string(body, person->topic);
    memcpy(body + count, payload, PAYLOAD_BYTES);
    mqtt_packet(person, 0x30, body, count + PAYLOAD_BYTES);
}

static size_t mqtt_take(struct person *person, const uint8_t *bytes, size_t count) {
    size_t offset = 0;
    for (;;) {
        size_t length = 0, at = offset + 1;
        int shift = 0, is_whole = 0;
        while (at < count && shift <= 21) {
            uint8_t byte = bytes[at++];
            length |= (size_t)(byte & 0x7F) << shift;
            shift += 7;
            if (!(byte & 0x80)) {
                is_whole = 1;
                break;
            }
        }
        if (!is_whole || count - at < length) return offset;
        uint8_t type = bytes[offset] >> 4;
        if (type == 3) {
            size_t topic = (size_t)bytes[at] << 8 | bytes[at + 1];
            if (length != 2 + topic + PAYLOAD_BYTES) die("an MQTT message of another length");
            person_got(person, bytes + at + 2 + topic);
        } else if (type == 9) {
            person_ready(person);
        }
        offset = at + length;
    }
}

// MARK: NATS

static void nats_begin(struct person *person) {
    char text[256];
    // Without one's own, which is what NATS calls echo.
    int count = snprintf(text, sizeof text,
        "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":false,\"lang\":\"c\",\"version\":\"1\",\"protocol\":1}"
        "\r\nSUB %s 1\r\nPING\r\n",
        person->topic);
    person_send(person, (const uint8_t *)text, (size_t)count);
}

static void nats_publish(struct person *person, const uint8_t *payload) {
    char text[128];
    int count = snprintf(text, sizeof text, "PUB %s %d\r\n", person->topic, PAYLOAD_BYTES);
    memcpy(text + count, payload, PAYLOAD_BYTES);
    memcpy(text + count + PAYLOAD_BYTES, "\r\n", 2);
    person_send(person, (const uint8_t *)text, (size_t)count + PAYLOAD_BYTES + 2);
}

static size_t nats_take(struct person *person, const uint8_t *bytes, size_t count) {
    size_t offset = 0;
    for (;;) {
        const uint8_t *line = bytes + offset;
        const uint8_t *end = memmem(line, count - offset, "\r\n", 2);
        if (!end) return offset;
        size_t length = (size_t)(end - line) + 2;
        if (length > 4 && !memcmp(line, "MSG ", 4)) {
            if (count - offset < length + PAYLOAD_BYTES + 2) return offset;
            person_got(person, line + length);
            length += PAYLOAD_BYTES + 2;
        } else if (!memcmp(line, "PING", 4)) {
            person_send(person, (const uint8_t *)"PONG\r\n", 6);
        } else if (!memcmp(line, "PONG", 4)) {
            person_ready(person);
        } else if (line[0] == '-') {
            fprintf(stderr, "crowd: %.*s\n", (int)length, line);
            exit(1);
        }
        offset += length;
    }
}

// MARK: Redis

static void redis_begin(struct person *person) {
    // RESP3 lets one connection subscribe and publish.
    char text[128];
    int count = snprintf(text, sizeof text, "HELLO 3\r\nSUBSCRIBE %s\r\n", person->topic);
    person_send(person, (const uint8_t *)text, (size_t)count);
}

static void redis_publish(struct person *person, const uint8_t *payload) {
    char text[160];
    int count = snprintf(text, sizeof text, "*3\r\n$7\r\nPUBLISH\r\n$%zu\r\n%s\r\n$%d\r\n", strlen(person->topic),
        person->topic, PAYLOAD_BYTES);
    memcpy(text + count, payload, PAYLOAD_BYTES);
    memcpy(text + count + PAYLOAD_BYTES, "\r\n", 2);
    person_send(person, (const uint8_t *)text, (size_t)count + PAYLOAD_BYTES + 2);
}

// One value of RESP3 from `offset` on; gives where it ends, 0 when it is not whole. Notes the first bulk string in it
// and the last.
static size_t redis_value(const uint8_t *bytes, size_t count, size_t offset, const uint8_t **first,
    const uint8_t **last) {
    const uint8_t *end = offset < count ? memmem(bytes + offset, count - offset, "\r\n", 2) : NULL;
    if (!end) return 0;
    size_t next = (size_t)(end - bytes) + 2;
    long number = strtol((const char *)bytes + offset + 1, NULL, 10);
    switch (bytes[offset]) {
    case '$':
        if (number < 0) return next;
        if (count - next < (size_t)number + 2) return 0;
        if (!*first) *first = bytes + next;
        *last = bytes + next;
        return next + (size_t)number + 2;
    case '%': number *= 2;  // fall through
    case '*':
    case '>':
        for (long index = 0; index < number; index++) {
            next = redis_value(bytes, count, next, first, last);
            if (!next) return 0;
        }
        return next;
    case '-':
        fprintf(stderr, "crowd: %.*s\n", (int)(next - offset), bytes + offset);
        exit(1);
    default: return next;
    }
}

static size_t redis_take(struct person *person, const uint8_t *bytes, size_t count) {
    size_t offset = 0;
    for (;;) {
        const uint8_t *first = NULL, *last = NULL;
        size_t end = redis_value(bytes, count, offset, &first, &last);
        if (!end) return offset;
        if (bytes[offset] == '>' && first && !memcmp(first, "message", 7)) {
            person_got(person, last);
        } else if (bytes[offset] == '>' && first && !memcmp(first, "subscribe", 9)) {
            person_ready(person);
        }
        offset = end;
    }
}

// MARK: Table

static const struct protocol protocols[] = {
    {"mqtt-ws", 1, "/mqtt", "Sec-WebSocket-Protocol: mqtt\r\n", mqtt_begin, mqtt_publish, mqtt_take},
    {"nats-ws", 1, "/", "", nats_begin, nats_publish, nats_take},
    {"nats", 0, "", "", nats_begin, nats_publish, nats_take},
    {"redis", 0, "", "", redis_begin, redis_publish, redis_take},
};

const struct protocol *protocol_named(const char *name) {
    for (size_t index = 0; index < sizeof protocols / sizeof *protocols; index++) {
        if (!strcmp(protocols[index].name, name)) return protocols + index;
    }
    return NULL;
}
