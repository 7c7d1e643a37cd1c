import Testing

@testable import CairnStore

@Suite("Parent directories")
struct ParentDirectoryTests {
    @Test(arguments: [
        ("w", "."), ("world", "."), ("./w", "."), ("a/b", "a"), ("a/b/", "a"), ("a//b", "a"), ("/w", "/"), ("/", "/"),
        ("/var/lib/cairn/cairn.sqlite", "/var/lib/cairn"), ("ä/日本", "ä"), ("", "."),
    ])
    func parentDirectory_isThatOfDirname(_ path: String, _ parent: String) {
        #expect(path.parentDirectory == parent)
    }
}
