public import CairnTime
internal import Synchronization

/// Limits the mails that a mailbox gets for requests that anybody can make, such as links of recoveries (ACC-10): by
/// mailbox first, whoever asks from wherever. In memory.
///
/// A mailbox gets `burstMax` mails, and further ones at the rate of one in `pause`. Beyond `perDayMax` mails in a day
/// it gets the next one when the link of the last is over. A request in between causes no mail, and is answered as if
/// it had: the link that is in the mailbox is still good. A flood of requests therefore keeps nobody from a link that
/// works, and sends at most `perDayMax` mails, and one for each lifetime of a link.
///
/// At most `SignInLimiter.keysMax` mailboxes; beyond it newcomers with the fewest mails are forgotten.
public final class MailboxLimiter: Sendable {
    private struct State {
        /// The last mails of each mailbox; nil = there is no pause.
        var recent: AttemptTable<LimitKey>?
        var daily: AttemptTable<LimitKey>
        /// When the link of the last mail is over.
        var lastLinks: [LimitKey: MonotonicTime] = [:]
        var withheld = 0
    }

    private let keysMax: Int
    private let state: Mutex<State>

    /// - Parameters:
    ///   - burstMax: mails at once, after a pause of as many pauses.
    ///   - pause: at most a day; zero = none.
    ///   - perDayMax: from 1 to 1,000, beyond them the nearest.
    public init(burstMax: Int = 1, pause: Duration, perDayMax: Int, keysMax: Int = SignInLimiter.keysMax) {
        func table(_ attemptsMax: Int, _ span: Duration) -> AttemptTable<LimitKey> {
            AttemptTable(AttemptWindow.Rule(attemptsMax: attemptsMax, span: span), keysMax: keysMax)
        }
        self.keysMax = keysMax
        let day = Duration.seconds(86_400)
        state = Mutex(
            State(
                recent: pause > .zero ? table(burstMax, min(pause * burstMax, day)) : nil,
                daily: table(min(max(perDayMax, 1), 1_000), day)))
    }

    /// Asks for one mail, which is counted at once.
    /// - Parameter linkLifetime: how long the link in it is good.
    /// - Returns: false = the mailbox has had its mail: send none, and leave the link that it has.
    public func admit(_ mailbox: LimitKey, linkLifetime: Duration, now: MonotonicTime) -> Bool {
        state.withLock { state in
            let isBeyond = state.daily.wait(mailbox, now: now) != nil
            let hasLink = isBeyond && state.lastLinks[mailbox].map { $0 > now } ?? false
            guard state.recent?.wait(mailbox, now: now) == nil, !hasLink else {
                state.withheld += 1
                return false
            }
            _ = state.recent?.add(mailbox, now: now)
            // Of more than the window has room for, the oldest are not needed.
            if !isBeyond { _ = state.daily.add(mailbox, now: now) }
            if state.lastLinks[mailbox] == nil && state.lastLinks.count >= keysMax {
                state.lastLinks = state.lastLinks.filter { $0.value > now }
            }
            if state.lastLinks[mailbox] != nil || state.lastLinks.count < keysMax {
                state.lastLinks[mailbox] = now + linkLifetime
            }
            return true
        }
    }

    /// How long until the mailbox gets another mail; zero = now.
    public func wait(_ mailbox: LimitKey, now: MonotonicTime) -> Duration {
        state.withLock { state in
            let pause = state.recent?.wait(mailbox, now: now) ?? .zero
            guard state.daily.wait(mailbox, now: now) != nil, let last = state.lastLinks[mailbox], last > now else {
                return pause
            }
            return max(pause, last - now)
        }
    }

    /// Takes back a mail that was not stored: those before it count still.
    /// - Parameter time: at which it was admitted.
    public func withdraw(_ mailbox: LimitKey, at time: MonotonicTime) {
        state.withLock { state in
            state.recent?.remove(mailbox, at: time)
            state.daily.remove(mailbox, at: time)
        }
    }

    /// The link of the last mail is used up, or the mail was not stored: the next one may be sent at once.
    public func release(_ mailbox: LimitKey) {
        state.withLock { state in
            state.recent?.clear(mailbox)
            state.lastLinks[mailbox] = nil
        }
    }

    /// Mailboxes that are held now, and mails that were not sent since the start.
    public var figures: (mailboxes: Int, withheld: Int) { state.withLock { ($0.daily.count, $0.withheld) } }
}
