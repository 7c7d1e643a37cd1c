import Testing

@Suite("Tidy: features")
struct FeatureTests {
    /// A kind of message, and the feature whose command has its body.
    private struct Kind {
        let name: String
        let feature: String
    }

    private static let kinds: [Kind] = SourceTree.swift.filter { $0.target == "CairnFeatures" }.flatMap { file in
        let feature = String(file.path.split(separator: "/").dropFirst(2).first ?? "")
        return file.lines.compactMap { line -> Kind? in
            guard line.text.hasBytes(of: "init(_ body: Wire"),
                let match = line.text.firstMatch(of: /init\(_ body: Wire(\w+)\)/)
            else { return nil }
            // As Swift calls the body's case: `sendFeedback` for `WireSendFeedback`.
            return Kind(name: match.1.prefix(1).lowercased() + match.1.dropFirst(), feature: feature)
        }
    }

    /// The kinds that a word may name: `place` and `WirePlace`.
    private static let kindsByWord = Dictionary(
        grouping: kinds.flatMap { [(word: $0.name, kind: $0), (word: wireType(of: $0.name), kind: $0)] },
        by: \.word
    ).mapValues { $0.map(\.kind) }

    /// The engine, which knows features by the register alone.
    private static let core: Set<String> = ["CairnCore", "CairnOperators", "CairnRoot", "CairnServer"]

    @Test func kinds_areFound() {
        #expect(Self.kinds.contains { $0.name == "place" }, "the way kinds are declared has changed; so must this test")
    }

    /// Invariant 6.
    @Test func noKind_isNamedOutsideItsFeature() {
        var places: [String] = []
        for file in SourceTree.swift {
            let isCore = Self.core.contains(file.target ?? "")
            let feature =
                file.target == "CairnFeatures" ? String(file.path.split(separator: "/").dropFirst(2).first ?? "") : ""
            guard isCore || file.target == "CairnFeatures" else { continue }
            for line in file.lines {
                let words = line.text.words
                let hit = words.lazy.flatMap { Self.kindsByWord[$0] ?? [] }
                    .first { $0.feature != feature && Self.names($0.name, in: line) }
                if let hit { places.append("\(file.place(line)) names \(hit.name) of \(hit.feature)") }
            }
        }
        expectNone(places, "A message kind is named outside its feature (invariant 6):")
    }

    /// A number stands in the schema, and what is made from it (scripts/generate-requests).
    @Test func noNumberOfAKind_isTypedByHand() {
        let places = SourceTree.swift.filter { $0.path.hasPrefix("Sources/") }.flatMap { file in
            file.lines.filter { line in
                line.text.hasBytes(of: "MessageKind(field:") && line.code.contains(/MessageKind\(field: *\d/)
            }.map { file.place($0) }
        }
        expectNone(places, "A field number of the envelope is typed by hand:")
    }

    @Test func everyFeature_isRegisteredAndTestedAndHasItsSchema() {
        let features = Set(
            SourceTree.paths.compactMap { path -> String? in
                let parts = path.split(separator: "/").map(String.init)
                return parts.count > 3 && parts[0] == "Sources" && parts[1] == "CairnFeatures" ? parts[2] : nil
            })
        let register = SourceTree.text(of: "Sources/CairnFeatures/Features.swift")
        var places: [String] = []
        for feature in features.sorted() {
            if !register.contains("\(feature).self") { places.append("\(feature) is not in Features.swift") }
            if !SourceTree.paths.contains(where: { $0.hasPrefix("Tests/CairnFeaturesTests/\(feature)") }) {
                places.append("\(feature) has no tests in Tests/CairnFeaturesTests/\(feature)")
            }
            if !SourceTree.paths.contains("proto/cairn/v1/\(feature.lowercased()).proto") {
                places.append("\(feature) has no proto/cairn/v1/\(feature.lowercased()).proto")
            }
        }
        expectNone(places, "A feature is its folder, its tests, its schema and its line in the register:")
    }

    @Test func everySetting_isReadSomewhere() {
        var unused = Exceptions.unreadSettings
        let readers = SourceTree.swift.filter { file in
            Self.core.contains(file.target ?? "")
                || file.target == "CairnFeatures" && !file.path.hasSuffix("Settings.swift")
        }
        // The words behind a dot.
        let read = Set(
            readers.flatMap(\.lines).flatMap { line in
                line.code.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).dropFirst()
                    .map { String(decoding: $0.prefix(while: String.isInWord), as: UTF8.self) }
            })
        var section = ""
        var places: [String] = []
        for line in SourceTree.text(of: "config/cairn.yaml").split(separator: "\n") {
            guard let colon = line.firstIndex(of: ":"), !line.drop(while: \.isWhitespace).hasPrefix("#") else {
                continue
            }
            let word = line[..<colon].drop { $0 == " " }
            guard line.first == " " else {
                section = String(word)
                continue
            }
            let key = "\(section).\(word)"
            guard !read.contains(String(word)) else { continue }
            if unused.removeValue(forKey: key) == nil { places.append("\(key) is read by nothing") }
        }
        places += unused.keys.sorted().map { "\($0) no longer needs its exception" }
        expectNone(places, "A setting promises what nothing does:")
    }

    /// `.place` where it can be a member of `MessageKind` or a case of a message's body, `WirePlace`, or `"place"`.
    private static func wireType(of kind: String) -> String {
        "Wire" + kind.prefix(1).uppercased() + kind.dropFirst()
    }

    private static func names(_ kind: String, in line: SourceFile.Line) -> Bool {
        let type = wireType(of: kind)
        let words = line.words
        if words.contains(type) || line.text.contains("\"\(kind)\"") { return true }
        return line.code.ranges(of: "." + kind).contains { range in
            if let next = line.code[range.upperBound...].first, next.isLetter || next.isNumber || next == "_" {
                return false
            }
            let before = line.code[..<range.lowerBound]
            if before.hasSuffix("MessageKind") { return true }
            // A member of a value, such as `list.remove(at:)`, is something else; so is a chain's next line.
            guard let last = before.last, before.contains(where: { !$0.isWhitespace }) else { return false }
            return !last.isLetter && !last.isNumber && !"_)]}?!>".contains(last)
        }
    }
}
