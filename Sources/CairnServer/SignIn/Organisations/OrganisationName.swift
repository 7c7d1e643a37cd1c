internal import CairnCore
internal import CairnNames
internal import CairnText
package import CairnWire

/// The name of an organisation, with the forms by which names are compared. They are compared like names of people
/// (ACC-1), and spaces and punctuation make no difference: "Art-Museum" looks like "art museum".
package struct OrganisationName: Hashable, Sendable {
    /// As it is shown: without spaces at the ends, and with one between two words.
    package let text: String
    /// Two names with equal compared forms are the same name.
    package let compared: String
    /// Two names with a skeleton in common are look-alikes.
    let skeletons: Set<String>

    static let charactersMax = 100
    private static let bytesMax = 4 * charactersMax

    /// A name that is stored, or a new one after `init(new:)` has checked it.
    package init(_ text: String) {
        self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        compared = Username(self.text).compared
        let letters = self.text.filter { $0.isLetter || $0.isNumber }.unicodeScalars.filter(\.isSeen)
        skeletons = Username(String(String.UnicodeScalarView(letters))).skeletons
    }

    /// A name that was entered.
    /// - Parameter field: of the request that has it.
    package init(new text: String, field: String = "name") throws(Refusal) {
        guard text.utf8.count <= Self.bytesMax else { throw Self.invalid(field) }
        self.init(text)
        guard !self.text.isEmpty else {
            throw Refusal(
                .missingField, "\(field): is missing", component: SignIn.component, details: ["field": field])
        }
        guard self.text.count <= Self.charactersMax, self.text.unicodeScalars.allSatisfy(Self.isShown),
            self.text.contains(where: { ($0.isLetter || $0.isNumber) && !String($0).isBlank })
        else { throw Self.invalid(field) }
    }

    private static func invalid(_ field: String) -> Refusal {
        Refusal(
            .invalidField, "\(field): at most \(charactersMax) characters in one line", component: SignIn.component,
            details: ["field": field])
    }

    /// Between letters of some scripts; invisible.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        case .format: joiners.contains(scalar)
        // Marks are drawn with their letter, or say how it is drawn (variation selectors).
        case .nonspacingMark, .spaceSeparator: true
        default: scalar.isSeen
        }
    }
}
