internal import CZlib

/// The colour space of phones and of their pictures of the screen (Display P3), as a profile of the ICC (ICC.1:2022).
///
/// Without it the numbers of a picture mean other colours. Profiles may contain names, dates and the measures of one
/// screen: so this one is known by its primaries and its curve and written anew, and all others are dropped.
enum DisplayP3 {
    private static let whole = 65_536
    /// Red, green and blue in CIE XYZ, adapted to D50, as the profile writes them: in parts of 65,536.
    private static let primaries: [(tag: String, xyz: [Int])] = [
        ("rXYZ", [33_759, 15_807, -69]), ("gXYZ", [19_135, 45_367, 2_745]), ("bXYZ", [10_296, 4_363, 51_385]),
    ]
    /// How far a number of another writer may be from these.
    private static let tolerance = 128
    /// The curve of sRGB: exponent, and the four numbers of its straight beginning.
    private static let curve = [157_286, 62_119, 3_417, 5_072, 2_651]
    /// Most bytes of a profile that is looked at. Those of phones have some 550.
    private static let bytesMax = 16_384
    private static let tagsMax = 64

    // MARK: Reading

    /// Whether a profile is of this space.
    static func describes(_ profile: [UInt8]) -> Bool {
        guard profile.count <= bytesMax, profile.count >= 132, profile[16..<20].elementsEqual("RGB ".utf8),
            profile[20..<24].elementsEqual("XYZ ".utf8)
        else { return false }
        for (tag, xyz) in primaries {
            guard let found = numbers(of: tag, as: "XYZ ", from: 8, count: 3, in: profile), isNear(found, xyz) else {
                return false
            }
        }
        // The third of the curves with parameters is the one of sRGB.
        return ["rTRC", "gTRC", "bTRC"].allSatisfy { tag in
            guard let kind = numbers(of: tag, as: "para", from: 8, count: 1, in: profile), kind[0] == 3 << 16,
                let found = numbers(of: tag, as: "para", from: 12, count: 5, in: profile)
            else { return false }
            return isNear(found, curve)
        }
    }

    private static func isNear(_ found: [Int], _ expected: [Int]) -> Bool {
        zip(found, expected).allSatisfy { abs($0.0 - $0.1) <= tolerance }
    }

    /// Signed numbers of 32 bits in the element of a tag; nil = there is no such element.
    private static func numbers(
        of tag: String, as type: String, from offset: Int, count: Int, in profile: [UInt8]
    ) -> [Int]? {
        guard let tags = number(at: 128, in: profile), (0...tagsMax).contains(tags) else { return nil }
        for index in 0..<tags {
            let row = 132 + 12 * index
            guard let start = number(at: row + 4, in: profile), start >= 0, start <= profile.count - 4 else {
                return nil
            }
            guard profile[row..<row + 4].elementsEqual(tag.utf8) else { continue }
            guard profile[start..<start + 4].elementsEqual(type.utf8) else { return nil }
            let found = (0..<count).compactMap { number(at: start + offset + 4 * $0, in: profile) }
            return found.count == count ? found : nil
        }
        return nil
    }

    private static func number(at place: Int, in profile: [UInt8]) -> Int? {
        guard place + 4 <= profile.count else { return nil }
        let bits = profile[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Int(Int32(bitPattern: bits))
    }

    // MARK: Writing

    /// The profile: nothing but what a program needs to show the colours.
    static let profile: [UInt8] = {
        var elements: [(tag: String, bytes: [UInt8])] = [("desc", text("P3")), ("cprt", text("CC0"))]
        elements.append(("wtpt", element("XYZ ", white)))
        for (tag, xyz) in primaries { elements.append((tag, element("XYZ ", xyz))) }
        for tag in ["rTRC", "gTRC", "bTRC"] { elements.append((tag, element("para", [3 << 16] + curve))) }
        var (table, data) = (long(elements.count), [UInt8]())
        let begin = 132 + 12 * elements.count
        for (tag, bytes) in elements {
            table += tag.utf8
            table += long(begin + data.count)
            table += long(bytes.count)
            data += bytes
        }
        // Version 4, a display, no date, the perceptual intent, the white of D50.
        var head = long(begin + data.count)
        head += [0, 0, 0, 0, 4, 0x20, 0, 0]
        head += "mntrRGB XYZ ".utf8
        head += [UInt8](repeating: 0, count: 12)
        head += "acsp".utf8
        head += [UInt8](repeating: 0, count: 28)
        head += white.flatMap(long)
        head += [UInt8](repeating: 0, count: 48)
        return head + table + data
    }()

    private static let white = [63_190, whole, 54_061]

    private static func long(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func element(_ type: String, _ numbers: [Int]) -> [UInt8] {
        Array(type.utf8) + long(0) + numbers.flatMap(long)
    }

    /// A text in English, with bytes to the next multiple of four.
    private static func text(_ words: String) -> [UInt8] {
        let letters = words.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        var bytes = element("mluc", [1, 12])
        bytes += "enUS".utf8
        bytes += long(letters.count)
        bytes += long(28)
        bytes += letters
        return bytes + [UInt8](repeating: 0, count: (4 - letters.count % 4) % 4)
    }

    // MARK: In pictures

    /// Whether the data of a chunk of PNG (`iCCP`) are a profile of this space.
    static func isIn(chunk data: ArraySlice<UInt8>) -> Bool {
        guard let end = data.prefix(80).firstIndex(of: 0), end + 2 < data.endIndex, data[end + 1] == 0,
            data.endIndex - end <= bytesMax
        else { return false }
        var profile: [UInt8] = []
        var inflater = Inflater()
        do throws(AssetFault) {
            try inflater.take(data[(end + 2)...], isLast: true) { piece throws(AssetFault) in
                guard profile.count + piece.count <= bytesMax else { throw .damaged("its profile is too long") }
                profile += piece
            }
        } catch {
            return false
        }
        return describes(profile)
    }

    /// The data of a chunk of PNG.
    static let chunk: [UInt8] = {
        // A name, the method, and a stream of zlib with one block as it is (RFC 1951, 3.2.4).
        var bytes = Array("P3".utf8)
        bytes += [0, 0, 0x78, 0x01, 1]
        let length = UInt16(profile.count)
        for count in [length, ~length] { bytes += [UInt8(count & 255), UInt8(count >> 8)] }
        bytes += profile
        bytes += long(Int(profile.withUnsafeBufferPointer { adler32(1, $0.baseAddress, UInt32($0.count)) }))
        return bytes
    }()

    private static let mark = Array("ICC_PROFILE".utf8) + [0]

    /// Whether the data of a segment of JPEG (APP2) are a profile of this space, in one piece.
    static func isIn(segment data: ArraySlice<UInt8>) -> Bool {
        data.starts(with: mark + [1, 1]) && describes(Array(data.dropFirst(mark.count + 2)))
    }

    /// The data of a segment of JPEG.
    static let segment: [UInt8] = mark + [1, 1] + profile
}
