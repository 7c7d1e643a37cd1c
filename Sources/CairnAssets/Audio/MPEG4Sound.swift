/// The one track of an `MPEG4Audio`, and its file as it is written anew.
struct MPEG4Sound {
    private let samples: [Range<Int>]
    private let bytes: [UInt8]
    /// Units of the track's times in a second.
    private let scale: Int
    /// Runs of samples of one length: how many there are in each.
    private let counts: [Int]
    /// Length of the samples of each run.
    private let lengths: [Int]
    /// Where playing begins, and how long it goes on, in units of `scale`; nil = all of it.
    private let edit: (start: Int, length: Int)?
    private let channels: Int
    private let sampleRate: Int
    /// AudioSpecificConfig.
    private let config: [UInt8]

    private static let configBytesMax = 64
    static let samplesMax = 1_048_576
    /// AAC-LC, and with SBR and PS (ISO/IEC 14496-3, table 1.17).
    private static let objectTypes: Set<UInt8> = [2, 5, 29]

    init(_ reader: ByteBoxes, track: Range<Int>, inMovie movie: Range<Int>) throws(AssetFault) {
        bytes = reader.bytes
        scale = try Self.scale(reader, try reader.content(of: ["mdia", "mdhd"], in: track))
        let table = try reader.content(of: ["mdia", "minf", "stbl"], in: track)
        (channels, sampleRate, config) = try Self.decoder(reader, try reader.content(of: ["stsd"], in: table))
        let extends = try reader.contentIfAny(of: ["mvex"], in: movie)
        let known = try Self.samples(reader, table, mayBeNone: extends != nil)
        let times = try reader.columns([4, 4], of: try reader.content(of: ["stts"], in: table))
        guard times[0].reduce(0, +) == known.count else {
            throw .damaged("its samples and their times disagree")
        }
        if let extends {
            let head = try reader.content(of: ["tkhd"], in: track)
            let fragments = try MPEG4Fragments(
                reader, track: try Self.number(reader, head), extends: extends, samples: known, counts: times[0],
                lengths: times[1])
            (samples, counts, lengths) = (fragments.samples, fragments.counts, fragments.lengths)
            guard !samples.isEmpty else { throw .damaged("samples are missing") }
        } else {
            (samples, counts, lengths) = (known, times[0], times[1])
        }
        let duration = Self.duration(counts, lengths)
        guard duration <= UInt32.max else { throw .damaged("it is too long") }
        edit = try Self.edit(reader, track, movie, scale, of: duration)
    }

    private var duration: Int { Self.duration(counts, lengths) }

    /// No sum of it overflows: there are `samplesMax` lengths of 32 bits at most.
    private static func duration(_ counts: [Int], _ lengths: [Int]) -> Int {
        zip(counts, lengths).reduce(0) { $0 + $1.0 * $1.1 }
    }

    // MARK: Reading

    private static func scale(_ reader: ByteBoxes, _ head: Range<Int>) throws(AssetFault) -> Int {
        let isLong = try reader.number(1, at: head.lowerBound, before: head.upperBound) == 1
        let scale = try reader.number(4, at: head.lowerBound + (isLong ? 20 : 12), before: head.upperBound)
        guard scale > 0 else { throw .damaged("it has no time") }
        return scale
    }

    /// The number of a track.
    private static func number(_ reader: ByteBoxes, _ head: Range<Int>) throws(AssetFault) -> Int {
        let isLong = try reader.number(1, at: head.lowerBound, before: head.upperBound) == 1
        return try reader.number(4, at: head.lowerBound + (isLong ? 20 : 12), before: head.upperBound)
    }

    private static func edit(
        _ reader: ByteBoxes, _ track: Range<Int>, _ movie: Range<Int>, _ scale: Int, of duration: Int
    ) throws(AssetFault) -> (start: Int, length: Int)? {
        guard let list = try reader.contentIfAny(of: ["edts", "elst"], in: track) else { return nil }
        let isLong = try reader.number(1, at: list.lowerBound, before: list.upperBound) == 1
        let entries = try reader.columns(isLong ? [8, 8, 4] : [4, 4, 4], of: list)
        // One entry is the encoder's delay; -1 would be silence.
        guard entries[0].count == 1, entries[1][0] <= Int(Int32.max) else { return nil }
        let movieScale = try self.scale(reader, try reader.content(of: ["mvhd"], in: movie))
        let (length, isOver) = entries[0][0].multipliedReportingOverflow(by: scale)
        guard !isOver, length / movieScale <= Int(Int32.max) else { return nil }
        // Zero is all that is behind it: the length was not known when it was written.
        let rest = min(max(0, duration - entries[1][0]), Int(Int32.max))
        return (entries[1][0], length > 0 ? length / movieScale : rest)
    }

