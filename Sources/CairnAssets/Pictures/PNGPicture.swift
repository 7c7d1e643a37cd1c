internal import CZlib

/// PNG (ISO/IEC 15948): chunks of a length, a name of four letters, data and a CRC.
///
/// Kept are the chunks that show the picture and its colours. Texts, times, animation and unknown ancillary chunks are
/// dropped; of EXIF the orientation stays, and of colour profiles the one that phones write (`DisplayP3`), both written
/// anew. The image data are inflated and compared with the size that the header promises, so that no bomb is stored; at
/// most 64 KiB of them are in memory. What browsers pass over is passed over: ancillary chunks with a wrong checksum,
/// bytes behind the image data's end, and whatever is wrong behind the image data.
enum PNGPicture {
    static let mark: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Chunks before the image data that are kept, and their lengths.
    private static let kept: [String: ClosedRange<Int>] = [
        "PLTE": 3...768, "tRNS": 1...256, "gAMA": 4...4, "cHRM": 32...32, "sRGB": 1...1, "iCCP": 4...16_384,
    ]
    /// Most chunks in one file. A chunk has at least 12 bytes; no encoder comes near this number.
    private static let chunksMax = 65_536

    static func cleaned(_ bytes: [UInt8], within bounds: AssetBounds) throws(AssetFault) -> [UInt8] {
        var reader = ContentReader(bytes[...])
        _ = try reader.take(mark.count)
        guard let first = try next(&reader, isImageThere: false), first.name == "IHDR" else {
            throw .damaged("it does not begin with a header")
        }
        let header = try PNGHeader(first.data, within: bounds)
        var output = mark
        output.reserveCapacity(bytes.count)
        append("IHDR", first.data, to: &output)
        var before: Set<String> = []
        var image: [ArraySlice<UInt8>] = []
        var (isImageOver, hasProfile, orientation, chunks) = (false, false, 1, 0)
        while let chunk = try next(&reader, isImageThere: !image.isEmpty) {
            chunks += 1
            guard chunks <= chunksMax else { throw .damaged("it has too many chunks") }
            if chunk.name == "IDAT" {
                guard !isImageOver else { throw .damaged("its image data are not in one piece") }
                guard header.palette != .needed || before.contains("PLTE") else { throw .damaged("it has no palette") }
                image.append(chunk.data)
                continue
            }
            isImageOver = !image.isEmpty
            guard chunk.isSound else { continue }
            if chunk.name == "eXIf", let found = EXIFOrientation.read(tiff: Array(chunk.data)) { orientation = found }
            guard let lengths = kept[chunk.name] else {
                guard chunk.isAncillary else { throw .damaged("it has an unknown critical chunk") }
                continue
            }
            // A chunk in a wrong place or of a wrong length says nothing.
            guard !isImageOver, lengths.contains(chunk.data.count), before.insert(chunk.name).inserted else { continue }
            // A picture has one space.
            guard try isWanted(chunk, header, before), chunk.name != "sRGB" || !hasProfile else { continue }
            if chunk.name == "iCCP" { hasProfile = true }
            append(chunk.name, chunk.name == "iCCP" ? DisplayP3.chunk[...] : chunk.data, to: &output)
        }
        guard !image.isEmpty else { throw .damaged("it has no image data") }
        let imageBytes = try header.check(image)
        if orientation > 1 { append("eXIf", EXIFOrientation.tiff(orientation), to: &output) }
        append("IDAT", image.joined().prefix(imageBytes), to: &output)
        append("IEND", [], to: &output)
        return output
    }

    private static func isWanted(
        _ chunk: Chunk, _ header: PNGHeader, _ before: Set<String>
    ) throws(AssetFault) -> Bool {
        switch chunk.name {
        case "PLTE":
            guard chunk.data.count.isMultiple(of: 3), chunk.data.count / 3 <= header.coloursMax else {
                throw .damaged("its palette has a wrong length")
            }
            return header.palette != .forbidden
        case "tRNS":
            return header.transparencyBytes.map { $0 == chunk.data.count } ?? before.contains("PLTE")
        // Chunks about colours come before the palette.
        case "iCCP":
            return !before.contains("PLTE") && !before.contains("sRGB") && header.palette != .forbidden
                && DisplayP3.isIn(chunk: chunk.data)
        default: return !before.contains("PLTE")
        }
    }

    // MARK: Chunks

    private struct Chunk {
        let name: String
        let data: ArraySlice<UInt8>
        /// Whether a program may pass over it (bit 5 of the first letter).
        let isAncillary: Bool
        /// Whether its checksum is right.
        let isSound: Bool
    }

    /// The next chunk; nil = the picture is over.
    /// - Parameter isImageThere: whether image data have come: behind them anything may be missing or wrong.
    private static func next(_ reader: inout ContentReader, isImageThere: Bool) throws(AssetFault) -> Chunk? {
        do throws(AssetFault) {
            let chunk = try chunk(&reader)
            guard chunk.isSound || chunk.isAncillary else { throw .damaged("a checksum is wrong") }
            return chunk.name == "IEND" ? nil : chunk
        } catch {
            guard isImageThere else { throw error }
            return nil
        }
    }

    private static func chunk(_ reader: inout ContentReader) throws(AssetFault) -> Chunk {
        let length = try reader.long()
        let name = try reader.take(4)
        guard name.allSatisfy({ (65...90).contains($0 & ~0x20) }) else { throw .damaged("a chunk has no name") }
        let data = try reader.take(length)
        let sum = UInt32(try reader.long())
        return Chunk(
            name: String(decoding: name, as: UTF8.self), data: data, isAncillary: (name.first ?? 0) & 0x20 != 0,
            isSound: sum == checksum(name, data))
    }

    private static func append(_ name: String, _ data: some Sequence<UInt8>, to output: inout [UInt8]) {
        let start = output.count
        output += [0, 0, 0, 0]
        output += name.utf8
        output += data
        let length = output.count - start - 8
        for index in 0..<4 { output[start + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
        let sum = checksum(output[(start + 4)...], [])
        for index in 0..<4 { output.append(UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index))) }
    }

    private static func checksum(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> UInt32 {
        var sum = crc32(0, nil, 0)
        for part in [first, second] where !part.isEmpty {
            sum = part.withUnsafeBufferPointer { crc32(sum, $0.baseAddress, UInt32($0.count)) }
        }
        return UInt32(truncatingIfNeeded: sum)
    }
}
