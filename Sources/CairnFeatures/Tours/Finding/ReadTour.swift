internal import CairnCore
internal import CairnWire
internal import Synchronization

/// A tour as it is looked at: its content, decoded once, with its pages and its GeoJSON, made once. All who look share
/// it for as long as it is among the contents used last (`SharedContents.keep`).
final class ReadTour: Sendable {
    let content: WireTourContent
    /// How much a preview leaves out; nil = the content is whole.
    let withheld: WireTourPreview?
    /// What it was read of; nil = it is a draft or a preview. Whoever starts the tour has it from here.
    let version: PublishedTour?
    private let made = Mutex(Made())

    private struct Made: Sendable {
        var pages: [WireTourContent]?
        var pieces: [String]?
        var preview: ReadTour?
    }

    /// Memory for each byte of a content: decoded, in pages that share its texts, as GeoJSON, and as a preview.
    static let bytesPerByte = 6

    init(_ content: WireTourContent, withheld: WireTourPreview? = nil, of version: PublishedTour? = nil) {
        (self.content, self.withheld, self.version) = (content, withheld, version)
    }

    /// The name of a version among the contents that are shared.
    static func name(_ version: UInt32, of tour: TourID) -> SharedContents.Name {
        SharedContents.Name(ReadTour.self, tour.rawValue, UInt64(version))
    }

    /// The name of a draft as it is. No version of a draft comes again, and none has the name of a published one.
    static func name(ofDraft tour: TourRecord) -> SharedContents.Name {
        SharedContents.Name(ReadTour.self, tour.id.rawValue, 1 << 32 | UInt64(tour.edits))
    }

    /// What a person is shown of it (TRT-4).
    func shown(_ reading: TourReading) -> ReadTour {
        guard reading == .preview else { return self }
        return known(\.preview) {
            let (content, withheld) = content.preview
            return ReadTour(content, withheld: withheld)
        }
    }

    var pages: [WireTourContent] { known(\.pages) { TourPages.pages(of: content) } }

    /// The GeoJSON text in pieces.
    var pieces: [String] { known(\.pieces) { TourPages.pieces(of: TourGeoJSON.text(of: content)) } }

    /// What was made before, or is made now. That takes milliseconds, so the lock is not held meanwhile: other loops
    /// would stand still. Of two that make it at once the first one's is kept.
    private func known<Value: Sendable>(_ path: WritableKeyPath<Made, Value?>, _ make: () -> Value) -> Value {
        if let known = made.withLock({ $0[keyPath: path] }) { return known }
        let new = make()
        return made.withLock { made in
            if let known = made[keyPath: path] { return known }
            made[keyPath: path] = new
            return new
        }
    }
}

extension Turn {
    /// What is published, if it is in memory.
    func readTour(_ tour: OfferedTour) -> ReadTour? {
        names.contents.known(ReadTour.name(tour.version, of: tour.id))
    }

    /// The version that is published, if somebody has read it lately or walks it.
    func knownVersion(of tour: OfferedTour) -> PublishedTour? {
        readTour(tour)?.version ?? knownVersion(tour.version, of: tour.id)
    }

    /// A version of a tour, if somebody walks it or has read it lately.
    func knownVersion(_ version: UInt32, of tour: TourID) -> PublishedTour? {
        names.contents.known(PublishedTour.name(version, of: tour))
    }

    /// What is walked.
    func readTour(_ version: PublishedTour) -> ReadTour {
        names.contents.known(ReadTour.name(version.version, of: version.tour)) ?? keep(version)
    }

    /// Has others find a version that was read.
    fileprivate func keep(_ version: PublishedTour) -> ReadTour {
        // Those who walk it have the same content.
        let version = shared(version)
        let read = ReadTour(version.content, of: version)
        names.contents.keep(
            ReadTour.name(version.version, of: version.tour), read,
            bytes: ReadTour.bytesPerByte * version.bytes)
        return read
    }

    /// A draft as it is on disk.
    func readDraft(of tour: TourRecord, _ parts: [TourPart]) -> ReadTour {
        let name = ReadTour.name(ofDraft: tour)
        if let read = names.contents.known(name, ReadTour.self) { return read }
        let read = ReadTour(WireTourContent(of: tour, parts: parts))
        let bytes = parts.reduce(0) { $0 + $1.bytes }
        names.contents.keep(name, read, bytes: ReadTour.bytesPerByte * bytes)
        return read
    }

