internal import CairnConfiguration
internal import CairnCore
internal import CairnGeo
internal import CairnLogging
internal import CairnServer
internal import CairnStore
internal import CairnWire

/// Commands that search, and commands that show what was found. Each look-up of a person is entered in the audit log
/// (ROL-5).
extension StatsCommand {
    static var finding: [StatsCommand] {
        [
            StatsCommand(
                "find", takes: "TEXT",
                "what has this id, token, place or link, people, organisations and tours of this name, and "
                    + "instances with these words, each with the command that shows it; read level finds cells and "
                    + "places; who searches people stands in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.find(try SearchText(arguments.text), for: someone)
            },
            StatsCommand(
                "texts", takes: "[before=INSTANCE] WORDS", level: .admin,
                "instances with all of these words in their text, the newest first, of those that are for "
                    + "everyone; a question reads \(TextSearch.rowsMax) rows, next = what before= goes on with; whose "
                    + "texts were found stands in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.searchTexts(try TextSearch(arguments, room.context.identifiers), for: someone)
            },
            StatsCommand(
                "left", takes: "ACCOUNT [before=INSTANCE] [top=N]", level: .admin,
                "what an account has left and not removed, the newest first, \(LeftPage.topUsual) of it or up to "
                    + "\(LeftPage.topMax), and the tours of its organisation; next = what before= goes on with; stands "
                    + "in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.listLeft(try LeftPage.Choice(arguments, room.context.identifiers), for: someone)
            },
            StatsCommand(
                "person", takes: "ACCOUNT|SESSION|NAME [REASON]", level: .admin,
                "an account with its sessions, what it holds and what was done about it; stands in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.showPerson(
                    try arguments.account(), because: try arguments.checkedReason(after: 1), for: someone)
            },
            StatsCommand(
                "names", takes: "ACCOUNT|SESSION...", level: .admin,
                "the names of accounts, also by their sessions, of at most \(StatsRoom.namesMax) at once; null = there "
                    + "is no such account, or it has no name; who was named stands in the audit log"
            ) { room, someone, arguments throws(StatsRefusal) in
                try room.tellNames(of: arguments.words, for: someone)
            },
            StatsCommand(
                "thing", takes: "INSTANCE", level: .admin,
                "an instance: what it is, where, whose, since when, its totals, and what was done about it"
            ) { room, someone, arguments throws(StatsRefusal) in
                let word = try arguments.one("the id of an instance")
                room.showThing(try room.identifier(word.lowercased(), "instance"), for: someone)
            },
            StatsCommand(
                "things", takes: "CELL [\(ThingOrder.words)] [from=N] [top=N]", level: .admin,
                "the instances in a cell, the newest first, awake or not; 50 of them, or up to 200; next = the place "
                    + "of the next page, damaged = rows that the cell leaves out"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.listThings(try ThingChoice(arguments), for: someone)
            },
            StatsCommand(
                "squares", takes: "CELL",
                "people by square of 1,000 m, the coarsest that others see of anybody, for each square that the cell "
                    + "touches"
            ) { room, someone, arguments throws(StatsRefusal) in
                let token = try arguments.one("a cell's token, such as 4cc91a544")
                guard let cell = CellID(token: token) else {
                    throw StatsRefusal(.badArgument, "\(token.prefix(40)) is no cell's token")
                }
                try room.countSquares(around: cell, for: someone)
            },
            StatsCommand(
                "organisation", takes: "ORGANISATION", level: .admin,
                "an organisation with its members, its tours and what was decided about it"
            ) { room, someone, arguments throws(StatsRefusal) in
                let word = try arguments.one("the id of an organisation")
                room.showOrganisation(try room.identifier(word.lowercased(), "organisation"), for: someone)
            },
        ]
    }
}

