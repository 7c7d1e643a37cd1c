import CairnCore
import CairnFeatures
import CairnWire
import Foundation
import Testing

/// The codes of the whole server: the general ones, and those that features register.
@Suite("Refusals of all features")
struct RefusalTests {
    /// Those of section 40 of the requirements that have a sender so far and are no feature's own, and those that
    /// ACC-12 and SYN-2 name.
    static let required = """
        hello_required unsupported_version bad_message unknown_type too_large rate_limited too_many_connections
        slow_consumer server_shutdown overloaded key_reused answer_lost storage_unavailable provider_unavailable
        try_again

        not_signed_in forbidden not_found missing_field invalid_field version_conflict limit_reached bad_position
        position_required text_empty text_too_long link_invalid

        invalid_email email_domain_not_allowed email_taken username_taken invalid_username account_exists weak_password
        invalid_date consent_required invalid_credentials too_many_attempts token_expired token_invalid
        social_token_invalid mfa_required mfa_invalid proof_required reset_token_invalid account_suspended

        invalid_setting profile_hidden user_not_found request_pending request_not_found not_friends not_member

        already_resolved quota_period cell_full asset_corrupt payment_invalid payment_declined
        """.split(whereSeparator: \.isWhitespace).map(String.init)

    @Test func everyGeneralCodeOfTheRequirements_exists_andInternal() {
        #expect(Refusal.Code.general.map(\.rawValue).sorted() == (Self.required + ["internal"]).sorted())
    }

    @Test func everyCode_saysWhatHappened_andWhatToDo() {
        for code in Features.register.refusals {
            #expect(code.message.hasSuffix(".") && code.message.count > 8, "\(code)")
            #expect(code.remedy.hasSuffix(".") && code.remedy.count > 8, "\(code)")
            #expect(code.mayRetry == (code.retryAfter != nil))
        }
        // Distinct texts: a copied line would tell people something wrong.
        #expect(Set(Features.register.refusals.map(\.message)).count >= Features.register.refusals.count - 4)
    }

    @Test func waitingHelps_onlyWhereTheSituationPasses() {
        let passing: Set<Refusal.Code> = [
            .rateLimited, .slowConsumer, .serverShutdown, .overloaded, .storageUnavailable, .providerUnavailable,
            .tryAgain, .quotaPeriod, .tooManyAttempts,
        ]
        #expect(Set(Features.register.refusals.filter(\.mayRetry)) == passing)
    }

    @Test func document_namesEveryRefusal() throws {
        // The script reads Swift as text; here it is the compiled tables that count.
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let text = try String(contentsOf: root.appending(path: "docs/protocol.md"), encoding: .utf8)
        for code in Features.register.refusals {
            #expect(text.contains("| `\(code)` |") && text.contains("| \(code.message) | \(code.remedy) |"), "\(code)")
        }
    }
}
