import CairnAssets
import Foundation

/// Pictures made by hand, sound and not.
enum Pictures {
    /// 48 x 32 pixels, 4:2:0; quarters of red, green, blue and white. Written by libjpeg-turbo.
    static let baselineJPEG = file("quarters.jpg")
    /// The same, progressive.
    static let progressiveJPEG = file("quarters-progressive.jpg")

    private static func file(_ name: String) -> [UInt8] {
        let folder = URL(filePath: #filePath).appending(path: "../../EndToEndTests/worlds").standardizedFileURL
        return Array((try? Data(contentsOf: folder.appending(path: name))) ?? Data())
    }

    // MARK: PNG

    static let pngMark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A sound picture with chunks of one's own between header and image data, and behind these.
    static func png(
        width: Int = 5, height: Int = 3, depth: UInt8 = 8, colour: UInt8 = 2, interlace: UInt8 = 0,
        before: [[UInt8]] = [], rows: [UInt8]? = nil, after: [[UInt8]] = []
    ) -> [UInt8] {
        let samples = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(colour)] ?? 1
        let rowBytes = (width * Int(depth) * samples + 7) / 8
        let image = rows ?? Array(repeating: [0] + [UInt8](repeating: 7, count: rowBytes), count: height).flatMap { $0 }
        return pngMark + header(width: width, height: height, depth: depth, colour: colour, interlace: interlace)
            + before.flatMap { $0 } + chunk("IDAT", stored(image)) + after.flatMap { $0 } + chunk("IEND", [])
    }

    static func header(
        width: Int, height: Int, depth: UInt8 = 8, colour: UInt8 = 2, interlace: UInt8 = 0
    ) -> [UInt8] {
        chunk("IHDR", number(width) + number(height) + [depth, colour, 0, 0, interlace])
    }

    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        number(data.count) + Array(name.utf8) + data + number(Int(crc(Array(name.utf8) + data)))
    }

    /// A stream of zlib without compression.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        let blocks = stride(from: 0, to: max(bytes.count, 1), by: 65_535)
        for start in blocks {
            let block = bytes[start..<min(start + 65_535, bytes.count)]
            let length = UInt16(block.count)
            stream.append(start + 65_535 >= bytes.count ? 1 : 0)
            for value in [length, ~length] { stream += [UInt8(value & 255), UInt8(value >> 8)] }
            stream += block
        }
        var (low, high) = (UInt32(1), UInt32(0))
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + number(Int(high << 16 | low))
    }

    /// Corrects the checksums of all chunks, as far as there are chunks.
    static func repaired(_ png: [UInt8]) -> [UInt8] {
        var bytes = png
        var place = 8
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard place + 12 + length <= bytes.count else { break }
            let end = place + 8 + length
            bytes.replaceSubrange(end..<end + 4, with: number(Int(crc(Array(bytes[place + 4..<end])))))
            place = end + 4
        }
        return bytes
    }

    static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    // MARK: JPEG

    static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((data.count + 2) >> 8), UInt8((data.count + 2) & 255)] + data
    }

    /// The picture with segments behind its first marker.
    static func jpeg(_ picture: [UInt8] = baselineJPEG, with segments: [[UInt8]]) -> [UInt8] {
        Array(picture.prefix(2)) + segments.flatMap { $0 } + picture.dropFirst(2)
    }

    /// A grey progressive picture of 4,096 x 4,096 pixels in which each scan after the first has 30 bytes: 16 runs of
    /// 16,384 empty blocks. It refines each band of coefficients 13 times.
    static func jpegOfEmptyRuns(bands: [ClosedRange<UInt8>], orientation: UInt8 = 6) -> [UInt8] {
        let side: [UInt8] = [16, 0]
        var picture: [UInt8] = [0xFF, 0xD8] + exif(orientation: orientation)
        picture += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
        picture += segment(0xC2, [8] + side + side + [1, 1, 0x11, 0])
        picture += segment(0xC4, [0, 1] + [UInt8](repeating: 0, count: 16))
        picture += segment(0xC4, [0x10, 1, 1] + [UInt8](repeating: 0, count: 14) + [0xE0, 0])
        picture += segment(0xDA, [1, 1, 0, 0, 0, 0]) + [UInt8](repeating: 0, count: 32_768)
        for band in bands {
            for low in (0...13 as ClosedRange<UInt8>).reversed() {
                let steps = low == 13 ? 13 : (low + 1) << 4 | low
                picture += segment(0xDA, [1, 1, 0, band.lowerBound, band.upperBound, steps])
                picture += [UInt8](repeating: 0, count: 30)
            }
        }
        return picture + [0xFF, 0xD9]
    }

    /// EXIF with an orientation, and a place in Paris as GPS data.
    static func exif(orientation: UInt8) -> [UInt8] {
        var tiff: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
        tiff += [1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        tiff += [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38] + [0, 0, 0, 0]
        tiff += [0, 1, 0, 2, 0, 5, 0, 0, 0, 24] + number(48) + number(1) + number(51) + number(1) + [0, 0, 0, 0]
        return segment(0xE1, Array("Exif".utf8) + [0, 0] + tiff)
    }

    /// Width and height as the frame says.
    static func size(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
        for place in bytes.indices.dropLast(9)
        where bytes[place] == 0xFF && [0xC0, 0xC1, 0xC2].contains(bytes[place + 1]) {
            return (
                Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]), Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
            )
        }
        return nil
    }
}
