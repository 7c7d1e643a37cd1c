internal import CairnCore
internal import CairnServer
internal import CairnStore
internal import CairnText
internal import CairnWire
internal import Foundation
internal import Synchronization

/// Searches the texts of instances. Texts are sealed, so no index leads to them: rows are read one by one, the
/// newest first, off the room's thread and the loops.
struct TextSearch: Sendable {
    /// As they were written.
    let text: String
    /// Folded; all of them have to begin words of a text.
    private let words: [[Unicode.Scalar]]
    /// Only what is older than this instance; nil = from the newest on.
    private let before: InstanceID?

    /// Rows that one question reads, of all kinds together, and how long it begins with further ones.
    static let rowsMax = 20_000
    private static let time = Duration.seconds(2)
    /// Rows of a kind in memory at a time.
    private static let pageRows = InstancePage.countMax
    private static let wordsMax = 8
    private static let lettersMin = 2

    /// What was found, the newest first.
    struct Found: Sendable {
        var hits: [FindHit] = []
        fileprivate var owners: [AccountID] = []
        /// Rows that were read.
        var read = 0
        /// Where a further question goes on; nil = everything was read.
        var next: InstanceID?
        /// Whether the answer is full, so that there may be more hits.
        var isCut = false
    }

    /// - Returns: nil for a text that has no word of two letters, or too many words.
    init?(words text: String, before: InstanceID? = nil) {
        self.text = text
        self.before = before
        words = text.pieces(at: " ").map { Array(Self.folded(String($0)).unicodeScalars) }
        guard (1...Self.wordsMax).contains(words.count), words.contains(where: { $0.count >= Self.lettersMin }) else {
            return nil
        }
    }

    init(_ arguments: StatsArguments, _ identifiers: IdentifierIssuer) throws(StatsRefusal) {
        var (words, before) = (arguments.words, InstanceID?.none)
        if let first = words.first, first.hasPrefix("before=") {
            before = identifiers.identifier(named: String(first.dropFirst("before=".utf8.count)))
            guard before != nil else { throw StatsRefusal(.badArgument, "before= wants the next of the answer before") }
            words.removeFirst()
        }
        let text = words.joined(separator: " ")
        guard text.utf8.count <= SearchText.bytesMax, let search = TextSearch(words: text, before: before) else {
            throw StatsRefusal(
                .badArgument,
                "wants 1 to \(Self.wordsMax) words, one of \(Self.lettersMin) letters, and at most "
                    + "\(SearchText.bytesMax) bytes")
        }
        self = search
    }

    /// Whether all words begin words of a text, in any case, with or without accents.
    func isIn(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        let scalars = Array(Self.folded(text).unicodeScalars)
        return words.allSatisfy { Self.begins($0, in: scalars) }
    }

    private static func begins(_ word: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Bool {
        guard let first = word.first, text.count >= word.count else { return false }
        return (0...text.count - word.count).contains { place in
            guard text[place] == first, text[place..<place + word.count].elementsEqual(word) else { return false }
            guard place > 0, max(first.value, text[place - 1].value) < unspaced else { return true }
            let before = text[place - 1].properties
            return !before.isAlphabetic && before.numericType == nil
        }
    }

    /// From here on are the scripts that put no blanks between words.
    private static let unspaced: UInt32 = 0x2E80

    private static func folded(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.lowercased() }
        return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    }

    /// Finds what has the words. Whose texts were found stands in the audit log before this returns.
    /// - Parameter isNoted: whether the search stands there also where nothing was found.
    /// - Returns: nil while another search is under way.
    func found(
        in context: ServerContext, by author: AccountAuthor, _ gate: TextSearchGate, isNoted: Bool
    ) async throws -> Found? {
        guard gate.enter() else { return nil }
        defer { gate.leave() }
        let found = try await read(context)
        if isNoted || !found.owners.isEmpty {
            try await context.signIn.noteLookUp(of: found.owners, how: "by words in texts", by: author)
        }
        return found
    }

    private func read(_ context: ServerContext) async throws -> Found {
        let (kinds, begun) = (context.register.withdrawals, ContinuousClock.now)
        var (found, below) = (Found(), before)
        while found.read < Self.rowsMax, begun.duration(to: .now) < Self.time {
            let page = InstancePage(below: below, now: context.clock.lasting, count: Self.pageRows)
            let answers = try await context.store.read(kinds.map { $0.everywhere(page) })
            // Of the kinds that have more rows, the page ends with the first end.
            let end = answers.compactMap { $0.count > Self.pageRows ? Self.id(of: $0.last) : nil }.max()
            let records = Self.records(in: answers, of: kinds, from: end, &found.read, in: context)
            for record in records.sorted(by: { $0.id > $1.id }) where isIn(record.wire.text) {
                let instance = SeenInstance(record, context)
                // What is not for everyone has no text that operators read.
                guard instance.text != nil else { continue }
                guard found.hits.count < FindHit.perKindMax else {
                    (found.isCut, found.next) = (true, below)
                    return found
                }
                found.add(instance, context.identifiers)
                below = record.id
            }
            guard let end else { return found }
            below = end
        }
        found.next = below
        return found
    }

    /// Damaged rows are reported and left out.
    private static func records(
        in answers: [[Row]], of kinds: [Withdrawal], from end: InstanceID?, _ count: inout Int,
        in context: ServerContext
    ) -> [ObjectRecord] {
        var (records, damage): ([ObjectRecord], [DamagedRow]) = ([], [])
        for (kind, rows) in zip(kinds, answers) {
            for row in rows {
                if let end, let id = id(of: row), id < end { break }
                count += 1
                do throws(DamagedRow) { records.append(try kind.record(row)) } catch { damage.append(error) }
            }
        }
        context.store.report(damage)
        return records
    }

    private static func id(of row: Row?) -> InstanceID? {
        (try? row?.integer(0)).map { InstanceID(rawValue: UInt64(bitPattern: $0)) }
    }
}

extension TextSearch.Found {
    fileprivate mutating func add(_ instance: SeenInstance, _ identifiers: IdentifierIssuer) {
        if !owners.contains(instance.owner) { owners.append(instance.owner) }
        let id = identifiers.name(of: instance.id)
        hits.append(
            FindHit(
                kind: instance.kind, id: id, title: instance.title,
                place: "in cell \(instance.cell), by \(identifiers.name(of: instance.owner))", show: "thing \(id)"))
    }
}

/// Lets one search in texts in at a time: each reads thousands of rows.
final class TextSearchGate: Sendable {
    private let isTaken = Mutex(false)

    /// - Returns: false while another one is in.
    func enter() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func leave() { isTaken.withLock { $0 = false } }
}
