/// The content of a path, with its answers to requests: whole, a range, packed, or not modified (RFC 9110).
public struct HTTPContent: Sendable {
    /// With parameters, as it stands in the header.
    public var contentType: String
    /// Extra header lines.
    public var headers: [String]
    /// Names this state and no other, without quotes; nil = no state of it is ever the same.
    public var tag: String?
    private let body: Body

    private enum Body: Sendable {
        case bytes([UInt8], packed: [UInt8]?, brotli: [UInt8]?)
        case parts(byteCount: Int, source: @Sendable (Range<Int>) -> any BodySource)
        case produced(@Sendable () -> any BodySource)
    }

    /// Bytes that are in memory anyway. Packed here, once, when that makes them smaller.
    /// - Parameter brotli: the same, as Brotli has packed it ahead; for clients that can unpack it.
    public init(
        _ bytes: [UInt8], brotli: [UInt8]? = nil, contentType: String, headers: [String] = [], tag: String?
    ) {
        self.contentType = contentType
        self.headers = headers
        self.tag = tag
        let packed = Gzip.packed(bytes)
        body = .bytes(bytes, packed: packed.count < bytes.count ? packed : nil, brotli: brotli)
    }

    /// A file, sent as it is. Its own tag names it.
    public init(_ file: OpenFile, contentType: String, headers: [String] = []) {
        self.contentType = contentType
        self.headers = headers
        tag = file.tag
        body = .parts(byteCount: file.byteCount) { FileBody(file, part: $0) }
    }

    /// Bytes of which any part can be made, sent as they are.
    /// - Parameter source: makes a part.
    public init(
        byteCount: Int, contentType: String, headers: [String] = [],
        source: @escaping @Sendable (Range<Int>) -> any BodySource
    ) {
        self.contentType = contentType
        self.headers = headers
        tag = nil
        body = .parts(byteCount: byteCount, source: source)
    }

    /// Text that is made while it goes out, packed if the client wants that. It has no length and no ranges.
    public init(
        contentType: String, headers: [String] = [], producing source: @escaping @Sendable () -> any BodySource
    ) {
        self.contentType = contentType
        self.headers = headers
        tag = nil
        body = .produced(source)
    }

    /// The answer to a request.
    public func response(to head: HTTPHead) -> HTTPResponse {
        // A part is one of the plain bytes: nobody could put parts of two packings together.
        let mayBePacked = isPackable && (head.range.isEmpty || byteCount == nil)
        let brotli = mayBePacked && ContentCoding.wantsBrotli(head.acceptEncoding) ? brotli : nil
        let isPacked = mayBePacked && brotli == nil && ContentCoding.wantsGzip(head.acceptEncoding)
        let state = tag.map { EntityTag(opaque: brotli != nil ? $0 + "-br" : isPacked ? $0 + "-gzip" : $0) }
        var headers = headers
        if isPackable { headers.append("Vary: Accept-Encoding") }
        if let state {
            headers.append("ETag: \(state.field)")
            if state.matches(ifNoneMatch: head.ifNoneMatch) {
                return HTTPResponse(status: 304, contentType: contentType, headers: headers, body: [])
            }
        }
        if let brotli {
            headers.append("Content-Encoding: br")
            return HTTPResponse(status: 200, contentType: contentType, headers: headers, body: brotli)
        }
        if isPacked { return packed(headers + ["Content-Encoding: gzip"]) }
        guard let byteCount else {
            return HTTPResponse(status: 200, contentType: contentType, headers: headers, body: plain(0..<0))
        }
        headers.append("Accept-Ranges: bytes")
        let isFitting = state?.matches(ifRange: head.ifRange) ?? head.ifRange.isEmpty
        // Other methods than GET have no ranges (14.2).
        let range = head.method == "GET" && isFitting ? ByteRange(head.range, of: byteCount) : .whole
        switch range {
        case .whole:
            return HTTPResponse(status: 200, contentType: contentType, headers: headers, body: plain(0..<byteCount))
        case .part(let part):
            headers.append("Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(byteCount)")
            return HTTPResponse(status: 206, contentType: contentType, headers: headers, body: plain(part))
        case .unsatisfiable:
            headers.append("Content-Range: bytes */\(byteCount)")
            return HTTPResponse(status: 416, headers: headers, body: Array("there are \(byteCount) bytes\n".utf8))
        }
    }

    // MARK: Inside

    private var isPackable: Bool {
        switch body {
        case .bytes(_, let packed, let brotli): packed != nil || brotli != nil
        case .parts: false
        case .produced: true
        }
    }

    private var brotli: [UInt8]? {
        guard case .bytes(_, _, let brotli) = body else { return nil }
        return brotli
    }

    private var byteCount: Int? {
        switch body {
        case .bytes(let bytes, _, _): bytes.count
        case .parts(let byteCount, _): byteCount
        case .produced: nil
        }
    }

    private func plain(_ part: Range<Int>) -> HTTPResponse.Body {
        switch body {
        case .bytes(let bytes, _, _): .bytes(part.count == bytes.count ? bytes : Array(bytes[part]))
        case .parts(_, let source): .stream(source(part))
        case .produced(let source): .stream(source())
        }
    }

    private func packed(_ headers: [String]) -> HTTPResponse {
        let packed: HTTPResponse.Body =
            switch body {
            case .bytes(let bytes, let packed, _): .bytes(packed ?? bytes)
            case .produced(let source): .stream(GzipBody(source()))
            case .parts: plain(0..<0)
            }
        return HTTPResponse(status: 200, contentType: contentType, headers: headers, body: packed)
    }
}