extension StatsRoom {
    fileprivate func find(_ sought: SearchText, for someone: Operator) {
        let isAdmin = someone.level == .admin
        whenBusy(someone) { done in
            hear { room in
                let ground = room.ground(sought)
                guard isAdmin else {
                    return done(room) { room.answer($0, ground, of: sought) }
                }
                let id = sought.id ?? ""
                room.ask({ $0.account(ofSession: id) }) { room, parts in
                    let session = parts.compactMap { $0 ?? nil }.first
                    done(room) { room.find(sought, beside: ground, session: session, for: $0) }
                }
            }
        }
    }

    private func answer(_ someone: Operator, _ ground: [FindHit], of sought: SearchText) {
        guard ground.isEmpty else { return answer(someone) { $0.write(ground, of: sought.text, cut: false) } }
        answer(
            someone,
            refusal: StatsRefusal(
                .forbidden,
                "names, ids and links want admin level; this connection has read level and finds cells and places"))
    }

    private func find(
        _ sought: SearchText, beside ground: [FindHit], session: AccountID?, for someone: Operator
    ) {
        let finder = Finder(context: context, author: .named(someone.name))
        let (context, gate) = (context, access.textSearches)
        perform(for: someone) {
            let hits = try await finder.hits(sought, session: session)
            // An id that was found is not searched for as words, nor is a place or a link.
            let words = hits.isEmpty || sought.id == nil ? sought.name : nil
            let search = words.flatMap { TextSearch(words: $0) }
            let found = try await search?.found(in: context, by: finder.author, gate, isNoted: false)
            return JSONLine.object { line in
                line.write(hits + ground + (found?.hits ?? []), of: sought.text, cut: found?.isCut ?? false)
                if words != nil { line.texts(found, context.identifiers) }
            }
        }
    }

    fileprivate func searchTexts(_ search: TextSearch, for someone: Operator) {
        let (context, gate, author) = (context, access.textSearches, AccountAuthor.named(someone.name))
        perform(for: someone) {
            guard let found = try await search.found(in: context, by: author, gate, isNoted: true) else {
                throw StatsRefusal(.notAvailable, "another search in texts is under way; try again in a moment")
            }
            return JSONLine.object { line in
                line.write(found.hits, of: search.text, cut: found.isCut)
                line.texts(found, context.identifiers)
            }
        }
    }

    /// The cell that a text names, or of the place that it names.
    private func ground(_ sought: SearchText) -> [FindHit] {
        let level = context.configuration.cells.level
        if let place = sought.place { return [hit(CellID(place, level: level))] }
        guard let cell = sought.cell else { return [] }
        guard cell.level < level else { return [hit(cell.parent(level: level))] }
        // A short word is the token of a large cell. It counts where something is awake in it.
        let awake = table.rows.count { cell.contains($0.cell) }
        guard awake > 0 else { return [] }
        return [
            FindHit(
                kind: "area", id: cell.token, title: cell.token,
                place: "a larger cell; \(awake) of its cells are awake", show: "cells \(cell.token)")
        ]
    }

    private func hit(_ cell: CellID) -> FindHit {
        let place = table[cell].map { "\($0.people) people, \($0.instances) instances" } ?? "asleep"
        return FindHit(kind: "cell", id: cell.token, title: cell.token, place: place, show: "cell \(cell.token)")
    }
}

extension JSONLine {
    /// The answer to a search. Of each kind no more than `FindHit.perKindMax`; `cut` = there were more.
    fileprivate mutating func write(_ hits: [FindHit], of text: String, cut isCut: Bool) {
        var counts: [String: Int] = [:]
        let shown = hits.filter { hit in
            counts[hit.kind, default: 0] += 1
            return counts[hit.kind, default: 0] <= FindHit.perKindMax
        }
        member("text", text)
        member("cut", isCut || shown.count < hits.count)
        array("hits") { line in
            for hit in shown { line.element { $0.members(of: hit) } }
        }
    }

    /// How far texts were read; null = they were not, as another search is under way or the text has no words.
    fileprivate mutating func texts(_ found: TextSearch.Found?, _ identifiers: IdentifierIssuer) {
        guard let found else { return null("texts") }
        object("texts") { line in
            line.member("read", found.read)
            if let next = found.next { line.member("next", identifiers.name(of: next)) } else { line.null("next") }
        }
    }
}
