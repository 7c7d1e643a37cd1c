internal import CQRCode
internal import CairnText

/// A QR code (ISO/IEC 18004), error correction level M, in bytes mode.
public struct QRPicture: Hashable, Sendable {
    /// Modules of each side, 21 to 177, without the quiet zone.
    public let side: Int
    /// Row by row; true = dark.
    public let isDark: [Bool]

    /// UTF-8 bytes of the longest text: version 40, level M.
    public static let textBytesMax = 2_331
    /// Light modules around the code (ISO/IEC 18004, 6.3.8).
    public static let quietZone = 4

    /// nil = the text is empty, longer than `textBytesMax`, has a zero byte, or there is no memory.
    public init?(of text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.textBytesMax, !text.utf8.contains(0) else { return nil }
        // The library's own, freed below; it is read before.
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        side = Int(code.pointee.width)
        // The lowest bit of each byte says the colour (qrencode.h).
        isDark = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
    }

    /// An SVG by itself: no script, no style, no link. Its unit is a module; the picture has the size of its place.
    /// - Parameter title: what a screen reader says.
    public func svg(title: String) -> String {
        let whole = side + 2 * Self.quietZone
        var path = ""
        for row in 0..<side {
            var column = 0
            while column < side {
                let length = isDark[(row * side + column)..<(row + 1) * side].prefix { $0 }.count
                if length > 0 { path += "M\(column + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z" }
                column += max(length, 1)
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(whole) \(whole)" role="img" \
            shape-rendering="crispEdges"><title>\(Escaping.markup(title))</title>\
            <path fill="#fff" d="M0 0h\(whole)v\(whole)H0z"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The code for a terminal of dark letters on light ground or light ones on dark: two modules in each character,
    /// one above the other, the light ones drawn, with the quiet zone.
    public var halfBlocks: [String] {
        let edge = Self.quietZone
        func isLight(_ row: Int, _ column: Int) -> Bool {
            guard (0..<side).contains(row), (0..<side).contains(column) else { return true }
            return !isDark[row * side + column]
        }
        return stride(from: -edge, to: side + edge, by: 2).map { row in
            String(
                (-edge..<side + edge).map { column -> Character in
                    switch (isLight(row, column), row + 1 < side + edge && isLight(row + 1, column)) {
                    case (true, true): "\u{2588}"
                    case (true, false): "\u{2580}"
                    case (false, true): "\u{2584}"
                    case (false, false): " "
                    }
                })
        }
    }
}
