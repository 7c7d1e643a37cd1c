import Testing

/// What the compiler cannot check says why it is right, where it stands.
@Suite("Tidy: unsafe")
struct UnsafeTests {
    @Test func whatTheCompilerCannotCheck_hasItsReasonBesideIt() {
        let markers = [
            "@unchecked Sendable", "nonisolated(unsafe)", "unowned(unsafe)", "try!", "as!", "unsafeBitCast",
            "Unmanaged",
            "assumingMemoryBound", "unsafeDowncast", "@preconcurrency",
        ]
        var places: [String] = []
        for file in SourceTree.swift {
            for (index, line) in file.lines.enumerated() {
                let found = markers.first { line.code.contains($0) }
                if let found, !file.hasReason(at: index) { places.append("\(file.place(line)) \(found)") }
            }
        }
        expectNone(places, "Without a reason on the same, the previous or the next line:")
    }

    @Test func keptPointers_haveTheirReasonBesideThem() {
        var places: [String] = []
        for file in SourceTree.swift where !file.path.hasPrefix("Tests/") {
            for (index, line) in file.lines.enumerated() {
                let words = line.code.split { $0 == " " }
                let isProperty = words.contains("let") || words.contains("var")
                // Indented by one level, or by two in a nested type: a local variable is not kept.
                let depth = line.code.prefix { $0 == " " }.count
                let isKept = isProperty && depth <= 8 && line.code.contains(": Unsafe") && !line.code.contains("=")
                if isKept && !file.hasReason(at: index) { places.append(file.place(line)) }
            }
        }
        expectNone(places, "A pointer is kept without saying why it stays good:")
    }

    /// A pointer that a function is lent, as a parameter or in a `withUnsafe...` closure, is good until it returns.
    @Test func pointersMadeOrCast_areExplainedInTheirParagraph() {
        let makers = ["Pointer(", "Pointer<", ".allocate(", "bindMemory", "withMemoryRebound", ".advanced(by:"]
        var places: [String] = []
        for file in SourceTree.swift where !file.path.hasPrefix("Tests/") {
            for (index, line) in file.lines.enumerated() {
                let code = line.code.replacing("withUnsafeMutableBufferPointer", with: "lend")
                    .replacing("withUnsafeBufferPointer", with: "lend")
                let isLent = code.contains("func ") || code.contains("init(") || code.contains(": Unsafe")
                let isMade = makers.contains { code.contains($0) } && !isLent
                if isMade && !file.hasCommentInParagraph(of: index) { places.append(file.place(line)) }
            }
        }
        expectNone(places, "An unsafe pointer is made or cast with no comment in its block of lines:")
    }

    /// On Linux it traps for a path of one character. `String.parentDirectory` and URLs do not.
    @Test func foundationsParentOfAPath_isNotAskedFor() {
        let places = SourceTree.swift.filter { !$0.path.hasPrefix("Tests/") }.flatMap { file in
            file.lines.filter { $0.code.replacing("Component()", with: "").contains(".deletingLastPathComponent") }
                .map(file.place)
        }
        expectNone(places, "A path's directory is asked of NSString:")
    }
}