    /// Reads a published tour from the disk for a request of the account of this home. Requests for a tour that is
    /// being read wait for the same reading: however many pages a person asks for at once, there is one copy.
    /// - Throws: `rate_limited` when the person has had too much read.
    mutating func read(
        _ tour: OfferedTour, for request: Request, _ reading: TourReading
    ) throws(Refusal) -> [Effect] {
        var readings = tourReadings ?? TourReadings()
        let look = TourReaders.Look(request: request, reading: reading)
        if let readers = readings.readers[tour.id], readers.version == tour.version, readers.add(look) { return [] }
        // What is being read is not counted yet.
        guard readings.readers.count < TourReadings.atOnceMax else {
            throw Refusal(
                .tryAgain, "other tours are being read for you", component: Tours.name, retryAfter: .seconds(1))
        }
        try readings.check(at: lasting, max: settings.tours.lookBytesPerMinute)
        let readers = TourReaders(of: tour.version, look)
        readings.readers[tour.id] = readers
        tourReadings = readings
        return [
            .inquire(PublishedTour.query(tour.id, tour.version), TourInquiry(tour: tour.id, readers: readers))
        ]
    }

    /// - Throws: `rate_limited` when the person has had too much read.
    func checkReadings() throws(Refusal) {
        var readings = tourReadings ?? TourReadings()
        try readings.check(at: lasting, max: settings.tours.lookBytesPerMinute)
    }

    /// Counts what was read for the account of this home.
    mutating func noteReading(bytes: Int) {
        var readings = tourReadings ?? TourReadings()
        readings.count(bytes, at: lasting)
        tourReadings = readings
    }

    /// Counts an answer to a look at a tour, and one about a run, by the bytes of its content: a stop has up to a MiB.
    /// What is no larger than a page is bounded by the number of looks.
    /// - Throws: `rate_limited` when the person has had too much.
    mutating func noteLook(_ answer: Request.Result, by reader: AccountID) throws(Refusal) {
        let bytes = answer.lookBytes
        guard bytes > ListBytes.max else { return }
        if case .account = home {
            var readings = tourReadings ?? TourReadings()
            try readings.check(at: lasting, max: settings.tours.lookBytesPerMinute)
            readings.count(bytes, at: lasting)
            tourReadings = readings
            return
        }
        // Beside the records that a home names by its people (`GroupFacts`): the numbers of all are below 2^63.
        let name = InstanceID(rawValue: ~reader.rawValue)
        var looks = objects.record(name, .lookedBytes)?.attachments[LookedBytes.self] ?? LookedBytes()
        try looks.check(at: lasting, max: settings.tours.lookBytesPerMinute)
        looks.count(bytes, at: lasting)
        var record = ObjectRecord(
            id: name, kind: .lookedBytes, owner: reader, ownerName: "", audience: .owner(reader), wire: WireInstance())
        record.attachments[LookedBytes.self] = looks
        objects[name] = record
    }

    /// Counts a version that was read for the account of this home, and has others find it.
    mutating func noteReading(of version: PublishedTour) {
        noteReading(bytes: version.bytes)
        _ = readTour(version)
    }

    /// Beside the run that has just begun (`RunUnderWay`), which is the account's first record.
    private static let readingsName = InstanceID(rawValue: 3)

    fileprivate var tourReadings: TourReadings? {
        get { objects.record(Self.readingsName, .tourReadings)?.attachments[TourReadings.self] }
        set {
            guard case .account(let account) = home, let newValue else { return }
            var record = ObjectRecord(
                id: Self.readingsName, kind: .tourReadings, owner: account, ownerName: "", audience: .owner(account),
                wire: WireInstance())
            record.attachments[TourReadings.self] = newValue
            objects[record.id] = record
        }
    }
}

extension ObjectKind {
    fileprivate static let tourReadings = ObjectKind("tours.readings")
    fileprivate static let lookedBytes = ObjectKind("tours.looked_bytes")
}

