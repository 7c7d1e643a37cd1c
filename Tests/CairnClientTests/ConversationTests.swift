import CairnGeo
import CairnTime
import CairnWire
import Foundation
import SwiftProtobuf
import Testing

@testable import CairnClient

/// The conversations that cairn.js holds too (Tests/Conversations/README.md).
@Suite struct ConversationTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Conversations").standardizedFileURL

    private static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".json") }.sorted()

    @Test func conversations_areThere() { #expect(Self.names.count >= 10) }

    @Test(arguments: names, WireFormat.allCases)
    func conversation_isHeldAsByEveryClient(name: String, format: WireFormat) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: name))
        let conversation = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let formats = conversation["formats"] as? [String] ?? ["proto", "json"]
        guard formats.contains(format == .proto ? "proto" : "json") else { return }
        var talk = Talk(profile: conversation["profile"] as? [String: Any] ?? [:], format: format)
        let steps = try #require(conversation["steps"] as? [[String: Any]])
        for (index, step) in steps.enumerated() {
            let problems = try talk.take(step)
            #expect(problems.isEmpty, "\(name), step \(index + 1)")
        }
    }
}

/// A client in a conversation.
private struct Talk {
    private var core: ClientCore
    private let format: WireFormat
    private var now = MonotonicTime.epoch
    private var names: [RequestTicket: String] = [:]
    /// What the texts that begin with `$` stand for.
    private var texts: [String: String] = [:]

    init(profile: [String: Any], format: WireFormat) {
        self.format = format
        let made = ClientProfile(
            name: profile["name"] as? String ?? "", frontEnd: profile["frontEnd"] as? String ?? "realm")
        core = ClientCore(profile: made, format: format, seed: 1)
    }

    /// Takes a step.
    /// - Returns: what is not as the step says.
    mutating func take(_ step: [String: Any]) throws -> [String] {
        if let at = step["at"] as? Int { now = .epoch + .milliseconds(at) }
        var (events, problems): ([ClientEvent], [String]) = ([], [])
        if step["open"] != nil { core.connectionOpened(now: now) }
        if let items = step["receive"] as? [Any] {
            events = try bytes(["items": items]).withUnsafeBytes { core.receive($0, now: now) }
        }
        if let kind = step["ask"] as? String {
            let message = try WireClientMessage(jsonUTF8Bytes: Self.json([kind: step["body"] ?? [:]]))
            let body = try #require(message.body)
            names[try core.ask(body.content, now: now)] = step["as"] as? String
        }
        if let position = step["move"] {
            core.move(to: try WirePosition(jsonUTF8Bytes: Self.json(position)))
        }
        if step["wake"] != nil { events = core.wake(now: now) }
        if let code = step["close"] as? Int {
            let found = core.connectionClosed(code: UInt16(code), now: now)
            if !Self.fits(found, step["reconnect"]) { problems.append("comes back \(found)") }
        }
        let sent = try core.takeOutgoing().map(read)
        if let wanted = step["sent"] as? [Any] {
            if sent.count != wanted.count { problems.append("sends \(sent)") }
            for (found, wanted) in zip(sent, wanted) where !matches(found, wanted) {
                problems.append("sends \(found), not \(wanted)")
            }
        }
        if let wanted = step["events"] as? [String] {
            let words = events.map(word)
            if words.sorted() != wanted.sorted() { problems.append("tells \(words), not \(wanted)") }
        }
        if let wanted = step["unanswered"] as? Int, core.unansweredCount != wanted {
            problems.append("\(core.unansweredCount) unanswered")
        }
        if let wanted = step["view"] as? [String: Int] {
            let view = Dictionary(uniqueKeysWithValues: core.view.instances.map { ($0.id, Int($0.version)) })
            if view != wanted { problems.append("sees \(view)") }
        }
        if let wanted = step["people"] as? [[String: Any]] { problems += differences(from: wanted) }
        return problems
    }

