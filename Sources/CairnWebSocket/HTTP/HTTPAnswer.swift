public import CairnTime

/// What an HTTP request said; the transport takes no bodies.
public struct HTTPHead: Sendable {
    public let address: PeerAddress
    public let method: String
    public let path: String
    public let query: String
    public let host: String
    public let authorization: String
    public let cookie: String
    /// `If-None-Match`; empty when there is none, as all below.
    public var ifNoneMatch = ""
    public var range = ""
    public var ifRange = ""
    public var acceptEncoding = ""
    public var acceptLanguage = ""
    /// A browser sends it with every POST.
    public var origin = ""
    public var forwarding = Forwarding()
    public let isTLS: Bool

    /// A request as a peer made it.
    public init(
        address: PeerAddress, method: String, path: String, query: String = "", host: String = "",
        authorization: String = "", cookie: String = "", isTLS: Bool = false
    ) {
        self.address = address
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.authorization = authorization
        self.cookie = cookie
        self.isTLS = isTLS
    }
}

/// How a request is answered.
public enum HTTPAnswer: Sendable {
    /// At once: the answer is small and takes no time to make.
    case now(HTTPResponse)
    /// On the bulk lane, for what reads files or the database.
    case later(LaterAnswer)
}

/// An answer that is made on the bulk lane.
public struct LaterAnswer: Sendable {
    /// The client that it counts for among the answers under way; nil = unknown.
    public var client: PeerAddress?
    /// The account that it counts for, by a number of the caller's; nil = none.
    public var account: UInt64?
    /// Makes the answer; blocks neither a loop nor the cooperative pool.
    public var make: @Sendable () async -> HTTPResponse

    /// An answer that counts to nobody yet.
    public init(
        client: PeerAddress? = nil, account: UInt64? = nil, make: @escaping @Sendable () async -> HTTPResponse
    ) {
        self.client = client
        self.account = account
        self.make = make
    }
}

/// The answer to an `HTTPHead`: status, type, extra header lines and body.
public struct HTTPResponse: Sendable {
    public var status: Int
    public var contentType: String
    /// Extra header lines without their line ends.
    public var headers: [String]
    public var body: Body
    /// Of a body in pieces: given the bytes of a piece that is about to go out and the time, it says how long the piece
    /// has to wait; nil = never.
    public var pace: Pace?

    /// Paces a body.
    public typealias Pace = @Sendable (_ bytes: Int, _ now: MonotonicTime) -> Duration

    /// A body and where it comes from.
    public enum Body: Sendable {
        /// In memory, for pages of up to 64 KiB; what is larger is streamed all the same.
        case bytes([UInt8])
        /// Piece by piece.
        case stream(any BodySource)
    }

    /// A response whose body is in memory.
    public init(status: Int, contentType: String = "text/plain; charset=utf-8", headers: [String] = [], body: [UInt8]) {
        self.init(status: status, contentType: contentType, headers: headers, body: .bytes(body))
    }

    /// A response with any body.
    public init(status: Int, contentType: String, headers: [String], body: Body) {
        self.status = status
        self.contentType = contentType
        self.headers = headers
        self.body = body
    }

    /// The body, where it is short and in memory; else nil.
    public var shortBody: [UInt8]? {
        if case .bytes(let bytes) = body, bytes.count <= bodyPieceBytesMax { bytes } else { nil }
    }
}
