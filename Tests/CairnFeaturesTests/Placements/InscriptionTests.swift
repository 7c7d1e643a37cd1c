import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire
import Testing

/// Words and the app's own data on instances (PLC-16).
@Suite("Placements: words and data")
struct InscriptionTests {
    private var town = TownBench()
    /// Nothing of it may be normalised, trimmed or cut: combining marks, a zero byte, blanks at the ends, scripts.
    private static let words =
        " cafe\u{301} \u{0} \u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} \u{5d0}\u{5d1}\r\n "
    private static let data = [UInt8](0...255)

    private mutating func place(_ id: UInt32, text: String = words, data: [UInt8] = data) throws -> WireInstance {
        let request = Request.make(.placing(text: text, data: data), id: id)
        guard case .placed(let placed) = try town.ask(request).result else { throw BenchError("not placed") }
        return placed.instance
    }

    private mutating func edit(
        _ instance: WireInstance, to pose: WirePose = .make(scale: 2), text: String? = nil, data: [UInt8]? = nil
    ) throws -> WireInstance {
        let request = Request.make(.editing(instance, to: pose, text: text, data: data), id: 50)
        guard case .edited(let edited) = try town.ask(request).result else { throw BenchError("not edited") }
        return edited.instance
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // MARK: Place

    @Test mutating func placedWords_areInAnswerEventAndSnapshot_bitForBit() throws {
        let placed = try place(1)
        let entered = try #require(town.events().last).entered.instance
        let held = try #require(town[Ground.here.cell].instances.first)
        for instance in [placed, entered, held] {
            #expect(Self.bytes(instance.text) == Self.bytes(Self.words))
            #expect(instance.dataBytes == Self.data)
        }
    }

    @Test(arguments: [("e", 500), ("e\u{301}", 500), ("\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", 113)])
    func charactersAreCountedAsPeopleCountThem(letter: String, count: Int) throws {
        var town = town
        let text = String(repeating: letter, count: count)
        #expect(text.utf8.count <= 2_048)
        #expect(try town.refusal(.placing(text: text)) == nil)
    }

    @Test mutating func oneCharacterMoreThanTheLimit_isRefused() throws {
        let refusal = try town.refusal(.placing(text: String(repeating: "e\u{301}", count: 501)))
        #expect(refusal?.code == .textTooLong)
        #expect(refusal?.details == ["field": "text", "count": "501", "limit": "500"])
        #expect(town[Ground.here.cell].instances.isEmpty)
    }

    @Test mutating func oneByteMoreThanTheLimit_isRefused() throws {
        let refusal = try town.refusal(.placing(text: "a" + String(repeating: "\u{1F600}", count: 512)))
        #expect(refusal?.code == .textTooLong)
        #expect(refusal?.details == ["field": "text", "count": "2049", "limit": "2048"])
    }

    @Test mutating func asMuchDataAsTheLimit_isTaken_andOneByteMoreIsRefused() throws {
        #expect(try place(1, data: .init(repeating: 7, count: 2_048)).dataBytes.count == 2_048)
        let refusal = try town.refusal(.placing(data: .init(repeating: 7, count: 2_049)))
        #expect(refusal?.code == .dataTooLarge)
        #expect(refusal?.details == ["field": "data", "count": "2049", "limit": "2048"])
    }

    // MARK: Edit

    @Test mutating func editThatNamesNone_keepsWordsAndData() throws {
        let instance = try place(1)
        let edited = try edit(instance)
        #expect(edited.text.isEmpty && edited.dataBytes.isEmpty, "the answer repeats what the edit did not name")
        let held = try #require(town[Ground.here.cell].instances.first)
        #expect(Self.bytes(held.text) == Self.bytes(Self.words) && held.dataBytes == Self.data)
        let event = try #require(town.events().last).changed
        #expect(!event.hasText && !event.hasData)
    }

    @Test mutating func editThatNamesThem_changesThemWithTheVersion() throws {
        let edited = try edit(try place(1), text: "closed", data: [1])
        #expect(edited.version == 2 && edited.text == "closed" && edited.dataBytes == [1])
        let event = try #require(town.events().last).changed
        #expect(event.version == 2 && event.text == "closed" && Array(event.data) == [1])
        #expect(town[Ground.here.cell].instances.first?.text == "closed")
    }

    @Test mutating func emptyOnes_takeThemAway() throws {
        _ = try edit(try place(1), text: "", data: [])
        let event = try #require(town.events().last).changed
        #expect(event.hasText && event.text.isEmpty && event.hasData && event.data.isEmpty)
        let held = try #require(town[Ground.here.cell].instances.first)
        #expect(held.text.isEmpty && held.dataBytes.isEmpty)
    }

    @Test mutating func editWithTooMuch_changesNothing() throws {
        let instance = try place(1)
        let long = try town.refusal(.editing(instance, to: .make(scale: 2), text: String(repeating: "x", count: 501)))
        #expect(long?.code == .textTooLong)
        let large = try town.refusal(.editing(instance, to: .make(scale: 2), data: .init(repeating: 0, count: 2_049)))
        #expect(large?.code == .dataTooLarge)
        #expect(town[Ground.here.cell].instances == [instance.asOthersSee])
    }

    @Test mutating func movingToAnotherCell_takesThemAlong() throws {
        _ = try edit(try place(1), to: .make(at: Ground.here.between(0.6)), data: [2])
        let arrived = try #require(town[Ground.here.neighbour].instances.first)
        #expect(Self.bytes(arrived.text) == Self.bytes(Self.words) && arrived.dataBytes == [2])
    }

    // MARK: On disk

    @Test mutating func wordsAndData_comeBackFromDisk() async throws {
        let instance = try place(1)
        let disk = try await TemporaryStore.open()
        try await disk.commit(town.kept)
        var woken = TownBench()
        woken.wake(.cell(Ground.here.cell), try await disk.stored(in: .cell(Ground.here.cell)))
        #expect(woken[Ground.here.cell].instances == [instance.asOthersSee])
        await disk.close()
    }
}
