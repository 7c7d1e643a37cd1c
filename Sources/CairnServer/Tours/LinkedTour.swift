internal import CairnCore
internal import CairnCredentials
package import CairnWire

/// What a link of a tour shows to anybody: name, organisation and picture; the preview needs a sign-in (TRT-3, SES-2).
package struct LinkedTour: Sendable {
    package let code: String
    /// In one language or several.
    package let name: WireTourText
    package let organisation: String
    /// What the picture shows, in one language or several; nil = it has no picture.
    package let pictureAlternative: WireTourText?
    /// Where the link leads.
    package let address: String

    /// The name in a language; of one that it is not written in, the first. As BCP 47 names them.
    package func name(in language: String) -> (text: String, language: String) { Self.words(of: name, in: language) }

    /// What the picture shows, in a language, likewise; nil = it has no picture.
    package func pictureAlternative(in language: String) -> (text: String, language: String)? {
        pictureAlternative.map { Self.words(of: $0, in: language) }
    }

    private static func words(of text: WireTourText, in language: String) -> (text: String, language: String) {
        let words = text.words(in: language)
        return (words?.text ?? "", words?.language ?? language)
    }

    /// The QR code of the address as an SVG; nil = there is no memory.
    package func picture(title: String) -> String? { QRPicture(of: address)?.svg(title: title) }

    /// The QR code for a terminal, line by line.
    package var halfBlocks: [String] { QRPicture(of: address)?.halfBlocks ?? [] }
}

extension SignIn {
    /// The first part of the path of links.
    package static let linkPath = "/j/"

    /// The tour of a code; nil = no published one has it. An unknown code, a draft's and that of a withdrawn tour are
    /// looked for in the same way.
    package func linkedTour(code: String) -> LinkedTour? { names.tours.index.tour(code: code).flatMap(linked) }

    /// The tour of an id.
    package func linkedTour(_ id: TourID) -> LinkedTour? { names.tours.index.tour(id).flatMap(linked) }

    private func linked(_ tour: OfferedTour) -> LinkedTour? {
        guard let organisation = names.organisations.name(of: tour.organisation) else { return nil }
        return LinkedTour(
            code: tour.code, name: tour.name, organisation: organisation,
            pictureAlternative: tour.picture.isEmpty ? nil : tour.pictureAlternative,
            address: linkBase + Self.linkPath + tour.code)
    }
}
