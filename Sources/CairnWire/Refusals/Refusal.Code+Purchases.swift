extension Refusal.Code {
    // MARK: Purchases

    /// The payment's means are not valid: a card that does not exist, a receipt that is forged or was used (TRT-5).
    public static let paymentInvalid = Self(
        "payment_invalid", "This payment is not valid.",
        remedy: "Nothing was charged. `details.reason` says what is wrong with a receipt. Have the person pay anew.")

    /// The provider does not charge (TRT-5).
    public static let paymentDeclined = Self(
        "payment_declined", "The payment was declined.",
        remedy: "Nothing was charged. Have the person choose another means, and use a new key.")

    static let purchaseCodes: [Self] = [.paymentInvalid, .paymentDeclined]
}
