internal import CairnLogging
internal import CairnServer
internal import CairnWire
internal import DequeModule
internal import Logging

/// Commands that do something. Each is logged.
extension StatsCommand {
    static var acting: [StatsCommand] {
        [
            StatsCommand(
                "notice", takes: "[cell=TOKEN|account=ID] TEXT", level: .admin,
                "send a notice to all connected users, to those in a cell or larger cell, or to one account; 1 to 500 "
                    + "characters, delivered once"
            ) { room, someone, arguments throws(StatsRefusal) in
                room.tell(
                    try OperatorNotice(
                        arguments, at: room.context.clock.now, identifiers: room.context.identifiers), for: someone)
            },
            StatsCommand(
                "drain", level: .admin, "stop as SIGTERM does: refuse clients, store all changes, say goodbye"
            ) { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                try room.act(room.actions.drain, "drain", for: someone)
            },
            StatsCommand(
                "reload", takes: "[check]", level: .admin,
                "read the settings again, as SIGHUP does; check = only say what that would change, or what is wrong "
                    + "with them"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard arguments.text != "check" else { return try room.previewReload(for: someone) }
                try arguments.none()
                try room.act(room.actions.reload, "reload", for: someone)
            },
            StatsCommand(
                "backup", level: .admin, "write a copy of the database while serving",
                isOffered: { $0.backup != nil }
            ) { room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                guard room.actions.backup != nil else { throw StatsRefusal(.notAvailable, StatsRoom.whyNoBackups) }
                try room.act(room.actions.backup, "backup", for: someone)
            },
            StatsCommand(
                "log", takes: "LEVEL", level: .admin,
                "write log lines from a level on: trace, debug, info, notice, warning, error or critical"
            ) { room, someone, arguments throws(StatsRefusal) in
                let levels = Logger.Level.allCases.map(\.rawValue)
                let word = try arguments.one("one of \(levels.joined(separator: ", "))")
                guard let level = Logger.Level(rawValue: word) else {
                    throw StatsRefusal(
                        .badArgument, "got \(word.prefix(40)), wants one of \(levels.joined(separator: ", "))",
                        nearest: NearestName.of(word, in: levels))
                }
                guard let setLogLevel = room.actions.setLogLevel else {
                    throw StatsRefusal(.notAvailable, "this server's log has no level of its own")
                }
                setLogLevel(level)
                room.noteAction("log \(level)", of: someone)
                room.answer(someone) { $0.member("log", level.rawValue) }
            },
            StatsCommand("link", level: .admin, "a link that opens the console once, within 15 minutes") {
                room, someone, arguments throws(StatsRefusal) in
                try arguments.none()
                let link = room.access.authentication.makeLink()
                room.noteAction("link", of: someone)
                let path = "\(ConsolePages.path)?link=\(link)"
                room.answer(someone) { line in
                    line.member("url", room.started.addresses.operators.http + path)
                    line.member("path", path)
                }
            },
        ]
    }
}

extension StatsRoom {
    /// What to do where no backup can be made.
    static let whyNoBackups =
        "backups are off, because there is no folder for them: a demo keeps nothing. Of a world that is kept, "
        + "backup.directory is the folder, and backup.hours the time between two"

    /// Says what a reload would change.
    fileprivate func previewReload(for someone: Operator) throws(StatsRefusal) {
        guard let preview = actions.previewReload else {
            throw StatsRefusal(.notAvailable, "this server cannot reload yet")
        }
        perform(for: someone) {
            let changes = try await preview()
            return JSONLine.object { line in
                line.list("applied", changes.applied)
                line.list("waiting", changes.waiting)
            }
        }
    }

    /// Starts a long action of the server and answers with its result.
    fileprivate func act(
        _ action: (@Sendable () async throws -> String)?, _ name: String, for someone: Operator
    ) throws(StatsRefusal) {
        guard let action else { throw StatsRefusal(.notAvailable, "this server cannot \(name) yet") }
        noteAction(name, of: someone)
        perform(for: someone) {
            let said = try await action()
            return JSONLine.object { $0.member("done", said) }
        }
    }

    /// Runs a long action and sends its line, or the reason why it failed.
    func perform(for someone: Operator, _ action: @escaping @Sendable () async throws -> [UInt8]) {
        perform(for: someone, action) { _, someone, line in someone.link.send([line]) }
    }

    /// Runs a long action and continues in the room with what it gives, or sends the reason why it failed.
    func perform<Value: Sendable>(
        for someone: Operator, _ action: @escaping @Sendable () async throws -> Value,
        then: @escaping @Sendable (StatsRoom, Operator, Value) -> Void
    ) {
        someone.isBusy = true
        Self.perform(action, for: someone.number, service: service, then: then)
    }

    private static func perform<Value: Sendable>(
        _ action: @escaping @Sendable () async throws -> Value, for number: UInt64, service: StatsService?,
        then: @escaping @Sendable (StatsRoom, Operator, Value) -> Void
    ) {
        Task {
            let outcome = await outcome(of: action)
            service?.post { room in
                guard let someone = room.operators[number] else { return }
                someone.isBusy = false
                switch outcome {
                case .value(let value): then(room, someone, value)
                case .refused(let line): someone.link.send([line])
                }
                room.proceed(someone)
            }
        }
    }

    private enum Outcome<Value: Sendable>: Sendable {
        case value(Value)
        /// The line that says why not.
        case refused([UInt8])
    }

    private static func outcome<Value: Sendable>(
        of action: @Sendable () async throws -> Value
    ) async -> Outcome<Value> {
        do {
            return .value(try await action())
        } catch let refusal as StatsRefusal {
            return .refused(errorLine(code: refusal.code.rawValue, refusal.message))
        } catch let refusal as Refusal {
            let code = refusal.code == .invalidField ? StatsRefusal.Code.badArgument.rawValue : refusal.code.rawValue
            return .refused(errorLine(code: code, refusal.message))
        } catch {
            return .refused(errorLine(code: "failed", "\(error)"))
        }
    }

    /// Sends a notice from every shard to its connections. A session whose connection is cut does not get it later.
    fileprivate func tell(_ notice: OperatorNotice, for someone: Operator) {
        noteAction("notice", of: someone)
        whenBusy(someone) { done in
            ask({ $0.tell(notice) }) { room, parts in
                let count = parts.reduce(0) { $0 + ($1 ?? 0) }
                done(room) { someone in
                    if count > 0 || notice.audience == .everybody {
                        room.answer(someone) { $0.member("told", count) }
                    } else {
                        room.answer(someone, refusal: StatsRefusal(.notFound, "nobody of those is connected"))
                    }
                }
            }
        }
    }

    /// Logs which operator did what. The log does not name the account concerned.
    func noteAction(_ action: String, of someone: Operator) {
        context.logger.notice("an operator acts", metadata: ["action": "\(action)", "operator": "\(someone.name)"])
    }
}
