import Testing

@Suite("Tidy: what does not belong")
struct HygieneTests {
    /// What people write: everything but pictures and the like.
    private static let texts = SourceTree.files { path in
        let endings = [
            ".swift", ".c", ".h", ".cc", ".py", ".proto", ".md", ".yaml", ".yml", ".json", ".html", ".js", ".css",
            ".sh",
        ]
        let isText = endings.contains { path.hasSuffix($0) } || path.split(separator: "/").last?.contains(".") == false
        return isText && !SourceTree.isGenerated(path)
    }

    @Test func nothingBuilt_isTracked() {
        // An archive without git has nothing tracked.
        let places = (SourceTree.tracked ?? []).filter { path in
            let name = path.split(separator: "/").last ?? ""
            let isBuilt = path.hasPrefix(".build") || path.hasPrefix(".venv") || path.contains("__pycache__/")
            let endings = [".sqlite", ".sqlite-wal", ".sqlite-shm", ".o", ".pyc", ".log", ".orig", ".rej", ".swp", "~"]
            return isBuilt || name == "Package.resolved" || name == "core" || endings.contains { name.hasSuffix($0) }
        }
        expectNone(places, "Tracked, but made by a tool or a run:")
    }

    @Test func nobodysMachine_isNamed() {
        // Put together so that this file does not name them itself.
        let folders = ["work", "root", "Users", "home"].map { "/\($0)/" }
        let places = Self.texts.flatMap { file in
            file.lines.compactMap { line -> String? in
                guard folders.contains(where: { line.text.hasBytes(of: $0) }) else { return nil }
                let text = line.text.replacing("/.build/", with: "")
                guard let folder = folders.first(where: { Self.isAbsolute($0, in: text) }) else { return nil }
                return "\(file.place(line)) \(folder)"
            }
        }
        expectNone(places, "A path of somebody's machine:")
    }

    @Test func nothing_isLeftForLater() {
        let words = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let places = Self.texts.flatMap { file in
            file.lines.filter { line in
                line.text.split { !$0.isLetter && !$0.isNumber }.contains { words.contains(String($0)) }
            }
            .map { file.place($0) }
        }
        expectNone(places, "Do it, or write an issue:")
    }

    @Test func tests_waitForEventsNotForTime() {
        var places: [String] = []
        var unused = Exceptions.sleepers
        let callees = ["sleep(", "usleep(", "nanosleep("]
        for file in Self.texts where file.path.hasPrefix("Tests/") && !file.path.hasPrefix("Tests/TidyTests/") {
            let lines = file.lines.filter { line in callees.contains { line.code.contains($0) } }
            guard !lines.isEmpty, unused.removeValue(forKey: file.path) == nil else { continue }
            places += lines.map { file.place($0) }
        }
        places += unused.keys.sorted().map { "\($0) no longer needs its exception" }
        expectNone(places, "A test sleeps, or an exception is no longer needed:")
    }

    /// Foundation's `Process` reads beyond a buffer when some 1,360 files and sockets are open, as they are when suites
    /// run side by side, and the run crashes once in a while. Subprocess does not; `popen` neither.
    @Test func tests_startNoProcessByFoundation() {
        let places = Self.texts.filter { $0.path.hasPrefix("Tests/") && $0.path.hasSuffix(".swift") }.flatMap { file in
            file.lines.filter { " \($0.code)".contains(" Process" + "()") }.map { file.place($0) }
        }
        expectNone(places, "A process is started by Foundation:")
    }

    @Test func tests_areNotSwitchedOff() {
        let marks = ["swift": [".disabled(", "XCTSkip"], "py": ["@pytest.mark.skip", "pytest.skip("]]
        let places = Self.texts.filter { $0.path.hasPrefix("Tests/") && !$0.path.hasPrefix("Tests/TidyTests/") }
            .flatMap { file in
                let own = marks[String(file.path.split(separator: ".").last ?? "")] ?? []
                return file.lines.filter { line in own.contains { line.code.contains($0) } }.map { file.place($0) }
            }
        expectNone(places, "A test is switched off:")
    }

    /// Whether the folder begins a path: nothing that could be part of the path stands before it.
    private static func isAbsolute(_ folder: String, in text: String) -> Bool {
        text.ranges(of: folder).contains { range in
            guard range.lowerBound > text.startIndex else { return true }
            let before = text[text.index(before: range.lowerBound)]
            return !before.isLetter && !before.isNumber && !"._-~})]*".contains(before)
        }
    }
}
