// What the crowd and the protocols know of one another.

#pragma once
#include <stddef.h>
#include <stdint.h>

#define PAYLOAD_BYTES 32

struct person {
    int fd, index, is_open, is_ready;
    uint32_t number;
    char topic[24];
    // Of a WebSocket: not yet a whole frame. Of the protocol: not yet a whole message. To be sent.
    uint8_t *unread, *kept, *unsent;
    size_t unread_count, kept_count, unsent_count;
};

struct protocol {
    const char *name;
    int is_websocket;
    const char *path, *subprotocol;
    // Says hello and subscribes.
    void (*begin)(struct person *person);
    void (*publish)(struct person *person, const uint8_t *payload);
    // Takes whole messages; gives how far it got.
    size_t (*take)(struct person *person, const uint8_t *bytes, size_t count);
};

const struct protocol *protocol_named(const char *name);

// For protocols.
void person_send(struct person *person, const uint8_t *bytes, size_t count);
void person_ready(struct person *person);
void person_got(struct person *person, const uint8_t *payload);
void die(const char *what);
