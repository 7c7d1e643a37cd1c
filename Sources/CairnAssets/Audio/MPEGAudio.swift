/// MP3 (ISO/IEC 11172-3 and 13818-3, layer III): frames one behind the other. Tags before and behind them (ID3, APE)
/// tell of people, places and devices: they are dropped, and nothing but frames is kept.
enum MPEGAudio {
    /// Whether a content begins like one: with a tag, or with a frame.
    static func recognises(_ content: some Collection<UInt8>) -> Bool {
        if content.starts(with: "ID3".utf8) { return true }
        return Frame(Array(content.prefix(4))) != nil
    }

    static func cleaned(_ bytes: [UInt8]) throws(AssetFault) -> [UInt8] {
        var start = 0
        while let length = tagLength(bytes, at: start) { start += length }
        var (offset, count) = (start, 0)
        while offset < bytes.count, let frame = Frame(Array(bytes[offset..<min(offset + 4, bytes.count)])) {
            // The last frame may have been cut off.
            guard offset + frame.length <= bytes.count else { break }
            offset += frame.length
            count += 1
        }
        guard count >= framesMin else { throw .damaged("it has no \(framesMin) frames of MP3 one behind the other") }
        let rest = bytes.count - offset
        guard rest < Frame.lengthMax || isTag(bytes[offset...]) else {
            throw .damaged("something else is among its frames")
        }
        return Array(bytes[start..<offset])
    }

    /// Fewer are chance.
    private static let framesMin = 3

    /// An ID3v2 tag: its size is four times seven bits.
    private static func tagLength(_ bytes: [UInt8], at start: Int) -> Int? {
        guard start + 10 <= bytes.count, bytes[start..<start + 3].elementsEqual("ID3".utf8) else { return nil }
        let size = bytes[start + 6..<start + 10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return min(10 + size + (bytes[start + 5] & 0x10 == 0 ? 0 : 10), bytes.count - start)
    }

    private static func isTag(_ rest: ArraySlice<UInt8>) -> Bool {
        rest.starts(with: "TAG".utf8) || rest.starts(with: "APETAGEX".utf8) || rest.starts(with: "LYRICSBEGIN".utf8)
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
