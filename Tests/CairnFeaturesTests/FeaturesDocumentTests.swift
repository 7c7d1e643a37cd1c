import CairnCore
import CairnWire
import Foundation
import Testing

@testable import CairnFeatures

/// docs/protocol.md says of requests and notifications what the server does (ENG-5).
@Suite("Features: the protocol's document")
struct FeaturesDocumentTests {
    private static let document: String = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        return (try? String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)) ?? ""
    }()

    /// The lines of the table of requests, by kind: `| kind | what for | success | key |`.
    private static let keys: [String: String] = {
        var keys: [String: String] = [:]
        for line in document.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 4, let key = cells.last, key == "yes" || key == "no" else { continue }
            keys[cells[0]] = key
        }
        return keys
    }()

    @Test func document_saysWhichRequestsNeedAKey() {
        let commands = Features.features.flatMap { $0.commands }
        #expect(commands.count > 50)
        for command in commands {
            let said = Self.keys["`\(command.kind.name)`"]
            #expect(said == (command.isChange ? "yes" : "no"), "\(command.kind.name)")
        }
    }

    @Test func document_namesEveryKindOfNotification() {
        for kind in NotificationKind.all {
            #expect(Self.document.contains("`\(kind.name.text)`"), "\(kind.name.text)")
        }
    }
}
