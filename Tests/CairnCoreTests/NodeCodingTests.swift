import CairnCore
import CairnGeo
import CairnTesting
import CairnTime
import CairnWire
import Testing

/// Messages between nodes: decoding gives the encoded value, and no bytes trap.
@Suite("Node coding")
struct NodeCodingTests {
    private static let register = FeatureRegister([Things.self])
    private static let now: MonotonicTime = 5_000_000

    private static func decoded<Value: NodeCodable>(
        _ value: Value, at later: MonotonicTime = now
    ) throws(NodeFault) -> Value {
        try Value(encoded: value.encoded(now: now), register: register, now: later)
    }

    @Test(arguments: [0, 1, -1, .max, .min] as [Int64])
    func number_isTheSame(_ number: Int64) throws {
        #expect(try Self.decoded(number) == number)
        #expect(try Self.decoded(UInt64(bitPattern: number)) == UInt64(bitPattern: number))
    }

    @Test func fraction_isTheSameBitForBit() throws {
        for value in [0, -0.0, .pi, .infinity, .leastNonzeroMagnitude, .nan] as [Double] {
            #expect(try Self.decoded(value).bitPattern == value.bitPattern)
        }
    }

    @Test func text_isTheSame() throws {
        for text in ["", "a", "\u{0}", "Ünïcödé 🧭", String(repeating: "x", count: 70_000)] {
            #expect(try Self.decoded(text) == text)
        }
    }

    @Test func duration_isTheSame() throws {
        for duration in [.zero, .milliseconds(1_500), .seconds(-3), .nanoseconds(1)] as [Duration] {
            #expect(try Self.decoded(duration) == duration)
        }
    }

    @Test func collections_areTheSame() throws {
        #expect(try Self.decoded([1, 2, 3]) == [1, 2, 3])
        #expect(try Self.decoded(Set(0..<100)) == Set(0..<100))
        #expect(try Self.decoded(["a": [1], "b": []]) == ["a": [1], "b": []])
        #expect(try Self.decoded([nil, 7] as [Int?]) == [nil, 7])
    }

    @Test func homes_topicsAndConnections_areTheSame() throws {
        let homes: [HomeAddress] = [
            .cell(Ground.here.cell), .account(.make(3)), .realm(RealmID(rawValue: 4)), .space(SpaceID(rawValue: .max)),
        ]
        for home in homes {
            #expect(try Self.decoded(home) == home)
            for scope in [.everyone, .group(9), .owner(.make(2))] as [Scope] {
                #expect(try Self.decoded(Topic(home, scope)) == Topic(home, scope))
            }
        }
        let far = Participant(place: Place(node: NodeID(1_023), loop: 65_535), connection: .max, format: .json)
        #expect(try Self.decoded(far) == far)
    }

    @Test func codeOfAFeature_bringsItsTexts() throws {
        let told = Refusal(.quotaPeriod, "3 a second", component: "things", details: ["limit": "3"])
        let come = try Self.decoded(told)
        #expect(come == told)
        #expect(come.code.remedy == Refusal.Code.quotaPeriod.remedy)
    }

    @Test func refusalThatNamesNoWait_namesNone() throws {
        var told = Refusal(.rateLimited)
        told.retryAfter = nil
        #expect(try Self.decoded(told).retryAfter == nil, "the code has a wait of its own")
    }

    // MARK: Clocks

    @Test func moment_isAsLongAgo_byTheOtherNodesClock() throws {
        let sample = PoseSample.make(when: Self.now - .milliseconds(250))
        #expect(try Self.decoded(sample, at: 90_000_000).at == 89_750_000)
        #expect(try Self.decoded(sample).at == sample.at)
    }

    @Test func momentToCome_isAsFarAhead() throws {
        let sample = PoseSample.make(when: Self.now + .microseconds(40))
        #expect(try Self.decoded(sample, at: 7).at == 47)
    }

    @Test func momentBeforeTheOtherNodesStart_isItsStart() throws {
        #expect(try Self.decoded(PoseSample.make(when: 0), at: 7).at == 0)
    }

    // MARK: Invalid bytes

    @Test func value_thatEndsEarly_isTruncated_whereverItEnds() {
        let bytes = Sender.make().encoded(now: Self.now)
        for count in 0..<bytes.count {
            let cut = Array(bytes.prefix(count))
            #expect(throws: NodeFault.truncated) {
                try Sender(encoded: cut, register: Self.register, now: Self.now)
            }
        }
    }

    @Test func bytesBehindAValue_areAFault() {
        let bytes = 7.encoded(now: Self.now) + [0]
        #expect(throws: NodeFault.surplus) { try Int(encoded: bytes, register: Self.register, now: Self.now) }
    }

    @Test func valueOfAnotherVersion_isAFault() {
        var bytes = 7.encoded(now: Self.now)
        bytes[0] &+= 1
        #expect(throws: NodeFault.otherVersion) { try Int(encoded: bytes, register: Self.register, now: Self.now) }
    }

    @Test func countOfMoreThanThereIs_isRefusedBeforeAnythingIsMade() {
        let bytes = NodeEncoder.version.littleEndianBytes + UInt32.max.littleEndianBytes
        #expect(throws: NodeFault.truncated) { try [UInt8](encoded: bytes, register: Self.register, now: Self.now) }
    }

    @Test func numbersThatStandForNothing_areFaults() {
        func fault<Value: NodeCodable>(_ type: Value.Type, _ bytes: [UInt8]) -> NodeFault? {
            do throws(NodeFault) {
                _ = try Value(encoded: [NodeEncoder.version] + bytes, register: Self.register, now: Self.now)
                return nil
            } catch {
                return error
            }
        }
        #expect(fault(Bool.self, [2]) == .outOfRange)
        #expect(fault(String.self, [1, 0, 0, 0, 0xFF]) == .outOfRange)
        #expect(fault(CellID.self, 0.littleEndianBytes) == .outOfRange)
        #expect(fault(Coordinate.self, (91.0).bitPattern.littleEndianBytes + 0.littleEndianBytes) == .outOfRange)
        #expect(fault(HomeAddress.self, [9] + 1.littleEndianBytes) == .outOfRange)
        #expect(fault(Scope.self, [UInt8(ascii: "A")] + 1.littleEndianBytes) == .outOfRange)
        #expect(fault(Place.self, [0, 4, 0, 0]) == .outOfRange, "a node has ten bits")
    }

    @Test func requestOfAKindThatNobodyAnswers_isUnreadable() {
        let request = Request.make(.placing())
        #expect(throws: NodeFault.unreadable) { try Self.decoded(request) }
    }

    @Test func noise_isAValueOrAFault_andNeverATrap() {
        var random = SeededRandom(11)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...80, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...6, using: &random) }
            _ = try? Sender(encoded: [NodeEncoder.version] + bytes, register: Self.register, now: Self.now)
            _ = try? Answer(encoded: [NodeEncoder.version] + bytes, register: Self.register, now: Self.now)
        }
    }
}

extension FixedWidthInteger {
    fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
