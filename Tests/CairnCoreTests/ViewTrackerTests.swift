import CairnGeo
import CairnTesting
import Testing

@testable import CairnCore

/// SES-6 and VIS-1 compared with brute force: the user's cell, and the cells in view.
@Suite("ViewTracker")
struct ViewTrackerTests {
    private static let reach = ViewTracker.Reach(level: 16, radius: 100, hysteresis: 0.1, border: 5)
    /// Radius and hysteresis, and the margin within which the view is not computed again.
    private static let farMetres = 115.0

    /// Every cell within some 1.5 km.
    private static let nearby: [CellID] = {
        var found: Set<CellID> = [Ground.here.cell]
        for _ in 0..<10 { found.formUnion(found.flatMap(\.neighbours)) }
        return found.sorted()
    }()

    private static func walk(_ seed: UInt64, steps: Int, upToMetres: Double) -> [Coordinate] {
        var random = SeededRandom(seed)
        var (east, north) = (0.0, 0.0)
        return (0..<steps).map { _ in
            east = min(max(east + .random(in: -upToMetres...upToMetres, using: &random), -600), 600)
            north = min(max(north + .random(in: -upToMetres...upToMetres, using: &random), -600), 600)
            return Ground.here.at(east: east, north: north)
        }
    }

    @Test func firstPosition_entersItsCellAndFollowsAllThatTheViewTouches() {
        var tracker = ViewTracker()
        let change = tracker.move(to: Ground.here.centre, reach: Self.reach)
        #expect(change.entered == Ground.here.cell)
        #expect(CellSet(change.followed) == tracker.view)
        let within = Self.nearby.filter { $0.distanceMetres(to: Ground.here.centre) <= 100 }
        #expect(Set(tracker.view).isSuperset(of: within))
    }

    @Test(arguments: 0..<6, [2.0, 15.0, 120.0])
    func randomWalk_followsEveryCellWithinTheRadiusAndNoneFarBeyond(seed: UInt64, stepMetres: Double) {
        var tracker = ViewTracker()
        for place in Self.walk(seed, steps: 120, upToMetres: stepMetres) {
            _ = tracker.move(to: place, reach: Self.reach)
            let within = Self.nearby.filter { $0.distanceMetres(to: place) <= 100 }
            #expect(Set(tracker.view).isSuperset(of: within))
            let beyond = tracker.view.filter { $0.distanceMetres(to: place) > Self.farMetres }
            #expect(beyond.isEmpty)
        }
    }

