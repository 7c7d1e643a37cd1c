import Testing

@testable import CairnAssets

/// PNG is examined, and copied without what tells of a person (OBJ-12, CMP-5).
@Suite struct PNGTests {
    private let bounds = AssetBounds(pixelsMax: 1_000_000)

    private func fault(of bytes: [UInt8]) -> AssetFault? {
        do throws(AssetFault) {
            _ = try CleanAsset(bytes, within: bounds)
            return nil
        } catch {
            return error
        }
    }

    private func isDamaged(_ bytes: [UInt8]) -> Bool { if case .damaged? = fault(of: bytes) { true } else { false } }

    @Test func soundPicture_isCopied() throws {
        let png = Pictures.png()
        let clean = try CleanAsset(png, within: bounds)
        #expect(clean.type == .png && clean.bytes == png)
    }

    @Test(arguments: [0, 2, 3, 4, 6] as [UInt8])
    func everyForm_isTaken(_ colour: UInt8) throws {
        let palette = colour == 3 ? [Pictures.chunk("PLTE", [1, 2, 3])] : []
        #expect(fault(of: Pictures.png(colour: colour, before: palette)) == nil)
    }

    @Test(arguments: [1, 2, 4, 8, 16] as [UInt8])
    func everyDepth_isTaken(_ depth: UInt8) {
        #expect(fault(of: Pictures.png(depth: depth, colour: 0)) == nil)
    }

