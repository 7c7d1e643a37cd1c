internal import CairnCore
internal import CairnWire

extension NameDirectory {
    /// A published tour as it is sold; nil = there is none of this id.
    /// - Parameter language: of the buyer (BCP 47).
    func offer(of tour: TourID, in language: String, currency: String) -> Offer? {
        tours.index.tour(tour).map { tour in
            Offer(
                tour: tour.id, name: tour.name.words(in: language)?.text ?? "",
                price: Money(cents: Int64(tour.price), currency: currency))
        }
    }
}
