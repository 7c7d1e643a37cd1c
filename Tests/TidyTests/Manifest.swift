/// The targets of `Package.swift`, as far as a reading of its text goes.
struct Manifest {
    /// A target and what it says that it depends on: targets and products.
    struct Target {
        let name: String
        let path: String
        let dependencies: Set<String>
    }

    let targets: [Target]

    init(_ text: String) {
        var targets: [Target] = []
        for (kind, folder) in [(".target(", "Sources"), (".executableTarget(", "Sources"), (".testTarget(", "Tests")] {
            for start in text.ranges(of: kind) {
                let body = Self.balanced(text[start.upperBound...], "(", ")")
                guard let name = Self.value(of: "name", in: body) else { continue }
                let path = Self.value(of: "path", in: body) ?? "\(folder)/\(name)"
                targets.append(Target(name: name, path: path + "/", dependencies: Self.dependencies(in: body)))
            }
        }
        self.targets = targets
    }

    /// The target that a file belongs to: the innermost, where one's folder lies in another's.
    func target(of path: String) -> Target? {
        targets.filter { path.hasPrefix($0.path) }.max { $0.path.count < $1.path.count }
    }

    private static func dependencies(in body: Substring) -> Set<String> {
        guard let start = body.firstRange(of: "dependencies: [") else { return [] }
        let list = balanced(body[start.upperBound...], "[", "]")
        // `.product(name: "A", package: "b")` counts as "A".
        var text = String(list)
        for package in list.ranges(of: "package: \"") {
            let name = list[package.upperBound...].prefix { $0 != "\"" }
            text = text.replacing("package: \"\(name)\"", with: "")
        }
        let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
        return Set(parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) })
    }

    private static func value(of label: String, in body: Substring) -> String? {
        guard let start = body.firstRange(of: "\(label): \"") else { return nil }
        // The target's own labels stand before its lists.
        let isNested = body[..<start.lowerBound].contains("[") && label == "name"
        return isNested ? nil : String(body[start.upperBound...].prefix { $0 != "\"" })
    }

    /// What stands before the bracket that closes.
    private static func balanced(_ text: Substring, _ open: Character, _ close: Character) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == open { depth += 1 }
            if text[index] == close { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }
}
