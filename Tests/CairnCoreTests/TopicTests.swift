import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// A topic is a home and a scope, and its name contains both.
@Suite("Topic")
struct TopicTests {
    private static let homes: [HomeAddress] = [.cell(Ground.here.cell), .account(.make(1)), .account(.make(.max >> 1))]
    private static let scopes: [Scope] = [.everyone, .group(0), .group(7), .group(.max >> 1)]

    @Test(arguments: homes, scopes)
    func name_isReadAsTheSameTopic(home: HomeAddress, scope: Scope) {
        let topic = Topic(home, scope)
        #expect(Topic(name: topic.name) == topic)
    }

    @Test func names_ofDifferentTopicsDiffer() {
        let names = Self.homes.flatMap { home in Self.scopes.map { Topic(home, $0).name } }
        #expect(Set(names).count == Self.homes.count * Self.scopes.count)
    }

    @Test func name_ofWhatEveryoneSeesOfACellIsTheCellsToken() {
        #expect(Topic(Ground.here.cell).name == Ground.here.cell.token)
    }

    @Test(arguments: [
        "", "/", "48761b/", "/t0000000000001", "48761B1/", "account:", "account:1", "account:00000000000iz",
        "48761b/T0000000000001", "48761b/t1", "48761b/0000000000001", "48761b/t0000000000001/", "no cell",
    ])
    func anythingElse_isNoTopic(name: String) {
        #expect(Topic(name: name) == nil)
    }

    @Test func randomBytes_areReadAsWhatTheyAreWrittenAsOrNotAtAll() {
        var random = SeededRandom(11)
        let letters = Array("0123456789abcdefXt:/ account".utf8)
        for _ in 0..<20_000 {
            let length = Int.random(in: 0..<24, using: &random)
            let bytes = (0..<length).map { _ in letters.randomElement(using: &random) ?? 0 }
            let name = String(decoding: bytes, as: UTF8.self)
            if let topic = Topic(name: name) { #expect(topic.name == name) }
        }
    }

    @Test func audience_isSeenByHoldersOfOneOfItsScopes() {
        let audience = Audience(.group(1), [.group(2), .group(1)])
        #expect(audience.scopes == [.group(1), .group(2)])
        #expect(audience.isSeen(by: [.group(2)]) && !audience.isSeen(by: [.group(3)]) && !audience.isSeen(by: []))
        #expect(Audience.everyone.isSeen(by: []))
    }
}
