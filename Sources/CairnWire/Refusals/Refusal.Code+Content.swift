extension Refusal.Code {
    // MARK: Notebooks

    /// Not one of the covers on offer (NBK-1).
    public static let unknownCover = Self(
        "unknown_cover", "There is no such cover.",
        remedy: "Use one of the covers on offer.")

    /// There is no notebook to open yet (NBK-3).
    public static let noNotebooks = Self(
        "no_notebooks", "You have no notebooks yet.",
        remedy: "Create one.")

    /// No page template was chosen (NBK-4).
    public static let templateRequired = Self(
        "template_required", "Choose a page template.",
        remedy: "Send one of the templates on offer.")

    /// The clipboard holds something other than plain text (NBK-7).
    public static let unsupportedContent = Self(
        "unsupported_content", "This cannot be inserted.",
        remedy: "Insert plain text.")

    /// The image would leave the page (NBK-8).
    public static let outOfBounds = Self(
        "out_of_bounds", "This does not fit the page.",
        remedy: "Make it smaller or move it inwards.")

    /// The template has no free place left (NBK-9).
    public static let pageFull = Self(
        "page_full", "This page is full.",
        remedy: "Remove an item or add a page.")

    /// Nothing was inserted in this connection, or all of it is undone (NBK-12).
    public static let nothingToUndo = Self(
        "nothing_to_undo", "There is nothing to undo.",
        remedy: "Nothing to do.")

    /// Notebooks, as in section 40 of the requirements.
    static let notebookCodes: [Self] = [
        .unknownCover, .noNotebooks, .templateRequired, .unsupportedContent, .outOfBounds, .pageFull, .nothingToUndo,
    ]

    // MARK: Catalogue, rooms, shop

    /// The item has no AR model yet (CAT-9).
    public static let modelUnavailable = Self(
        "model_unavailable", "There is no AR model of this yet.",
        remedy: "Show the pictures instead.")

    /// The manufacturer gives no dimensions (CAT-10).
    public static let dimensionsUnavailable = Self(
        "dimensions_unavailable", "The dimensions are not known.",
        remedy: "Measure, and send the result.")

    /// Not one of the styles on offer (ROM-3).
    public static let invalidPreference = Self(
        "invalid_preference", "There is no such preference.",
        remedy: "Use one of the styles on offer.")

    /// No furniture is placed in the space (ROM-4).
    public static let noArItem = Self(
        "no_ar_item", "There is no furniture in this space.",
        remedy: "Place an item first.")

    /// Parts of the scan are missing, or it took 30 s or more (ROM-4).
    public static let scanIncomplete = Self(
        "scan_incomplete", "The scan is incomplete.",
        remedy: "Scan again.")

    /// The item cannot be had at present (COM-2, COM-3, COM-6).
    public static let outOfStock = Self(
        "out_of_stock", "This is out of stock.",
        remedy: "Choose another item, or keep it in the wishlist.")

    /// There is nothing to pay for (COM-5).
    public static let cartEmpty = Self(
        "cart_empty", "The cart is empty.",
        remedy: "Add an item first.")

    /// Card number, expiry or billing address cannot be right (COM-5).
    public static let paymentInvalid = Self(
        "payment_invalid", "The payment details are not valid.",
        remedy: "Correct what `details` names.")

    /// The payment was refused; nothing was charged or ordered (COM-6).
    public static let paymentDeclined = Self(
        "payment_declined", "The payment was declined.",
        remedy: "Use another way to pay.")

    /// The shipping address is incomplete or malformed (COM-5).
    public static let addressInvalid = Self(
        "address_invalid", "The address is not valid.",
        remedy: "Correct what `details` names.")

    /// Number, expiry or security code cannot be right (COM-7).
    public static let cardInvalid = Self(
        "card_invalid", "The card details are not valid.",
        remedy: "Correct what `details` names.")

    /// The issuer does not accept the card (COM-7).
    public static let cardRejected = Self(
        "card_rejected", "The card was not accepted.",
        remedy: "Correct the details, or use another card.")

    /// One card is stored already (COM-8).
    public static let cardExists = Self(
        "card_exists", "A card is stored already.",
        remedy: "Delete it first.")

    /// Nothing is on its way (COM-12).
    public static let noShippedOrders = Self(
        "no_shipped_orders", "No order is on its way.",
        remedy: "Nothing to do.")

    /// The order cannot be returned (COM-14).
    public static let notReturnable = Self(
        "not_returnable", "This cannot be returned.",
        remedy: "See the return policy, or contact support.")

    /// Catalogue, rooms, shop, as in section 40 of the requirements.
    static let shopCodes: [Self] = [
        .modelUnavailable, .dimensionsUnavailable, .invalidPreference, .noArItem, .scanIncomplete, .outOfStock,
        .cartEmpty, .paymentInvalid, .paymentDeclined, .addressInvalid, .cardInvalid, .cardRejected, .cardExists,
        .noShippedOrders, .notReturnable,
    ]

    // MARK: Map, navigation

    /// The part of the map asked for is too large (MAP-1).
    public static let areaTooLarge = Self(
        "area_too_large", "This part of the map is too large.",
        remedy: "Ask for a smaller part.")

    /// There is no way there (NAV-1).
    public static let noRoute = Self(
        "no_route", "There is no way there.",
        remedy: "Choose another destination.")

    /// No navigation is running (NAV-3).
    public static let notNavigating = Self(
        "not_navigating", "You are not navigating.",
        remedy: "Nothing to do.")

    /// Map, navigation, as in section 40 of the requirements.
    static let mapCodes: [Self] = [
        .areaTooLarge, .noRoute, .notNavigating,
    ]

    // MARK: Tours

    /// Neither free nor 1 to 999 cents (TRM-2).
    public static let invalidPrice = Self(
        "invalid_price", "This price is not allowed.",
        remedy: "Choose free or 0.01 to 9.99.")

    /// A link that is neither http nor https (TRM-2).
    public static let invalidLink = Self(
        "invalid_link", "This link is not allowed.",
        remedy: "Use an http or https link.")

    /// The route is no line that can be walked (TRM-3).
    public static let invalidRoute = Self(
        "invalid_route", "This route is not valid.",
        remedy: "Correct the route.")

    /// A stop or popup lies further than 50 m from the route (TRM-4).
    public static let offRoute = Self(
        "off_route", "This is too far from the route.",
        remedy: "Move it closer, or change the route.")

    /// Something needed for publishing is missing (TRM-7).
    public static let tourIncomplete = Self(
        "tour_incomplete", "The tour is not complete.",
        remedy: "Add what `details` names.")

    /// The user is on a tour already (TRT-5).
    public static let tourInProgress = Self(
        "tour_in_progress", "You are on a tour already.",
        remedy: "Leave or finish it first.")

    /// The tour has a price and was not bought (TRT-5).
    public static let paymentRequired = Self(
        "payment_required", "This tour has to be bought first.",
        remedy: "Buy it, then start.")

    /// Nothing can be placed or changed during a tour (TRT-6).
    public static let readOnlyTour = Self(
        "read_only_tour", "Nothing can be changed during a tour.",
        remedy: "Leave the tour first.")

    /// Tours, as in section 40 of the requirements.
    static let tourCodes: [Self] = [
        .invalidPrice, .invalidLink, .invalidRoute, .offRoute, .tourIncomplete, .tourInProgress, .paymentRequired,
        .readOnlyTour,
    ]

    // MARK: Moderation

    /// Nobody reports their own object (MOD-1).
    public static let ownObject = Self(
        "own_object", "This is your own object.",
        remedy: "Remove it instead.")

    /// This user has reported it before (MOD-1).
    public static let alreadyReported = Self(
        "already_reported", "You have reported this already.",
        remedy: "Wait for the review.")

    /// Another administrator has decided (MOD-3, ORG-2).
    public static let alreadyResolved = Self(
        "already_resolved", "This is decided already.",
        remedy: "Drop it from the list.")

    /// Moderation, as in section 40 of the requirements.
    static let moderationCodes: [Self] = [
        .ownObject, .alreadyReported, .alreadyResolved,
    ]
}
