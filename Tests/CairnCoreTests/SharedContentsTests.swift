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
        for number in [1, 2, 3, 5] { contents.keep(Self.name(UInt64(number)), Content(), bytes: third) }
        #expect(contents.recent.count == 4, "one is beside the bound")
        #expect(contents.known(Self.name(1), Content.self) != nil)
        contents.keep(Self.name(4), Content(), bytes: third)
        #expect(contents.known(Self.name(2), Content.self) == nil)
        #expect(contents.known(Self.name(1), Content.self) != nil)
        #expect(contents.recent.bytes == 4 * third)
        // Kept again, it counts once.
        contents.keep(Self.name(4), Content(), bytes: 1)
        #expect(contents.recent.count == 4 && contents.recent.bytes == 3 * third + 1)
    }

    @Test func oneContent_staysWhateverItsSize() {
        let contents = NameDirectory().contents
        contents.keep(Self.name(1), Content(), bytes: 2 * SharedContents.recentBytesMax)
        #expect(contents.known(Self.name(1), Content.self) != nil)
        // Also while a small one is used; of two such the newer one.
        contents.keep(Self.name(2), Content(), bytes: 1)
        #expect(contents.known(Self.name(1), Content.self) != nil && contents.recent.count == 2)
        contents.keep(Self.name(3), Content(), bytes: 2 * SharedContents.recentBytesMax)
        #expect(contents.known(Self.name(1), Content.self) == nil)
        #expect(contents.known(Self.name(3), Content.self) != nil)
    }

    @Test func contentThatAHomeHas_isKnown() {
        let contents = NameDirectory().contents
        let content = contents.shared(Self.name(1), Content())
        #expect(contents.known(Self.name(1), Content.self) === content)
    }
}
