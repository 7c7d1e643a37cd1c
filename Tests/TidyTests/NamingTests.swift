import Testing

@Suite("Tidy: names and comments")
struct NamingTests {
    private static let kinds: Set<String> = ["class", "struct", "enum", "actor", "protocol", "typealias"]

    @Test func types_areNamedForWhatTheyAre() {
        let banned = ["Manager", "Helper", "Helpers", "Util", "Utils", "Utilities", "Actor", "Common", "Impl"]
        var places: [String] = []
        for file in SourceTree.swift {
            for line in file.lines {
                guard let name = Self.declaredType(in: line) else { continue }
                if banned.contains(where: { name.hasSuffix($0) })
                    || name.dropFirst(4).first?.isUppercase == true && name.hasPrefix("Base")
                {
                    places.append("\(file.place(line)) \(name)")
                }
            }
        }
        expectNone(places, "A name from no field of knowledge:")
    }

    @Test func publicTypesAndFunctions_areDocumented() {
        let required = Self.requirements
        var places: [String] = []
        for file in SourceTree.swift where file.target != nil {
            for (index, line) in file.lines.enumerated() {
                guard line.words.first == "public" else { continue }
                guard let name = Self.declaredType(in: line) ?? Self.function(in: line) else { continue }
                if !file.isDocumented(at: index) && !required.contains(name) {
                    places.append("\(file.place(line)) \(name)")
                }
            }
        }
        expectNone(places, "Public and not documented:")
    }

    /// The name that Foundation gives a thread is lost now and then (`ThreadName`).
    @Test func threads_areNamedByTheSystem() {
        let places = SourceTree.swift.filter { $0.target != nil }.flatMap { file in
            file.lines.filter { $0.code.hasBytes(of: "Thread.current.name") }.map { file.place($0) }
        }
        expectNone(places, "A thread is named by Foundation:")
    }

    /// Functions that a protocol asks for: it documents them, its conformers need not.
    private static var requirements: Set<String> {
        // Of protocols that are not ours.
        var found: Set<String> = [
            "hash", "encode", "makeIterator", "next", "enqueue", "run", "checkIsolated",
            "isIsolatingCurrentContext",
        ]
        for file in SourceTree.swift {
            var isInside = false
            for (index, line) in file.lines.enumerated() {
                if line.words.contains("protocol"), declaredType(in: line) != nil { isInside = true }
                if line.code.hasPrefix("}") { isInside = false }
                if isInside, let name = function(in: line), file.isDocumented(at: index) { found.insert(name) }
            }
        }
        return found
    }

    /// The name of the type that a line declares.
    private static func declaredType(in line: SourceFile.Line) -> String? {
        let words = line.words
        guard let place = words.firstIndex(where: { kinds.contains($0) }), place + 1 < words.count else { return nil }
        let modifiers: Set<String> = [
            "public", "package", "internal", "fileprivate", "private", "final", "indirect", "open",
        ]
        // `class func`, `any actor ...` in the middle of an expression and the like are no declarations.
        let isDeclaration = words[..<place].allSatisfy { modifiers.contains($0) || $0 == "distributed" }
        let name = words[place + 1]
        return isDeclaration && name.first?.isUppercase == true ? name : nil
    }

    /// The name of the function that a line declares; operators have none.
    private static func function(in line: SourceFile.Line) -> String? {
        let words = line.code.split { $0 == " " }
        guard let place = words.firstIndex(of: "func"), place < 5, place + 1 < words.count else { return nil }
        let name = words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        return name.isEmpty ? nil : String(name)
    }
}
