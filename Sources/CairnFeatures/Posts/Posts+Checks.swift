internal import CairnCore
internal import CairnGeo
internal import CairnText
internal import CairnWire

/// Checks that several commands share.
extension Posts {
    /// - Throws: `text_empty`, `text_too_long` with the limit that was exceeded (PST-1).
    static func check(text: String, _ settings: PostSettings) throws(Refusal) {
        guard !text.isBlank else {
            throw refusal(.textEmpty, "say something", details: ["field": "text"])
        }
        // Bytes first: counting characters costs more, and the check of bytes bounds that cost.
        let bytes = text.utf8.count
        guard bytes <= settings.bytesMax else {
            throw refusal(
                .textTooLong, "\(bytes) bytes of UTF-8, the limit is \(settings.bytesMax)",
                details: ["field": "text", "count": "\(bytes)", "limit": "\(settings.bytesMax)", "unit": "bytes"])
        }
        let count = text.count
        guard count <= settings.charactersMax else {
            throw refusal(
                .textTooLong, "\(count) characters, the limit is \(settings.charactersMax)",
                details: ["field": "text", "count": "\(count)", "limit": "\(settings.charactersMax)"])
        }
    }

    /// The post of this name, if the sender sees it, with the changes of all earlier commands, saved or not.
    /// - Throws: `post_expired`; `not_found` alike for an unknown id, a post that its score hides, and one that ended
    ///   long ago.
    static func post(_ name: String, for sender: Sender, in turn: Turn) throws(Refusal) -> Post {
        let id = turn.instance(named: name)
        return try post(turn.objects.record(id, .post), id, for: sender, in: turn)
    }

    /// The same post in the state that is on disk.
    static func kept(_ name: String, for sender: Sender, in turn: Turn) throws(Refusal) -> Post {
        let id = turn.instance(named: name)
        return try post(turn.objects.kept(id, .post), id, for: sender, in: turn)
    }

    private static func post(
        _ record: ObjectRecord?, _ id: InstanceID?, for sender: Sender, in turn: Turn
    ) throws(Refusal) -> Post {
        guard let record else {
            // Whether its author was one who shows guests nothing is forgotten: none of them learns that there was one.
            guard !sender.isGuest, turn.objects.hasEnded(id, for: sender) else {
                throw ObjectTable.absence(component: name)
            }
            throw Refusal(.postExpired, component: name)
        }
        guard turn.shows(record, to: sender), let life = record.attachments[PostLife.self] else {
            throw ObjectTable.absence(component: name)
        }
        // Decided by the clock: the event of its end may not have left yet.
        guard !record.isOver(at: turn.lasting) else {
            throw sender.isGuest ? ObjectTable.absence(component: name) : Refusal(.postExpired, component: name)
        }
        return Post(record: record, life: life)
    }

    /// The sender's own post of this name.
    /// - Throws: as `post`, and `forbidden`.
    static func own(_ name: String, for sender: Sender, in turn: Turn) throws(Refusal) -> Post {
        let post = try post(name, for: sender, in: turn)
        guard post.record.owner == sender.account else {
            throw refusal(.forbidden, "only its author may change a post")
        }
        return post
    }

    /// Finds the cell of the sender's own post that is out of view. The account queries the store by id and owner: this
    /// is the same work for another person's post as for an unknown id, and wakes no cell for either.
    static func search(_ name: String, for request: Request, in turn: Turn) throws(Refusal) -> Effect {
        guard let id = turn.instance(named: name) else { throw ObjectTable.absence(component: Self.name) }
        return .ask([whereabouts(of: id, ownedBy: request.sender.account)], request)
    }

    /// Hands the request to the cell that holds the sender's own post, if it is the cell that the request names.
    /// - Parameter rows: the answer to `search`.
    static func handOver(
        _ request: Request, to rows: [Row], named token: String, in turn: inout Turn
    ) throws(Refusal) -> Effect {
        let named = try turn.settings.cell(named: token, component: name)
        guard let row = rows.first, try cell(from: row, in: &turn) == named else {
            throw ObjectTable.absence(component: name)
        }
        return .hand(request, .cell(named))
    }
}

/// A live post that a command works on.
struct Post {
    var record: ObjectRecord
    var life: PostLife

    /// When it ends; every post has an end.
    var ends: LastingTime { record.ends ?? .distantFuture }

    /// Writes the changed post back to the home.
    func keep(in turn: inout Turn) {
        var record = record
        record.attachments[PostLife.self] = life
        turn.objects[record.id] = record
    }

    /// Whether the sender is within its reach, and so may vote (RCT-3). The tenth for which a client goes on showing a
    /// post that it shows (PST-2, VIS-1) is against flicker, and gives no vote.
    func reaches(_ sender: Sender, _ settings: Settings) -> Bool {
        guard let position = sender.position else { return false }
        let reach = PostStanding(score: life.votes.score, settings).reachMetres
        return record.coordinate.distanceMetres(to: position.coordinate) <= reach
    }
}
