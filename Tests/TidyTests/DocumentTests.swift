import Foundation
import Testing

@Suite("Tidy: documents")
struct DocumentTests {
    private static let documents = SourceTree.files { $0.hasSuffix(".md") }
    /// A name without a folder is a file's when it ends so. Other endings are also those of fields and subprotocols.
    private static let endings = [".md", ".swift", ".yaml", ".py", ".sh", ".cc", ".html", ".service"]

    @Test func paths_exist() {
        var places: [String] = []
        for file in Self.documents {
            for line in file.lines {
                for name in Self.quoted(in: line.text)
                where Self.looksLikeAPath(name) && !Self.exists(name, from: file.path) {
                    places.append("\(file.place(line)) names \(name)")
                }
                for target in Self.links(in: line.text) where !Self.exists(target, from: file.path) {
                    places.append("\(file.place(line)) links to \(target)")
                }
            }
        }
        expectNone(places, "A document names a file that is not there:")
    }

    @Test func makeTargets_exist() {
        let makefile = SourceTree.text(of: "Makefile")
        let targets = Set(
            makefile.split(separator: "\n").compactMap { line in
                line.first?.isLetter == true ? line.split(separator: ":").first.map(String.init) : nil
            })
        var places: [String] = []
        for file in Self.documents {
            for line in file.lines {
                let code = Self.quoted(in: line.text) + [line.text]
                for text in code where text.hasPrefix("make ") || text.hasPrefix("$ make ") {
                    let target = text.drop { $0 == "$" || $0 == " " }.split(separator: " ").dropFirst().first ?? ""
                    let name = target.prefix { $0.isLetter || $0 == "-" }
                    if !targets.contains(String(name)) { places.append("\(file.place(line)) says make \(name)") }
                }
            }
        }
        expectNone(places, "A document names a make target that is not there:")
    }

    @Test func settings_exist() {
        var keys: Set<String> = []
        var section = ""
        for line in SourceTree.text(of: "config/cairn.yaml").split(separator: "\n") where line.contains(":") {
            let name = line.drop { $0 == " " }.prefix { $0 != ":" }
            if name.hasPrefix("#") { continue }
            if line.first == " " { keys.insert("\(section).\(name)") } else { section = String(name) }
        }
        let sections = Set(keys.map { $0.prefix { $0 != "." } })
        var places: [String] = []
        for file in Self.documents {
            for line in file.lines {
                for text in Self.quoted(in: line.text) {
                    let key = text.prefix { $0.isLetter || $0.isNumber || $0 == "." }
                    let parts = key.split(separator: ".")
                    let isKey =
                        parts.count == 2 && sections.contains(parts[0]) && !Self.endings.contains("." + parts[1])
                    // Followed by nothing, a value or the end: `listen.port`, `listen.port: 1`, `listen.port=1`.
                    let rest = text[key.endIndex...]
                    guard isKey, rest.isEmpty || rest.first == ":" || rest.first == "=" else { continue }
                    if !keys.contains(String(key)) { places.append("\(file.place(line)) names \(key)") }
                }
            }
        }
        expectNone(places, "A document names a setting that is not in config/cairn.yaml:")
    }

    @Test func invariantsAndFaults_nameTestsThatExist() {
        let declared = Self.declaredTests
        var places: [String] = []
        for path in ["docs/invariants.md", "docs/faults.md", "docs/play-tests.md"] {
            let file = SourceFile(path: path, text: SourceTree.text(of: path))
            for line in file.lines where line.text.hasPrefix("| ") {
                let names = Self.quoted(in: line.text).filter {
                    $0.contains("_") && !$0.contains { "=. ".contains($0) }
                }
                if names.isEmpty, line.text.dropFirst(2).first?.isNumber == true {
                    places.append("\(file.place(line)) names no test")
                }
                places += names.filter { !declared.contains(String($0)) }.map { "\(file.place(line)) names \($0)" }
            }
            #expect(file.lines.count > 10, "the table in \(path) is gone")
        }
        expectNone(places, "A row names no test, or one that is not there:")
    }

