import Testing

@testable import CairnAssets

/// JPEG is examined, and copied without what tells of a person (OBJ-12, CMP-5).
@Suite struct JPEGTests {
    private let bounds = AssetBounds(pixelsMax: 1_000_000)

    private func isDamaged(_ bytes: [UInt8]) -> Bool {
        do throws(AssetFault) {
            _ = try CleanAsset(bytes, within: bounds)
            return false
        } catch {
            if case .damaged = error { return true } else { return false }
        }
    }

    @Test(arguments: [Pictures.baselineJPEG, Pictures.progressiveJPEG])
    func soundPicture_isCopied(_ jpeg: [UInt8]) throws {
        let clean = try CleanAsset(jpeg, within: bounds)
        #expect(clean.type == .jpeg && clean.bytes == jpeg)
    }

    @Test func whatTellsOfAPerson_isDropped() throws {
        let secret = Array("http://ns.adobe.com/xap/1.0/ Ada 48.8584".utf8)
        let told = [0xE1, 0xE2, 0xED, 0xFE].map { Pictures.segment($0, secret) } + [Pictures.exif(orientation: 1)]
        let jpeg = Pictures.jpeg(with: told) + Array("a film with sound".utf8)
        #expect(try CleanAsset(jpeg, within: bounds).bytes == Pictures.baselineJPEG)
    }

