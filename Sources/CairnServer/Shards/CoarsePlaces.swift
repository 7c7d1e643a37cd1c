internal import CairnCore
internal import CairnGeo
internal import CairnWire
internal import Synchronization

/// The squares that others were last told of people who share no more than a square (PRF-8), over all loops.
///
/// It outlives connections: a person who reconnects, or has a second device on, keeps the square that was told last.
/// Otherwise each connection would begin with the square that they are in, and how often it is the one and how often
/// the neighbouring one would tell how far away the edge is. In memory only, and nothing finer than the grid (CMP-4);
/// a restart begins anew. Asked only when a connection begins and when a square changes.
final class CoarsePlaces: Sendable {
    /// Accounts that are remembered. Beyond it all are forgotten; people who are connected keep their squares.
    static let accountsMax = 65_536

    private struct Told {
        let gridMetres: Double
        let square: LocationGrid.Square
    }

    private let margins: EdgeMargins
    private let told = Mutex<[AccountID: Told]>([:])

    init(_ margins: EdgeMargins) { self.margins = margins }

    /// The place to tell of a person from now on.
    /// - Parameters:
    ///   - present: what this connection has told last; nil = nothing at this accuracy.
    ///   - level: of cells.
    func place(
        of account: AccountID, at place: Coordinate, errorMetres: Float?, gridMetres: Double, level: Int,
        after present: CoarsePlace?
    ) -> CoarsePlace {
        var coarse = present ?? begin(account, at: place, gridMetres: gridMetres, level: level)
        _ = coarse.follow(account, to: place, errorMetres: errorMetres, margins: margins)
        told.withLock { told in
            if told[account] == nil, told.count >= Self.accountsMax { told = [:] }
            told[account] = Told(gridMetres: gridMetres, square: coarse.square)
        }
        return coarse
    }

    private func begin(
        _ account: AccountID, at place: Coordinate, gridMetres: Double, level: Int
    ) -> CoarsePlace {
        let last = told.withLock { $0[account] }
        guard let last, last.gridMetres == gridMetres else {
            return CoarsePlace(of: account, at: place, gridMetres: gridMetres, level: level, margins: margins)
        }
        return CoarsePlace(
            holding: last.square, for: account, gridMetres: gridMetres, level: level, margins: margins)
    }
}
