/// MP3 (ISO/IEC 11172-3 and 13818-3, layer III): frames one behind the other. Tags before, behind and among them (ID3,
/// APE, Lyrics3), as files have that were joined, tell of people, places and devices: they are dropped, and nothing but
/// frames is kept.
enum MPEGAudio {
    /// Whether a content begins like one: with a tag, or with a frame.
    static func recognises(_ content: some Collection<UInt8>) -> Bool {
        if content.starts(with: "ID3".utf8) { return true }
        return Frame(Array(content.prefix(4))) != nil
    }

    static func cleaned(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        var (offset, count, output) = (0, 0, [UInt8]())
        output.reserveCapacity(bytes.count)
        while offset < bytes.count {
            if let frame = Frame(Array(bytes[offset..<min(offset + 4, bytes.count)])) {
                // The last frame may have been cut off.
                guard offset + frame.length <= bytes.count else { break }
                output += bytes[offset..<offset + frame.length]
                offset += frame.length
                count += 1
            } else if let length = passedOver(bytes[offset...]) {
                offset += length
            } else {
                break
            }
        }
        guard count >= framesMin else { throw .damaged("it has no \(framesMin) frames of MP3 one behind the other") }
        guard bytes.count - offset < Frame.lengthMax else { throw .damaged("something else is among its frames") }
        return output
    }

    /// Fewer are chance.
    private static let framesMin = 3

    // MARK: Tags

    /// Bytes of the tag, or of the zeros, with which this begins: 1 or more; nil = it begins with neither.
    private static func passedOver(_ rest: ArraySlice<UInt8>) -> Int? {
        let length: Int
        if rest.first == 0 {
            length = rest.prefix { $0 == 0 }.count
        } else if rest.starts(with: "ID3".utf8) {
            guard let found = id3Length(rest) else { return nil }
            length = found
        } else if rest.starts(with: "TAG".utf8) {
            length = rest.starts(with: "TAG+".utf8) ? 227 : 128
        } else if rest.starts(with: "APETAGEX".utf8) {
            guard let found = apeLength(rest) else { return nil }
            length = found
        } else if rest.starts(with: "LYRICSBEGIN".utf8) {
            length = lyricsLength(rest)
        } else {
            return nil
        }
        return min(length, rest.count)
    }

    /// An ID3v2 tag: its size is four times seven bits.
    private static func id3Length(_ rest: ArraySlice<UInt8>) -> Int? {
        let head = Array(rest.prefix(10))
        guard head.count == 10 else { return nil }
        let size = head[6...].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return 10 + size + (head[5] & 0x10 == 0 ? 0 : 10)
    }

    /// An APE tag by its head, which counts its entries and its foot; or a foot alone.
    private static func apeLength(_ rest: ArraySlice<UInt8>) -> Int? {
        let head = Array(rest.prefix(32))
        guard head.count == 32 else { return nil }
        let size = head[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
        return head[23] & 0x20 == 0 ? 32 : 32 + size
    }

    /// Lyrics3 up to the mark of its end.
    private static func lyricsLength(_ rest: ArraySlice<UInt8>) -> Int {
        for place in rest.indices.dropFirst(11) where rest[place] == UInt8(ascii: "L") {
            let tail = rest[place...]
            if tail.starts(with: "LYRICS200".utf8) || tail.starts(with: "LYRICSEND".utf8) {
                return place - rest.startIndex + 9
            }
        }
        return rest.count
    }

    /// The head of a frame.
    private struct Frame {
        /// Bytes, head included.
        let length: Int
        /// Longest of any bitrate and sampling rate.
        static let lengthMax = 2_882

        private static let bitrates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        private static let bitrates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        private static let rates = [44_100, 48_000, 32_000]

        init?(_ head: [UInt8]) {
            guard head.count == 4, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 else { return nil }
            let (version, layer) = (head[1] >> 3 & 3, head[1] >> 1 & 3)
            let (bitrate, rate) = (Int(head[2] >> 4), Int(head[2] >> 2 & 3))
            // 1 is reserved, layer 1 is III; bitrates 0 and 15 are free and forbidden.
            guard version != 1, layer == 1, (1...14).contains(bitrate), rate < 3 else { return nil }
            let isFirst = version == 3
            let bits = 1_000 * (isFirst ? Self.bitrates1[bitrate] : Self.bitrates2[bitrate])
            let hertz = Self.rates[rate] >> (isFirst ? 0 : version == 2 ? 1 : 2)
            length = (isFirst ? 144 : 72) * bits / hertz + Int(head[2] >> 1 & 1)
        }
    }
}
