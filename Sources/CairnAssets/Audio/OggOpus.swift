/// Opus in Ogg (RFC 3533, RFC 7845): pages of one stream, or of several one behind the other. The pages of comments
/// tell of people, places and devices: each is replaced by one without any; all others are kept. What players pass over
/// is passed over: a last page that is cut off, and bytes that are no page.
enum OggOpus {
    static let mark = Array("OggS".utf8)
    /// Most pages of one file: an hour of audio has some 3,600.
    private static let pagesMax = 65_536
    /// How often bytes that are no page are passed over; looking for the next one has its cost.
    private static let gapsMax = 16

    static func cleaned(_ bytes: [UInt8], pagesMax: Int = OggOpus.pagesMax) throws(AssetFault) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        for stream in try streams(in: bytes, pagesMax: pagesMax) { try append(stream, of: bytes, to: &output) }
        return output
    }

    /// The pages of each stream. A stream begins with a page that says so (RFC 3533, 4).
    private static func streams(in bytes: [UInt8], pagesMax: Int) throws(AssetFault) -> [[Page]] {
        var (streams, count, gaps, start) = ([[Page]](), 0, 0, Optional(0))
        var fault: AssetFault?
        while let offset = start, offset < bytes.count {
            let page: Page
            do throws(AssetFault) {
                page = try Page(bytes, at: offset)
            } catch {
                fault = fault ?? error
                gaps += 1
                guard gaps <= gapsMax else { throw error }
                start = nextMark(in: bytes, behind: offset)
                continue
            }
            count += 1
            guard count <= pagesMax else { throw .damaged("it has too many pages") }
            if page.flags & 2 != 0 { streams.append([]) }
            guard !streams.isEmpty else { throw .damaged("it is no stream of Opus") }
            streams[streams.count - 1].append(page)
            start = offset + page.length
        }
        // A stream that has nothing to be heard is no cut recording.
        if let fault, streams.last.map({ $0.count < 3 }) ?? true { throw fault }
        guard !streams.isEmpty else { throw .damaged("it is no stream of Opus") }
        return streams
    }

    /// Where the next page may begin.
    private static func nextMark(in bytes: [UInt8], behind offset: Int) -> Int? {
        var place = offset + 1
        while let found = bytes[place...].firstIndex(of: mark[0]) {
            if bytes[found...].starts(with: mark) { return found }
            place = found + 1
        }
        return nil
    }

    private static func append(_ pages: [Page], of bytes: [UInt8], to output: inout [UInt8]) throws(AssetFault) {
        guard let first = pages.first, first.body(in: bytes).starts(with: "OpusHead".utf8), first.table.count == 1
        else { throw .damaged("it is no stream of Opus") }
        guard pages.allSatisfy({ $0.serial == first.serial }) else { throw .damaged("it has several streams") }
        // The comments end with the page on which they end (RFC 7845, 3).
        guard let last = pages.dropFirst().firstIndex(where: { $0.table.contains { $0 < 255 } }),
            pages[1].body(in: bytes).starts(with: "OpusTags".utf8), pages[last].table.last != 255,
            pages[last].table.count(where: { $0 < 255 }) == 1, last + 1 < pages.count
        else { throw .damaged("it has no comments in their place") }
        let sound = pages[(last + 1)...]
        guard sound.allSatisfy({ !$0.body(in: bytes).starts(with: "OpusTags".utf8) }) else {
            throw .damaged("it has comments among its sound")
        }
        output += first.bytes(first.body(in: bytes), number: 0)
        let comments = Array("OpusTags".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
        output += Page(flags: 0, granule: [UInt8](repeating: 0, count: 8), serial: first.serial, body: comments)
            .bytes(comments[...], number: 1)
        for (number, page) in sound.enumerated() {
            output += page.bytes(page.body(in: bytes), number: UInt32(number + 2))
        }
    }

    /// A page: its head, and where its body is.
    private struct Page {
        let flags: UInt8
        private let granule: [UInt8]
        let serial: [UInt8]
        /// Lengths of segments; a packet ends with one below 255.
        let table: [UInt8]
        private let bodyStart: Int
        private let bodyLength: Int
        let length: Int

        init(_ bytes: [UInt8], at start: Int) throws(AssetFault) {
            guard start + 27 <= bytes.count, bytes[start..<start + 4].elementsEqual(mark), bytes[start + 4] == 0 else {
                throw .damaged("a page does not begin where the one before ends")
            }
            let count = Int(bytes[start + 26])
            guard start + 27 + count <= bytes.count else { throw .damaged("a page is cut off") }
            (flags, granule) = (bytes[start + 5], Array(bytes[start + 6..<start + 14]))
            serial = Array(bytes[start + 14..<start + 18])
            table = Array(bytes[start + 27..<start + 27 + count])
            bodyStart = start + 27 + count
            bodyLength = table.reduce(0) { $0 + Int($1) }
            length = 27 + count + bodyLength
            guard start + length <= bytes.count else { throw .damaged("a page is cut off") }
            var page = Array(bytes[start..<start + length])
            for index in 22..<26 { page[index] = 0 }
            guard OggOpus.checksum(page).elementsEqual(bytes[start + 22..<start + 26]) else {
                throw .damaged("a checksum is wrong")
            }
        }

        init(flags: UInt8, granule: [UInt8], serial: [UInt8], body: [UInt8]) {
            (self.flags, self.granule, self.serial) = (flags, granule, serial)
            (table, bodyStart, bodyLength) = ([UInt8(body.count)], 0, body.count)
            length = 28 + body.count
        }

        func body(in bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[bodyStart..<bodyStart + bodyLength] }

        func bytes(_ body: ArraySlice<UInt8>, number: UInt32) -> [UInt8] {
            var page = mark + [0, flags] + granule + serial
            page += (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * UInt32($0))) }
            page += [0, 0, 0, 0, UInt8(table.count)] + table + body
            page.replaceSubrange(22..<26, with: OggOpus.checksum(page))
            return page
        }
    }

    /// The CRC of RFC 3533, least byte first.
    private static func checksum(_ page: [UInt8]) -> [UInt8] {
        var crc: UInt32 = 0
        for byte in page { crc = crc << 8 ^ crcs[Int(UInt8(truncatingIfNeeded: crc >> 24) ^ byte)] }
        return (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * UInt32($0))) }
    }

    private static let crcs: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index) << 24) { crc, _ in crc & 0x8000_0000 == 0 ? crc << 1 : crc << 1 ^ 0x04C1_1DB7 }
    }
}
