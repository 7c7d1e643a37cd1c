import Testing

/// The rooms of the server are targets: the runtime, the operators' code above it and the root above both. The imports
/// hold their walls (`targets_importOnlyWhatTheirLayerMay`); this keeps the doors in them few
/// (docs/decisions/0019-rooms.md).
@Suite("Tidy: rooms")
struct RoomTests {
    /// The rooms that others look into, and who does.
    private static let visitors = [
        "CairnServer": ["CairnOperators", "CairnRoot"],
        "CairnOperators": ["CairnRoot"],
    ]
    /// What a protocol requires to be visible where its type is.
    private static let required: Set<String> = ["description", "unownedExecutor"]

    @Test func whatARoomShows_isUsedByAnotherRoom() {
        var places: [String] = []
        for (room, visitors) in Self.visitors.sorted(by: { $0.key < $1.key }) {
            let used = Self.words(in: SourceTree.swift.filter { visitors.contains($0.target ?? "") })
            let shown = SourceTree.swift.filter { $0.target == room }.flatMap(Self.shown)
            #expect(shown.count > 10, "the way \(room) shows things has changed; so must this test")
            places += shown.filter { !used.contains($0.name) && !Self.required.contains($0.name) }
                .map { "\($0.place) shows \($0.name)" }
        }
        expectNone(places, "A room shows what no other room uses; leave out 'package':")
    }

    @Test func membersThatARoomShows_areFound() {
        let text = """
            package struct Row {
                package var text: String { "" }
                package private(set) var count = 0
                package static func made(by name: String) -> Row { Row() }
                package init() {}
                func hidden() {}
            }
            """
        #expect(Self.shown(in: SourceFile(path: "a.swift", text: text)).map(\.name) == ["text", "count", "made"])
    }

    /// Functions and properties for other targets of the package. Types may be there for a signature alone.
    private static func shown(in file: SourceFile) -> [(name: String, place: String)] {
        file.lines.compactMap { line in
            let words = line.code.split(separator: " ")
            guard words.first == "package", !words.contains("import"),
                let kind = words.firstIndex(where: { ["func", "let", "var"].contains($0) }),
                let name = words.dropFirst(kind + 1).first?.prefix(while: { $0.isLetter || $0.isNumber }), !name.isEmpty
            else { return nil }
            return (String(name), file.place(line))
        }
    }

    /// The words of whole lines: what a text interpolates is used, too.
    private static func words(in files: [SourceFile]) -> Set<String> {
        Set(files.flatMap { file in file.lines.flatMap { $0.text.words } })
    }
}
