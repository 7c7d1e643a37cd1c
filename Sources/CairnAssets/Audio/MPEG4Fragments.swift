/// Samples of a track that are described piece by piece behind the movie (ISO/IEC 14496-12, 8.8), as browsers record:
/// each `moof` says where in the file its samples are.
struct MPEG4Fragments {
    private(set) var samples: [Range<Int>]
    /// Runs of samples of one length: how many there are in each.
    private(set) var counts: [Int]
    /// Length of the samples of each run.
    private(set) var lengths: [Int]
    private let reader: ByteBoxes
    private let track: Int
    /// Bytes of all samples.
    private var total: Int

    /// What a sample has of which its fragment says nothing.
    private struct Usual {
        var length: Int
        var size: Int
    }

    /// What a fragment says about all its samples (`tfhd`).
    private enum HeadFlags {
        static let (base, description, length, size) = (0x1, 0x2, 0x8, 0x10)
        static let isFromFragment = 0x2_0000
    }

    /// What a run says about each of its samples (`trun`).
    private enum RunFlags {
        static let (offset, first) = (0x1, 0x4)
        static let (length, size, flags, composition) = (0x100, 0x200, 0x400, 0x800)
    }

    /// Adds the samples of fragments to those that the movie itself describes.
    /// - Parameter extends: the box `mvex` of the movie.
    init(
        _ reader: ByteBoxes, track: Int, extends: Range<Int>, samples: [Range<Int>], counts: [Int], lengths: [Int]
    ) throws(AssetFault) {
        (self.reader, self.track) = (reader, track)
        (self.samples, self.counts, self.lengths) = (samples, counts, lengths)
        total = samples.reduce(0) { $0 + $1.count }
        let usual = try Self.usual(reader, track, extends)
        for box in try reader.fileBoxes where box.kind == "moof" { try add(box, usual) }
    }

    private static func usual(_ reader: ByteBoxes, _ track: Int, _ extends: Range<Int>) throws(AssetFault) -> Usual {
        for box in try reader.boxes(in: extends) where box.kind == "trex" {
            let numbers = try reader.numbers(
                4, at: box.content.lowerBound + 4, every: 4, count: 4, before: box.content.upperBound)
            if numbers[0] == track { return Usual(length: numbers[2], size: numbers[3]) }
        }
        throw .damaged("its fragments are of another track")
    }

    private mutating func add(_ fragment: ByteBoxes.Box, _ usual: Usual) throws(AssetFault) {
        for (index, box) in try reader.boxes(in: fragment.content).filter({ $0.kind == "traf" }).enumerated() {
            let parts = try reader.boxes(in: box.content)
            guard let head = parts.first(where: { $0.kind == "tfhd" })?.content else {
                throw .damaged("a fragment does not say what it is")
            }
            var fields = try Fields(reader, head)
            guard try fields.next() == track else { continue }
            var (usual, base) = (usual, fragment.start)
            if fields.has(HeadFlags.base) {
                base = try fields.next(8)
                guard base <= reader.bytes.count else { throw .damaged("a sample is cut off") }
            } else if index > 0, !fields.has(HeadFlags.isFromFragment) {
                throw .damaged("a fragment does not say where it is")
            }
            if fields.has(HeadFlags.description) { _ = try fields.next() }
            if fields.has(HeadFlags.length) { usual.length = try fields.next() }
            if fields.has(HeadFlags.size) { usual.size = try fields.next() }
            var place = base
            for run in parts where run.kind == "trun" { place = try add(run.content, usual, from: base, behind: place) }
        }
    }

    /// - Returns: where the run ends.
    private mutating func add(
        _ run: Range<Int>, _ usual: Usual, from base: Int, behind place: Int
    ) throws(AssetFault) -> Int {
        var (fields, place) = (try Fields(reader, run), place)
        let count = try fields.next()
        // Samples without bytes would make a large file of a small one.
        guard count <= min(MPEG4Sound.samplesMax, reader.bytes.count) - samples.count else {
            throw .damaged("it has too many samples")
        }
        if fields.has(RunFlags.offset) { place = base + Int(Int32(truncatingIfNeeded: try fields.next())) }
        if fields.has(RunFlags.first) { _ = try fields.next() }
        for _ in 0..<count {
            let length = fields.has(RunFlags.length) ? try fields.next() : usual.length
            let size = fields.has(RunFlags.size) ? try fields.next() : usual.size
            if fields.has(RunFlags.flags) { _ = try fields.next() }
            if fields.has(RunFlags.composition) { _ = try fields.next() }
            guard place >= 0, place <= reader.bytes.count, size <= reader.bytes.count - place else {
                throw .damaged("a sample is cut off")
            }
            samples.append(place..<place + size)
            if lengths.last == length {
                counts[counts.count - 1] += 1
            } else {
                counts.append(1)
                lengths.append(length)
            }
            place += size
            total += size
            // Samples that lie on one another would make a large file of a small one.
            guard total <= reader.bytes.count else { throw .damaged("its samples lie on one another") }
        }
        return place
    }

    /// The fields of a full box, one after another; its flags say which there are.
    private struct Fields {
        private let reader: ByteBoxes
        private let flags: Int
        private var place: Int
        private let end: Int

        init(_ reader: ByteBoxes, _ box: Range<Int>) throws(AssetFault) {
            self.reader = reader
            flags = try reader.number(4, at: box.lowerBound, before: box.upperBound) & 0xFF_FFFF
            (place, end) = (box.lowerBound + 4, box.upperBound)
        }

        func has(_ flag: Int) -> Bool { flags & flag != 0 }

        mutating func next(_ width: Int = 4) throws(AssetFault) -> Int {
            defer { place += width }
            return try reader.number(width, at: place, before: end)
        }
    }
}
