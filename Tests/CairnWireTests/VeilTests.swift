import Testing

@testable import CairnWire

/// Names of identifiers that tell no time (findings B5, B11).
@Suite("Veil")
struct VeilTests {
    private static let veil = Veil(key: Array(1...16))

    /// The test vector that Speck's authors give for 64 bits and a key of 128.
    @Test func permutation_isSpecks() {
        let veil = Veil(key: [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27])
        #expect(veil.encrypted(0x3B72_6574_7475_432D) == 0x8C6F_A548_454E_028B)
        #expect(veil.decrypted(0x8C6F_A548_454E_028B) == 0x3B72_6574_7475_432D)
    }

    @Test func name_standsForItsIdentifierAndNoOther() {
        var names: Set<UInt64> = []
        for step in 0..<10_000 {
            let identifier = UInt64(step) << 41 | UInt64(step)
            let name = Self.veil.veiled(identifier)
            #expect(name >> 63 == 1)
            #expect(Self.veil.unveiled(name) == identifier)
            names.insert(name)
        }
        #expect(names.count == 10_000)
    }

    @Test(arguments: [0, 1, .max >> 1, 1 << 62])
    func identifierAtTheEdge_comesBack(identifier: UInt64) {
        #expect(Self.veil.unveiled(Self.veil.veiled(identifier)) == identifier)
    }

    @Test func identifierGivenOutBefore_meansItself() {
        #expect(Self.veil.unveiled(12_345) == 12_345)
    }

    @Test func anotherKey_givesOtherNames() {
        #expect(Veil(key: Array(2...17)).veiled(7) != Self.veil.veiled(7))
    }

    /// Of two things made one after the other, the names are as often in the one order as in the other.
    @Test func names_tellNoOrder() {
        let ascending = (0..<10_000).filter { step in
            Self.veil.veiled(UInt64(step) << 22) < Self.veil.veiled(UInt64(step + 1) << 22)
        }
        #expect((4_700...5_300).contains(ascending.count))
    }

    @Test func name_hasThirteenCharactersAsAnIdentifier() {
        let name = InstanceID(rawValue: Self.veil.veiled(1 << 40))
        #expect(name.description.count == 13)
        #expect(InstanceID(name.description) == name)
    }
}
