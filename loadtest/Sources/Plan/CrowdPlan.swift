import CairnWire

/// Everything that decides what a crowd does; together with the seed it says it all.
struct CrowdPlan: Sendable {
    var scenario = "walk"
    var people = 200
    var cells = 4
    /// Whether people walk over the borders of neighbouring cells, or keep to cells that are far apart.
    var crosses = true
    /// Poses a second and person.
    var rate = 2.0
    /// What is measured, after the warm-up.
    var seconds = 30.0
    var warmUpSeconds = 2.0
    /// Seconds between two placements of a person; 0 = none.
    var placeEvery = 15.0
    /// Seconds between two reactions of a person; 0 = none.
    var reactEvery = 10.0
    /// Whether people share their position (exactly, accuracy 0).
    var shares = true
    var speed = 1.4
    /// Seconds between two cuts of a person's connection, on average; 0 = none.
    var cutEvery = 0.0
    /// Share of people who stop reading for a while, again and again; 0 to 1.
    var slowShare = 0.0
    var seed: UInt64 = 1
    var format = WireFormat.proto
    var cellLevel = 16
    /// Handshakes under way at a time.
    var handshakesMax = 200

    /// Least time after the last action for everything to arrive.
    static let drainSeconds = 2.0
    /// Longest wait for it to become quiet.
    static let restSecondsMax = 30.0
    /// A crowd that sends its poses later than this, at p99, measures itself and not the server.
    static let generatorDelayMaxMilliseconds = 250.0
    /// How long a slow reader reads, and how long it does not.
    static let slowSeconds = (reads: 1.0, stops: 4.0)
    /// Receive buffer of a slow reader: small, so that what it does not read stays with the server.
    static let slowBufferBytes: Int32 = 8_192
    /// Time for everybody to connect.
    static let connectSeconds = 60.0

    var period: UInt64 { UInt64(1_000_000 / rate) }

    var areas: [Area] {
        crosses ? Ground.strip(cells: cells, level: cellLevel) : Ground.apart(cells: cells, level: cellLevel)
    }

    /// One line for people.
    var summary: String {
        var parts = ["\(people) people", "\(cells) cells \(crosses ? "in a strip, crossing" : "apart")"]
        parts.append("\(rate.plain)/s each for \(seconds.plain) s after \(warmUpSeconds.plain) s")
        if placeEvery > 0 { parts.append("place every \(placeEvery.plain) s") }
        if reactEvery > 0 { parts.append("react every \(reactEvery.plain) s") }
        if cutEvery > 0 { parts.append("cut every \(cutEvery.plain) s") }
        if slowShare > 0 { parts.append("\((slowShare * 100).plain) % slow readers") }
        parts.append(shares ? "sharing exactly" : "not sharing")
        parts.append("\(format)")
        parts.append("seed \(seed)")
        return parts.joined(separator: ", ")
    }
}

extension Double {
    /// Without a needless `.0`.
    var plain: String { self == rounded() && magnitude < 1e15 ? "\(Int(self))" : "\(self)" }
}