    private static func decoder(
        _ reader: ByteBoxes, _ box: Range<Int>
    ) throws(AssetFault) -> (channels: Int, sampleRate: Int, config: [UInt8]) {
        guard box.count >= 8 else { throw .damaged("it does not say what it is") }
        let entries = try reader.boxes(in: box.lowerBound + 8..<box.upperBound)
        guard entries.count == 1, entries[0].content.count >= 28 else { throw .damaged("it does not say what it is") }
        // A sound, and perhaps a sound one, in another coding: Apple's lossless one, for instance.
        guard entries[0].kind == "mp4a" else { throw .unknownType }
        let entry = entries[0].content
        // Else it is a movie of QuickTime.
        guard try reader.number(2, at: entry.lowerBound + 8, before: entry.upperBound) == 0 else {
            throw .unknownType
        }
        let esds = try reader.content(of: ["esds"], in: entry.lowerBound + 28..<entry.upperBound)
        guard esds.count >= 4 else { throw .damaged("a box is cut off") }
        let config = try MPEG4Descriptor.config(Array(reader.bytes[esds.lowerBound + 4..<esds.upperBound]))
        guard let first = config.first, config.count >= 2, config.count <= configBytesMax else {
            throw .damaged("it does not say how it is decoded")
        }
        guard objectTypes.contains(first >> 3) else { throw .unknownType }
        return (
            try reader.number(2, at: entry.lowerBound + 16, before: entry.upperBound),
            try reader.number(4, at: entry.lowerBound + 24, before: entry.upperBound), config
        )
    }

    /// Where each sample is.
    private static func samples(
        _ reader: ByteBoxes, _ table: Range<Int>, mayBeNone: Bool
    ) throws(AssetFault) -> [Range<Int>] {
        let sizes = try sizes(reader, try reader.content(of: ["stsz"], in: table))
        if sizes.isEmpty, mayBeNone { return [] }
        var chunks = try reader.contentIfAny(of: ["stco"], in: table).map { box in (box, 4) }
        if chunks == nil { chunks = (try reader.content(of: ["co64"], in: table), 8) }
        guard let (box, width) = chunks else { throw .damaged("it has no chunks") }
        let offsets = try reader.columns([width], of: box)[0]
        let runs = try reader.columns([4, 4, 4], of: try reader.content(of: ["stsc"], in: table))
        guard runs[0].first == 1 else { throw .damaged("its chunks are not in order") }
        var (samples, run, total) = ([Range<Int>](), 0, 0)
        for (chunk, start) in offsets.enumerated() {
            while run + 1 < runs[0].count, runs[0][run + 1] <= chunk + 1 { run += 1 }
            var offset = start
            let end = min(samples.count + runs[1][run], sizes.count)
            while samples.count < end {
                let size = sizes[samples.count]
                guard offset <= reader.bytes.count, size <= reader.bytes.count - offset else {
                    throw .damaged("a sample is cut off")
                }
                samples.append(offset..<offset + size)
                offset += size
                total += size
            }
            // Samples that lie on one another would make a large file of a small one.
            guard total <= reader.bytes.count else { throw .damaged("its samples lie on one another") }
        }
        guard !samples.isEmpty, samples.count == sizes.count else { throw .damaged("samples are missing") }
        return samples
    }

    private static func sizes(_ reader: ByteBoxes, _ box: Range<Int>) throws(AssetFault) -> [Int] {
        let size = try reader.number(4, at: box.lowerBound + 4, before: box.upperBound)
        let count = try reader.number(4, at: box.lowerBound + 8, before: box.upperBound)
        guard count <= samplesMax else { throw .damaged("it has too many samples") }
        if size > 0 { return Array(repeating: size, count: count) }
        guard count <= (box.count - 12) / 4 else { throw .damaged("a table is cut off") }
        return try reader.numbers(4, at: box.lowerBound + 12, every: 4, count: count, before: box.upperBound)
    }

    // MARK: Writing

    /// The whole file: type, movie, samples in one chunk.
    var written: [UInt8] {
        let type = Self.box("ftyp", Array("M4A ".utf8), Self.big([0]), Array("M4A mp42isom".utf8))
        // As long whatever the place of the samples is.
        let place = type.count + movie(samplesAt: 0).count + 8
        let sound = samples.flatMap { bytes[$0] }
        return type + movie(samplesAt: place) + Self.box("mdat", sound)
    }

