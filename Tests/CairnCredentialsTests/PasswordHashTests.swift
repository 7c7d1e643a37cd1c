import Testing

@testable import CairnCredentials

/// Passwords are stored as PHC strings of argon2id (DAT-8).
@Suite struct PasswordHashTests {
    private static let salt64 = "c29tZXNhbHQ"
    /// The known answers of libargon2's own tests: `password`, `somesalt`.
    private static let known = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"
    private static let knownOfTwoLanes =
        "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc"

    @Test func knownAnswer_isMadeAndMatched() throws {
        let password = try PreparedPassword("password")
        let made = try PasswordHash(of: password, cost: .make(256, 2), salt: Array("somesalt".utf8))
        #expect(made.text == Self.known)
        for text in [Self.known, Self.knownOfTwoLanes] {
            let stored = try #require(PasswordHash(stored: text))
            #expect(try stored.matches(password))
            #expect(try !stored.matches(PreparedPassword("passwore")))
        }
    }

    @Test func hashesOfOnePassword_differ() throws {
        let password = try PreparedPassword("correct horse")
        let hashes = try (0..<2).map { _ in try PasswordHash(of: password, cost: .cheap) }
        #expect(hashes[0] != hashes[1])
        for hash in hashes {
            #expect(try PasswordHash(stored: hash.text)?.matches(password) == true)
            #expect(hash.text.hasPrefix("$argon2id$v=19$m=64,t=1,p=1$"))
        }
    }

    @Test func standardCost_isThatOfTheDocuments() throws {
        let hash = try PasswordHash(of: PreparedPassword("correct horse"))
        #expect(hash.text.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(!hash.needsRehash(for: .standard) && hash.needsRehash(for: .cheap))
    }

    @Test func decoy_isAHashThatNothingMatches() throws {
        let decoy = PasswordHash(decoyOf: .cheap)
        #expect(PasswordHash(stored: decoy.text) == decoy && decoy.cost == .cheap)
        #expect(try !decoy.matches(PreparedPassword("correct horse")))
    }

    @Test(arguments: [
        "", "$", "password", "$argon2i$v=19$m=256,t=2,p=1$SALT$HASH", "$argon2id$v=16$m=256,t=2,p=1$SALT$HASH",
        "$argon2id$m=256,t=2,p=1$SALT$HASH", "$argon2id$v=19$m=4194304,t=2,p=1$SALT$HASH",
        "$argon2id$v=19$m=131073,t=2,p=1$SALT$HASH", "$argon2id$v=19$m=7,t=2,p=1$SALT$HASH",
        "$argon2id$v=19$m=256,t=11,p=1$SALT$HASH", "$argon2id$v=19$m=256,t=0,p=1$SALT$HASH",
        "$argon2id$v=19$m=256,t=2,p=5$SALT$HASH", "$argon2id$v=19$m=31,t=2,p=4$SALT$HASH",
        "$argon2id$v=19$m=+256,t=2,p=1$SALT$HASH", "$argon2id$v=19$m=0256,t=2,p=1$SALT$HASH",
        "$argon2id$v=19$t=2,m=256,p=1$SALT$HASH", "$argon2id$v=19$m=256,t=2,p=1,x=1$SALT$HASH",
        "$argon2id$v=19$m=256,t=2,p=1$c29t$HASH", "$argon2id$v=19$m=256,t=2,p=1$SALT$c29t",
        "$argon2id$v=19$m=256,t=2,p=1$SALT$HASH=", "$argon2id$v=19$m=256,t=2,p=1$SALT$HASH$",
        "$argon2id$v=19$m=256,t=2,p=1$SA LT$HASH", "$argon2id$v=19$m=99999999999999999999,t=2,p=1$SALT$HASH",
    ])
    func damagedText_isNoHash(_ form: String) {
        let text = form.replacing("SALT", with: Self.salt64)
            .replacing("HASH", with: "nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4")
        #expect(PasswordHash(stored: text) == nil)
    }

    @Test func description_hidesTheHash() throws {
        let hash = try #require(PasswordHash(stored: Self.known))
        var dumped = ""
        dump(hash, to: &dumped)
        for text in ["\(hash)", String(reflecting: hash), dumped] { #expect(!text.contains("argon2id")) }
    }

    /// Random bytes, and a good text with some of its bytes changed.
    @Test func randomText_neverCrashes() throws {
        var random = SeededGenerator(seed: 9_106)
        let password = try PreparedPassword("password")
        var good = 0
        for round in 0..<20_000 {
            var bytes = Array(Self.known.utf8)
            if round % 2 == 0 {
                bytes = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            } else {
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[place] =
                        Bool.random(using: &random) ? UInt8.random(in: 36...122, using: &random) : bytes[place] ^ 1
                }
            }
            guard let hash = PasswordHash(stored: String(decoding: bytes, as: UTF8.self)) else { continue }
            good += 1
            // What is read can be compared, and is another hash.
            if good % 50 == 0 && hash.cost.memoryKiB <= 256 {
                #expect(try hash.text == Self.known || !hash.matches(password))
            }
        }
        #expect(good > 1_000)
    }
}
