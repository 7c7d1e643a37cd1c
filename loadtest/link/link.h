#include <stdbool.h>
#include <stdint.h>

#define NEAR "127.7.0.1"
#define FAR "127.7.0.2"

uint64_t now_us(void);
_Noreturn void die(const char *format, ...);

// Sends numbered datagrams both ways at once, prints what came of them as JSON, and says whether delay and loss are
// those of the link.
// - Returns: 0 if so, else 1.
int check_link(int far_space, int near_space, double delay_us, double loss);