/// What an account has read, and has being read, of published tours. In memory only.
private struct TourReadings: Attachment {
    var readers: [TourID: TourReaders] = [:]
    /// Tours that are read for one person at a time.
    static let atOnceMax = 8
    private var looked = LookedBytes()

    mutating func check(at now: LastingTime, max: Int) throws(Refusal) { try looked.check(at: now, max: max) }
    mutating func count(_ bytes: Int, at now: LastingTime) { looked.count(bytes, at: now) }
}

/// Bytes of tours that a person has had read or was answered in the last minute. In memory only.
private struct LookedBytes: Attachment {
    /// The oldest first.
    private var read: [(at: LastingTime, bytes: Int)] = []

    private static let span = Quota.Span.minute

    /// - Throws: `rate_limited`.
    mutating func check(at now: LastingTime, max: Int) throws(Refusal) {
        read.removeAll { $0.at <= now - Self.span.length }
        var bytes = read.reduce(0) { $0 + $1.bytes }
        guard bytes >= max else { return }
        let (used, end) = (
            bytes,
            read.first { entry in
                bytes -= entry.bytes
                return bytes < max
            }?.at ?? now
        )
        throw Refusal(
            .rateLimited, "\(used) bytes of tours in the last \(Self.span.name), the limit is \(max)",
            component: Tours.name, retryAfter: end + Self.span.length - now,
            details: ["count": "\(used)", "limit": "\(max)", "period": "\(Self.span.name)"])
    }

    mutating func count(_ bytes: Int, at now: LastingTime) { read.append((now, bytes)) }
}

extension Request.Result {
    /// Bytes of the texts of a tour in it.
    fileprivate var lookBytes: Int {
        switch self {
        case .tourPage(let page): WireBody.encode(page.content).count
        case .run(let run): WireBody.encode(run).count
        // A piece of a file is no larger than a page.
        default: 0
        }
    }
}

/// A request that needs a published tour, and goes on once that is in memory.
protocol TourReader: Command {
    func proceed(
        _ request: Request, _ read: ReadTour, _ reading: TourReading, _ tour: OfferedTour, in turn: inout Turn
    ) throws(Refusal) -> [Effect]
}

/// The looks that wait for one reading.
private final class TourReaders: Sendable {
    struct Look: Sendable {
        let request: Request
        let reading: TourReading
    }

    let version: UInt32
    /// Nil = the reading has ended.
    private let looks: Mutex<[Look]?>

    init(of version: UInt32, _ look: Look) {
        self.version = version
        looks = Mutex([look])
    }

    /// - Returns: false = the reading has ended.
    func add(_ look: Look) -> Bool {
        looks.withLock { looks in
            looks?.append(look)
            return looks != nil
        }
    }

    /// Ends the reading.
    func end() -> [Look] {
        looks.withLock { looks in
            defer { looks = nil }
            return looks ?? []
        }
    }
}

/// A published tour is read for the requests of one account.
private struct TourInquiry: HomeInquiry {
    let tour: TourID
    let readers: TourReaders

    var ifNotHeard: [Effect]? {
        let refusal = Refusal(
            .tryAgain, "the store cannot be read now", component: Tours.name, retryAfter: .seconds(1))
        return readers.end().map { .answer($0.request, .refusal(refusal)) }
    }

    func answered(_ rows: [Row]?, in turn: inout Turn) -> [Effect] {
        var readings = turn.tourReadings ?? TourReadings()
        if readings.readers[tour] === readers { readings.readers[tour] = nil }
        let version = turn.read(rows ?? [], of: PublishedTour.table, PublishedTour.init(stored:)).first
        let offered = turn.names.tours.index.tour(tour)
        if let version { readings.count(version.bytes, at: turn.lasting) }
        turn.tourReadings = readings
        guard rows != nil else { return ifNotHeard ?? [] }
        let read = version.map { turn.keep($0) }
        return readers.end().flatMap { waiting -> [Effect] in
            let request = waiting.request
            guard let reader = request.command as? any TourReader, let read, let offered else {
                return [.answer(request, .refusal(Tours.absent))]
            }
            do throws(Refusal) {
                return try reader.proceed(request, read, waiting.reading, offered, in: &turn)
            } catch {
                return [.answer(request, .refusal(error))]
            }
        }
    }
}
