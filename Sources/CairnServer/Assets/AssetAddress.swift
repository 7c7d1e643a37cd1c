internal import CairnCore
internal import CairnCrypto
internal import CairnWire
internal import Foundation

/// Where a person sees an asset.
enum AssetPlace: Hashable, Sendable {
    /// Among those that they have uploaded.
    case own
    /// On a person's profile.
    case profile(AccountID)
    /// In a tour.
    case tour(TourID)
    /// No asset, but the file with everything that is held on the person (CMP-2).
    case export

    fileprivate var numbers: [UInt64] {
        switch self {
        case .own: [0, 0]
        case .profile(let account): [1, account.rawValue]
        case .export: [2, 0]
        case .tour(let tour): [3, tour.rawValue]
        }
    }

    fileprivate init?(_ kind: UInt64, _ number: UInt64) {
        switch kind {
        case 0: self = .own
        case 1: self = .profile(AccountID(rawValue: number))
        case 2: self = .export
        case 3: self = .tour(TourID(rawValue: number))
        default: return nil
        }
    }
}

/// The address of a download: who may use it, for which asset, where they see it, and until when.
///
/// It is sealed with a key of the world's, so nobody can make one or read ids in it, and it lasts across restarts. It
/// gives no right: that is asked at each download.
struct AssetAddress: Hashable, Sendable {
    let asset: AssetID
    let place: AssetPlace
    let account: AccountID
    /// The sign-in that asked for it, which has to stand; nil = an app's backend vouches for the person.
    let token: TokenName?
    let expires: LastingTime

    /// The beginning of the path.
    static let prefix = "/v1/assets/"
    /// Names the key.
    static let seal = Seal("asset addresses")

    private static let bound = Array("cairn asset address 1".utf8)
    private static let numberCount = 7

    init(asset: AssetID, place: AssetPlace, account: AccountID, token: TokenName?, expires: LastingTime) {
        (self.asset, self.place, self.account, self.token, self.expires) = (asset, place, account, token, expires)
    }

    /// The last segment of the path.
    func text(sealedBy key: SymmetricKey) throws -> String {
        let numbers =
            [asset.rawValue] + place.numbers + [
                account.rawValue, token == nil ? 0 : 1, token?.rawValue ?? 0, UInt64(bitPattern: expires.milliseconds),
            ]
        let bytes = numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        return Data(try AES.GCM(key).seal(bytes, authenticating: Self.bound)).base64URL
    }

    /// Reads `text`; nil = it was not made with the key.
    init?(_ text: String, sealedBy key: SymmetricKey) {
        guard text.utf8.count <= 256, let bytes = AppToken.decoded(text.utf8),
            let plain = AES.GCM(key).open(bytes, authenticating: Self.bound), plain.count == 8 * Self.numberCount
        else { return nil }
        let numbers = (0..<Self.numberCount).map { index in
            plain[8 * index..<8 * index + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard let place = AssetPlace(numbers[1], numbers[2]) else { return nil }
        self.init(
            asset: AssetID(rawValue: numbers[0]), place: place, account: AccountID(rawValue: numbers[3]),
            token: numbers[4] == 0 ? nil : TokenName(rawValue: numbers[5]),
            expires: LastingTime(milliseconds: Int64(bitPattern: numbers[6])))
    }
}
