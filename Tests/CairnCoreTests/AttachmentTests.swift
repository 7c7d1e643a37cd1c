import Testing

@testable import CairnCore

/// Attachments of an instance: one value of each type, which records do not share.
@Suite("Attachments")
struct AttachmentTests {
    private struct Colour: CairnCore.Attachment, Equatable { var name: String }
    private struct Weight: CairnCore.Attachment, Equatable { var kilograms: Int }

    @Test func valuesOfTwoTypes_standSideBySide() {
        var attachments = Attachments()
        attachments[Colour.self] = Colour(name: "red")
        attachments[Weight.self] = Weight(kilograms: 2)
        attachments[Colour.self] = Colour(name: "blue")
        #expect(attachments[Colour.self] == Colour(name: "blue"))
        #expect(attachments[Weight.self] == Weight(kilograms: 2))
    }

    @Test func nil_takesOneAway() {
        var attachments = Attachments()
        attachments[Colour.self] = Colour(name: "red")
        attachments[Weight.self] = Weight(kilograms: 2)
        attachments[Colour.self] = nil
        #expect(attachments[Colour.self] == nil)
        #expect(attachments[Weight.self] == Weight(kilograms: 2))
    }

    /// Invariant 4: readers get the record that is on disk, whatever a turn under way has changed in its successor.
    @Test func attachment_isRevertedWithItsRecord() {
        var table = ObjectTable()
        table[.make()] = .make()
        table.turn = 1
        table[.make()]?.attachments[Colour.self] = Colour(name: "red")
        #expect(table[.make()]?.attachments[Colour.self] == Colour(name: "red"))
        #expect(table.kept(.make())?.attachments[Colour.self] == nil)
        table.revert(from: 1)
        #expect(table[.make()]?.attachments[Colour.self] == nil)
    }
}
