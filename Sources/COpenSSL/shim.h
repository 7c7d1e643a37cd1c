// The system's OpenSSL, for CairnCrypto and for the TLS of the crowd's bots. What Swift does not import, because it is
// a macro, is a function here.
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// TLS 1.2 at least, as the server wants it; and writes that take what fits, from wherever the rest stands by then.
static inline void openssl_prepare(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

// The name in the first message of a handshake, by which a server chooses its certificate.
static inline void openssl_name_server(SSL *session, const char *name) { SSL_set_tlsext_host_name(session, name); }
