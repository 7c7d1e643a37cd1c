public import CairnCore
public import CairnWire

/// What an operator does to a tour of any organisation (`cairn admin tour`). The tour's home does it as for a user of
/// the organisation, and nothing where that would refuse: the command has checked and said so before (`TourFile`).
public struct TourOrder: HomeMessage {
    public static let kind: StaticText = "tours.order"

    /// The action.
    public enum Deed: Sendable {
        /// Makes the draft what a file says, and the tour where there is none.
        case fill(WireTourContent, of: OrganisationID, isPublished: Bool)
        /// Makes a draft of what is published; its runs end with notice.
        case withdraw
        case delete
    }

    private let deed: Deed

    public init(_ deed: Deed) { self.deed = deed }

    public init(payload: [UInt8], register: FeatureRegister) throws(ColumnFault) {
        switch (payload.first, payload.count) {
        case (0, 1): deed = .withdraw
        case (1, 1): deed = .delete
        case (2, 9...), (3, 9...):
            let organisation = payload[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
            guard let content = try? WireBody.decode(WireTourContent.self, from: Array(payload[9...])) else {
                throw ColumnFault(0, .unreadable)
            }
            deed = .fill(content, of: OrganisationID(rawValue: organisation), isPublished: payload[0] == 3)
        default: throw ColumnFault(0, .unreadable)
        }
    }

    public var payload: [UInt8] {
        switch deed {
        case .withdraw: [0]
        case .delete: [1]
        case .fill(let content, let organisation, let isPublished):
            [isPublished ? 3 : 2]
                + stride(from: 56, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: organisation.rawValue >> UInt64($0))
                } + WireBody.encode(content)
        }
    }

    /// Nothing: the operator learns that nothing was done.
    public var ifNotHeard: [Effect]? { [] }

    public func heard(in turn: inout Turn) -> [Effect] {
        switch deed {
        case .withdraw:
            guard let tour = turn.tour, tour.published > 0 else { return [] }
            return turn.withdraw(tour)
        case .delete:
            guard let tour = turn.tour else { return [] }
            return turn.delete(tour)
        case .fill(let content, let organisation, let isPublished):
            // A turn that fails half-way must leave no trace in memory.
            var trial = turn
            do throws(Refusal) {
                let effects = try trial.fill(with: content, of: organisation, isPublished: isPublished)
                turn = trial
                return effects
            } catch {
                return []
            }
        }
    }
}

extension Turn {
    /// - Parameter content: of a file.
    fileprivate mutating func fill(
        with content: WireTourContent, of organisation: OrganisationID, isPublished: Bool
    ) throws(Refusal) -> [Effect] {
        guard case .tour(let id) = home else { throw Tours.absent }
        var content = content
        try content.check(settings)
        nameParts(of: &content)
        let assets = try assets(named: TourAssets.names(in: content))
        var effects: [Effect] = []
        if tour == nil {
            let made = TourRecord(id: id, organisation: organisation, code: TourCode.of(name(of: id)), created: now)
            keep(made)
            effects.append(.write(made.insertion))
        }
        guard var tour, tour.organisation == organisation else { throw Tours.absent }
        effects += replaceDraft(of: &tour, by: content, isChanged: true)
        effects += TourAssets.draftUses(of: assets, by: id)
        effects.append(changed(tour, "", tour.published))
        return isPublished ? effects + (try publish(&tour)) : effects
    }
}
