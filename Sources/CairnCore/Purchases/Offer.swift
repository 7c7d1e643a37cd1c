public import CairnWire

/// What can be bought (TRT-5): a published tour with its price.
public struct Offer: Hashable, Sendable {
    public let tour: TourID
    /// In the buyer's language.
    public let name: String
    /// 0 = it is free, and cannot be bought.
    public let price: Money

    public init(tour: TourID, name: String, price: Money) { (self.tour, self.name, self.price) = (tour, name, price) }
}
