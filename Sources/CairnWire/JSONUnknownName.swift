/// An unknown name in a JSON message: a newer client's, or a misspelling. The name alone is no error and is ignored.
/// When the request is refused, the refusal also mentions the name, because it may be the reason.
public struct JSONUnknownName: Hashable, Sendable {
    /// Line and column count from 1, columns in Unicode scalars.
    public let line: Int
    public let column: Int
    /// Names of the path from the outermost object to it, as they were sent, for instance `place.pose.positon`; at most
    /// 128 bytes.
    public let field: String
    /// The most similar name in the schema of the same object; nil = none is similar.
    public let nearest: String?

    /// Longer messages are not searched. No message written by hand is longer.
    public static let messageBytesMax = 2_048
    /// Most bytes that are decoded again, over all levels, to find the name.
    private static let decodedBytesMax = 8_192

    /// The first such name in a decoded message; nil = there is none, or it is in a list of objects. The effort is
    /// bounded for any message.
    public init?(in message: [UInt8]) {
        guard message.count <= Self.messageBytesMax, let found = message.withUnsafeBytes(Self.search) else {
            return nil
        }
        self = found
    }

    private init(_ place: JSONFault, nearest: String?) {
        line = place.line
        column = place.column
        field = place.field
        self.nearest = nearest
    }

    private static func search(_ bytes: UnsafeRawBufferPointer) -> Self? {
        var syntax = JSONSyntax(bytes)
        guard syntax.fault() == nil else { return nil }
        var trial = JSONTrial(bytes: bytes, options: WireJSON.strictOptions, budget: decodedBytesMax)
        guard let found = trial.search(syntax.members), let name = found.path.last, trial.isUnknown(found) else {
            return nil
        }
        let place = JSONFault(in: bytes, at: found.name.lowerBound, path: found.path, cause: "no such name")
        let known = KnownNames.inside(found.prefix + found.suffix)
        return Self(place, nearest: NearestName.of(String(name.prefix(64)), in: known))
    }

    /// Adds the name to the refusal of its message. A refusal after which the same request may succeed later, and one
    /// for a server bug, stays unchanged: the name is not the reason.
    public func explain(_ refusal: Refusal) -> Refusal {
        guard refusal.retryAfter == nil, refusal.code != .internal else { return refusal }
        var explained = refusal
        var details = ["line": "\(line)", "column": "\(column)", "name": field]
        details["nearest"] = nearest
        explained.details.merge(details) { told, _ in told }
        if refusal.details["name"] == nil {
            let said = refusal.text ?? Refusal.Text(english: refusal.message)
            let place = Refusal.Text("line \(line), column \(column)")
            explained.text =
                if let nearest {
                    Refusal.Text("\(said); \(place): there is no \"\(field)\", did you mean \"\(nearest)\"?")
                } else {
                    Refusal.Text("\(said); \(place): there is no \"\(field)\"")
                }
        }
        return explained
    }
}
