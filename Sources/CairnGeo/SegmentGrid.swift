/// Finds the segments near a segment: a grid of squares, each with those that touch it.
///
/// A question costs the squares that its segment passes and the segments in them. Lines of people are short and lie
/// apart, so that is a handful; whoever draws them so that it is much more runs out of `EdgeTests`.
struct SegmentGrid {
    typealias Point = MillimetrePlane.Point

    private let segments: [(Point, Point)]
    private let squares: Squares
    /// Where the segments of each square begin in `found`, and one more.
    private let starts: [Int32]
    private let found: [Int32]

    init(_ segments: [(Point, Point)]) {
        self.segments = segments
        squares = Squares(around: segments)
        var starts = Array(repeating: Int32(0), count: squares.count + 1)
        for (a, b) in segments { squares.touched(from: a, to: b) { starts[$0 + 1] += 1 } }
        for square in 0..<squares.count { starts[square + 1] += starts[square] }
        var (next, found) = (starts, Array(repeating: Int32(0), count: Int(starts[squares.count])))
        for (index, segment) in segments.enumerated() {
            squares.touched(from: segment.0, to: segment.1) { square in
                found[Int(next[square])] = Int32(index)
                next[square] += 1
            }
        }
        (self.starts, self.found) = (starts, found)
    }

    /// Whether `holds` for one of the segments near the one from `a` to `b`: for each that touches it, and for others.
    /// One that is in several squares may be asked about more than once. Looks no further when `tests` is used up.
    func contains(
        near a: Point, _ b: Point, _ tests: inout EdgeTests, where holds: (Int, (Point, Point)) -> Bool
    ) -> Bool {
        var (isFound, count) = (false, 0)
        let left = tests.left
        squares.touched(from: a, to: b) { square in
            count += 1
            guard !isFound, count < left else { return }
            for place in Int(starts[square])..<Int(starts[square + 1]) {
                let index = Int(found[place])
                count += 1
                if holds(index, segments[index]) {
                    isFound = true
                    return
                }
            }
        }
        tests.take(count)
        return isFound
    }
}

/// The squares of a grid, row by row.
private struct Squares {
    typealias Point = MillimetrePlane.Point

    private let origin: Point
    /// Of a square, in millimetres.
    private let side: Double
    private let columns: Int
    private let rows: Int

    var count: Int { columns * rows }

    /// Two in each direction for each segment along it, were they a ring; 64 at most.
    init(around segments: [(Point, Point)]) {
        let first = segments.first?.0 ?? Point(east: 0, north: 0)
        var (low, high) = (first, first)
        for (a, b) in segments {
            low = Point(east: min(low.east, a.east, b.east), north: min(low.north, a.north, b.north))
            high = Point(east: max(high.east, a.east, b.east), north: max(high.north, a.north, b.north))
        }
        let (width, height) = (Double(high.east - low.east) + 1, Double(high.north - low.north) + 1)
        origin = low
        side = max(width, height) / min(2 * Double(segments.count + 1).squareRoot(), 64)
        columns = Int(width / side) + 1
        rows = Int(height / side) + 1
    }

    /// Names the squares that a segment touches, and a few beside it.
    func touched(from a: Point, to b: Point, _ body: (Int) -> Void) {
        // Points are whole millimetres, doubles are good for thousandths of them.
        let margin = 0.01
        let (ax, ay) = (Double(a.east - origin.east), Double(a.north - origin.north))
        let (bx, by) = (Double(b.east - origin.east), Double(b.north - origin.north))
        let low = max(Int(((min(ay, by) - margin) / side).rounded(.down)), 0)
        let high = min(Int(((max(ay, by) + margin) / side).rounded(.down)), rows - 1)
        guard low <= high else { return }
        let slope = by == ay ? nil : (bx - ax) / (by - ay)
        for row in low...high {
            var (west, east) = (min(ax, bx), max(ax, bx))
            if let slope {
                // Where the line enters the row and leaves it.
                let (south, north) = (Double(row) * side - margin, Double(row + 1) * side + margin)
                let (one, other) = (ax + (south - ay) * slope, ax + (north - ay) * slope)
                (west, east) = (max(west, min(one, other)), min(east, max(one, other)))
            }
            let first = max(Int(((west - margin) / side).rounded(.down)), 0)
            let last = min(Int(((east + margin) / side).rounded(.down)), columns - 1)
            guard first <= last else { continue }
            for column in first...last { body(row * columns + column) }
        }
    }
}

/// How often the edges of one request may be compared, and squares of a grid be looked at: some nanoseconds each.
public struct EdgeTests {
    /// There are none left.
    public struct UsedUp: Error {
        /// The place of the line up to which it was looked at.
        public let index: Int
    }

    /// How many were made.
    public private(set) var count = 0
    private let most: Int

    public init(most: Int) { self.most = most }

    var left: Int { max(most - count, 0) }

    mutating func take(_ number: Int) { count += number }

    /// - Throws: when none is left.
    func check(at index: Int) throws(UsedUp) {
        guard count < most else { throw UsedUp(index: index) }
    }
}
