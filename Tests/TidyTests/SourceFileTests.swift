import Testing

/// The other suites are only as good as their reading of Swift.
@Suite("Tidy: reading Swift")
struct SourceFileTests {
    @Test func codeAndComments_areToldApart() {
        let file = SourceFile(
            path: "Sample.swift",
            text: #"""
                let a = 1 // why
                let b = "// no comment, \" still text" /* a /* nested */ one */ + c
                let d = """
                    import Nothing // text
                    """ // after
                let e = #"a " b"# // raw
                /// Documented.
                /* over
                   lines */ let f = 1
                """#)
        #expect(file.lines.map(\.hasComment) == [true, true, false, false, true, true, true, true, true])
        #expect(file.lines[0].code == "let a = 1 ")
        #expect(file.lines[1].code == "let b = \"\"  + c")
        #expect(file.lines[3].code.isEmpty)
        #expect(file.lines[5].code == "let e = \"\" ")
        #expect(file.lines[8].code == " let f = 1")
    }

    @Test func tree_isFound() {
        #expect(SourceTree.paths.contains("Package.swift"))
        #expect(SourceTree.swift.contains { $0.path == "Tests/TidyTests/SourceFileTests.swift" })
    }
}