    @Test func textsAndUnknownChunks_areDropped() throws {
        let secret = Array("Ada, 48.8584 N 2.2945 E".utf8)
        let told = ["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "caRn"].map { Pictures.chunk($0, secret) }
        let png = Pictures.png(before: told, after: told)
        #expect(try CleanAsset(png, within: bounds).bytes == Pictures.png())
    }

    @Test func bytesBehindTheEnd_areDropped() throws {
        #expect(try CleanAsset(Pictures.png() + Array("more".utf8), within: bounds).bytes == Pictures.png())
    }

    @Test func coloursAndTransparency_areKept() throws {
        let colours = [
            Pictures.chunk("gAMA", Pictures.number(45_455)), Pictures.chunk("sRGB", [0]),
            Pictures.chunk("PLTE", [1, 2, 3, 4, 5, 6]), Pictures.chunk("tRNS", [0]),
        ]
        let png = Pictures.png(colour: 3, before: colours)
        #expect(try CleanAsset(png, within: bounds).bytes == png)
    }

    @Test func pixels_areCounted() {
        #expect(fault(of: Pictures.png(width: 5, height: 3, rows: [UInt8](repeating: 0, count: 47))) != nil)
        #expect(isDamaged(Pictures.png(rows: [UInt8](repeating: 0, count: 49))))
        #expect(fault(of: Pictures.png(rows: [UInt8](repeating: 0, count: 48))) == nil)
    }

    @Test func bomb_isRefused_inBoundedMemory() {
        // The header promises three rows; the data would give a gigabyte of them.
        let rows = [UInt8](repeating: 0, count: 1 << 20)
        #expect(isDamaged(Pictures.png(rows: rows)))
        let claims = Pictures.pngMark + Pictures.header(width: 60_000, height: 60_000)
        #expect(fault(of: claims) == .tooManyPixels(width: 60_000, height: 60_000))
        let large = Pictures.pngMark + Pictures.header(width: 2_000, height: 2_000)
        #expect(fault(of: large) == .tooManyPixels(width: 2_000, height: 2_000))
        let negative = Pictures.pngMark + Pictures.header(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)
        #expect(fault(of: negative) == .tooManyPixels(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF))
    }

    @Test func interlacedPicture_hasTheRowsOfItsPasses() {
        // 5 x 3 pixels of 3 bytes: the passes of Adam7, of which the third has no row.
        let passes = [(1, 1), (1, 1), (1, 1), (3, 1), (2, 2), (5, 1)]
        var rows: [UInt8] = []
        for (width, height) in passes {
            for _ in 0..<height { rows += [0] + [UInt8](repeating: 9, count: 3 * width) }
        }
        #expect(fault(of: Pictures.png(interlace: 1, rows: rows)) == nil)
        #expect(isDamaged(Pictures.png(interlace: 1, rows: rows.dropLast())))
    }

    @Test func hostileChunks_areRefused() {
        #expect(isDamaged(Pictures.pngMark))
        #expect(isDamaged(Pictures.pngMark + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IHDR".utf8)))
        #expect(isDamaged(Pictures.pngMark + Pictures.chunk("IDAT", []) + Pictures.chunk("IEND", [])))
        #expect(isDamaged(Pictures.png(before: [Pictures.chunk("CaRn", [1])])))
        #expect(isDamaged(Pictures.png(colour: 3)))
        #expect(isDamaged(Pictures.png(depth: 3, colour: 2)))
        #expect(isDamaged(Pictures.png(rows: [9] + [UInt8](repeating: 0, count: 47))))
        var wrongSum = Pictures.png()
        wrongSum[wrongSum.count - 13] ^= 1
        #expect(isDamaged(wrongSum))
        let image = Pictures.chunk("IDAT", [])
        #expect(isDamaged(Pictures.png(after: [Pictures.chunk("tEXt", []), image])))
    }

    /// Wrong checksums of a text, of a kept chunk and of the end; no end, or half of it; bytes behind the image data.
    @Test func whatBrowsersPassOver_isPassedOver() throws {
        let sound = Pictures.png()
        let broken = { (chunk: [UInt8]) in Array(chunk.dropLast()) + [~(chunk.last ?? 0)] }
        let text = Pictures.chunk("tEXt", Array("Ada".utf8))
        var pictures = [
            Pictures.png(before: [broken(text)], after: [broken(text)]),
            Pictures.png(before: [broken(Pictures.chunk("gAMA", Pictures.number(45_455)))]),
            broken(sound), Array(sound.dropLast(12)), Array(sound.dropLast(5)), Array(sound.dropLast(12)) + [1, 2, 3],
        ]
        let rows = Array(repeating: [0] + [UInt8](repeating: 7, count: 15), count: 3).flatMap { $0 }
        let more = Pictures.chunk("IDAT", Pictures.stored(rows) + [0, 0, 0x7F])
        pictures.append(Pictures.pngMark + Pictures.header(width: 5, height: 3) + more + Pictures.chunk("IEND", []))
        for (number, picture) in pictures.enumerated() {
            #expect(try CleanAsset(picture, within: bounds).bytes == sound, "\(number)")
        }
    }

    /// Before or behind the image data; with a place beside it, as phones write it.
    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func orientation_staysAlone(_ orientation: UInt8) throws {
        let chunk = Pictures.chunk("eXIf", Array(Pictures.exif(orientation: orientation).dropFirst(10)))
        let entry: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let kept = orientation == 1 ? [] : [Pictures.chunk("eXIf", entry + [0, 0, 0, 0])]
        for picture in [Pictures.png(before: [chunk]), Pictures.png(after: [chunk])] {
            #expect(try CleanAsset(picture, within: bounds).bytes == Pictures.png(before: kept))
        }
    }

    /// The picture of a phone's screen, whose profile has a name, a date and a maker.
    @Test func coloursOfPhones_areStatedWithoutTheProfile() throws {
        var profile = DisplayP3.profile
        profile.replaceSubrange(24..<36, with: [7, 0xEA, 0, 11, 0, 30, 0, 12, 0, 1, 0, 2])
        profile.replaceSubrange(48..<52, with: "EVES".utf8)
        let chunk = { (name: String) in
            Pictures.chunk("iCCP", Array(name.utf8) + [0, 0] + Pictures.stored(profile))
        }
        let clean = Pictures.png(before: [Pictures.chunk("iCCP", DisplayP3.chunk)])
        #expect(try CleanAsset(Pictures.png(before: [chunk("Eve's phone")]), within: bounds).bytes == clean)
        #expect(try CleanAsset(clean, within: bounds).bytes == clean)
        // Another red, and a profile where none may be.
        let red = try #require(profile.indices.last { profile[$0...].starts(with: [0, 0, 0x83, 0xDF]) })
        profile[red + 2] ^= 0x40
        #expect(try CleanAsset(Pictures.png(before: [chunk("P3")]), within: bounds).bytes == Pictures.png())
        let late = Pictures.png(after: [Pictures.chunk("iCCP", DisplayP3.chunk)])
        #expect(try CleanAsset(late, within: bounds).bytes == Pictures.png())
    }

    @Test func disguisedContent_isNoPicture() {
        #expect(fault(of: Array("<html><script>alert(1)</script>".utf8)) == .unknownType)
        #expect(isDamaged(Pictures.pngMark + Array("<html><script>alert(1)</script>".utf8)))
        #expect(fault(of: []) == .unknownType)
    }

    @Test func tenThousandMutations_endInAPictureOrARefusal() throws {
        let colours = [Pictures.chunk("gAMA", Pictures.number(45_455)), Pictures.chunk("PLTE", [1, 2, 3, 4, 5, 6])]
        let seeds = [
            Pictures.png(), Pictures.png(width: 9, height: 9, colour: 6),
            Pictures.png(colour: 3, before: colours, after: [Pictures.chunk("tEXt", [1, 2, 3])]),
        ]
        var mutations = Mutations(seed: 27)
        var taken = 0
        for round in 0..<10_000 {
            var bytes = mutations.mutated(seeds[round % seeds.count])
            // A wrong checksum would end most of them at once.
            if !round.isMultiple(of: 4) { bytes = Pictures.repaired(bytes) }
            guard let clean = try? CleanAsset(bytes, within: bounds) else { continue }
            taken += 1
            #expect(try CleanAsset(clean.bytes, within: bounds) == clean)
        }
        #expect(taken > 100)
    }
}

/// Seeded damage: bytes are changed, removed, repeated and cut off.
struct Mutations {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func next(below bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ mixed >> 31) % UInt64(max(bound, 1)))
    }

    mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<next(below: 4) + 1 where bytes.count > 20 {
            let place = 8 + next(below: bytes.count - 8)
            switch next(below: 6) {
            case 0, 1: bytes[place] ^= UInt8(1 << next(below: 8))
            case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80][next(below: 4)]
            case 3: bytes.removeSubrange(place..<min(place + 1 + next(below: 8), bytes.count))
            case 4: bytes.insert(contentsOf: bytes[place..<min(place + 12, bytes.count)], at: place)
            default: bytes.removeLast(next(below: bytes.count / 4))
            }
        }
        return bytes
    }
}
