import Testing

/// The imports are the architecture (ARCHITECTURE.md).
@Suite("Tidy: imports")
struct ImportTests {
    /// What each target may import, beside what comes with Swift.
    private static let allowed: [String: Set<String>] = [
        "CairnTime": [],
        "CairnCrypto": ["COpenSSL"],
        "CairnEmbedded": ["CEmbedded"],
        "CairnText": [],
        "CairnGeo": ["CairnText", "CS2"],
        "CairnNames": ["CUnicode"],
        "CairnWire": ["CairnText", "SwiftProtobuf"],
        "CairnCore": ["CairnGeo", "CairnText", "CairnTime", "CairnWire", "DequeModule", "SwiftProtobuf"],
        "CairnFeatures": ["CairnCore", "CairnGeo", "CairnText", "CairnWire", "SwiftProtobuf"],
        "CairnThreads": [],
        "CairnCredentials": [
            "CArgon2", "CQRCode", "CUnicode", "CairnCrypto", "CairnText", "CairnThreads", "CairnTime",
        ],
        // Subprocess: processes with their own group, environment and pipes. SystemPackage: the paths that it takes.
        "CairnAdaptors": [
            "CairnCore", "CairnText", "CairnTime", "DequeModule", "Logging", "Subprocess", "SystemPackage",
        ],
        "CairnAssets": ["CTurboJPEG", "CZlib", "CairnCrypto"],
        // CSQLite: one call that Swift cannot make.
        "CairnStore": [
            "CSQLite", "CairnCore", "CairnCrypto", "CairnText", "CairnThreads", "DequeModule", "GRDB", "GRDBSQLite",
            "Logging",
        ],
        "CairnWebSocket": ["CWebSockets", "CZlib", "CairnText", "CairnThreads", "CairnTime", "DequeModule"],
        "CairnPlay": ["CairnText", "CairnWebSocket"],
        "CairnConfiguration": ["CairnCore", "CairnFeatures", "CairnText", "CairnWire", "Configuration"],
        "CairnLogging": ["CairnConfiguration", "CairnThreads", "DequeModule", "Logging"],
        // The runtime: it knows no feature, no operator and no signal.
        "CairnServer": [
            "CairnAdaptors", "CairnAssets", "CairnConfiguration", "CairnCore", "CairnCredentials", "CairnCrypto",
            "CairnEmbedded", "CairnGeo", "CairnNames", "CairnStore", "CairnText", "CairnTime", "CairnWebSocket",
            "CairnWire",
            // Histogram: percentiles of request times for operators, as the crowd measures them from outside.
            // CMalloc: what the heap has free, which is no use of memory.
            "CMalloc", "DequeModule", "HeapModule", "Histogram", "Logging", "SwiftProtobuf",
        ],
        "CairnOperators": [
            "CairnAdaptors", "CairnConfiguration", "CairnCore", "CairnCrypto", "CairnEmbedded", "CairnFeatures",
            "CairnGeo", "CairnLogging", "CairnPlay", "CairnServer", "CairnStore", "CairnText", "CairnThreads",
            "CairnTime", "CairnWebSocket", "CairnWire",
            "DequeModule", "Logging",
        ],
        // CProcess: no core dumps, which hold the keys.
        "CairnRoot": [
            "CProcess", "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnLogging", "CairnOperators",
            "CairnServer",
            "CairnStore", "CairnTime", "CairnWebSocket", "Logging", "ServiceLifecycle", "UnixSignals",
        ],
        "CairnClient": ["CairnGeo", "CairnTime", "CairnWebSocket", "CairnWire", "DequeModule", "SwiftProtobuf"],
        "CairnTesting": [
            "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnGeo", "CairnRoot", "CairnStore", "CairnTime",
            "CairnWire", "Logging", "SwiftProtobuf",
        ],
        // CairnCrypto: an upload begins with the digest of its content, also that of the demo's tour.
        "cairn": [
            "ArgumentParser", "CairnClient", "CairnConfiguration", "CairnCrypto", "CairnEmbedded", "CairnGeo",
            "CairnOperators", "CairnRoot", "CairnServer", "CairnText", "CairnWire", "Logging",
        ],
        // Configuration: scenarios are YAML, as the server's settings are. COpenSSL: TLS of its own event loop.
        "CairnCrowd": [
            "ArgumentParser", "COpenSSL", "CairnClient", "CairnEmbedded", "CairnGeo", "CairnTime", "CairnWire",
            "Configuration", "Histogram",
        ],
        "cairn-crowd": ["CairnCrowd"],
    ]

