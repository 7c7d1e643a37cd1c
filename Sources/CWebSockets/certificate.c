// certificate.c: a certificate that a server signs for itself, for networks in which nobody else vouches for it; and
// keys that want a passphrase.
#include "private.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool is_address(const char *name) {
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(name);
    ASN1_OCTET_STRING_free(address);
    return address != NULL;
}

// Browsers look at these names only, and not at the subject.
static bool add_names(X509 *certificate, const char *const *names) {
    GENERAL_NAMES *all = sk_GENERAL_NAME_new_null();
    bool is_good = all != NULL;
    for (; is_good && *names != NULL; names++) {
        int kind = is_address(*names) ? GEN_IPADD : GEN_DNS;
        GENERAL_NAME *name = a2i_GENERAL_NAME(NULL, NULL, NULL, kind, *names, 0);
        is_good = name != NULL && sk_GENERAL_NAME_push(all, name) > 0;
        if (!is_good) { GENERAL_NAME_free(name); }
    }
    is_good = is_good && X509_add1_ext_i2d(certificate, NID_subject_alt_name, all, 0, X509V3_ADD_DEFAULT) == 1;
    sk_GENERAL_NAME_pop_free(all, GENERAL_NAME_free);
    return is_good;
}

static bool add_extension(X509 *certificate, int kind, const char *value) {
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, kind, value);
    bool is_good = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return is_good;
}

static bool fill(X509 *certificate, EVP_PKEY *key, const char *const *names, long valid_seconds) {
    uint64_t serial = 0;
    if (RAND_bytes((unsigned char *)&serial, sizeof serial) != 1) { return false; }
    X509_NAME *subject = X509_get_subject_name(certificate);
    return X509_set_version(certificate, X509_VERSION_3) == 1 &&
           // Positive, and not zero (RFC 5280, 4.1.2.2).
           ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1 | 1) == 1 &&
           // Phones' clocks may be behind this one.
           X509_gmtime_adj(X509_getm_notBefore(certificate), -86400) != NULL &&
           X509_gmtime_adj(X509_getm_notAfter(certificate), valid_seconds) != NULL &&
           X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)"Cairn", -1, -1, 0) == 1 &&
           X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1 &&
           add_names(certificate, names) &&
           // It vouches for this server and for nothing else, also on a phone that was told to trust it.
           add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(certificate, NID_key_usage, "critical,digitalSignature") &&
           add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
           X509_sign(certificate, key, EVP_sha256()) > 0;
}

char *cws_certificate_make(const char *const *names, long valid_seconds) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    BIO *text = BIO_new(BIO_s_mem());
    char *made = NULL, *bytes = NULL;
    if (key != NULL && certificate != NULL && text != NULL && fill(certificate, key, names, valid_seconds) &&
        PEM_write_bio_X509(text, certificate) == 1 &&
        PEM_write_bio_PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1) {
        long length = BIO_get_mem_data(text, &bytes);
        made = strndup(bytes, (size_t)length);
    }
    BIO_free(text);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return made;
}

static bool is_for(X509 *certificate, const char *name) {
    return is_address(name) ? X509_check_ip_asc(certificate, name, 0) == 1
                            : X509_check_host(certificate, name, 0, 0, NULL) == 1;
}

static bool lasts(X509 *certificate, long seconds) {
    time_t now = time(NULL), then = now + seconds;
    return X509_cmp_time(X509_get0_notBefore(certificate), &now) < 0 &&
           X509_cmp_time(X509_get0_notAfter(certificate), &then) > 0;
}

// In place of OpenSSL's question on the terminal, which stops a loop until somebody answers. Says that there was one.
static int no_passphrase(char *room, int size, int is_written, void *is_asked) {
    (void)room;
    (void)size;
    (void)is_written;
    *(bool *)is_asked = true;
    return -1;
}

static EVP_PKEY *read_key(BIO *file, bool *is_encrypted) {
    *is_encrypted = false;
    return PEM_read_bio_PrivateKey(file, NULL, no_passphrase, is_encrypted);
}

bool cws_key_is_encrypted(const char *path) {
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) { return false; }
    bool is_encrypted;
    EVP_PKEY_free(read_key(file, &is_encrypted));
    BIO_free(file);
    ERR_clear_error();  // of this thread, or the next handshake finds it
    return is_encrypted;
}

int cws_certificate_fits(const char *path, const char *const *names, long seconds) {
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) { return 0; }
    X509 *certificate = PEM_read_bio_X509(file, NULL, NULL, NULL);
    bool is_encrypted;
    EVP_PKEY *key = BIO_seek(file, 0) == 0 ? read_key(file, &is_encrypted) : NULL;
    bool fits = certificate != NULL && key != NULL && X509_check_private_key(certificate, key) == 1 &&
                lasts(certificate, seconds);
    for (; fits && *names != NULL; names++) { fits = is_for(certificate, *names); }
    EVP_PKEY_free(key);
    X509_free(certificate);
    BIO_free(file);
    return fits;
}
