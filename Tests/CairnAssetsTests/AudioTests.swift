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

    /// Recordings that somebody has put one behind the other: the whole is heard, and nothing is told.
    @Test func mp3_ofJoinedFiles_isWholeWithoutTheirTags() throws {
        let v1 = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
        let lyrics = Array("LYRICSBEGINEve at home000011LYRICS200".utf8)
        let size: [UInt8] = [48, 0, 0, 0], entry = [UInt8](repeating: 0x45, count: 16)
        let rest = size + [1, 0, 0, 0]
        let head = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0] + rest
        let unused = [UInt8](repeating: 0, count: 8)
        let ape = head + [0, 0, 0, 0xA0] + unused + entry + head + [0, 0, 0, 0x80] + unused
        let padding = [UInt8](repeating: 0, count: 3_000)
        for tags in [v1, Self.id3("45.5 -73.57"), ape, lyrics + v1, ape + v1 + Self.id3("x") + padding] {
            let joined = Self.frames + tags + Self.frames + tags + Self.frame + tags
            let clean = try CleanAsset(joined, within: Self.bounds)
            #expect(clean.bytes == Self.frames + Self.frames + Self.frame)
        }
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

    private static let silentTags = page(0, number: 1, Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8))

    /// Two recordings one behind the other, with the same serial number and with another: neither keeps its comments.
    @Test(arguments: [9, 8] as [UInt8])
    func opusOfJoinedFiles_losesAllComments(serial: UInt8) throws {
        let tags = Array("OpusTags".utf8) + Array("CONTACT=Eve, LOCATION=45.5 -73.57".utf8)
        let body = Array(Self.head.dropFirst(28))
        let second = { (comments: [UInt8]) in
            Self.page(2, number: 0, body, serial: serial) + Self.page(0, number: 1, comments, serial: serial)
                + Self.page(4, number: 2, [3, 4, 5], serial: serial)
        }
        let clean = try CleanAsset(
            Self.head + Self.page(0, number: 1, tags) + Self.audio + second(tags), within: Self.bounds)
        let none = Array("OpusTags".utf8) + [UInt8](repeating: 0, count: 8)
        #expect(clean.bytes == Self.head + Self.silentTags + Self.audio + second(none))
        // Comments without a beginning before them.
        let hidden = Self.head + Self.silentTags + Self.audio + Self.page(0, number: 3, tags)
        #expect(fault(hidden) == .damaged("it has comments among its sound"))
    }

    /// A recorder that was ended within a page, and bytes that are no page behind and among them.
    @Test func opusThatIsCutOff_isHeardAsFarAsItGoes() throws {
        let whole = Self.head + Self.silentTags + Self.audio
        let next = Self.page(4, number: 3, [UInt8](repeating: 5, count: 300))
        for count in [1, 20, 27, 200] {
            #expect(try CleanAsset(whole + next.prefix(count), within: Self.bounds).bytes == whole)
        }
        let junk = Array("OggX, OggS and more".utf8)
        #expect(try CleanAsset(whole + junk, within: Self.bounds).bytes == whole)
        #expect(try CleanAsset(whole + junk + next, within: Self.bounds).bytes == whole + next)
        let manyGaps = (0..<40).flatMap { _ in Array("OggS".utf8) + [UInt8](repeating: 0, count: 40) }
        #expect(fault(whole + manyGaps) != nil)
    }

    /// A sound page beyond a bound is no gap: the file is refused, and not taken without it.
    @Test func opusBeyondItsBounds_isRefused() throws {
        let whole = Self.head + Self.silentTags + Self.audio
        #expect(try OggOpus.cleaned(whole, pagesMax: 3) == whole)
        #expect(throws: AssetFault.damaged("it has too many pages")) {
            try OggOpus.cleaned(whole + Self.audio, pagesMax: 3)
        }
        // A page before the first that begins a stream.
        #expect(fault(Self.audio + whole) == .damaged("it is no stream of Opus"))
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