    /// The last column says which rows hold, and by which tests.
    @Test func requirements_nameTestsThatExist() {
        let declared = Self.declaredTests
        let file = SourceFile(path: "docs/requirements.md", text: SourceTree.text(of: "docs/requirements.md"))
        var places: [String] = []
        var rows = 0
        for line in file.lines {
            let cells = line.text.split(separator: " | ")
            guard cells.count == 4, cells[0].contains("-"), let state = cells.last, cells[0] != "| ID" else { continue }
            rows += 1
            let names =
                state.components(separatedBy: "Tests: ").dropFirst().last?.dropLast(2).split(separator: ", ") ?? []
            let isKnown = ["works", "in part", "not yet"].contains { state.hasPrefix($0) }
            if !isKnown || names.isEmpty != state.hasPrefix("not yet") {
                places.append("\(file.place(line)): \(cells[0])")
            }
            places += names.filter { !declared.contains(String($0)) }.map { "\(file.place(line)) names \($0)" }
        }
        #expect(rows > 300)
        expectNone(places, "A requirement has no state, or names no test or one that is not there:")
    }

    /// Names of all functions in the tests.
    private static var declaredTests: Set<String> {
        let tests = SourceTree.files { $0.contains("Tests/") && ($0.hasSuffix(".swift") || $0.hasSuffix(".py")) }
        return Set(
            tests.flatMap { file in
                file.lines.compactMap { line -> String? in
                    let words = line.words
                    guard let place = words.firstIndex(where: { $0 == "func" || $0 == "def" }) else { return nil }
                    return words[(place + 1)...].first
                }
            })
    }

    /// What stands in backticks.
    private static func quoted(in text: String) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Targets of Markdown links within the repository.
    private static func links(in text: String) -> [String] {
        text.components(separatedBy: "](").dropFirst().compactMap { part in
            let target = part.prefix { $0 != ")" && $0 != "#" && $0 != " " }
            return target.isEmpty || target.contains(":") || target.hasPrefix("/") ? nil : String(target)
        }
    }

    private static func looksLikeAPath(_ name: String) -> Bool {
        guard !name.contains(where: { " <>$~:{}()\"'|=".contains($0) }), !name.hasPrefix("/") else { return false }
        let first = String(name.prefix { $0 != "/" })
        let isInTree = name.contains("/") && topFolders.contains(first)
        // A file that a server makes, or one of another project, has to be written in another way.
        return isInTree || endings.contains { name.hasSuffix($0) && name.count > $0.count }
    }

    private static let topFolders = Set(
        SourceTree.paths.compactMap { path in
            path.contains("/") ? String(path.prefix { $0 != "/" }) : nil
        })

    /// Whether there is a file or folder of that name: from the root, from the document, or anywhere as the last part.
    private static func exists(_ name: String, from document: String) -> Bool {
        var name = name
        while name.hasPrefix("./") { name.removeFirst(2) }
        while name.hasSuffix("/") { name.removeLast() }
        // An ending that several files have, such as `+Storage.swift`.
        if name.hasPrefix("+") { return SourceTree.paths.contains { $0.hasSuffix(name) } }
        if name.contains("*") {
            let parts = name.split(separator: "*", omittingEmptySubsequences: true)
            return SourceTree.paths.contains { path in parts.allSatisfy { path.contains($0) } }
        }
        let folder = document.split(separator: "/").dropLast().joined(separator: "/")
        let near = URL(filePath: "/" + folder).appending(path: name).standardizedFileURL.path.dropFirst()
        return SourceTree.paths.contains { path in
            path == name || path == near || path.hasPrefix(name + "/") || path.hasPrefix(near + "/")
                || path.hasSuffix("/" + name)
                || path.contains("/" + name + "/")
        }
    }
}
