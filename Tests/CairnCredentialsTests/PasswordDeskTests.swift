import CairnTesting
import CairnTime
import Foundation
import Testing

@testable import CairnCredentials

/// Passwords are compared on one thread behind two bounded lanes (ACC-4, pitfalls B16).
@Suite(.timeLimit(.minutes(10))) struct PasswordDeskTests {
    private let password: PreparedPassword
    private let hash: PasswordHash

    init() throws {
        password = try PreparedPassword("correct horse")
        hash = try PasswordHash(of: password, cost: .cheap)
    }

    private func makeDesk(cost: PasswordHash.Cost = .cheap) -> PasswordDesk { PasswordDesk(cost: cost) { .epoch } }

    @Test func verdicts_tellRightFromWrong() async throws {
        let desk = makeDesk()
        #expect(try await desk.verify(password, against: hash, for: .familiar) == .right(needsRehash: false))
        let other = try PreparedPassword("wrong horse")
        #expect(try await desk.verify(other, against: hash, for: .stranger) == .wrong)
        #expect(try await desk.verify(password, against: nil, for: .stranger) == .wrong)
        #expect(desk.figures.done == 3)
        await desk.stop()
    }

    @Test func hashOfAnotherCost_isToBeMadeAgain() async throws {
        let desk = makeDesk(cost: .make(128, 1))
        #expect(try await desk.verify(password, against: hash, for: .familiar) == .right(needsRehash: true))
        let newer = try await desk.hash(password, for: .familiar)
        #expect(newer.cost == .make(128, 1))
        #expect(try await desk.verify(password, against: newer, for: .familiar) == .right(needsRehash: false))
        await desk.stop()
    }

    @Test func fullLane_refusesAtOnce_andTheOtherDoesNot() async throws {
        let gate = Gate()
        let desk = PasswordDesk(cost: .cheap, bounds: .init(devicesMax: 1, familiarMax: 3, strangersMax: 2)) {
            gate.now()
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [password, hash] in _ = try await desk.verify(password, against: hash, for: .familiar) }
            #expect(await soon { gate.isReached })
            for lane in [PasswordDesk.Lane.stranger, .stranger, .familiar, .familiar, .familiar, .device] {
                group.addTask { [password, hash] in _ = try await desk.verify(password, against: hash, for: .some(lane))
                }
            }
            #expect(await soon { desk.figures.waiting == [.stranger: 2, .familiar: 3, .device: 1] })
            for lane in PasswordDesk.Lane.allCases {
                let busy = await #expect(throws: PasswordDesk.Busy.self) {
                    try await desk.verify(password, against: hash, for: .some(lane))
                }
                #expect(try #require(busy).retryAfter >= .seconds(1))
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(desk.figures.done == 7 && desk.figures.refused == [.stranger: 1, .familiar: 1, .device: 1])
        await desk.stop()
    }

    @Test func cancelledCaller_losesItsPlace() async throws {
        let gate = Gate()
        let desk = PasswordDesk(cost: .cheap) { gate.now() }
        let first = Task { [password, hash] in try await desk.verify(password, against: hash, for: .familiar) }
        #expect(await soon { gate.isReached })
        let second = Task { [password, hash] in try await desk.verify(password, against: hash, for: .stranger) }
        #expect(await soon { desk.figures.waiting[.stranger] == 1 })
        second.cancel()
        await #expect(throws: PasswordDesk.Busy.self) { try await second.value }
        #expect(desk.figures.waiting[.stranger] == 0 && desk.figures.abandoned == 1)
        gate.open()
        #expect(try await first.value == .right(needsRehash: false))
        await desk.stop()
    }

    @Test func stop_refusesThoseWhoWait_andEndsTheThread() async throws {
        let gate = Gate()
        let desk = PasswordDesk(cost: .cheap) { gate.now() }
        let first = Task { [password, hash] in try await desk.verify(password, against: hash, for: .familiar) }
        #expect(await soon { gate.isReached })
        let second = Task { [password] in try await desk.hash(password, for: .stranger) }
        #expect(await soon { desk.figures.waiting[.stranger] == 1 })
        async let stopped: Void = desk.stop()
        await #expect(throws: PasswordDesk.Busy.self) { try await second.value }
        gate.open()
        // What was under way is answered.
        #expect(try await first.value == .right(needsRehash: false))
        await stopped
        await #expect(throws: PasswordDesk.Busy.self) {
            try await desk.verify(password, against: hash, for: .familiar)
        }
        await desk.stop()
    }

    /// And no other thread, such as one of the pool that was started for an answer.
    @Test func threadThatHashes_yieldsToOthers() async throws {
        let desk = makeDesk()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask { [password] in _ = try? await desk.verify(password, against: nil, for: .familiar) }
            }
        }
        // Others of the process have a value of their own: a backup's thread has 19.
        let wanted = try #require(niceness(of: "/proc/self")) + Int(QuietThread.niceness)
        let quiet = try tasks().filter { niceness(of: $0) == wanted }
        #expect(!quiet.isEmpty)
        // A thread may have ended since.
        #expect(quiet.allSatisfy { name(of: $0) ?? PasswordDesk.threadName == PasswordDesk.threadName })
        await desk.stop()
    }

    private func tasks() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").map { "/proc/self/task/\($0)" }
    }

    private func name(of task: String) -> String? {
        (try? String(contentsOfFile: "\(task)/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines)
    }

    /// The 19th field of `stat`, the 17th behind the name in brackets (proc(5)).
    private func niceness(of task: String) -> Int? {
        guard let text = try? String(contentsOfFile: "\(task)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 16 ? Int(fields[16]) : nil
    }
}

/// An unknown name takes the time of a wrong password (pitfalls B16). In CPU time of the desk's thread, which other
/// work of the machine does not change; the medians of 40, one after the other.
@Suite(.serialized, .tags(.alone), .timeLimit(.minutes(10))) struct PasswordTimingTests {
    @Test func unknownNamesWrongPasswordsAndOldHashes_takeTheSameTime() async throws {
        let cost = PasswordHash.Cost.standard
        let (right, wrong) = (try PreparedPassword("correct horse"), try PreparedPassword("wrong horse"))
        let stored = try PasswordHash(of: right, cost: cost)
        // Half the memory, a pass less, and the least there is.
        let older = try [(9_728, 2), (19_456, 1), (64, 1)].map { try PasswordHash(of: right, cost: .make($0.0, $0.1)) }
        let desk = PasswordDesk(cost: cost) {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return .epoch + .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
        let cases: [PasswordHash?] = [stored, nil] + older
        var times = [[Duration]](repeating: [], count: cases.count)
        for _ in 0..<40 {
            for (place, hash) in cases.enumerated() {
                let before = desk.figures.busy
                #expect(try await desk.verify(wrong, against: hash, for: .stranger) == .wrong)
                times[place].append(desk.figures.busy - before)
            }
        }
        await desk.stop()
        let medians = times.map { $0.sorted()[20] / .milliseconds(1) }
        #expect(abs(medians[1] / medians[0] - 1) < 0.1, "milliseconds: \(medians)")
        for median in medians[2...] { #expect(abs(median / medians[0] - 1) < 0.2, "milliseconds: \(medians)") }
    }
}

extension PasswordDesk.Asker {
    static let familiar = some(.familiar)
    static let stranger = some(.stranger)

    static func some(_ lane: PasswordDesk.Lane) -> Self { Self(lane, at: LimitKey(1), as: LimitKey(2)) }
}