    @Test func thumbnail_isDropped() throws {
        let head = Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1]
        let thumbnail = Pictures.segment(0xE0, head + [1, 1, 9, 9, 9])
        let clean = try CleanAsset(Pictures.jpeg(with: [thumbnail]), within: bounds)
        // Of two segments of JFIF the first stays, without its picture.
        #expect(clean.bytes == Pictures.baselineJPEG)
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func orientation_isApplied(_ orientation: UInt8) throws {
        for picture in [Pictures.baselineJPEG, Pictures.progressiveJPEG] {
            let jpeg = Pictures.jpeg(picture, with: [Pictures.exif(orientation: orientation)])
            let clean = try CleanAsset(jpeg, within: bounds)
            let size = try #require(Pictures.size(ofJPEG: clean.bytes))
            #expect(orientation >= 5 ? size == (32, 48) : size == (48, 32))
            #expect((clean.bytes == picture) == (orientation == 1))
            #expect(try Grey(clean.bytes).differs(from: Grey(picture).seen(orientation)) < 2)
            // The picture has no symmetry, so each way to turn it is another picture.
            if orientation > 1 { #expect(try Grey(picture).differs(from: Grey(picture).seen(orientation)) > 8) }
            #expect(!clean.bytes.indices.dropLast(4).contains { clean.bytes[$0...].starts(with: "Exif".utf8) })
        }
    }

    @Test func pixels_areBounded() throws {
        let clean = { (pixels: Int) in
            try? CleanAsset(Pictures.baselineJPEG, within: AssetBounds(pixelsMax: pixels))
        }
        #expect(clean(48 * 32) != nil && clean(48 * 32 - 1) == nil)
    }

    @Test func hostileHeaders_areRefused() throws {
        let picture = Pictures.baselineJPEG
        let frame = try #require(picture.indices.first { picture[$0...].starts(with: [0xFF, 0xC0]) })
        func changed(_ place: Int, to value: UInt8) -> [UInt8] {
            var bytes = picture
            bytes[place] = value
            return bytes
        }
        // Another coding, 12 bits, no rows, other components, other sampling, an unknown table.
        for (offset, value) in [(1, 0xC3), (1, 0xC9), (4, 12), (9, 2), (9, 0), (11, 0), (11, 0x55), (12, 4)] {
            #expect(isDamaged(changed(frame + offset, to: UInt8(value))), "\(offset) \(value)")
        }
        #expect(isDamaged(changed(frame + 6, to: 0)))
        #expect(isDamaged(Array(picture.prefix(4))))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xD9]))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1]))
        #expect(isDamaged(Array(picture.prefix(2)) + picture[frame...]) == false)
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xC4, [0] + [UInt8](repeating: 255, count: 16))])))
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xC4, [0, 3] + [UInt8](repeating: 0, count: 18))])))
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xDB, [0x20])])))
    }

    @Test func pictureWithoutItsEnd_getsOne() throws {
        for picture in [Pictures.baselineJPEG, Pictures.progressiveJPEG] {
            for missing in 1...2 {
                let clean = try CleanAsset(Array(picture.dropLast(missing)), within: bounds)
                #expect(clean.bytes == picture)
            }
        }
    }

    /// Cut off within its scan, as by a copy that was interrupted: libjpeg does not turn it, and browsers do.
    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func pictureCutInItsScan_isTakenWithItsOrientation(_ orientation: UInt8) throws {
        for picture in [Pictures.baselineJPEG, Pictures.progressiveJPEG] {
            let scan = try #require(picture.indices.first { picture[$0...].starts(with: [0xFF, 0xDA]) })
            let cut = Array(picture[..<(scan + 2 + Int(picture[scan + 3]) + 8)])
            let jpeg = Pictures.jpeg(cut, with: [Pictures.exif(orientation: orientation)])
            let clean = try CleanAsset(jpeg, within: bounds)
            #expect(try #require(Pictures.size(ofJPEG: clean.bytes)) == (48, 32))
            guard orientation > 1 else {
                #expect(clean.bytes == cut + [0xFF, 0xD9])
                continue
            }
            #expect(EXIFOrientation.read(clean.bytes[6..<38]) == Int(orientation))
            #expect(clean.bytes.count == cut.count + 2 + 36)
            #expect(try CleanAsset(clean.bytes, within: bounds) == clean)
        }
    }

    /// A photograph of a phone: its colours are other ones without the profile.
    @Test(arguments: [1, 6] as [UInt8])
    func coloursOfPhones_areStatedWithoutTheProfile(orientation: UInt8) throws {
        var profile = DisplayP3.profile
        profile.replaceSubrange(48..<52, with: "EVES".utf8)
        let told = Pictures.segment(0xE2, Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile)
        let jpeg = Pictures.jpeg(with: [Pictures.exif(orientation: orientation), told])
        let clean = try CleanAsset(jpeg, within: bounds).bytes
        let stated = Pictures.segment(0xE2, DisplayP3.segment)
        let places = clean.indices.filter { clean[$0...].starts(with: stated) }
        #expect(places.count == 1)
        #expect(!clean.indices.contains { clean[$0...].starts(with: "EVES".utf8) })
        let size = try #require(Pictures.size(ofJPEG: clean))
        #expect(orientation == 1 ? size == (48, 32) : size == (32, 48))
        #expect(try CleanAsset(clean, within: bounds).bytes == clean)
    }

    @Test func manyScans_areRefused() throws {
        let picture = Pictures.progressiveJPEG
        let scan = try #require(picture.indices.last { picture[$0...].starts(with: [0xFF, 0xDA]) })
        let end = picture.count - 2
        let many = Array(picture[..<end]) + (0..<64).flatMap { _ in picture[scan..<end] } + picture[end...]
        #expect(isDamaged(many))
    }

    // MARK: What a picture costs

    private let large = AssetBounds(pixelsMax: 67_108_864)

    /// Decoding it takes as long as 13 pictures, and turning it 64 MiB, of some 33 KB. Both are passed over.
    @Test func pictureThatIsLargeForItsBytes_keepsItsOrientation() throws {
        let clean = try CleanAsset(Pictures.jpegOfEmptyRuns(bands: [1...63]), within: large)
        #expect(clean.bytes.count < 35_000)
        #expect(try #require(Pictures.size(ofJPEG: clean.bytes)) == (4_096, 4_096))
        // EXIF with one entry, the orientation; nothing of the place.
        #expect(Array(clean.bytes[2..<6]) == [0xFF, 0xE1, 0, 34])
        #expect(EXIFOrientation.read(clean.bytes[6..<38]) == 6)
        #expect(!clean.bytes.indices.dropLast(2).contains { clean.bytes[$0...].starts(with: [0x88, 0x25]) })
        #expect(try CleanAsset(clean.bytes, within: large) == clean)
        let upright = try CleanAsset(Pictures.jpegOfEmptyRuns(bands: [1...63], orientation: 1), within: large)
        #expect(upright.bytes.count == clean.bytes.count - 36)
    }

    @Test func scansThatRepeat_areRefused() {
        #expect(throws: AssetFault.damaged("its scans repeat what was sent")) {
            try CleanAsset(Pictures.jpegOfEmptyRuns(bands: [1...63, 1...63]), within: large)
        }
    }

    @Test func scansOfManyBlocks_areRefused() {
        // 1 + 2 x 14 times through the picture.
        #expect(throws: AssetFault.damaged("its scans are too many")) {
            try CleanAsset(Pictures.jpegOfEmptyRuns(bands: [1...32, 33...63]), within: large)
        }
    }

    private static func frame(width: Int, height: Int, samplings: [UInt8]) throws -> JPEGFrame {
        var data: [UInt8] = [8]
        for side in [height, width] { data += [UInt8(side >> 8), UInt8(side & 255)] }
        data.append(UInt8(samplings.count))
        for (index, sampling) in samplings.enumerated() { data += [UInt8(index + 1), sampling, 0] }
        return try JPEGFrame(data[...], isProgressive: true, within: AssetBounds(pixelsMax: 67_108_864))
    }

    /// As libjpeg writes three components.
    private static let usualScans: [[UInt8]] = [
        [3, 1, 0, 2, 0, 3, 0, 0, 0, 1], [1, 1, 0, 1, 5, 2], [1, 3, 0, 1, 63, 1], [1, 2, 0, 1, 63, 1],
        [1, 1, 0, 6, 63, 2], [1, 1, 0, 1, 63, 0x21], [3, 1, 0, 2, 0, 3, 0, 0, 0, 0x10], [1, 3, 0, 1, 63, 0x10],
        [1, 2, 0, 1, 63, 0x10], [1, 1, 0, 1, 63, 0x10],
    ]

    /// Sides, bytes, and whether such a picture is turned.
    @Test(arguments: [
        (4_000, 3_000, 2_400_000, true), (4_000, 3_000, 60_000, false), (1_600, 1_200, 20_000, true),
        (8_160, 6_120, 12_000_000, false),
    ])
    func picturesOfPhones_areTaken(_ width: Int, _ height: Int, _ bytes: Int, _ isTurned: Bool) throws {
        var frame = try Self.frame(width: width, height: height, samplings: [0x22, 0x11, 0x11])
        for scan in Self.usualScans { try frame.add(scan: scan[...]) }
        #expect(JPEGTurn.isWorthwhile(frame, bytes: bytes) == isTurned)
    }

    /// As libjpeg writes four: 18 scans.
    @Test func fourComponents_areTaken() throws {
        var frame = try Self.frame(width: 1_000, height: 1_000, samplings: [0x11, 0x11, 0x11, 0x11])
        let all: [UInt8] = [4, 1, 0, 2, 0, 3, 0, 4, 0]
        var scans = [all + [0, 0, 1], all + [0, 0, 0x10]]
        for name in 1...4 as ClosedRange<UInt8> {
            scans += [[1, 5, 2], [6, 63, 2], [1, 63, 0x21], [1, 63, 0x10]].map { [1, name, 0] + $0 }
        }
        for scan in scans { try frame.add(scan: scan[...]) }
        #expect(throws: AssetFault.self) { try frame.add(scan: [1, 1, 0, 1, 63, 0x10]) }
    }

    @Test func exifThatLies_isPassedOver() throws {
        for length in 0..<80 {
            let exif = Pictures.segment(0xE1, Array(Pictures.exif(orientation: 6).dropFirst(4).prefix(length)))
            #expect(!isDamaged(Pictures.jpeg(with: [exif])))
        }
        let endless = Array("Exif".utf8) + [0, 0] + Array("II".utf8) + [42, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(!isDamaged(Pictures.jpeg(with: [Pictures.segment(0xE1, endless)])))
    }

    @Test func tenThousandMutations_endInAPictureOrARefusal() throws {
        let seeds = [
            Pictures.baselineJPEG, Pictures.progressiveJPEG,
            Pictures.jpeg(with: [Pictures.exif(orientation: 6)]),
            Pictures.jpeg(Pictures.progressiveJPEG, with: [Pictures.exif(orientation: 3)]),
        ]
        var mutations = Mutations(seed: 28)
        var taken = 0
        for round in 0..<10_000 {
            let bytes = mutations.mutated(seeds[round % seeds.count])
            guard let clean = try? CleanAsset(bytes, within: bounds) else { continue }
            taken += 1
            #expect(try CleanAsset(clean.bytes, within: bounds) == clean)
        }
        #expect(taken > 100)
    }
}
