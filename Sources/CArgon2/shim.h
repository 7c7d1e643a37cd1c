// The system's libargon2 (RFC 9106), for the hashes of passwords.
#include <argon2.h>
