package import CairnCore
package import CairnGeo
package import CairnWire

/// An operator's notice and its audience.
package struct OperatorNotice: Sendable, Equatable {
    package let text: String
    package let audience: Audience
    let sent: WallTime

    package static let charactersMax = 500

    package enum Audience: Sendable, Equatable {
        case everybody
        /// Those whose position is in a cell, or in one of the cells of a larger one.
        case area(CellID)
        case account(AccountID)
    }

    package init(text: String, audience: Audience, sent: WallTime) {
        self.text = text
        self.audience = audience
        self.sent = sent
    }

    /// As clients get it.
    var item: WireItem {
        var item = WireItem()
        item.notice.text = text
        item.notice.sent = sent.milliseconds
        if case .area(let cell) = audience { item.notice.cell = cell.token }
        return item
    }
}

extension Shard {
    /// Tells those of this loop's connections whom it is for.
    /// - Returns: how many.
    package func tell(_ notice: OperatorNotice) -> Int {
        let item = notice.item
        var encoded: [WireFormat: [UInt8]] = [:]
        var count = 0
        for case let session? in sessions where !session.isDismissed && session.hears(notice.audience) {
            let format = session.participant.format
            let bytes = encoded[format] ?? ServerItemEncoder.encode(item, format: format)
            encoded[format] = bytes
            send(bytes, to: session.participant)
            count += 1
        }
        return count
    }
}

extension Session {
    fileprivate func hears(_ audience: OperatorNotice.Audience) -> Bool {
        switch (audience, stage) {
        case (_, .awaitingHello), (_, .signingIn): false
        case (.everybody, _): true
        // Where guests look is no place where people are.
        case (.area, _) where isLooking: false
        case (.area(let area), _): tracker.cell.map(area.contains) ?? false
        case (.account(let account), _): user?.account == account
        }
    }
}
