import Foundation
import Testing

@Suite("Tidy: refusal codes")
struct RefusalCodeTests {
    /// Names of the codes that are declared, with the file.
    private static let declared: [(name: String, path: String)] = SourceTree.swift
        .filter { isTable($0.path) }
        .flatMap { file in
            file.lines.compactMap { line in
                line.code.firstMatch(of: /public static let `?(\w+)`? = Self\($/).map { (String($0.1), file.path) }
            }
        }

    private static func isTable(_ path: String) -> Bool {
        path.hasPrefix("Sources/CairnWire/") && path.contains("/Refusal.Code+")
    }

    @Test func codes_areFound() {
        #expect(Self.declared.contains { $0.name == "quotaArea" }, "the way codes are declared has changed")
    }

    /// A document that lists what never comes makes its readers handle it.
    @Test func everyCode_hasASender() {
        let senders = SourceTree.swift.filter { file in
            // To register a code is not to send it.
            file.path.hasPrefix("Sources/") && !Self.isTable(file.path) && !file.path.hasSuffix("+Refusals.swift")
                && !file.path.hasPrefix("Sources/CairnTesting/")
        }
        let texts = senders.map { $0.lines.map(\.code).joined(separator: "\n") }
        let orphans = Self.declared.filter { code in
            !texts.contains { text in
                text.ranges(of: ".\(code.name)").contains { range in
                    guard range.upperBound < text.endIndex else { return true }
                    let next = text[range.upperBound]
                    return !next.isLetter && !next.isNumber
                }
            }
        }
        expectNone(orphans.map { "\($0.path): \($0.name)" }, "A refusal code that nothing sends:")
    }
}
