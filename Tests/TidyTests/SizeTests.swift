import Testing

@Suite("Tidy: sizes")
struct SizeTests {
    private static let code = SourceTree.files { path in
        let endings = [".swift", ".c", ".h", ".cc", ".py", ".proto", ".sh"]
        return (endings.contains { path.hasSuffix($0) } || path.hasPrefix("scripts/") || path == ".ci/run")
            && !SourceTree.isGenerated(path)
    }

    @Test func lines_fitIn120Characters() {
        let places = Self.code.flatMap { file in
            file.lines.filter { $0.text.utf8.count > 120 && $0.text.count > 120 }
                .map { "\(file.place($0)) has \($0.text.count)" }
        }
        expectNone(places, "Lines over 120 characters:")
    }

    @Test func files_stayUnder400Lines() {
        var places: [String] = []
        var unused = Exceptions.longFiles
        for file in Self.code where file.lineCount > 400 {
            let allowed = unused.removeValue(forKey: file.path)
            if file.lineCount > allowed ?? 400 { places.append("\(file.path) has \(file.lineCount) lines") }
        }
        places += unused.keys.sorted().map { "\($0) no longer needs its exception" }
        expectNone(places, "Files over 400 lines, or exceptions that are no longer needed:")
    }

    @Test func files_endWithOneLineBreakAndHaveNoTrailingSpaces() {
        var places: [String] = []
        for file in Self.code {
            let isEnded = file.lines.last?.text.isEmpty == true && file.lines.dropLast().last?.text.isEmpty == false
            if !isEnded { places.append("\(file.path) does not end with one line break") }
            places += file.lines.filter { $0.text.last == " " || $0.text.last == "\t" }.map { file.place($0) }
        }
        expectNone(places, "Ragged ends:")
    }
}
