import CairnClient
import CairnTime
import CairnWire
import Testing

/// SES-11 and the code ranges of `Closure`.
@Suite struct ReconnectTests {
    private func length(_ reconnection: Reconnection) -> Duration? {
        if case .after(let pause) = reconnection { pause } else { nil }
    }

    @Test(arguments: [1001, 1006, 1011, 1012, 1013, 4000, 4001, 4002] as [UInt16])
    func passingEnds_areFollowedByAReconnection(code: UInt16) throws {
        var script = Script.live()
        let pause = try #require(length(script.core.connectionClosed(code: code, now: script.now)))
        #expect(pause <= .milliseconds(500))
    }

    @Test(arguments: [1000, 1008, 1009, 4100, 4102, 4200, 4201] as [UInt16])
    func endsThatSomebodyMustActOn_areNotFollowedByOne(code: UInt16) {
        var script = Script.live()
        #expect(length(script.core.connectionClosed(code: code, now: script.now)) == nil)
    }

    @Test func hintOfTheServer_isTheLeastPause() throws {
        var script = Script.live()
        _ = script.receive(.closing("server_shutdown", reconnectAfter: 4_000))
        let pause = try #require(length(script.core.connectionClosed(code: 1012, now: script.now)))
        #expect(pause >= .seconds(4) && pause <= .milliseconds(4_500))
    }

    @Test func closingWithoutAHint_meansDoNotComeBack() {
        var script = Script.live()
        _ = script.receive(.closing("server_shutdown", reconnectAfter: nil))
        #expect(length(script.core.connectionClosed(code: 1012, now: script.now)) == nil)
    }

    @Test func pauses_growWithAttemptsThatFail_andAreSpread() throws {
        var longest = Duration.zero
        var shortest = Duration.seconds(60)
        for _ in 0..<100 {
            var script = Script.make()
            script.core = ClientCore(profile: ClientProfile())
            for _ in 0..<10 { _ = script.core.connectionClosed(code: 1006, now: .epoch) }
            let pause = try #require(length(script.core.connectionClosed(code: 1006, now: .epoch)))
            longest = max(longest, pause)
            shortest = min(shortest, pause)
        }
        #expect(longest > .seconds(20) && longest <= .seconds(30))
        #expect(shortest < .seconds(10))
    }

    @Test func pauses_startAnewAfterAStableConnection() throws {
        var script = Script.make()
        for _ in 0..<10 { _ = script.core.connectionClosed(code: 1006, now: .epoch) }
        _ = script.open()
        let pause = try #require(length(script.core.connectionClosed(code: 1006, now: script.now + .seconds(60))))
        #expect(pause <= .milliseconds(500))
    }

    // MARK: A hello that arrives late

    /// A connection was given up before its hello was answered. The hello arrives behind the next one's, and takes the
    /// session over.
    @Test func takeoverByItsOwnLateHello_isTakenBack_once() {
        var script = Self.afterALostHello()
        let code = Closure.sessionTakenOver.code
        #expect(length(script.core.connectionClosed(code: code, now: script.now)) != nil)
        _ = script.open()
        #expect(length(script.core.connectionClosed(code: code, now: script.now)) == nil, "another device took it over")
    }

    @Test func takeoverLongAfter_isSomebodyElses() {
        var script = Self.afterALostHello()
        let code = Closure.sessionTakenOver.code
        #expect(length(script.core.connectionClosed(code: code, now: script.now + .seconds(61))) == nil)
    }

    private static func afterALostHello() -> Script {
        var script = Script.live()
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        script.core.connectionOpened(now: script.now)
        _ = script.core.connectionClosed(code: 1006, now: script.now)
        _ = script.open()
        return script
    }
}
