import CairnWire
import Foundation
import Testing

/// docs/protocol.md and docs/asyncapi.yaml are made from the schema, the tables and the golden messages.
@Suite struct ProtocolDocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../..").standardizedFileURL

    /// The documents, and the table of what a client may send in each field.
    @Test(arguments: ["generate-protocol-docs", "generate-bounds"])
    func documents_areWhatTheirSourcesGive(script: String) throws {
        let check = Process()
        let complaints = Pipe()
        check.executableURL = Self.root.appending(path: "scripts/\(script)")
        check.arguments = ["--check"]
        check.standardError = complaints
        try check.run()
        let said = complaints.fileHandleForReading.readDataToEndOfFile()
        check.waitUntilExit()
        #expect(check.terminationStatus == 0, "\(String(decoding: said, as: UTF8.self))")
    }

    @Test func document_namesEveryClosure() throws {
        // The script reads Swift as text; here it is the compiled tables that count.
        let text = try String(contentsOf: Self.root.appending(path: "docs/protocol.md"), encoding: .utf8)
        for closure in Closure.all {
            #expect(text.contains("| \(closure.code) | `\(closure.name)` |"), "\(closure.name)")
        }
    }
}
