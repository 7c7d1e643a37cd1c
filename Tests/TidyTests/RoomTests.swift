import Testing

/// The rooms of `CairnServer` and who may know whom (docs/decisions/0019-rooms.md). A room is a folder until it is a
/// target of its own; what the compiler then checks, this checks meanwhile, by the names of types.
@Suite("Tidy: rooms")
struct RoomTests {
    private static let server = "Sources/CairnServer/"
    /// From the top down: a room knows those below it. Everything else in the target is the runtime, the lowest.
    private static let rooms = ["Root/", "Operators/"]

    @Test func rooms_knowOnlyThoseBelow() {
        var places: [String] = []
        var above: [String: String] = [:]
        for room in Self.rooms {
            places += Self.strangers(above, in: Self.files(of: room))
            for type in Self.types(in: Self.files(of: room)) { above[type] = room }
        }
        #expect(above["StatsRoom"] == "Operators/" && above["RunningServer"] == "Root/")
        let runtime = SourceTree.swift.filter { file in
            file.path.hasPrefix(Self.server) && !Self.rooms.contains { file.path.hasPrefix(Self.server + $0) }
        }
        #expect(runtime.contains { $0.path.hasSuffix("Shard.swift") })
        places += Self.strangers(above, in: runtime)
        expectNone(places, "A room knows one above it:")
    }

    @Test func strangers_areFound() {
        let file = SourceFile(path: "a.swift", text: "let room: StatsRoom? = nil // RunningServer\n")
        let found = Self.strangers(["StatsRoom": "Operators/", "RunningServer": "Root/"], in: [file])
        #expect(found == ["a.swift:1 knows StatsRoom of Operators/"])
    }

    private static func files(of room: String) -> [SourceFile] {
        SourceTree.swift.filter { $0.path.hasPrefix(server + room) }
    }

    /// Types that are declared at the outermost level of a file.
    private static func types(in files: [SourceFile]) -> [String] {
        let modifiers: Set<String> = ["public", "package", "final", "private", "fileprivate", "indirect"]
        let kinds: Set<String> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
        return files.flatMap { file in
            file.lines.compactMap { line in
                let words = line.code.split(separator: " ").drop { modifiers.contains(String($0)) }
                guard line.code.first != " ", let kind = words.first, kinds.contains(String(kind)) else { return nil }
                return words.dropFirst().first.map { name in String(name.prefix { $0.isLetter || $0.isNumber }) }
            }
        }
    }

    private static func strangers(_ types: [String: String], in files: [SourceFile]) -> [String] {
        files.flatMap { file in
            file.lines.flatMap { line in
                line.code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.compactMap { word in
                    types[String(word)].map { "\(file.place(line)) knows \(word) of \($0)" }
                }
            }
        }
    }
}
