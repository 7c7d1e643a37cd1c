import CairnCore
import CairnTesting
import CairnWire
import Foundation
import Testing

/// Names are found by identifier and by their beginning (FRD-1, SUB-12).
@Suite("Names in memory")
struct NameIndexTests {
    private func id(_ number: UInt64) -> AccountID { AccountID(rawValue: number) }

    @Test func names_areFoundWithoutLetterCase_anEqualOneFirst() {
        let index = NameIndex<AccountTag>()
        for (number, name) in ["Annabel", "ANNA", "Bob", "anne", "Ann"].enumerated() {
            index.set(id(UInt64(number + 1)), to: name)
        }
        #expect(index.entries(beginningWith: "aNn", max: 10).map(\.name) == ["Ann", "ANNA", "Annabel", "anne"])
        #expect(index.entries(beginningWith: "anna", max: 1).map(\.name) == ["ANNA"])
        #expect(index.entries(beginningWith: "c", max: 10).isEmpty)
        #expect(index.entries(beginningWith: "b", max: 10) { $0.id != id(3) }.isEmpty)
    }

    @Test func partOfAName_findsIt_behindThoseThatBeginWithIt() {
        let index = NameIndex<AccountTag>()
        let names = ["AnnaKarl", "karla", "Bob", "KARL", "okarlkarl", "Karlkarl", "k\u{E4}rl", "arl"]
        for (number, name) in names.enumerated() { index.set(id(UInt64(number + 1)), to: name) }
        let found = index.entries(containing: "kArl", max: 10).map(\.name)
        #expect(found == ["KARL", "karla", "Karlkarl", "AnnaKarl", "okarlkarl"])
        #expect(index.entries(containing: "karl", max: 4).map(\.name) == Array(found.prefix(4)))
        #expect(index.entries(containing: "\u{E4}r", max: 10).map(\.name) == ["k\u{E4}rl"])
        #expect(index.entries(containing: "karl", max: 10) { $0.id.rawValue < 3 }.map(\.name) == ["karla", "AnnaKarl"])
        #expect(index.entries(containing: "karlkarlk", max: 10).isEmpty)
        index.set(id(1), to: nil)
        #expect(index.entries(containing: "karl", max: 10).map(\.name) == found.filter { $0 != "AnnaKarl" })
    }

    @Test func namesThatBeginWithTheSameEightBytes_areInOrder() {
        let index = NameIndex<AccountTag>()
        let names = ["person00012", "person0001", "person00010", "person000100"]
        for (number, name) in names.enumerated() { index.set(id(UInt64(number + 1)), to: name) }
        #expect(index.entries(beginningWith: "person00", max: 10).map(\.name) == names.sorted())
        #expect(index.entries(beginningWith: "person00010", max: 10).map(\.name) == ["person00010", "person000100"])
    }

    /// Against a dictionary: names come, change and go, in any order of their identifiers.
    @Test(arguments: [1, 2, 3]) func changes_leaveWhatADictionaryHolds(seed: UInt64) {
        var random = SeededRandom(seed)
        let index = NameIndex<AccountTag>()
        var model: [UInt64: String] = [:]
        for step in 0..<6_000 {
            let number = UInt64.random(in: 1...900, using: &random)
            let middle = ["a", "Ab", "aC"].randomElement(using: &random) ?? ""
            let text = "N\(middle)\(Int.random(in: 0..<700, using: &random))"
            let name = Int.random(in: 0..<5, using: &random) == 0 ? nil : text
            model[number] = name
            index.set(id(number), to: name)
            guard step % 500 == 499 else { continue }
            #expect(index.count == model.count)
            for number in 1...900 { #expect(index.name(of: id(UInt64(number))) == model[UInt64(number)]) }
            for prefix in ["n", "NA", "nab1", "nac69", "x", "C6", "42"] {
                let wanted = model.filter { $0.value.lowercased().hasPrefix(prefix.lowercased()) }
                    .sorted { ($0.value.lowercased(), $0.key) < ($1.value.lowercased(), $1.key) }
                let found = index.entries(beginningWith: prefix, max: 2_000)
                #expect(found.map(\.id.rawValue) == wanted.map(\.key))
                let others = model.filter {
                    let name = $0.value.lowercased()
                    return !name.hasPrefix(prefix.lowercased()) && name.contains(prefix.lowercased())
                }
                .sorted { ($0.value.lowercased(), $0.key) < ($1.value.lowercased(), $1.key) }
                let all = index.entries(containing: prefix, max: 2_000)
                #expect(all.map(\.id.rawValue) == (wanted + others).map(\.key))
            }
        }
        let filled = NameIndex<AccountTag>()
        filled.fill(with: model.map { NameIndex.Entry(id: id($0.key), name: $0.value) })
        #expect(filled.count == model.count)
        #expect(
            filled.entries(beginningWith: "n", max: 5_000) == index.entries(beginningWith: "n", max: 5_000))
    }
}
