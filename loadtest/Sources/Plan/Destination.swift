import Foundation

/// The server that a crowd goes to, and how it is let in there.
struct Destination: Sendable {
    let endpoint: Endpoint
    /// PEM file of the certificates to trust over TLS; nil = the system's.
    var authorities: String?
    /// Sign-in tokens, one for each of the people; empty = names of their own, where the server lets anybody in.
    var tokens: [String] = []
    /// Somebody else's world: what the crowd leaves in it stays, unless it is taken away.
    var isKept = false

    /// Tokens from a file, a line each; blank lines and those that begin with # are none.
    static func tokens(in path: String, for people: Int) throws(Endpoint.Failure) -> [String] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw Endpoint.Failure(description: "--token-file \(path): the file cannot be read")
        }
        let tokens = text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }
            .filter { !$0.isEmpty && $0.first != "#" }.map { String($0.prefix { !$0.isWhitespace }) }
        guard tokens.count >= people else {
            throw Endpoint.Failure(
                description: "--token-file \(path): got \(tokens.count) tokens, wants one for each of \(people) people")
        }
        return Array(tokens.prefix(people))
    }
}
