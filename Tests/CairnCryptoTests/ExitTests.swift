import COpenSSL
import Foundation
import Testing

@testable import CairnCrypto

/// Threads still use OpenSSL when the process ends (`Sources/CWebSockets/ending.c`).
@Suite("OpenSSL at exit")
struct ExitTests {
    @Test func process_endsWithoutFreeingWhatThreadsUse() async {
        await #expect(processExitsWith: .exitCode(7)) {
            _ = SHA256.hash(data: [1])
            // Called when OpenSSL frees all that it has.
            _ = OPENSSL_atexit { _exit(9) }
            exit(7)
        }
    }
}
