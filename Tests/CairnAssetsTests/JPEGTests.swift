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
        #expect(isDamaged(Array(picture.dropLast(2))))
        #expect(isDamaged(Array(picture.prefix(4))))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xD9]))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xE0, 0, 0]))
        #expect(isDamaged([0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0xFF, 1]))
        #expect(isDamaged(Array(picture.prefix(2)) + picture[frame...]) == false)
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xC4, [0] + [UInt8](repeating: 255, count: 16))])))
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xC4, [0, 3] + [UInt8](repeating: 0, count: 18))])))
        #expect(isDamaged(Pictures.jpeg(with: [Pictures.segment(0xDB, [0x20])])))
    }

    @Test func manyScans_areRefused() throws {
        let picture = Pictures.progressiveJPEG
        let scan = try #require(picture.indices.last { picture[$0...].starts(with: [0xFF, 0xDA]) })
        let end = picture.count - 2
        let many = Array(picture[..<end]) + (0..<64).flatMap { _ in picture[scan..<end] } + picture[end...]
        #expect(isDamaged(many))
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
