import Testing

/// What is a feature's stands in folders of its name, in whichever module: a second feature like it changes nothing
/// else.
@Suite("Tidy: features own what is theirs")
struct FeatureFolderTests {
    /// What a feature is known by: its name, and the messages of its schema.
    private struct Feature {
        let name: String
        /// `reaction` for `Reactions`; found where a word begins, in comments too.
        let stem: String
        let types: Set<String>

        init(_ name: String) {
            self.name = name
            let plural = name.lowercased()
            let singular = plural.last == "s" ? String(plural.dropLast()) : plural
            stem = FeatureFolderTests.otherWords.contains(singular) ? plural : singular
            let schema = SourceTree.text(of: "proto/cairn/v1/\(name.lowercased()).proto")
            types = Set(
                schema.matches(of: /(?m)^message (\w+)/).map { "Wire\($0.1)" }
                    .filter { !FeatureFolderTests.shared.contains($0) })
        }

        func isNamed(in file: SourceFile) -> Bool {
            let hasOwnWord = !FeatureFolderTests.coreWords.contains(name)
            return file.lines.contains { line in
                (hasOwnWord && begins(in: line.text)) || line.words.contains(where: types.contains)
            }
        }

        /// `replacement` is no placement, but `lastPlacement` is one.
        private func begins(in text: String) -> Bool {
            let capital = stem.prefix(1).uppercased() + stem.dropFirst()
            guard text.hasBytes(of: stem) || text.hasBytes(of: capital) else { return false }
            let isWord = text.ranges(of: stem).contains { range in
                range.lowerBound == text.startIndex || !text[text.index(before: range.lowerBound)].isLetter
            }
            return isWord || text.contains(capital)
        }
    }

    /// Words that mean something else as well: work is posted to a loop. Such a feature is known by its plural.
    private static let otherWords: Set<String> = ["post"]

    /// Features whose words are the core's: homes of sub-realms and tours, rights to them, and privacy that is for
    /// friends. They are known by their messages alone.
    private static let coreWords: Set<String> = ["Friends", "Realms", "Tours"]

    /// Messages that homes and views are made of, whatever features there are.
    private static let shared: Set<String> = ["WireInstance", "WireSelected"]

    private static let features: [Feature] = Set(
        SourceTree.paths.compactMap { path -> String? in
            let parts = path.split(separator: "/").map(String.init)
            return parts.count > 3 && parts[0] == "Sources" && parts[1] == "CairnFeatures" ? parts[2] : nil
        }
    ).sorted().map(Feature.init)

    @Test func features_areFoundWithTheirMessages() {
        #expect(Self.features.contains { $0.stem == "reaction" && $0.types.contains("WireReactionSet") })
    }

    /// The registers name features; that is what they are for.
    private static func isRegister(_ path: String) -> Bool {
        path.hasSuffix("/Features.swift") || path.hasSuffix("/ClientFeatures.swift")
            || path.hasSuffix("/OperatorFeatures.swift") || path.hasSuffix("/TestingFeatures.swift")
    }

    /// The message that each body of the envelope and each change of an event is: `WirePlace` for `place`.
    private static let bodies: [Substring: String] = ["envelope", "view"].reduce(into: [:]) { bodies, name in
        let schema = SourceTree.text(of: "proto/cairn/v1/\(name).proto")
        // Members of a oneof, which are indented twice.
        for match in schema.matches(of: /(?m)^    (\w+) (\w+) = \d+;/) { bodies[match.2] = "Wire" + match.1 }
    }

    @Test func goldenMessages_standInTheFoldersOfTheirFeatures() {
        let root = "Tests/CairnWireTests/Golden/"
        var places: [String] = []
        for path in SourceTree.paths where path.hasPrefix(root) && path.hasSuffix(".json") {
            // `Placements/server/reply.placed.json` is of Placements, and a `placed`.
            let parts = path.dropFirst(root.count).split(separator: "/")
            let kind = parts.last?.split(separator: ".").dropLast().last ?? ""
            guard let type = Self.bodies[kind] else {
                places.append("\(path) is no message of the schema")
                continue
            }
            let feature = Self.features.first { $0.types.contains(type) }?.name ?? ""
            let folder = parts.dropLast(2).joined(separator: "/")
            if folder != feature { places.append("\(path) is a message of \(feature.isEmpty ? "none" : feature)") }
        }
        expectNone(places, "A golden message is not in its feature's folder:")
    }

    @Test func wordsOfAFeature_standInItsFolders() {
        var places: [String] = []
        var unused = Exceptions.featureWords
        for feature in Self.features {
            for file in SourceTree.swift where !Self.isRegister(file.path) {
                guard !file.path.hasPrefix("Tests/TidyTests/"), !file.path.contains("/\(feature.name)/"),
                    feature.isNamed(in: file)
                else { continue }
                if unused[feature.name]?.removeValue(forKey: file.path) == nil {
                    places.append("\(file.path) names \(feature.name)")
                }
            }
        }
        places += unused.sorted { $0.key < $1.key }.flatMap { feature, paths in
            paths.keys.sorted().map { "\($0) no longer needs its exception for \(feature)" }
        }
        expectNone(places, "A feature is named outside folders of its name:")
    }
}