    /// What comes with Swift and any shell may use.
    private static let system: Set<String> = [
        "Darwin", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

    /// What comes with Swift and does no I/O by itself; `pureTargets_doNoIOAndKnowNoClock` looks at what is used of it.
    private static let pureSystem: Set<String> = ["Foundation", "FoundationEssentials", "Synchronization"]

    private static let pureTargets: Set<String> = [
        "CairnEmbedded", "CairnText", "CairnTime", "CairnCrypto", "CairnGeo", "CairnNames", "CairnWire", "CairnCore",
        "CairnFeatures",
    ]

    @Test func targets_importOnlyWhatTheirLayerMay() {
        var places: [String] = []
        for file in SourceTree.swift {
            guard let target = file.target else { continue }
            guard let allowed = Self.allowed[target] else {
                places.append("\(file.path): the target \(target) has no row in the table of imports")
                continue
            }
            let system = Self.pureTargets.contains(target) ? Self.pureSystem : Self.system
            for line in file.lines {
                guard let module = Self.imported(by: line) else { continue }
                if !allowed.contains(module) && !system.contains(module) {
                    places.append("\(file.place(line)) imports \(module)")
                }
            }
        }
        expectNone(places, "A target imports what its layer may not (ARCHITECTURE.md):")
    }

    /// `--explicit-target-dependency-import-check` lets through what a dependency depends on; this does not.
    @Test func targets_declareWhatTheyImport() {
        let manifest = Manifest(SourceTree.text(of: "Package.swift"))
        #expect(manifest.targets.contains { $0.name == "CairnServer" && $0.dependencies.contains("CairnStore") })
        var places: Set<String> = []
        for file in SourceTree.swift {
            guard let target = manifest.target(of: file.path) else { continue }
            for line in file.lines {
                guard let module = Self.imported(by: line), module != "Testing" else { continue }
                // A target's module is named like it, but for what no identifier may hold.
                let isDeclared = target.dependencies.contains { $0.replacing("-", with: "_") == module }
                if !Self.system.contains(module) && !isDeclared {
                    places.insert("\(target.name) imports \(module), for instance in \(file.path)")
                }
            }
        }
        expectNone(places.sorted(), "A target imports what Package.swift does not give it:")
    }

    @Test func tests_importOurTargetsAndTheSystemOnly() {
        let known = Self.system.union(Self.allowed.keys).union([
            "Testing", "SwiftProtobuf", "Logging", "GRDB", "CTurboJPEG", "CWebSockets", "COpenSSL", "Subprocess",
        ])
        let places = SourceTree.swift.filter { $0.path.hasPrefix("Tests/") }.flatMap { file in
            file.lines.compactMap { line in
                Self.imported(by: line).flatMap { known.contains($0) ? nil : "\(file.place(line)) imports \($0)" }
            }
        }
        expectNone(places, "A test imports something unknown:")
    }

    /// Invariant 1.
    @Test func pureTargets_doNoIOAndKnowNoClock() {
        let banned = [
            "FileManager", "FileHandle", "URLSession", "URLRequest", "Bundle", "ProcessInfo", "Process", "Date",
            "ContinuousClock", "SuspendingClock", "DispatchTime", "DispatchQueue", "Thread", "Timer", "Task",
            "UserDefaults",
            "CFAbsoluteTimeGetCurrent", "clock_gettime", "gettimeofday", "getenv",
            "fopen",
            "print", "debugPrint", "readLine", "await", "async", "sleep",
        ]
        expectNone(
            words(banned, in: Self.pureTargets),
            "A pure target does I/O, waits, or looks at a clock by itself (invariant 1):")
    }

    /// Randomness is handed in, so that a run can be repeated.
    @Test func features_makeNoRandomness() {
        expectNone(
            words(
                ["random", "randomElement", "shuffled", "shuffle", "UUID", "SystemRandomNumberGenerator"],
                in: ["CairnFeatures"]),
            "A rule makes its own randomness; take it from the turn:")
    }

    /// Invariant 2.
    @Test func onlyCWebSockets_seesLibwebsockets() {
        var places = includes(
            of: ["libwebsockets", "uv"], outside: ["Sources/CWebSockets/", "Sources/CLibwebsockets/"])
        for file in SourceTree.swift where !file.path.hasPrefix("Tests/TidyTests/") {
            for line in file.lines where Self.imported(by: line) == "CLibwebsockets" || line.code.contains("lws_") {
                places.append(file.place(line))
            }
        }
        expectNone(places, "libwebsockets is seen outside CWebSockets (invariant 2):")
    }

    /// Invariant 3.
    @Test func onlyCairnStore_seesSQLite() {
        var places = includes(of: ["sqlite3"], outside: ["Sources/CSQLite/"])
        for file in SourceTree.swift where !file.path.hasPrefix("Sources/CairnStore/") {
            let isTest = file.path.hasPrefix("Tests/CairnStoreTests/") || file.path.hasPrefix("Tests/TidyTests/")
            for line in file.lines where !isTest {
                if ["CSQLite", "GRDB", "GRDBSQLite", "SQLite3"].contains(Self.imported(by: line) ?? "")
                    || line.code.contains("sqlite3_")
                {
                    places.append(file.place(line))
                }
            }
        }
        expectNone(places, "SQLite is seen outside CairnStore (invariant 3):")
    }

    /// Bytes are sealed, signed and hashed in one place.
    @Test func onlyCairnCrypto_seesOpenSSL() {
        var places = includes(of: ["openssl"], outside: ["Sources/CWebSockets/", "Sources/COpenSSL/"])
        // TLS of the crowd, and the backend that signs tokens for tests.
        let homes = [
            "Sources/CairnCrypto/", "Tests/CairnCryptoTests/", "loadtest/Sources/Net/SecureClient.swift",
            "Tests/CairnServerTests/AppTokens/SigningKey.swift",
        ]
        for file in SourceTree.swift where !homes.contains(where: { file.path.hasPrefix($0) }) {
            places += file.lines.filter { Self.imported(by: $0) == "COpenSSL" }.map { file.place($0) }
        }
        expectNone(places, "OpenSSL is seen outside CairnCrypto:")
    }

    @Test func onlyCS2_seesS2() {
        expectNone(includes(of: ["s2"], outside: ["Sources/CS2/"]), "S2 is seen outside CS2:")
    }

    @Test func onlyCUnicode_seesICU() {
        expectNone(includes(of: ["unicode"], outside: ["Sources/CUnicode/"]), "ICU is seen outside CUnicode:")
    }

    @Test func onlyCairnCredentials_seesPasswordHashesAndPictures() {
        expectNone(includes(of: ["argon2"], outside: ["Sources/CArgon2/"]), "argon2 is seen outside CArgon2:")
        expectNone(includes(of: ["qrencode"], outside: ["Sources/CQRCode/"]), "qrencode is seen outside CQRCode:")
    }

    @Test func onlyCairnAssets_seesPictures() {
        let places = includes(of: ["turbojpeg"], outside: ["Sources/CTurboJPEG/"])
        expectNone(places, "turbojpeg is seen outside CTurboJPEG:")
    }

    /// The module that a line imports.
    private static func imported(by line: SourceFile.Line) -> String? {
        guard line.words.contains("import") else { return nil }
        let words = line.code.split { $0 == " " }.drop { word in
            word.hasPrefix("@") || ["public", "package", "internal", "fileprivate", "private"].contains(word)
        }
        guard words.first == "import" else { return nil }
        let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
        let name = words.dropFirst().drop { kinds.contains(String($0)) }.first
        return name.map { String($0.prefix { $0 != "." }) }
    }

    private func words(_ banned: [String], in targets: Set<String>) -> [String] {
        let banned = Set(banned)
        return SourceTree.swift.filter { targets.contains($0.target ?? "") }.flatMap { file in
            file.lines.flatMap { line in
                line.words.filter { banned.contains($0) }.map { "\(file.place(line)) uses \($0)" }
            }
        }
    }

    /// Lines of C and C++ that include a header of these libraries anywhere else.
    private func includes(of libraries: [String], outside homes: [String]) -> [String] {
        let isC = { (path: String) in [".c", ".h", ".cc", ".cpp"].contains { path.hasSuffix($0) } }
        let files = SourceTree.files { path in isC(path) && !homes.contains { path.hasPrefix($0) } }
        return files.flatMap { file in
            file.lines.filter { line in
                let text = line.text.filter { $0 != " " }
                return libraries.contains {
                    text.hasPrefix("#include<\($0).h>") || text.hasPrefix("#include\"\($0).h\"")
                        || text.hasPrefix("#include<\($0)/") || text.hasPrefix("#include\"\($0)/")
                }
            }
            .map { file.place($0) }
        }
    }
}
