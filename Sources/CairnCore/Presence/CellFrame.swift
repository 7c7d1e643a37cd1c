internal import CairnGeo
internal import CairnTime
internal import CairnWire
internal import Foundation

/// A cell's own frame: quantises poses into records, and divides the ground into blocks. In a crowd, all receivers in
/// one block get the same batch.
struct CellFrame: Sendable {
    /// Blocks along one side of the square around the cell.
    static let side = 16
    /// The group of receivers who stand in other cells.
    static let outside: UInt16 = 0
    /// Groups: outside, then one per block.
    static let groupCount = 1 + side * side

    let token: String
    /// Stands for the cell in short batches.
    let number: UInt32
    private let plane: LocalPlane
    /// Metres from the centre to the farthest corner.
    private let reach: Double
    /// Metres per step of a record.
    private let step: Double
    /// The cell's circle of latitude, in lengths of the equator.
    private let parallel: Double

    init(cell: CellID) {
        token = cell.token
        number = cell.shortNumber
        plane = LocalPlane(origin: cell.centre)
        parallel = cos(cell.centre.latitude * .pi / 180)
        reach = cell.vertices.map { $0.distanceMetres(to: cell.centre) }.max() ?? 0
        // 16 bits reach 1.5 times as far as the farthest corner, at 1 cm or coarser.
        step = max(0.01, (reach * 1.5 / 32_767 * 1_000).rounded(.up) / 1_000)
    }

    var origin: Coordinate { plane.origin }

    var stepMillimetres: UInt32 { UInt32((step * 1_000).rounded()) }

    func record(of sample: PoseSample, slot: UInt16, baseHeight: Int32, now: MonotonicTime) -> PoseRecord {
        let (east, north) = plane.metres(of: sample.coordinate)
        return PoseRecord(
            slot: slot,
            east: steps(east), north: steps(north), up: steps(sample.heightMetres - Double(baseHeight)),
            orientation: sample.orientation,
            age: UInt8(clamping: now.microseconds(since: sample.at) / UInt64(PoseRecord.ageStepMilliseconds * 1_000)),
            accuracy: sample.accuracyMetres.map { UInt8(clamping: Int(min(127, $0) * 2)) }
                ?? PoseRecord.accuracyUnknown)
    }

    /// The record of a person who shares a square only. Every field beyond the square has a constant value (PRF-8).
    func roughRecord(of sample: PoseSample, slot: UInt16) -> PoseRecord {
        let (east, north) = plane.metres(of: sample.coordinate)
        return PoseRecord(
            slot: slot, east: steps(east), north: steps(north), up: 0, orientation: PoseRecord.orientationUntold,
            age: .max, accuracy: PoseRecord.accuracyUnknown)
    }

    /// The coordinate in a record.
    func coordinate(of record: PoseRecord) -> Coordinate {
        plane.coordinate(east: Double(record.east) * step, north: Double(record.north) * step)
    }

    /// The height in a record, in metres.
    func height(of record: PoseRecord, baseHeight: Int32) -> Double {
        Double(baseHeight) + Double(record.up) * step
    }

    /// The block that a place is in, as a group of receivers; never `outside`.
    func group(of coordinate: Coordinate) -> UInt16 {
        let (east, north) = plane.metres(of: coordinate)
        return UInt16(1 + index(north) * Self.side + index(east))
    }

    /// The distance between two places in or near the cell, within a few per cent. Without trigonometry, because it is
    /// measured for each pose.
    func roughDistanceMetres(from one: Coordinate, to other: Coordinate) -> Double {
        let north = (other.latitude - one.latitude) * Self.metresPerDegree
        let east = (other.longitude - one.longitude) * Self.metresPerDegree * parallel
        return (north * north + east * east).squareRoot()
    }

    private static let metresPerDegree = 111_195.0

    private func index(_ metres: Double) -> Int {
        let share = (metres + reach) / (2 * reach)
        return min(Self.side - 1, max(0, Int(share * Double(Self.side))))
    }

    private func steps(_ metres: Double) -> Int16 {
        Int16(clamping: Int((metres / step).rounded()))
    }
}