    private static let matrix: [UInt8] = big([0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000])

    private func movie(samplesAt place: Int) -> [UInt8] {
        let length = edit?.length ?? duration
        let head = Self.full(
            "mvhd", Self.big([0, 0, scale, length, 0x1_0000, 0x100_0000, 0, 0]), Self.matrix,
            Self.big([0, 0, 0, 0, 0, 0, 2]))
        let trackHead = Self.full(
            "tkhd", flags: 7, Self.big([0, 0, 1, 0, length, 0, 0, 0, 0x100_0000]), Self.matrix, Self.big([0, 0]))
        let edits = edit.map { edit in
            Self.box("edts", Self.full("elst", Self.big([1, edit.length, edit.start, 0x1_0000])))
        }
        let mediaHead = Self.full("mdhd", Self.big([0, 0, scale, duration, 0x55C4_0000]))
        let handler = Self.full("hdlr", Self.big([0]), Array("soun".utf8), [UInt8](repeating: 0, count: 13))
        let data = Self.box("dinf", Self.full("dref", Self.big([1]), Self.full("url ", flags: 1)))
        let sound = Self.box("minf", Self.full("smhd", Self.big([0])), data, table(samplesAt: place))
        let media = Self.box("mdia", mediaHead, handler, sound)
        return Self.box("moov", head, Self.box("trak", trackHead, edits ?? [], media))
    }

    private func table(samplesAt place: Int) -> [UInt8] {
        let entry = Self.box(
            "mp4a", Self.big([0, 1, 0, 0, channels << 16 | 16, 0, sampleRate]),
            Self.full("esds", MPEG4Descriptor.stream(of: config)))
        return Self.box(
            "stbl", Self.full("stsd", Self.big([1]), entry),
            Self.full("stts", Self.big([counts.count]), Self.big(zip(counts, lengths).flatMap { [$0, $1] })),
            Self.full("stsc", Self.big([1, 1, samples.count, 1])),
            Self.full("stsz", Self.big([0, samples.count]), Self.big(samples.map(\.count))),
            Self.full("stco", Self.big([1, place])))
    }

    /// Numbers of 32 bits, the highest byte first.
    private static func big(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return big([content.count + 8]) + Array(kind.utf8) + content
    }

    /// A box with version 0.
    private static func full(_ kind: String, flags: Int = 0, _ parts: [UInt8]...) -> [UInt8] {
        box(kind, big([flags]), parts.flatMap { $0 })
    }
}

/// Descriptors of MPEG-4 streams (ISO/IEC 14496-1, 7.2.6).
enum MPEG4Descriptor {
    private static let (stream, decoder, specific, synchronisation) = (UInt8(3), UInt8(4), UInt8(5), UInt8(6))
    /// Audio of ISO/IEC 14496-3.
    private static let audio: UInt8 = 0x40

    /// The decoder's settings in a stream's descriptor.
    static func config(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        let (tag, body) = try descriptor(bytes[...])
        guard tag == stream, body.count > 3, body[body.startIndex + 2] & 0xE0 == 0 else { throw .damaged(wrong) }
        let (inner, settings) = try descriptor(body.dropFirst(3))
        guard inner == decoder, settings.count > 13, settings.first == audio else { throw .damaged("it is no AAC") }
        let (last, config) = try descriptor(settings.dropFirst(13))
        guard last == specific else { throw .damaged(wrong) }
        return Array(config)
    }

    /// The descriptor of a stream with these settings.
    static func stream(of config: [UInt8]) -> [UInt8] {
        let head: [UInt8] = [audio, 0x15] + [UInt8](repeating: 0, count: 11)
        let settings = written(decoder, head + written(specific, config))
        let body: [UInt8] = [0, 0, 0] + settings
        return written(stream, body + written(synchronisation, [2]))
    }

    private static let wrong = "its decoder's settings are damaged"

    /// Lengths below 128 have one byte.
    private static func written(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] { [tag, UInt8(body.count)] + body }

    private static func descriptor(_ bytes: ArraySlice<UInt8>) throws(AssetFault) -> (UInt8, ArraySlice<UInt8>) {
        guard let tag = bytes.first else { throw .damaged(wrong) }
        var (length, rest) = (0, bytes.dropFirst())
        for _ in 0..<4 {
            guard let byte = rest.popFirst() else { throw .damaged(wrong) }
            length = length << 7 | Int(byte & 0x7F)
            if byte & 0x80 == 0 { break }
        }
        guard length <= rest.count else { throw .damaged(wrong) }
        return (tag, rest.prefix(length))
    }
}
