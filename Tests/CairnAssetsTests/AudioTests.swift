@testable import CairnAssets
import Testing

/// Recorded audio is known by its content, and keeps nothing but what sounds (TRM-5, CMP-5).
@Suite("Audio")
struct AudioTests {
    private static let bounds = AssetBounds(pixelsMax: 1)

    /// MPEG-1 layer III, 128 kbit/s, 44.1 kHz: 417 bytes.
    private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0x55, count: 413)
    private static let frames = frame + frame + frame + frame

    private static func id3(_ text: String) -> [UInt8] {
        let body = Array(text.utf8)
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)] + body
    }

    private func fault(_ bytes: [UInt8]) -> AssetFault? {
        do throws(AssetFault) {
            _ = try CleanAsset(bytes, within: Self.bounds)
            return nil
        } catch {
            return error
        }
    }

    @Test func mp3_losesItsTags() throws {
        let v1 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
        let clean = try CleanAsset(Self.id3("Eve at home, 45.5 -73.57") + Self.frames + v1, within: Self.bounds)
        #expect(clean.type == .mp3 && clean.bytes == Self.frames)
    }

    @Test func mp3_ofSomethingElse_isDamaged() {
        #expect(fault(Self.id3("x") + Self.frame + [UInt8](repeating: 7, count: 5_000)) != nil)
        #expect(fault(Self.frames + [UInt8](repeating: 7, count: 5_000)) != nil)
        #expect(fault([0xFF, 0xFB, 0x90, 0x00]) != nil)
        #expect(fault([0xFF, 0xFB]) == .unknownType)
    }

    /// CRC-32 of RFC 3533 bit by bit, apart from the table of the code.
    private static func page(_ flags: UInt8, number: UInt8, _ body: [UInt8], serial: UInt8 = 9) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: body.count / 255)
        table.append(UInt8(body.count % 255))
        var page = Array("OggS".utf8) + [0, flags] + [UInt8](repeating: 0, count: 8) + [serial, 0, 0, 0]
        page += [number, 0, 0, 0] + [0, 0, 0, 0] + [UInt8(table.count)] + table + body
        var crc: UInt32 = 0
        for byte in page {
            for bit in (0..<8).reversed() {
                let isSet = (crc >> 31 ^ UInt32(byte >> UInt8(bit) & 1)) == 1
                crc = crc << 1 ^ (isSet ? 0x04C1_1DB7 : 0)
            }
        }
        for index in 0..<4 { page[22 + index] = UInt8(truncatingIfNeeded: crc >> UInt32(8 * index)) }
        return page
    }

    private static let head = page(2, number: 0, Array("OpusHead".utf8) + [1, 1, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0])
    private static let audio = page(4, number: 2, [UInt8](repeating: 3, count: 300))

    @Test func opus_losesItsComments() throws {
        let tags = Array("OpusTags".utf8) + Array("ENCODER=Eve's phone, 45.5 -73.57".utf8)
        let clean = try CleanAsset(Self.head + Self.page(0, number: 1, tags) + Self.audio, within: Self.bounds)
        let empty = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
        #expect(clean.type == .opus)
        #expect(clean.bytes == Self.head + Self.page(0, number: 1, empty) + Self.audio)
    }

    @Test func opusThatIsDamaged_isRefused() {
        let tags = Self.page(0, number: 1, Array("OpusTags".utf8))
        var broken = Self.head + tags + Self.audio
        broken[broken.count - 1] ^= 1
        #expect(fault(broken) == .damaged("a checksum is wrong"))
        #expect(fault(Self.head + tags) != nil && fault(Self.head + Self.audio) != nil)
        #expect(fault(Self.head + tags + Self.page(4, number: 2, [3], serial: 8)) != nil)
        #expect(fault(Array((Self.head + tags + Self.audio).dropLast(5))) != nil)
        #expect(fault(Array("OggS".utf8)) != nil)
    }
}
