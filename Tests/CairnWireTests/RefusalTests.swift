import CairnWire
import Testing

@Suite struct RefusalTests {
    @Test func code_byName_isTheOneWithTexts() {
        let named = Refusal.Code(rawValue: "limit_reached")
        #expect(named == .limitReached)
        #expect(named.message == Refusal.Code.limitReached.message)
        #expect(Refusal.Code(rawValue: "quota_area") == .quotaArea, "a feature's, by its name alone")
        let unknown = Refusal.Code(rawValue: "from_the_future")
        #expect(unknown.rawValue == "from_the_future")
        #expect(!unknown.message.isEmpty)
        #expect(!unknown.mayRetry)
    }

    @Test func refusal_goesOverTheWireAndBack() {
        let refusal = Refusal(
            .quotaPeriod, "Too many.", component: "things", retryAfter: .milliseconds(41_500),
            details: ["limit": "10", "count": "10"])
        let wire = refusal.wire(correlation: "c-1")
        #expect(wire.code == "quota_period")
        #expect(wire.retryAfter == 41_500)
        #expect(wire.correlation == "c-1")
        #expect(Refusal(wire) == refusal)
        #expect(!Refusal(.forbidden).wire(correlation: "").hasRetryAfter)
    }

    @Test func refusal_withoutTextOrWait_hasTheCodes() {
        #expect(Refusal(.rateLimited).message == Refusal.Code.rateLimited.message)
        #expect(Refusal(.rateLimited).retryAfter == .seconds(1))
        #expect(Refusal(.rateLimited, retryAfter: .seconds(9)).retryAfter == .seconds(9))
    }

    @Test(arguments: [
        (Duration.seconds(-1), UInt32(0)), (.zero, 0), (.nanoseconds(1), 1), (.microseconds(1_999), 2),
        (.milliseconds(2), 2),
        (.seconds(4_294_967) + .milliseconds(295), 4_294_967_295), (.seconds(4_294_967) + .milliseconds(296), .max),
        (.seconds(Int64.max), .max),
    ])
    func wait_isRoundedUpToMilliseconds_andCut(_ wait: Duration, _ milliseconds: UInt32) {
        #expect(Refusal(.rateLimited, retryAfter: wait).wire(correlation: "").retryAfter == milliseconds)
    }
}

@Suite struct ClosureTests {
    @Test func codes_areDistinct_andMayBeSent() {
        #expect(Set(Closure.all.map(\.code)).count == Closure.all.count)
        #expect(Set(Closure.all.map(\.name)).count == Closure.all.count)
        for closure in Closure.all {
            // RFC 6455 7.4.1 reserves 1004 to 1006 and 1015; 4000 to 4999 are for applications.
            #expect(
                [1001, 1002, 1003, 1007, 1008, 1009, 1011, 1012, 1013].contains(closure.code)
                    || (4000...4299).contains(closure.code))
            #expect(closure.message.hasSuffix("."))
            #expect(Closure(code: closure.code) == closure)
        }
        #expect(Closure(code: 4299) == nil)
    }

    @Test func codeRange_saysWhetherToComeBack() {
        #expect(Closure.serverShutdown.mayReconnect)
        #expect(Closure.slowConsumer.mayReconnect)
        #expect(Closure.silent.mayReconnect)
        #expect(Closure.overloaded.code == 1013 && Closure.overloaded.mayReconnect)
        #expect(Closure.unsupportedVersion.next == .afterChange)
        #expect(Closure.tooManyConnections.next == .afterChange)
        #expect(Closure.tooLarge.code == 1009 && !Closure.tooLarge.mayReconnect)
        #expect(Closure.accountSuspended.next == .never)
        #expect(Closure.sessionTakenOver.next == .never)
        // Codes that this build does not know follow the same rule.
        #expect(Closure.next(after: 4099) == .withBackoff)
        #expect(Closure.next(after: 4100) == .afterChange)
        #expect(Closure.next(after: 4199) == .afterChange)
        #expect(Closure.next(after: 4200) == .never)
        #expect(Closure.next(after: 1006) == .withBackoff)
        #expect(Closure.next(after: 1000) == .never)
    }

    @Test func closing_namesThePause_onlyWhereTheClientMayComeBack() {
        let shutdown = Closure.serverShutdown.wire(reconnectAfter: .seconds(4))
        #expect(shutdown.code == "server_shutdown")
        #expect(shutdown.reconnectAfter == 4_000)
        for closure in Closure.all { #expect(closure.wire().hasReconnectAfter == closure.mayReconnect) }
    }

    @Test func closuresThatAreRefusalsToo_haveTheSameName() {
        let required = Set(Refusal.Code.general.map(\.rawValue))
        for name in [
            "server_shutdown", "slow_consumer", "too_large", "rate_limited", "too_many_connections", "overloaded",
            "account_suspended",
        ] {
            #expect(required.contains(name))
            #expect(Closure.all.contains { $0.name == name })
        }
    }
}
