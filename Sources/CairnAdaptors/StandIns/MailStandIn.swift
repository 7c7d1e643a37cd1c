internal import Foundation

/// Writes each mail to a file of its own. The same mail again is the same file.
///
/// The local part of the recipient's address says what it imitates: `refused`, `slow` or `failing`.
struct MailStandIn: StandIn {
    let folder: String
    let sender: String
    let limit: Duration

    func answer(_ call: AdaptorCall) async -> AdaptorLine.Outcome {
        let recipient = call["to"]
        if let imitation = Imitation(rawValue: String(recipient.prefix { $0 != "@" })) {
            return await imitation.outcome(timeLimit: limit) ?? Self.refusal
        }
        guard call.action == "send", MailText.isAddress(recipient) else { return Self.refusal }
        let from = call["from"]
        let mail = MailText(
            id: call.id, from: from.isEmpty ? sender : from, to: recipient, subject: call["subject"],
            text: call["text"], date: call.number("date"))
        do {
            try write(mail.bytes, as: call.id)
            return .success(.done([:]))
        } catch {
            return .failure(.failed)
        }
    }

    private static let refusal = AdaptorLine.Outcome.success(
        .refused(code: "address_invalid", message: "the address takes no mail"))

    /// Readers see the whole file or none.
    private func write(_ bytes: [UInt8], as name: String) throws {
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/\(name).eml"
        let draft = "\(folder)/.\(name).\(UUID().uuidString)"
        guard files.createFile(atPath: draft, contents: Data(bytes), attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteUnknown)
        }
        guard rename(draft, path) == 0 else {
            try? files.removeItem(atPath: draft)
            throw CocoaError(.fileWriteUnknown)
        }
    }
}
