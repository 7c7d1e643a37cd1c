internal import CWebSockets
internal import Foundation

/// A certificate that a server has signed with its own key. Browsers warn of it once, because nobody else vouches for
/// it; after that the connection is as good as any other over TLS.
public enum OwnCertificate {
    /// Within what all browsers take; Apple's systems refuse more than 825 days.
    static let validDays = 397
    /// With less than this left a server that starts makes another.
    static let spareDays = 30

    private static let daySeconds = 86_400

    /// The certificate and its key, as PEM. Nil = this machine has no randomness, or a name is none.
    /// - Parameter names: host names and addresses by which clients reach the server.
    public static func make(for names: [String]) -> String? { make(for: names, validDays: validDays) }

    static func make(for names: [String], validDays: Int) -> String? {
        withList(names) { list in
            guard let text = cws_certificate_make(list, validDays * daySeconds) else { return nil }
            defer { free(text) }
            return String(cString: text)
        }
    }

    /// Whether the file has such a certificate, with its key, for all these names and for some time to come.
    public static func fits(_ path: String, for names: [String]) -> Bool {
        withList(names) { cws_certificate_fits(path, $0, spareDays * daySeconds) != 0 }
    }

    private static func withList<Result>(
        _ names: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
        let copies = names.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { list in
            // Not empty: it ends with nil.
            guard let first = list.baseAddress else { preconditionFailure("a list without its end") }
            return body(first)
        }
    }
}
