import CairnCore
import CairnGeo
import CairnTesting
import CairnWire
import Testing

@testable import CairnServer

/// Who sees where a person is, by settings and by what a connection says (VIS-9, PRF-8).
@Suite("Sharing")
struct SharingTests {
    @Test(
        arguments: [
            (nil, nil, false), (nil, true, true), (nil, false, false), (true, nil, true), (true, true, true),
            (true, false, false), (false, nil, false), (false, true, false), (false, false, false),
        ] as [(Bool?, Bool?, Bool)])
    func ofSettingAndWord_theOneThatSharesLessCounts(saved: Bool?, said: Bool?, isOn: Bool) {
        let sharing = Sharing(saved: Sharing.Wish(shares: saved), said: Sharing.Wish(shares: said))
        #expect(sharing.isOn == isOn)
    }

    @Test(
        arguments: [
            (nil, nil, 100), (nil, .exact, 0), (.exact, nil, 0), (.tenMetres, .exact, 10),
            (.exact, .thousandMetres, 1_000),
            (.thousandMetres, .tenMetres, 1_000),
        ] as [(LocationAccuracy?, LocationAccuracy?, Double)])
    func ofTwoAccuracies_theCoarserCounts(saved: LocationAccuracy?, said: LocationAccuracy?, gridMetres: Double) {
        let sharing = Sharing(saved: Sharing.Wish(accuracy: saved), said: Sharing.Wish(accuracy: said))
        #expect(sharing.gridMetres(initially: .hundredMetres) == gridMetres)
    }

    @Test func settings_sayWhatIsSaved() {
        func setting(_ key: String, _ value: String) -> WireSetting {
            var setting = WireSetting()
            (setting.key, setting.value) = (key, value)
            return setting
        }
        let wish = [setting("privacy.sharePosition", "on"), setting("privacy.accuracy", "1000")].live.sharing
        #expect(wish.shares == true && wish.accuracy == .thousandMetres)
        #expect([setting("privacy.sharePosition", "off")].live.sharing.shares == false)
        #expect([setting("display.theme", "dark")].live.isEmpty)
    }

    // MARK: The square that was told last

    private static let places = CoarsePlaces(EdgeMargins(key: Array(1...16)))

    private static func place(
        _ account: UInt64, at place: Coordinate, gridMetres: Double = 100, after present: CoarsePlace? = nil
    ) -> CoarsePlace {
        places.place(
            of: .make(account), at: place, errorMetres: nil, gridMetres: gridMetres, level: 16, after: present)
    }

    /// A little east of the edge of the square in which a person was told.
    private static func beyond(_ place: CoarsePlace) -> Coordinate {
        LocalPlane(origin: place.middle).coordinate(east: 60, north: 0)
    }

    @Test func nextConnection_goesOnWithTheSquareThatWasToldLast() {
        let first = Self.place(1, at: Ground.here.centre)
        #expect(Self.place(1, at: Self.beyond(first)).square == first.square)
        #expect(Self.place(2, at: Self.beyond(first)).square != first.square)
    }

    @Test func otherAccuracy_beginsAnew() {
        let first = Self.place(3, at: Ground.here.centre)
        let finer = Self.place(3, at: Self.beyond(first), gridMetres: 10)
        #expect(finer.middle == snapped(Self.beyond(first), toGridMetres: 10))
        #expect(Self.place(3, at: Self.beyond(first)).square != first.square)
    }

    @Test func placeFarAway_isFollowed() {
        let first = Self.place(4, at: Ground.here.centre)
        let far = Ground.here.at(east: 900, north: -900)
        let second = Self.place(4, at: far, after: first)
        #expect(second.middle == snapped(far, toGridMetres: 100))
        #expect(Self.place(4, at: far).square == second.square)
    }

    @Test func accountsBeyondTheBound_areForgotten() {
        let places = CoarsePlaces(EdgeMargins(key: Array(1...16)))
        func place(_ account: Int, at place: Coordinate) -> CoarsePlace {
            places.place(
                of: .make(UInt64(account)), at: place, errorMetres: nil, gridMetres: 100, level: 16, after: nil)
        }
        let first = place(1, at: Ground.here.centre)
        for account in 2...CoarsePlaces.accountsMax { _ = place(account, at: Ground.here.centre) }
        #expect(place(1, at: Self.beyond(first)).square == first.square)
        _ = place(CoarsePlaces.accountsMax + 1, at: Ground.here.centre)
        #expect(place(1, at: Self.beyond(first)).square != first.square)
    }
}
