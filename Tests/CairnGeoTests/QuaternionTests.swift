import CairnGeo
import Testing

@Suite struct QuaternionTests {
    @Test func normalised_keepsTheDirection() throws {
        let unit = try #require(Quaternion(x: 0, y: 0, z: -3, w: 4).normalised())
        #expect(unit == Quaternion(x: 0, y: 0, z: -0.6, w: 0.8))
        #expect(unit.isUnit)
    }

    @Test(arguments: [0, .nan, .infinity, 1e200, 1e-200] as [Double])
    func normalised_withoutDirection_isNil(value: Double) {
        let quaternion = Quaternion(x: value, y: 0, z: 0, w: 0)
        #expect(quaternion.normalised() == nil)
        #expect(!quaternion.isUnit)
        #expect(!quaternion.isSameRotation(as: quaternion))
        #expect(Quaternion(packed: quaternion.packed) == .identity)
    }

    /// What the thing's own x axis, which faces east unturned, comes to look at.
    @Test(
        arguments: [
            (0, [0, 1, 0]), (90, [1, 0, 0]), (180, [0, -1, 0]), (270, [-1, 0, 0]), (-90, [-1, 0, 0]),
            (30, [0.5, 0.8660254038, 0]), (360_090, [1, 0, 0]),
        ] as [(Double, SIMD3<Double>)])
    func yaw_facesTheCompassBearing(bearing: Double, facing: SIMD3<Double>) {
        let yaw = Quaternion.yaw(compassHeadingDegrees: bearing)
        #expect(distance(yaw.rotated([1, 0, 0]), facing) < 1e-9)
        #expect(distance(yaw.rotated([0, 0, 1]), [0, 0, 1]) < 1e-12)
        #expect(yaw.isUnit)
    }

    @Test(arguments: [.nan, .infinity] as [Double])
    func yaw_ofNoBearing_isIdentity(bearing: Double) {
        #expect(Quaternion.yaw(compassHeadingDegrees: bearing) == .identity)
    }

    @Test func rotated_isTheRotationMatrix() {
        var random = SeededGenerator(13)
        for _ in 0..<1000 {
            let quaternion = random.quaternion()
            let vector = SIMD3(random.unit(), random.unit(), random.unit())
            #expect(distance(quaternion.rotated(vector), Matrix(quaternion) * vector) < 1e-12)
        }
    }

    @Test func sameRotation_ignoresSignAndNorm_butNotAngle() {
        var random = SeededGenerator(14)
        for _ in 0..<1000 {
            let q = random.quaternion()
            #expect(q.isSameRotation(as: Quaternion(x: -2 * q.x, y: -2 * q.y, z: -2 * q.z, w: -2 * q.w)))
            #expect(q.angleRadians(to: Quaternion(x: -q.x, y: -q.y, z: -q.z, w: -q.w)) < 1e-12)
        }
        let turned = Quaternion.yaw(compassHeadingDegrees: 89.9)
        #expect(!turned.isSameRotation(as: .identity))
        #expect(turned.isSameRotation(as: .identity, tolerance: 1e-6))
        #expect(abs(turned.angleRadians(to: .identity) - 0.1 * .pi / 180) < 1e-12)
        #expect(abs(Quaternion.yaw(compassHeadingDegrees: -90).angleRadians(to: .identity) - .pi) < 1e-6)
    }
}

@Suite struct PackedQuaternionTests {
    @Test func packed_identity_isExact() {
        #expect(Quaternion(packed: Quaternion.identity.packed) == .identity)
        #expect(Quaternion.identity.packed == 3 << 30 | 511 << 20 | 511 << 10 | 511)
    }

    /// For client libraries.
    @Test(
        arguments: [
            (Quaternion(x: 0, y: 0, z: 0.6, w: 0.8), 0xDFF7_FFB1),
            (Quaternion(x: 0, y: 0, z: -0.8, w: 0.6), 0x9FF7_FC4D),
            (Quaternion(x: -1, y: 0, z: 0, w: 0), 0x1FF7_FDFF),
        ] as [(Quaternion, UInt32)])
    func packed_ofKnownOrientations_isTheKnownBits(quaternion: Quaternion, bits: UInt32) {
        #expect(quaternion.packed == bits)
    }

    @Test func packed_isWithinTheStatedError() throws {
        var random = SeededGenerator(15)
        var worst = 0.0
        for round in 0..<200_000 {
            var q = random.quaternion()
            // Every other one near where all four are 1/2, the worst case.
            if round % 2 == 0 {
                let near = { (sign: Bool) in (sign ? 0.5 : -0.5) + random.unit() * 0.002 }
                q = Quaternion(
                    x: near(round & 2 == 0), y: near(round & 4 == 0), z: near(round & 8 == 0), w: near(round & 16 == 0)
                ).normalised()!
            }
            let back = try #require(Quaternion(packed: q.packed))
            worst = max(worst, back.angleRadians(to: q))
        }
        #expect(worst <= Quaternion.packedErrorMaxRadians)
        // The bound is no idle one.
        #expect(worst > 0.9 * Quaternion.packedErrorMaxRadians)
        #expect(Quaternion.packedErrorMaxRadians * 180 / .pi < 0.281)
    }

    @Test func packed_ofTheOppositeSign_isTheSameBits() {
        var random = SeededGenerator(16)
        for _ in 0..<10_000 {
            let q = random.quaternion()
            #expect(q.packed == Quaternion(x: -q.x, y: -q.y, z: -q.z, w: -q.w).packed)
        }
    }

    @Test func packed_ofAnyBits_isARotationOrRefused() {
        var random = SeededGenerator(17)
        var refused = 0
        for _ in 0..<100_000 {
            guard let q = Quaternion(packed: .random(in: 0...UInt32.max, using: &random)) else {
                refused += 1
                continue
            }
            #expect(abs(q.norm - 1) < 1e-12)
            #expect(Quaternion(packed: q.packed) != nil)
        }
        #expect(refused > 0)
        #expect(Quaternion(packed: 3 << 30 | 1023 << 20 | 511 << 10 | 511) == nil)
        #expect(Quaternion(packed: 1022 << 20 | 1022 << 10 | 511) == nil)
    }
}

func distance(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { ((a - b) * (a - b)).sum().squareRoot() }

/// A 3 x 3 matrix by rows, to check quaternions by other means.
struct Matrix {
    var rows: [SIMD3<Double>]

    init(rows: [SIMD3<Double>]) {
        self.rows = rows
    }

    /// The textbook matrix of a unit quaternion.
    init(_ q: Quaternion) {
        let (x, y, z, w) = (q.x, q.y, q.z, q.w)
        rows = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    }

    var transposed: Matrix {
        Matrix(rows: (0..<3).map { column in SIMD3(rows[0][column], rows[1][column], rows[2][column]) })
    }

    static func * (a: Matrix, v: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3((a.rows[0] * v).sum(), (a.rows[1] * v).sum(), (a.rows[2] * v).sum())
    }

    static func * (a: Matrix, b: Matrix) -> Matrix {
        Matrix(rows: b.transposed.rows.map { a * $0 }).transposed
    }
}
