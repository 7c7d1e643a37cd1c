// swift-tools-version: 6.2
import PackageDescription

/// Strictness that every Swift target shares: the imports are the architecture (ARCHITECTURE.md), and a warning is an
/// error.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
    // A newer version of a library may deprecate what is used here: that does not break the build.
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

/// All addresses of a program are filled in at its start and cannot be written afterwards (RELRO and BIND_NOW).
/// Programs alone: a package with such flags in a library could not be used by others.
let bound: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "-z", "-Xlinker", "relro", "-Xlinker", "-z", "-Xlinker", "now"])
]

/// A released program has Swift's libraries in it. The last of them are those that the modules, which are compiled for
/// shared libraries, as the tests are, do not name to the linker.
let whole: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lFoundation", "-lCoreFoundation", "-lFoundationInternationalization",
            "-lFoundationEssentials", "-l_FoundationCollections", "-l_FoundationCShims", "-l_FoundationICU", "-lstdc++",
        ], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
    name: "cairn",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "cairn", targets: ["cairn"]),
        .executable(name: "cairn-crowd", targets: ["cairn-crowd"]),
        .library(name: "CairnClient", targets: ["CairnClient"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0", traits: ["YAML"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
        // Paths in the interface of swift-subprocess.
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    ],
    targets: [
        // C and C++ shims: the only code that sees the libraries below them.
        .systemLibrary(name: "CLibwebsockets", pkgConfig: "libwebsockets", providers: [.apt(["libwebsockets-dev"])]),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CProcess"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .target(
            name: "CWebSockets",
            dependencies: ["CLibwebsockets"],
            linkerSettings: [
                .linkedLibrary("websockets"), .linkedLibrary("uv"), .linkedLibrary("ssl"), .linkedLibrary("crypto"),
            ]
        ),
        // Files embedded in the programs; each stays in the folder of the module that uses it.
        .target(name: "CEmbedded"),
        .target(name: "CS2", linkerSettings: [.linkedLibrary("s2")]),
        .target(name: "CUnicode", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),

        // Values: no I/O, no clock but the caller's.
        .target(name: "CairnEmbedded", dependencies: ["CEmbedded"], swiftSettings: strict),
        .target(name: "CairnText", swiftSettings: strict),
        .target(name: "CairnTime", swiftSettings: strict),
        .target(name: "CairnCrypto", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "CairnGeo", dependencies: ["CS2", "CairnText"], swiftSettings: strict),
        .target(name: "CairnNames", dependencies: ["CUnicode"], swiftSettings: strict),
        .target(
            name: "CairnWire",
            dependencies: ["CairnText", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            swiftSettings: strict
        ),
        .target(
            name: "CairnCore",
            dependencies: [
                "CairnGeo", "CairnText", "CairnTime", "CairnWire",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnFeatures", dependencies: ["CairnCore", "CairnGeo", "CairnText", "CairnWire"],
            swiftSettings: strict),

        // Shells: actors, threads, sockets, files.
        .target(name: "CairnThreads", swiftSettings: strict),
        .target(
            name: "CairnCredentials",
            dependencies: ["CArgon2", "CQRCode", "CUnicode", "CairnCrypto", "CairnText", "CairnThreads", "CairnTime"],
            swiftSettings: strict
        ),
        .target(
            name: "CairnAssets", dependencies: ["CTurboJPEG", "CZlib", "CairnCrypto"], swiftSettings: strict),
        .target(
            name: "CairnStore",
            dependencies: [
                "CSQLite", "CairnCore", "CairnCrypto", "CairnText", "CairnThreads",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnAdaptors",
            dependencies: [
                "CairnCore", "CairnText", "CairnTime",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnWebSocket",
            dependencies: [
                "CWebSockets", "CZlib", "CairnText", "CairnThreads", "CairnTime",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnPlay", dependencies: ["CairnText", "CairnWebSocket"], exclude: ["Resources"],
            swiftSettings: strict),
        .target(
            name: "CairnConfiguration",
            dependencies: [
                "CairnCore", "CairnFeatures", "CairnText", "CairnWire",
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnLogging",
            dependencies: [
                "CairnConfiguration", "CairnThreads", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        // The server, from the bottom up: the runtime, what operators see of it, and the root that wires both.
        .target(
            name: "CairnServer",
            dependencies: [
                "CMalloc", "CairnAdaptors", "CairnAssets", "CairnConfiguration", "CairnCore", "CairnCredentials",
                "CairnCrypto", "CairnEmbedded", "CairnGeo", "CairnNames", "CairnStore", "CairnText", "CairnTime",
                "CairnWebSocket", "CairnWire",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Help/Resources", "Texts"],
            swiftSettings: strict
        ),
        .target(
            name: "CairnOperators",
            dependencies: [
                "CairnAdaptors", "CairnConfiguration", "CairnCore", "CairnCrypto", "CairnEmbedded", "CairnFeatures",
                "CairnGeo", "CairnLogging", "CairnPlay", "CairnServer", "CairnStore", "CairnText", "CairnThreads",
                "CairnTime", "CairnWebSocket", "CairnWire",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Account/Resources", "Console/Resources", "Links/Resources"],
            swiftSettings: strict
        ),
        .target(
            name: "CairnRoot",
            dependencies: [
                "CProcess", "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnLogging", "CairnOperators",
                "CairnServer",
                "CairnStore", "CairnTime", "CairnWebSocket",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "CairnClient",
            dependencies: [
                "CairnGeo", "CairnTime", "CairnWebSocket", "CairnWire",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: strict
        ),

        .executableTarget(
            name: "cairn",
            dependencies: [
                "CairnClient", "CairnConfiguration", "CairnCrypto", "CairnEmbedded", "CairnGeo", "CairnOperators",
                "CairnRoot", "CairnServer", "CairnText", "CairnWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict,
            linkerSettings: bound + whole
        ),
        // What the load-test bots are made of. The program is a target of its own: the tests are linked to shared
        // libraries, and programs are not.
        .target(
            name: "CairnCrowd",
            dependencies: [
                "COpenSSL", "CairnClient", "CairnEmbedded", "CairnGeo", "CairnTime", "CairnWebSocket", "CairnWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            path: "loadtest",
            exclude: ["Program", "README.md", "Tests", "instructions", "link", "peers", "scenarios"],
            sources: ["Sources"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "cairn-crowd", dependencies: ["CairnCrowd"], path: "loadtest/Program", swiftSettings: strict,
            linkerSettings: bound + whole),

        // The test kit and the tests: one folder per target.
        .target(
            name: "CairnTesting",
            dependencies: [
                "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnGeo", "CairnRoot", "CairnStore",
                "CairnTime", "CairnWebSocket", "CairnWire", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "CairnTextTests", dependencies: ["CairnText"], swiftSettings: strict),
        .testTarget(name: "CairnTimeTests", dependencies: ["CairnTime"], swiftSettings: strict),
        .testTarget(name: "CairnCryptoTests", dependencies: ["COpenSSL", "CairnCrypto"], swiftSettings: strict),
        .testTarget(name: "CairnGeoTests", dependencies: ["CairnGeo"], swiftSettings: strict),
        .testTarget(name: "CairnNamesTests", dependencies: ["CairnNames"], swiftSettings: strict),
        .testTarget(
            name: "CairnCredentialsTests",
            dependencies: ["CairnCredentials", "CairnCrypto", "CairnTesting", "CairnTime"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnWireTests",
            dependencies: ["CairnWire", .product(name: "SwiftProtobuf", package: "swift-protobuf")],
            resources: [.copy("Golden")], swiftSettings: strict),
        .testTarget(
            name: "CairnCoreTests", dependencies: ["CairnCore", "CairnGeo", "CairnTesting", "CairnTime", "CairnWire"],
            swiftSettings: strict),
        .testTarget(
            name: "CairnFeaturesTests",
            dependencies: ["CairnCore", "CairnFeatures", "CairnGeo", "CairnTesting", "CairnWire"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnAssetsTests", dependencies: ["CTurboJPEG", "CairnAssets"], swiftSettings: strict),
        .testTarget(
            name: "CairnStoreTests",
            dependencies: [
                "CairnCore", "CairnCrypto", "CairnStore", "CairnTesting", "CairnWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnAdaptorsTests",
            dependencies: [
                "CairnAdaptors", "CairnCore", "CairnTesting", "CairnTime",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnWebSocketTests",
            dependencies: [
                "CairnTesting", "CairnTime", "CairnWebSocket",
                .product(name: "Subprocess", package: "swift-subprocess"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CairnConfigurationTests",
            dependencies: ["CairnConfiguration", "CairnCore", "CairnFeatures", "CairnWire"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnLoggingTests",
            dependencies: ["CairnLogging", .product(name: "Logging", package: "swift-log")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnServerTests",
            dependencies: [
                "COpenSSL", "CairnAdaptors", "CairnAssets", "CairnClient", "CairnConfiguration", "CairnCore",
                "CairnCredentials", "CairnCrypto", "CairnFeatures", "CairnGeo", "CairnNames", "CairnRoot",
                "CairnServer", "CairnStore", "CairnTesting", "CairnTime", "CairnWebSocket", "CairnWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnOperatorsTests",
            dependencies: [
                "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnGeo", "CairnLogging", "CairnOperators",
                "CairnPlay", "CairnServer", "CairnStore", "CairnTesting", "CairnTime", "CairnWebSocket", "CairnWire",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnRootTests",
            dependencies: [
                "CairnConfiguration", "CairnCore", "CairnFeatures", "CairnRoot", "CairnServer", "CairnTesting",
                "CairnWire",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "CairnClientTests",
            dependencies: [
                "CairnClient", "CairnGeo", "CairnTime", "CairnWire",
                .product(name: "SwiftProtobuf", package: "swift-protobuf"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CairnCrowdTests",
            dependencies: [
                "CairnClient", "CairnConfiguration", "CairnCore", "CairnCrowd", "CairnFeatures", "CairnGeo",
                "CairnOperators", "CairnRoot", "CairnTesting", "CairnTime", "CairnWire",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
            ],
            path: "loadtest/Tests",
            swiftSettings: strict
        ),
        .testTarget(name: "TidyTests", swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