    @Test(arguments: 0..<6)
    func randomWalk_reportsEveryChangeOfTheViewAndNoOther(seed: UInt64) {
        var tracker = ViewTracker()
        var view: Set<CellID> = []
        for place in Self.walk(seed, steps: 200, upToMetres: 20) {
            let change = tracker.move(to: place, reach: Self.reach)
            for cell in change.followed { #expect(view.insert(cell).inserted) }
            for cell in change.unfollowed { #expect(view.remove(cell) != nil) }
            #expect(view == Set(tracker.view))
        }
    }

    /// Invariant 8: a user is in exactly one cell: the one around the position, or one whose distance is at most the
    /// border.
    @Test(arguments: 0..<6)
    func randomWalk_isInExactlyOneCellAtAnyTime(seed: UInt64) throws {
        var tracker = ViewTracker()
        var cell: CellID?
        for place in Self.walk(seed, steps: 200, upToMetres: 20) {
            if let entered = tracker.move(to: place, reach: Self.reach).entered {
                #expect(entered != cell)
                #expect(entered.contains(place))
                cell = entered
            }
            #expect(tracker.cell == cell)
            let present = try #require(tracker.cell)
            #expect(present.contains(place) || present.distanceMetres(to: place) <= 5)
            #expect(tracker.view.contains(present))
        }
    }

    @Test func swayingOverTheBorder_doesNotFlap() {
        let (inside, outside) = Self.aroundTheBorder(metres: 4)
        var tracker = ViewTracker()
        _ = tracker.move(to: inside, reach: Self.reach)
        for _ in 0..<50 {
            #expect(tracker.move(to: outside, reach: Self.reach).entered == nil)
            #expect(tracker.move(to: inside, reach: Self.reach).entered == nil)
        }
        #expect(tracker.cell == Ground.here.cell)
    }

    @Test func walkingWellOverTheBorder_changesTheCellOnceAndNotBackAtOnce() {
        let (inside, outside) = Self.aroundTheBorder(metres: 8)
        var tracker = ViewTracker()
        _ = tracker.move(to: inside, reach: Self.reach)
        #expect(tracker.move(to: outside, reach: Self.reach).entered == Ground.here.neighbour)
        let (nearInside, _) = Self.aroundTheBorder(metres: 3)
        #expect(tracker.move(to: nearInside, reach: Self.reach).entered == nil)
    }

    @Test func swayingAtTheEdgeOfTheView_doesNotFlap() {
        var tracker = ViewTracker()
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        var changes = 0
        for step in 0..<100 {
            let place = Ground.here.at(east: step.isMultiple(of: 2) ? 3 : -3)
            let change = tracker.move(to: place, reach: Self.reach)
            changes += change.followed.count + change.unfollowed.count
        }
        // Each edge is crossed at most once; after that the distance stays within the hysteresis.
        #expect(changes <= 4)
    }

    @Test func standingStill_changesNothing() {
        var tracker = ViewTracker()
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        let change = tracker.move(to: Ground.here.centre, reach: Self.reach)
        #expect(change.entered == nil && change.followed.isEmpty && change.unfollowed.isEmpty)
    }

    @Test func jumpToTheOtherSideOfTheEarth_leavesEverythingBehind() {
        var tracker = ViewTracker()
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        let before = tracker.view
        let sydney = Coordinate.make(latitude: -33.8568, longitude: 151.2153)
        let change = tracker.move(to: sydney, reach: Self.reach)
        #expect(CellSet(change.unfollowed) == before)
        #expect(change.entered == CellID(sydney, level: 16))
    }

    @Test func leaving_givesWhatWasFollowedAndForgets() {
        var tracker = ViewTracker()
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        let view = tracker.view
        #expect(tracker.leave() == view)
        #expect(tracker.cell == nil && tracker.view.isEmpty)
    }

    /// Two places on the way from the cell to its neighbour, at this distance before and behind the border.
    private static func aroundTheBorder(metres: Double) -> (Coordinate, Coordinate) {
        let ground = Ground.here
        var (low, high) = (0.0, 1.0)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if ground.cell.contains(ground.between(middle)) { low = middle } else { high = middle }
        }
        let length = ground.centre.distanceMetres(to: ground.neighbour.centre)
        var (before, behind) = (low, high)
        // The way need not cross the border at a right angle: continue until the place has the given distance from the
        // cell.
        while ground.neighbour.distanceMetres(to: ground.between(before)) < metres { before -= 0.1 / length }
        while ground.cell.distanceMetres(to: ground.between(behind)) < metres { behind += 0.1 / length }
        return (ground.between(before), ground.between(behind))
    }

    // MARK: Cells that are not admitted

    @Test func cellsThatAreNotAdmitted_areNotFollowedThoughTheCellIsEntered() {
        var tracker = ViewTracker()
        let change = tracker.move(to: Ground.here.centre, reach: Self.reach) { _ in 0 }
        #expect(change.entered == Ground.here.cell)
        #expect(change.followed.isEmpty && tracker.view.isEmpty && tracker.isWaiting)
    }

    @Test func budgetOfOne_showsTheCellThatTheUserIsInFirst() {
        var tracker = ViewTracker()
        let change = tracker.move(to: Ground.here.centre, reach: Self.reach) { _ in 1 }
        #expect(change.followed == [Ground.here.cell])
    }

    @Test func samePlaceAskedAgain_showsTheRest() {
        var (tracker, free) = (ViewTracker(), ViewTracker())
        _ = free.move(to: Ground.here.centre, reach: Self.reach)
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach) { _ in 1 }
        let change = tracker.move(to: Ground.here.centre, reach: Self.reach)
        #expect(tracker.view == free.view && !tracker.isWaiting)
        #expect(change.followed.count == free.view.count - 1)
    }

    @Test func cellsHeldBack_areCountedOnceWhereverTheyGoOnWaiting() {
        var (tracker, free) = (ViewTracker(), ViewTracker())
        _ = free.move(to: Ground.here.centre, reach: Self.reach)
        let first = tracker.move(to: Ground.here.centre, reach: Self.reach) { _ in 1 }
        #expect(first.heldBack == free.view.count - 1)
        #expect(tracker.move(to: Ground.here.centre, reach: Self.reach) { _ in 0 }.heldBack == 0, "they wait still")
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        let away = Coordinate(latitude: -Ground.here.centre.latitude, longitude: Ground.here.centre.longitude)!
        #expect(tracker.move(to: away, reach: Self.reach) { _ in 0 }.heldBack > 1, "others wait now")
    }

    @Test func wholeView_holdsNothingBack() {
        var tracker = ViewTracker()
        #expect(tracker.move(to: Ground.here.centre, reach: Self.reach).heldBack == 0)
    }

    @Test func wholeView_asksForNothing() {
        var tracker = ViewTracker()
        _ = tracker.move(to: Ground.here.centre, reach: Self.reach)
        _ = tracker.move(to: Ground.here.at(east: 0.5, north: 0), reach: Self.reach) { wanted in
            Issue.record("asked for \(wanted) cells")
            return wanted
        }
    }
}
