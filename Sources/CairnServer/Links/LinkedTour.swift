package import CairnCore
internal import CairnCredentials
package import CairnWire

/// What a link of a tour shows to anybody: name, organisation and picture; the preview needs a sign-in (TRT-3, SES-2).
package struct LinkedTour: Sendable {
    package let code: String
    /// In one language or several.
    package let name: WireTourText
    package let organisation: String
    /// Where the link leads.
    package let address: String

    /// The name in a language; of one that it is not written in, the first. As BCP 47 names them.
    package func name(in language: String) -> (text: String, language: String) {
        let words = name.words.first { $0.language.lowercased().hasPrefix(language) } ?? name.words.first
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
    package func linkedTour(code: String) -> LinkedTour? { nil }

    /// The tour of an id.
    package func linkedTour(_ id: TourID) -> LinkedTour? { nil }

}
