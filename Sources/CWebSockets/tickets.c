// tickets.c: TLS sessions that are resumed on any loop.
//
// A ticket is the session itself, sealed for the server, so that a client that comes back is spared the signature and
// the certificates. OpenSSL makes the keys for that with each SSL_CTX, and each loop has one: a ticket of one loop was
// worth nothing on the others, and with N loops one return in N was resumed. So all loops of the process share the
// keys. They live as long as the process, as OpenSSL's own do.
#include "private.h"

#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <pthread.h>

// Name, HMAC key and AES key of OpenSSL 3.
static uint8_t keys[80];
static bool has_keys;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_keys(void) { has_keys = RAND_bytes(keys, sizeof keys) == 1; }

void cws_share_tickets(void *ssl_context) {
    pthread_once(&once, make_keys);
    SSL_CTX *context = ssl_context;
    // Another size would mean another OpenSSL: each loop then keeps its own keys, as before.
    if (context == NULL || !has_keys || SSL_CTX_get_tlsext_ticket_keys(context, NULL, 0) != sizeof keys) { return; }
    SSL_CTX_set_tlsext_ticket_keys(context, keys, sizeof keys);
}