    private static func json(_ value: Any) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: value))
    }

    private func bytes(_ message: [String: Any]) throws -> [UInt8] {
        let text = try Self.json(message)
        guard format == .proto else { return text }
        return try ServerMessageDecoder.decode(text, format: .json).serializedBytes()
    }

    private func read(_ bytes: [UInt8]) throws -> Any {
        let text = format == .json ? bytes : try WireClientMessage(serializedBytes: bytes).jsonUTF8Bytes()
        return try JSONSerialization.jsonObject(with: Data(text))
    }

    private mutating func matches(_ found: Any?, _ wanted: Any) -> Bool {
        switch wanted {
        case let wanted as [String: Any]:
            guard let found = found as? [String: Any] else { return false }
            for (name, value) in wanted where !matches(found[name], value) { return false }
            return true
        case let wanted as [Any]:
            guard let found = found as? [Any], found.count == wanted.count else { return false }
            for (found, wanted) in zip(found, wanted) where !matches(found, wanted) { return false }
            return true
        case let wanted as String where wanted.hasPrefix("$"):
            guard let found = found as? String, !found.isEmpty else { return false }
            defer { texts[wanted] = texts[wanted] ?? found }
            return texts[wanted] ?? found == found
        case let wanted as NSObject: return (found as? NSObject)?.isEqual(wanted) ?? false
        default: return false
        }
    }

    private static func fits(_ found: Reconnection, _ wanted: Any?) -> Bool {
        switch (found, wanted) {
        case (.never, let wanted as String): wanted == "never"
        case (.after(let pause), let bounds as [Int]):
            pause >= .milliseconds(bounds[0]) && pause <= .milliseconds(bounds[1])
        default: wanted == nil
        }
    }

    private func word(_ event: ClientEvent) -> String {
        switch event {
        case .welcomed: "welcomed"
        case .signedOut(let item): "signedOut \(item.code)"
        case .answered(let ticket, .success): "answered \(names[ticket] ?? "") ok"
        case .answered(let ticket, .refusal(let refusal)):
            "answered \(names[ticket] ?? "") refused \(refusal.code.rawValue)"
        case .refused(let refusal): "refused \(refusal.code.rawValue)"
        case .appeared(let instance): "appeared \(instance.id)"
        case .changed(let instance, _): "changed \(instance.id)"
        case .disappeared(let instance): "disappeared \(instance.id)"
        case .followed(let topic): "followed \(topic)"
        case .unfollowed(let topic): "unfollowed \(topic)"
        case .resynchronising(let topic): "resynchronising \(topic)"
        case .presence(let change): "presence \(change.cell.token)"
        case .positionsShifted(by: let shift): "positionsShifted \(shift.microseconds / 1_000)"
        case .notice: "notice"
        case .settings: "settings"
        case .standing: "standing"
        case .selectionReset: "selectionReset"
        case .realmChanged(let id): "realmChanged \(id)"
        case .run(let run): "run \(run.id)"
        case .popupShown(let popup): "popupShown \(popup.id)"
        case .guidance: "guidance"
        case .fellowWalkers: "fellowWalkers"
        case .group(let group): "group \(group.id)"
        case .groupEnded(let id): "groupEnded \(id)"
        case .runEnded(let id): "runEnded \(id)"
        case .tourChanged(let id, let part, let version): "tourChanged \(id) \(part) \(version)"
        case .nearbyTours(let ids): "nearbyTours \(ids.joined(separator: " "))"
        case .notified(let new, let unread): "notified \(new.count) unread \(unread)"
        case .closing(let closing): "closing \(closing.code)"
        case .disconnected: "disconnected"
        case .violation(let violation): "violation \(violation.rule.rawValue)"
        }
    }

    private func differences(from wanted: [[String: Any]]) -> [String] {
        let people = core.rosters.values.flatMap { $0.people }.sorted { $0.name < $1.name }
        guard people.map(\.name) == wanted.compactMap({ $0["name"] as? String }) else { return ["sees \(people)"] }
        return zip(people, wanted).compactMap { person, wanted in
            guard let latitude = wanted["lat"] as? Double, let longitude = wanted["lon"] as? Double else { return nil }
            let place = person.pose?.coordinate
            let isNear =
                abs((place?.latitude ?? 0) - latitude) < 1.5e-6 && abs((place?.longitude ?? 0) - longitude) < 1.5e-6
            return isNear ? nil : "\(person.name) is at \(String(describing: place))"
        }
    }
}
