internal import Foundation

/// Imitates a payment provider. Each charge is a file, so that it outlasts a crash of the server, as at a provider.
/// The same key is one charge, however often it comes.
///
/// The method says what it imitates: `standin-refused`, `standin-invalid`, `standin-slow`, `standin-failing`; and
/// `standin-lost`, which charges and loses the answer, and `standin-twice`, which charges twice under one key.
struct PaymentStandIn: StandIn {
    let folder: String
    let limit: Duration

    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        do {
            switch call.action {
            case "charge": return try await charge(call)
            case "settle": return try settle(call["key"])
            case "refund":
                _ = try claim("\(call["key"]).refund", saying: "refunded")
                return .success(.done([:]))
            default: return .failure(.failed)
            }
        } catch {
            return .failure(.failed)
        }
    }

    private func charge(_ call: AdaptorCall) async throws -> AdaptorLine.Outcome {
        switch call["method"] {
        case "standin-refused":
            return .success(.refused(code: "payment_declined", message: "the card was declined"))
        case "standin-invalid": return .success(.refused(code: "payment_invalid", message: "there is no such card"))
        case "standin-failing": return .failure(.failed)
        case "standin-lost":
            _ = try charge(call["key"])
            return .failure(.died)
        case "standin-slow":
            // The desk has given the call up by then, which a provider far away does not notice, and has mostly closed
            // the charge, also on a busy machine.
            let wait = limit * 8
            await Task.detached { try? await Task.sleep(for: wait) }.value
            return try charge(call["key"])
        case "standin-twice":
            _ = try charge(call["key"])
            return try charge(call["key"])
        default: return try charge(call["key"])
        }
    }

    private func charge(_ key: String) throws -> AdaptorLine.Outcome {
        try claim(key, saying: Self.charged) == Self.charged
            ? .success(.done(["charge": Self.name(of: key)]))
            : .success(.refused(code: "payment_declined", message: "the charge was closed"))
    }

    private func settle(_ key: String) throws -> AdaptorLine.Outcome {
        try claim(key, saying: Self.closed) == Self.charged
            ? .success(.done(["state": Self.charged, "charge": Self.name(of: key)]))
            : .success(.done(["state": Self.closed]))
    }

    private static let charged = "charged"
    private static let closed = "closed"

    /// A provider's name of a charge is not ours.
    private static func name(of key: String) -> String { "standin-\(key.prefix(16))" }

    /// Writes what becomes of a key, unless that is written already.
    /// - Returns: what is written.
    private func claim(_ key: String, saying word: String) throws -> String {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let (path, draft) = ("\(folder)/\(key)", "\(folder)/.\(key).\(UUID().uuidString)")
        guard
            files.createFile(atPath: draft, contents: Data(word.utf8), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        defer { try? files.removeItem(atPath: draft) }
        // The first one links; readers see the whole word.
        if link(draft, path) == 0 { return word }
        return try String(contentsOfFile: path, encoding: .utf8)
    }
}
