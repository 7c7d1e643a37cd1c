import CairnAdaptors
import CairnConfiguration
import CairnCore
import CairnStore
import Logging

@testable import CairnServer

extension SignIn.Services {
    /// Without outside services, but for those that are given.
    static func forTests(_ store: Store, adaptors given: Adaptors? = nil) -> SignIn.Services {
        let logger = Logger(label: "sign-in") { _ in SwiftLogNoOpLogHandler() }
        let adaptors = given ?? Adaptors(settings: AdaptorSettings(), logger: logger)
        let postman = Postman(
            store: store, adaptors: adaptors, clock: ServerClock(), identifiers: IdentifierIssuer(),
            configuration: Configuration(), logger: logger)
        let depot = AssetDepot(
            path: "/nonexistent", store: store, identifiers: IdentifierIssuer(), clock: ServerClock(), logger: logger)
        guard let policy = try? PrivacyPolicy(Configuration()) else {
            preconditionFailure("the shipped policy cannot be read")
        }
        return SignIn.Services(
            Configuration.Accounts(), adaptors: adaptors, postman: postman, depot: depot, policy: policy)
    }
}
