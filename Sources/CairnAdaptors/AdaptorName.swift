/// Names an outside service that the server talks to (EXT-1). To add one is one line here, one in `all`, and a setting.
package struct AdaptorName: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    private init(_ description: String) { self.description = description }

    /// Sends mails.
    package static let mail = AdaptorName("mail")
    /// Sends notices to devices.
    package static let push = AdaptorName("push")
    /// Checks tokens of identity providers.
    package static let identity = AdaptorName("identity")

    /// Charges for purchases.
    package static let payment = AdaptorName("payment")
    /// Checks receipts of app stores.
    package static let receipts = AdaptorName("receipts")

    package static let all = [mail, push, identity, payment, receipts]
}
