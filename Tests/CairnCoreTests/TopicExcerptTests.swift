import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnCore

/// What one device holds of a topic, by the protocol alone.
private struct Replica {
    var instances: [String: WireInstance] = [:]
    var cursor: WireCursor?

    /// - Returns: false when an event does not follow the one before.
    mutating func take(_ items: [WireItem]) -> Bool {
        for item in items {
            switch item.body {
            case .snapshot(let page):
                if page.first { instances = [:] }
                for instance in page.instances { instances[instance.id] = instance }
                cursor = page.cursor
            case .event(let event):
                guard event.sequence == (cursor?.sequence ?? 0) + 1 else { return false }
                cursor?.sequence = event.sequence
                switch event.change {
                case .entered(let entered): instances[entered.instance.id] = entered.instance
                case .left(let left): instances[left.instance] = nil
                default: break
                }
            case .continued(let continued):
                guard continued.cursor == cursor else { return false }
            default: return false
            }
        }
        return true
    }
}

@Suite("Excerpts of topics (FRD-7)") struct TopicExcerptTests {
    private let topic = Topic(Ground.here.cell)
    private let viewer = AccountID.make(1)
    private let other = AccountID.make(2)
    private let absent = AccountID.make(3)

    private func stream(recentMax: Int = 16) -> TopicStream {
        TopicStream(topic: topic, start: Cursor(epoch: 7, sequence: 100), recentMax: recentMax)
    }

    private func entry(_ record: ObjectRecord) -> Publication { .entry(of: record, as: record.wire) }

    @Test func absentPersonWithoutThings_changesNothing() {
        var stream = stream()
        _ = stream.publish(entry(.make(owner: other)))
        let events = stream.change(viewer, toWithout: [absent])
        #expect(events?.isEmpty == true)
        #expect(stream.excerpt(for: viewer)?.isDistinct == false)
        let told = stream.publish(entry(.make(owner: other)))
        let news = stream.takeIntoExcerpts(told, of: other)
        #expect(news.began.isEmpty && news.items.isEmpty)
    }

    @Test func thingsOfAnAbsentPerson_leaveLikeRemovedOnes() throws {
        var stream = stream()
        let record = ObjectRecord.make(owner: absent)
        _ = stream.publish(entry(record))
        let leaving = stream.change(viewer, toWithout: [absent])
        let events = try #require(leaving)
        #expect(events.map(\.event.sequence) == [102])
        #expect(events.first?.event.left.instance == record.wire.id)
        #expect(stream.excerpt(for: viewer)?.isDistinct == true)
        let entering = stream.change(viewer, toWithout: [])
        let back = try #require(entering)
        #expect(back.map(\.event.sequence) == [103])
        #expect(back.first?.event.entered.instance == record.wire)
    }

    @Test func firstThingOfAnAbsentPerson_beginsTheExcerptBeforeItsEvent() {
        var stream = stream()
        _ = stream.change(viewer, toWithout: [absent])
        let hidden = stream.publish(entry(.make(.make(1), owner: absent)))
        let news = stream.takeIntoExcerpts(hidden, of: absent)
        #expect(news.began == [viewer] && news.items.isEmpty)
        let told = stream.publish(entry(.make(.make(2), owner: other)))
        let next = stream.takeIntoExcerpts(told, of: other)
        #expect(next.items.map(\.item.event.sequence) == [101] && told.event.sequence == 102)
    }

    @Test func resumeWithoutAnythingHidden_isTheTopics() {
        var stream = stream()
        _ = stream.publish(entry(.make(owner: other)))
        let isGood = stream.follow(viewer, without: [absent])
        #expect(isGood)
        #expect(stream.excerpt(for: viewer)?.isDistinct == false)
    }

    @Test func resumeBehindAHiddenEvent_needsASnapshot() throws {
        var stream = stream()
        _ = stream.publish(entry(.make(owner: absent)))
        let isGood = stream.follow(viewer, without: [absent])
        #expect(!isGood)
        let excerpt = try #require(stream.excerpt(for: viewer))
        #expect(excerpt.isDistinct)
        #expect(stream.snapshot(of: excerpt, pageSize: 10).allSatisfy { $0.snapshot.instances.isEmpty })
    }

    private func take(_ items: [WireItem], into replica: inout Replica) {
        let isSound = replica.take(items)
        #expect(isSound, "an event is missing or comes twice")
    }

    /// Random changes by three people, absences that begin and end, cuts and resumes: a device of the viewer always
    /// holds what is not of an absent person, and no number is left out.
    @Test(arguments: 1...40)
    func randomChanges_deviceHoldsWhatIsNotAbsent(seed: UInt64) throws {
        var random = SeededRandom(seed)
        var stream = stream(recentMax: 6)
        let owners = [other, absent, AccountID.make(4)]
        var records: [ObjectRecord] = []
        var replica = Replica()
        var hidden: Set<AccountID> = []
        var number: UInt64 = 0
        var (isFollowing, isDistinct) = (false, false)
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                number += 1
                let leaves = !records.isEmpty && Bool.random(using: &random)
                let record =
                    leaves
                    ? records.remove(at: Int.random(in: records.indices, using: &random))
                    : ObjectRecord.make(.make(number), owner: owners.randomElement(using: &random) ?? other)
                if !leaves { records.append(record) }
                let told = stream.publish(leaves ? .departure(of: record) : entry(record))
                let news = stream.takeIntoExcerpts(told, of: record.owner)
                if news.began.contains(viewer) { isDistinct = true }
                guard isFollowing else { continue }
                let items = isDistinct ? news.items.filter { $0.account == viewer }.map(\.item) : [told]
                take(items, into: &replica)
            case 6..<8:
                let person = owners.randomElement(using: &random) ?? other
                if hidden.remove(person) == nil { hidden.insert(person) }
                guard isFollowing, let events = stream.change(viewer, toWithout: hidden) else { continue }
                let excerpt = try #require(stream.excerpt(for: viewer))
                if excerpt.isDistinct { isDistinct = true }
                take(events, into: &replica)
            default:
                // Cut; what happens to the account meanwhile the topic does not know.
                guard !isFollowing else {
                    isFollowing = false
                    continue
                }
                isFollowing = true
                let holds = stream.follow(viewer, without: hidden)
                let excerpt = stream.excerpt(for: viewer)
                isDistinct = excerpt?.isDistinct == true
                let seen = replica.cursor.map { Cursor(epoch: $0.epoch, sequence: $0.sequence) }
                var items: [WireItem]?
                if holds, let seen {
                    items =
                        isDistinct
                        ? excerpt.flatMap { stream.continuation(of: $0, after: seen) }
                        : stream.continuation(after: seen)
                }
                let snapshot = excerpt.map { stream.snapshot(of: $0, pageSize: 3) } ?? stream.snapshot(pageSize: 3)
                take(items ?? snapshot, into: &replica)
            }
            guard isFollowing else { continue }
            let seen = Set(records.filter { !hidden.contains($0.owner) }.map(\.wire.id))
            #expect(Set(replica.instances.keys) == seen)
        }
    }
}
