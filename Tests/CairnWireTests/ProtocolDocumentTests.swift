import CairnWire
import Foundation
import Testing

/// docs/protocol.md is made by scripts/generate-protocol-docs; Tests/TreeTests/test_generated.py checks that it is.
@Suite struct ProtocolDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    @Test func document_namesEveryClosure() throws {
        // The script reads Swift as text; here it is the compiled tables that count.
        let text = try String(contentsOf: Self.root.appending(path: "docs/protocol.md"), encoding: .utf8)
        for closure in Closure.all {
            #expect(text.contains("| \(closure.code) | `\(closure.name)` |"), "\(closure.name)")
        }
    }
}
