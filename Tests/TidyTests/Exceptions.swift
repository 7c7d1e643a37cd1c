/// Where a rule does not hold, and why. The lists only get shorter: an entry that is no longer needed is a failure too.
enum Exceptions {
    /// Files over 400 lines, with the lines that they may have.
    static let longFiles: [String: Int] = [
        "Tests/EndToEndTests/cairn.py": 650,
        "Tests/EndToEndTests/rfc6455_frames.py": 800,
        "Tests/EndToEndTests/test_console.py": 420,
        "Tests/EndToEndTests/test_errors.py": 880,
        "Tests/EndToEndTests/test_live_space.py": 750,
        "Tests/TreeTests/test_times.py": 600,
        "scripts/generate-protocol-docs": 480,
    ]

    /// Tests that wait for time, by path, each with what they wait for and cannot be told about.
    static let sleepers: [String: String] = [
        "Tests/CairnWebSocketTests/GatherTests.swift": "messages that come at a pace, which is what is tried",
        "Tests/CairnWebSocketTests/SilenceTests.swift": "a loop that stands still, which is what is tried",
        "Tests/EndToEndTests/cairn.py": "a figure on the metrics page, which can only be asked for again",
        "Tests/EndToEndTests/frail_disk.py": "writes that come while no sync ends",
        "Tests/EndToEndTests/rfc6455_frames.py": "bytes that are to arrive one by one; the kernel joins them otherwise",
        "Tests/EndToEndTests/server.py": "a line of a log, which can only be read again",
        "Tests/EndToEndTests/test_errors.py": "the pause that a refusal asks for, and excess that has to last",
        "Tests/EndToEndTests/test_pose_moments.py": "positions that are sent at a fixed rate, which is what is tried",
    ]

    /// Files with a `Statement` whose text is put together when it runs, each with what of.
    static let composedStatements: [String: String] = [
        "Sources/CairnCore/Storage/Erasure.swift": "a table, a column and the table's key",
        "Sources/CairnCore/Storage/Expiry.swift": "a table, a column and the table's key",
        "Sources/CairnCore/Storage/Filing.swift": "a table and its index of new rows",
        "Sources/CairnCore/Storage/StoredTable+Repair.swift": "a table; run by `cairn verify --repair` alone",
        "Sources/CairnStore/Store.swift": "another statement, whose arguments it seals",
    ]

    /// Settings that only the configuration itself reads, each with what for.
    static let unreadSettings: [String: String] = [
        "connections.bytesBurst": "bytesAllowedAtOnce, which leaves room for messagesBurst"
    ]

    /// Files with numbers that are named like times, each with what they are.
    static let nakedTimes: [String: String] = [
        "Sources/CairnLogging/LogGate.swift": "monotonic seconds: its budget of lines is a sum in floating point",
        "Sources/CairnLogging/LogSink.swift": "the same seconds; the log stands below the loops",
        "Sources/CairnOperators/Protocol/StatsCommand+Watching.swift": "numbers of samples",
        "Sources/CairnOperators/Room/CellTable.swift": "numbers of samples",
    ]

    /// Files with constant spans in microseconds, each with why.
    static let nakedSpans: [String: String] = [
        "Sources/CairnServer/Figures/RequestFigures.swift": "the end of a histogram of microseconds"
    ]

    /// Files that read the monotonic clock by themselves, each with why.
    static let clockReaders: [String: String] = [
        "Sources/CairnLogging/LogSink.swift": "the log stands below the loops",
        "loadtest/Sources/Net/SocketLoop.swift": "the crowd does not use the server's loops",
    ]

    /// Files that name a feature outside folders of its name, each with why.
    static let featureWords: [String: [String: String]] = [
        "Placements": [
            "Tests/CairnWireTests/BoundsTests.swift": "a message with a text, bytes and a list in it",
            "Tests/CairnServerTests/Scopes/Notes.swift": "stands in for them: it answers their messages",
            "Sources/CairnFeatures/Tours/Making/Settings+Things.swift": "what may stand where is one rule for both",
            "Sources/CairnFeatures/ChangeQuota.swift": "a description names the settings by which it goes",
            "Tests/CairnFeaturesTests/ReplyBoundsTests.swift": "the longest answer of every feature",
        ],
        "Feedback": ["Tests/CairnFeaturesTests/ReplyBoundsTests.swift": "the longest answer of every feature"],
        "Tours": [
            "Sources/CairnClient/Core/ClientEvent.swift": "what a client can hear of is one list",
            "Sources/CairnFeatures/StoredForm.swift": "what stored replies leave out is one rule",
            "Tests/CairnFeaturesTests/ReplyBoundsTests.swift": "the longest answer of every feature",
        ],
        "Reactions": [
            "docs/samples/Connect.swift": "a whole client in one file",
            "Tests/CairnFeaturesTests/ReplyBoundsTests.swift": "the longest answer of every feature",
        ],
        "Realms": ["Tests/CairnFeaturesTests/ReplyBoundsTests.swift": "the longest answer of every feature"],
    ]
}
