import CairnCore
import Testing

/// Contents that are kept for the next who asks have a bound in bytes.
@Suite("Shared contents")
struct SharedContentsTests {
    private final class Content: Sendable {}

    private static func name(_ number: UInt64) -> SharedContents.Name { SharedContents.Name(Content.self, number, 0) }

    @Test func recentContents_areBoundedByBytes_andTheLongestUnusedGoesFirst() {
        let contents = NameDirectory().contents
        let third = SharedContents.recentBytesMax / 3
        for number in 1...3 { contents.keep(Self.name(UInt64(number)), Content(), bytes: third) }
        #expect(contents.recent.count == 3)
        #expect(contents.known(Self.name(1), Content.self) != nil)
        contents.keep(Self.name(4), Content(), bytes: third)
        #expect(contents.known(Self.name(2), Content.self) == nil)
        #expect(contents.known(Self.name(1), Content.self) != nil)
        #expect(contents.recent.bytes == 3 * third)
        // Kept again, it counts once.
        contents.keep(Self.name(4), Content(), bytes: 1)
        #expect(contents.recent.count == 3 && contents.recent.bytes == 2 * third + 1)
    }

    @Test func oneContent_staysWhateverItsSize() {
        let contents = NameDirectory().contents
        contents.keep(Self.name(1), Content(), bytes: 2 * SharedContents.recentBytesMax)
        #expect(contents.known(Self.name(1), Content.self) != nil)
        contents.keep(Self.name(2), Content(), bytes: 1)
        #expect(contents.known(Self.name(1), Content.self) == nil)
        #expect(contents.recent.count == 1 && contents.recent.bytes == 1)
    }

    @Test func contentThatAHomeHas_isKnown() {
        let contents = NameDirectory().contents
        let content = contents.shared(Self.name(1), Content())
        #expect(contents.known(Self.name(1), Content.self) === content)
    }
}
