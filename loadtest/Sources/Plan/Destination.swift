import Foundation

/// The server of a crowd, and the credentials for it.
struct Destination: Sendable {
    let endpoint: Endpoint
    /// PEM file of the certificates to trust over TLS; nil = the system's.
    var authorities: String?
    /// Sign-in tokens, one for each of the people; empty = sign-in by name, where the server accepts any name.
    var tokens: [String] = []
    /// Whether the world exists after the run, so that instances of the crowd stay unless they are removed.
    var isKept = false

    /// Tokens from a file, a line each; blank lines and lines that begin with # are skipped.
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
