import Testing

@testable import CairnAssets

/// AAC in MP4 (TRM-5, CMP-5): known by content, written anew from what sounds.
@Suite("AAC in MP4 (TRM-5)")
struct MPEG4AudioTests {
    private static let bounds = AssetBounds(pixelsMax: 1)
    private static let secret = Array("Eve at home, 45.5 -73.57".utf8)
    /// Packets of the decoder, as far as a container cares.
    private static let samples: [[UInt8]] = (0..<10).map { [UInt8](repeating: UInt8(0x80 + $0), count: 20 + $0) }
    /// AAC-LC, 44,100 Hz, mono.
    private static let config: [UInt8] = [0x12, 0x08]

    private static func big(_ numbers: Int...) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
    }

    private static func box(_ kind: String, _ parts: [UInt8]...) -> [UInt8] {
        let content = parts.flatMap { $0 }
        return big(content.count + 8) + Array(kind.utf8) + content
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// A file as phones make it: tags, dates, a chapter track, junk among the samples, descriptors with long lengths.
    private static func file(
        entry: String = "mp4a", object: UInt8 = 0x40, handler: String = "soun", config: [UInt8] = config,
        tracks: Int = 1, chunk: Int? = nil
    ) -> [UInt8] {
        let type = box("ftyp", Array("mp42".utf8), big(0), Array("mp42isom".utf8))
        let (first, second) = (samples[..<6].flatMap { $0 }, samples[6...].flatMap { $0 })
        let media = box("mdat", secret, first, secret, second, secret)
        let start = type.count + 8 + secret.count
        let specific: [UInt8] = [5, 0x80, 0x80, 0x80, UInt8(config.count)] + config
        let settings: [UInt8] = [object, 0x15] + zeros(11) + specific
        let stream: [UInt8] = [3, UInt8(settings.count + 8), 0, 1, 0, 4, UInt8(settings.count)] + settings
        let esds = box("esds", big(0), stream, [6, 1, 2])
        let sound = box(entry, big(0, 1, 0, 0, 1 << 16 | 16, 0, 44_100 << 16), esds)
        let table = box(
            "stbl", box("stsd", big(0, 1), sound), box("stts", big(0, 2, 9, 1_024, 1, 500)),
            box("stsc", big(0, 2, 1, 6, 1, 2, 4, 1)),
            box("stsz", big(0, 0, samples.count), samples.flatMap { big($0.count) }),
            box("stco", big(0, 2, chunk ?? start, start + first.count + secret.count)))
        let head = box("mdhd", big(0, 7, 7, 44_100, 9_716, 0x55C4_0000))
        let name = box("hdlr", big(0, 0), Array(handler.utf8), zeros(12), secret, [0])
        let edits = box("edts", box("elst", big(0, 1, 196, 1_024, 0x1_0000)))
        let track = box("trak", edits, box("mdia", head, name, box("minf", table)), box("udta", secret))
        let chapters = box("trak", box("mdia", box("hdlr", big(0, 0), Array("text".utf8), zeros(13))))
        let movie = box("mvhd", big(0, 7, 7, 1_000, 220), zeros(80))
        let sounds = (0..<tracks).flatMap { _ in track }
        return type + media + box("moov", movie, sounds, chapters, box("udta", secret)) + box("free", secret)
    }

    /// What a fragment says of where it is, and of its samples.
    private enum Form { case fromFragment, fromFile, firstOfFragment, usualLengthAndSize }

    /// A file as browsers make it: a movie without samples, and fragments of four.
    private static func fragments(_ form: Form = .fromFragment, track: Int = 1, run: Int? = nil) -> [UInt8] {
        let uses = form == .usualLengthAndSize
        let pieces = stride(from: 0, to: samples.count, by: 4).map { first in
            samples[first..<min(first + 4, samples.count)].map { uses ? $0 + zeros(40 - $0.count) : $0 }
        }
        var file = box("ftyp", Array("iso5".utf8), big(0), Array("iso5mp41".utf8)) + fragmented()
        for piece in pieces {
            let (start, sound) = (file.count, piece.flatMap { $0 })
            func fragment(_ offset: Int) -> [UInt8] {
                let rows = uses ? [] : piece.flatMap { big(1_024, $0.count) }
                let table = box("trun", big(uses ? 1 : 0x301, run ?? piece.count, offset), rows)
                let head: [UInt8] =
                    switch form {
                    case .fromFragment, .usualLengthAndSize: box("tfhd", big(0x2_0000, track))
                    case .fromFile: box("tfhd", big(1, track, 0, start))
                    case .firstOfFragment: box("tfhd", big(0, track))
                    }
                return box("moof", box("mfhd", big(0, 1)), box("traf", head, table))
            }
            file += fragment(fragment(0).count + 8) + box("mdat", sound) + box("uuid", secret)
        }
        return file
    }

    private static func fragmented() -> [UInt8] {
        let settings: [UInt8] = [0x40, 0x15] + zeros(11) + [5, UInt8(config.count)] + config
        let stream: [UInt8] = [3, UInt8(settings.count + 8), 0, 1, 0, 4, UInt8(settings.count)] + settings
        let sound = box(
            "mp4a", big(0, 1, 0, 0, 1 << 16 | 16, 0, 44_100 << 16), box("esds", big(0), stream, [6, 1, 2]))
        let table = box(
            "stbl", box("stsd", big(0, 1), sound), box("stts", big(0, 0)), box("stsc", big(0, 0)),
            box("stsz", big(0, 0, 0)), box("stco", big(0, 0)))
        let head = box("mdhd", big(0, 7, 7, 44_100, 0, 0x55C4_0000))
        let name = box("hdlr", big(0, 0), Array("soun".utf8), zeros(12), secret, [0])
        let track = box(
            "trak", box("tkhd", big(3, 7, 7, 1, 0), zeros(64)), box("edts", box("elst", big(0, 1, 0, 1_024, 0x1_0000))),
            box("mdia", head, name, box("minf", table)))
        let movie = box("mvhd", big(0, 7, 7, 1_000, 0), zeros(80))
        return box("moov", movie, track, box("mvex", box("trex", big(0, 1, 1, 1_024, 40, 0))))
    }

    private func clean(_ content: [UInt8]) throws -> [UInt8] { try CleanAsset(content, within: Self.bounds).bytes }

    private func isRefused(_ content: [UInt8]) -> Bool {
        do throws(AssetFault) {
            _ = try CleanAsset(content, within: Self.bounds)
            return false
        } catch {
            if case .damaged = error { return true } else { return false }
        }
    }

    @Test func aac_losesEverythingButItsSound() throws {
        let found = try CleanAsset(Self.file(), within: Self.bounds)
        #expect(found.type == .aac && found.type.contentType == "audio/mp4")
        #expect(!found.bytes.contains(Self.secret))
        let sound = Self.samples.flatMap { $0 }
        #expect(Array(found.bytes.suffix(sound.count)) == sound && found.bytes.contains(Self.config))
        // Lengths, times and delay are those of before: 196 of 1,000 are 8,643 of 44,100.
        #expect(found.bytes.contains(Self.big(0, 2, 9, 1_024, 1, 500)))
        #expect(found.bytes.contains(Self.samples.flatMap { Self.big($0.count) }))
        #expect(found.bytes.contains(Self.big(0, 1, 8_643, 1_024, 0x1_0000)))
        // What was written is read again as the same.
        #expect(try clean(found.bytes) == found.bytes)
    }

    /// As a browser records it: what it says where, in each of the ways.
    @Test func fragments_becomeOnePiece() throws {
        for form in [Form.fromFragment, .fromFile, .firstOfFragment] {
            let found = try CleanAsset(Self.fragments(form), within: Self.bounds)
            #expect(found.type == .aac && !found.bytes.contains(Self.secret))
            let sound = Self.samples.flatMap { $0 }
            #expect(Array(found.bytes.suffix(sound.count)) == sound)
            #expect(found.bytes.contains(Self.samples.flatMap { Self.big($0.count) }))
            // One run of ten; the delay, and all behind it.
            #expect(found.bytes.contains(Self.big(0, 1, 10, 1_024)))
            #expect(found.bytes.contains(Self.big(0, 1, 9 * 1_024, 1_024, 0x1_0000)))
            #expect(try clean(found.bytes) == found.bytes)
        }
        let usual = try clean(Self.fragments(.usualLengthAndSize))
        #expect(usual.contains(Self.big(0, 1, 10, 1_024)) && usual.count > 400)
    }

    /// The time limit is for counts that are believed: billions of samples take minutes.
    @Test(.timeLimit(.minutes(10))) func hostileFragments_areRefused() throws {
        #expect(isRefused(Self.fragments(track: 2)), "of no track that is there")
        #expect(isRefused(Self.fragmentsAlone))
        for form in [Form.fromFragment, .fromFile, .usualLengthAndSize] {
            for run in [5, 1_048_576, 0xFFFF_FFFF] { #expect(isRefused(Self.fragments(form, run: run))) }
        }
        tryHurt(Self.fragments(.fromFile))
    }

    /// Each would take a row of a table in the file that is written, and 16 bytes of memory.
    @Test func samplesWithoutBytes_areNoMoreThanBytes() throws {
        var file = Self.fragments(.usualLengthAndSize, run: 100_000)
        let usual = try #require(file.indices.first { file[$0...].starts(with: "trex".utf8) })
        for index in 0..<4 { file[usual + 20 + index] = 0 }
        #expect(isRefused(file))
    }

    /// A movie that has fragments, without them.
    private static var fragmentsAlone: [UInt8] {
        box("ftyp", Array("iso5".utf8), big(0), Array("iso5mp41".utf8)) + fragmented()
    }

    @Test func whatIsNotOneTrackOfAAC_isRefused() {
        // It is sound, and no AAC: it is not called damaged.
        #expect(throws: AssetFault.unknownType) { try CleanAsset(Self.file(entry: "alac"), within: Self.bounds) }
        #expect(throws: AssetFault.unknownType) { try CleanAsset(Self.file(handler: "vide"), within: Self.bounds) }
        #expect(isRefused(Self.file(object: 0x6B)))
        #expect(isRefused(Self.file(handler: "meta")))
        // Layer 1 of MPEG (an object type of 32).
        #expect(throws: AssetFault.unknownType) {
            try CleanAsset(Self.file(config: [0xF8, 0x00]), within: Self.bounds)
        }
        #expect(isRefused(Self.file(tracks: 2)))
        #expect(isRefused(Self.file(chunk: 1_000_000)))
        #expect(isRefused(Self.box("ftyp", Array("M4A ".utf8))))
        // A photograph in such boxes is of no known type, and no damaged sound.
        #expect(AssetType(of: Self.box("ftyp", Array("heic".utf8))) == nil)
    }

    /// The file with a number of 32 bits put in place of the one behind a name.
    private static func file(_ kind: String, _ offset: Int, says number: Int) -> [UInt8] {
        var file = file()
        guard let name = file.indices.first(where: { file[$0...].starts(with: kind.utf8) }) else {
            Issue.record("the file has no \(kind)")
            return file
        }
        file.replaceSubrange(name + 4 + offset..<name + 8 + offset, with: big(number))
        return file
    }

    /// Counts of four thousand millions are compared with the bytes that are there before anything is done so often.
    @Test func hostileCounts_costNoTimeAndNoMemory() throws {
        let most = 0xFFFF_FFFF
        for kind in ["stts", "stsc", "stco"] { #expect(isRefused(Self.file(kind, 4, says: most))) }
        #expect(isRefused(Self.file("stsz", 8, says: most)))
        // All samples of one size, and all of them in the first chunk.
        #expect(isRefused(Self.file("stsz", 4, says: most)))
        #expect(isRefused(Self.file("stts", 8, says: most)))
        let inOneChunk = try clean(Self.file("stsc", 12, says: most))
        #expect(inOneChunk.count < Self.file().count)
        #expect(isRefused(Self.file("stsc", 12, says: 0)))
        #expect(isRefused(Self.file("mdhd", 12, says: 0)))
        // A box with a size of 64 bits that is none.
        #expect(isRefused(Self.file("moov", -8, says: 1)))
    }

    @Test func hostileBytes_areRefusedOrHarmless() throws {
        tryHurt(Self.file())
    }

    /// Cuts the file short at each byte, and hurts each: whatever is taken then is no larger than it should be.
    private func tryHurt(_ file: [UInt8]) {
        for count in 8..<file.count { _ = try? clean(Array(file.prefix(count))) }
        for index in file.indices {
            for byte: UInt8 in [0x00, 0x7F, 0xFF] {
                var hurt = file
                hurt[index] = byte
                guard let found = try? clean(hurt) else { continue }
                #expect(found.count < 2 * file.count)
            }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        indices.contains { self[$0...].starts(with: part) }
    }
}
