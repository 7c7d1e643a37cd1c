/// A 64-bit identifier of one sort of thing. In text it is 13 characters of lower-case Crockford base32, ordered as the
/// numbers are, so that both sort alike in databases, logs and URLs.
///
/// The number is, from the top: a bit that is 0, so that it fits a signed 64-bit column; 41 bits of milliseconds since
/// the start of 2025; 12 bits that distinguish identifiers of one millisecond and node; 10 bits for the node that
/// issued it. In identifiers from before there were nodes the last 22 bits are random: they stay as they are, and sort
/// before all later ones. An identifier is unique, not secret: it can be guessed.
public struct Identifier<Tag>: Hashable, Sendable, Comparable, CustomStringConvertible, LosslessStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Parses the 13 characters. Nil for any text that `description` does not produce, so that an identifier has
    /// exactly one text.
    public init?(_ description: String) {
        guard let value = Base32.decode(description) else { return nil }
        rawValue = value
    }

    /// 13 characters of `0`-`9` and `a`-`z` without `i`, `l`, `o` and `u`.
    public var description: String { Base32.encode(rawValue) }

    /// When it was issued, in milliseconds since 1970-01-01 UTC.
    public var milliseconds: Int64 { Int64(rawValue >> IdentifierLayout.lowBits) + IdentifierLayout.epoch }

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Marks the type `InstanceID`; it has no values.
public enum InstanceTag {}
/// Marks the type `AccountID`; it has no values.
public enum AccountTag {}
/// Marks the type `SessionID`; it has no values.
public enum SessionTag {}
/// Marks the type `RealmID`; it has no values.
public enum RealmTag {}
/// Marks the type `SpaceID`; it has no values.
public enum SpaceTag {}
/// Marks the type `TourID`; it has no values.
public enum TourTag {}
/// Marks the type `OrganisationID`; it has no values.
public enum OrganisationTag {}
/// Marks the type `AssetID`; it has no values.
public enum AssetTag {}

/// Names one placed occurrence of an object, for ever.
public typealias InstanceID = Identifier<InstanceTag>
/// Names an account, for ever.
public typealias AccountID = Identifier<AccountTag>
/// Names a sub-realm, for ever.
public typealias RealmID = Identifier<RealmTag>
/// Names a space, for ever.
public typealias SpaceID = Identifier<SpaceTag>
/// Names a tour, for ever.
public typealias TourID = Identifier<TourTag>
/// Names an organisation, for ever.
public typealias OrganisationID = Identifier<OrganisationTag>
/// Names an asset, for ever.
public typealias AssetID = Identifier<AssetTag>
/// Names a session: one user's presence, over all connections that resume it.
public typealias SessionID = Identifier<SessionTag>

enum IdentifierLayout {
    /// 2025-01-01 00:00:00 UTC in milliseconds since 1970. 41 bits from there last until September 2094.
    static let epoch: Int64 = 1_735_689_600_000
    static let nodeBits = UInt64(NodeID.bits)
    /// 4,096 identifiers a millisecond. Further ones get the numbers of later milliseconds.
    static let sequenceBits: UInt64 = 12
    static let lowBits: UInt64 = sequenceBits + nodeBits
    static let sequenceMask: UInt64 = (1 << sequenceBits) - 1
    static let timeMax: UInt64 = (1 << 41) - 1
}

/// Issues the identifiers of one node, each greater than the one before, even when the clock stands still or goes back.
///
/// Two nodes never issue the same identifier. Two sources of one node can, so a process has one source for all
/// identifiers that must be unique, and starts it after the greatest stored identifier.
public struct IdentifierSource: Sendable {
    /// The issuing node.
    public let node: NodeID
    /// The last issued number; 0 = none yet.
    public private(set) var last: UInt64

    /// - Parameter last: the greatest number that is already taken, by whichever node.
    public init(node: NodeID = .only, after last: UInt64 = 0) {
        self.node = node
        self.last = last
    }

    /// The next identifier.
    ///
    /// Its sequence is random. If the result is not greater than the last identifier, it is the least identifier of
    /// this node that is greater, if necessary in a later millisecond.
    /// - Parameters:
    ///   - milliseconds: the time, since 1970-01-01 UTC. Times that the layout cannot hold are cut to its range.
    ///   - generator: gives the sequence.
    public mutating func next<Tag>(
        _ tag: Tag.Type = Tag.self, at milliseconds: Int64, using generator: inout some RandomNumberGenerator
    ) -> Identifier<Tag> {
        let sinceEpoch = max(milliseconds, IdentifierLayout.epoch) - IdentifierLayout.epoch
        let time = min(UInt64(sinceEpoch), IdentifierLayout.timeMax)
        let sequence = generator.next() & IdentifierLayout.sequenceMask
        let random = time << IdentifierLayout.sequenceBits | sequence
        // Increments time and sequence as one number: an exhausted sequence carries into the time.
        let following = last >> IdentifierLayout.nodeBits + 1
        last = max(random, following) << IdentifierLayout.nodeBits | UInt64(node.number)
        return Identifier(rawValue: last)
    }
}

/// Crockford's base32 (crockford.com/base32.html), lower case, 13 characters for 64 bits, most significant first.
private enum Base32 {
    static let characterCount = 13
    static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Value of each byte; 255 = not in the alphabet.
    static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func encode(_ value: UInt64) -> String {
        String(unsafeUninitializedCapacity: characterCount) { buffer in
            for index in 0..<characterCount {
                buffer[index] = alphabet[Int(value >> UInt64((characterCount - 1 - index) * 5) & 31)]
            }
            return characterCount
        }
    }

    static func decode(_ text: String) -> UInt64? {
        let characters = text.utf8
        guard characters.count == characterCount else { return nil }
        var value: UInt64 = 0
        for (index, character) in characters.enumerated() {
            let digit = values[Int(character)]
            // 13 characters hold 65 bits: the first may only fill four.
            guard digit < (index == 0 ? 16 : 32) else { return nil }
            value = value << 5 | UInt64(digit)
        }
        return value
    }
}
