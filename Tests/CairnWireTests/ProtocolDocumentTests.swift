import CairnWire
import Foundation
import Subprocess
import Testing

/// docs/protocol.md and docs/asyncapi.yaml are made from the schema, the tables and the golden messages.
@Suite struct ProtocolDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// The documents, and the table of what a client may send in each field.
    @Test(arguments: ["generate-protocol-docs", "generate-bounds"])
    func documents_areWhatTheirSourcesGive(script: String) async throws {
        let check = try await Subprocess.run(
            .name("python3"), arguments: [Self.root.appending(path: "scripts/\(script)").path, "--check"],
            output: .discarded, error: .string(limit: 1 << 20))
        #expect(check.terminationStatus.isSuccess, "\(check.standardError)")
    }

    @Test func document_namesEveryClosure() throws {
        // The script reads Swift as text; here it is the compiled tables that count.
        let text = try String(contentsOf: Self.root.appending(path: "docs/protocol.md"), encoding: .utf8)
        for closure in Closure.all {
            #expect(text.contains("| \(closure.code) | `\(closure.name)` |"), "\(closure.name)")
        }
    }
}
