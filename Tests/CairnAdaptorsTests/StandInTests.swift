import CairnTesting
import Foundation
import Testing

@testable import CairnAdaptors

/// Stand-ins imitate success, refusal, slowness and failure (EXT-2).
@Suite("Stand-ins (EXT-2)", .tags(.alone), .timeLimit(.minutes(10)))
struct StandInTests {
    private func bench(timeLimit: Duration = .milliseconds(200)) async throws -> Workbench {
        var made = try await Workbench.make("", timeLimit: timeLimit, change: { $0.sources = [:] })
        made.settings.sources = [
            .mail: .builtin, .push: .builtin, .identity: .builtin, .payment: .builtin, .receipts: .builtin,
        ]
        made.settings.paymentFolder = made.folder.path + "/payments"
        made.settings.mailFolder = made.folder.path + "/mails"
        await made.adaptors.apply(made.settings, logger: made.log.logger)
        return made
    }

    private func check(_ bench: Workbench, _ token: String) async -> Result<AdaptorAnswer, AdaptorFailure> {
        let call = AdaptorCall(
            id: "i1", action: "check", fields: ["provider": .text("google"), "token": .text(token)])
        do throws(AdaptorFailure) {
            return .success(try await bench.adaptors.call(.identity, call))
        } catch {
            return .failure(error)
        }
    }

    @Test func mail_isOneFileHoweverOftenItIsSent() async throws {
        let bench = try await bench(timeLimit: .seconds(5))
        for _ in 0..<2 { #expect(await bench.send("m1") == .success(.done([:]))) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path + "/mails") == ["m1.eml"])
        let text = try #require(bench.text(of: "mails/m1.eml"))
        #expect(text.contains("To: ada@example.org\r\n"))
        #expect(text.contains("Message-ID: <m1@localhost>\r\n"))
        #expect(text.contains("Subject: =?utf-8?B?R3LDvMOfZQ==?=\r\n"))
        #expect(text.contains("Date: Tue, 14 Nov 2023 22:13:20 +0000\r\n"))
        #expect(text.hasSuffix("\r\n\r\nSGVsbG8=\r\n"))
        let attributes = try FileManager.default.attributesOfItem(atPath: bench.folder.path + "/mails/m1.eml")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    @Test func mail_imitatesWhatTheAddressSays() async throws {
        let bench = try await bench()
        guard case .success(.refused("address_invalid", _)) = await bench.send("m1", to: "refused@example.org") else {
            Issue.record("not refused")
            return
        }
        #expect(await bench.send("m2", to: "failing@example.org") == .failure(.failed))
        #expect(await bench.send("m3", to: "slow@example.org") == .failure(.timeLimit))
    }

    @Test func mail_toSomethingElseThanOneAddress_isRefused() async throws {
        let bench = try await bench()
        for address in ["ada", "ada@example.org\r\nBcc: bob@example.org", "a@b, c@d", "@example.org"] {
            guard case .success(.refused) = await bench.send("m1", to: address) else {
                Issue.record("\(address) was taken")
                continue
            }
        }
    }

    @Test func identity_believesAndImitates() async throws {
        let bench = try await bench()
        #expect(
            await check(bench, "standin:42:ada@example.org:Ada:King")
                == .success(
                    .done(["subject": "42", "email": "ada@example.org", "firstName": "Ada", "lastName": "King"])))
        for token in ["standin-refused", "anything", "standin::x:y:z"] {
            guard case .success(.refused("social_token_invalid", _)) = await check(bench, token) else {
                Issue.record("\(token) was taken")
                continue
            }
        }
        #expect(await check(bench, "standin-failing") == .failure(.failed))
        #expect(await check(bench, "standin-slow") == .failure(.timeLimit))
    }

    @Test func push_imitatesWhatTheDeviceSays() async throws {
        let bench = try await bench()
        func push(_ device: String) async throws(AdaptorFailure) -> AdaptorAnswer {
            try await bench.adaptors.call(
                .push, AdaptorCall(id: "p1", action: "send", fields: ["device": .text(device)]))
        }
        #expect(try await push("abc") == .done([:]))
        #expect(try await push("refused") == .refused(code: "device_unknown", message: "the device is not known"))
        await #expect(throws: AdaptorFailure.failed) { try await push("failing") }
    }

    private func pay(
        _ bench: Workbench, _ action: String, _ key: String, _ method: String = "card"
    ) async -> Result<AdaptorAnswer, AdaptorFailure> {
        let call = AdaptorCall(
            id: UUID().uuidString, action: action, fields: ["key": .text(key), "method": .text(method)])
        do throws(AdaptorFailure) {
            return .success(try await bench.adaptors.call(.payment, call))
        } catch {
            return .failure(error)
        }
    }

    @Test func payment_isOneChargeForEachKey() async throws {
        let bench = try await bench(timeLimit: .seconds(5))
        let charged = await pay(bench, "charge", "k1")
        #expect(charged == .success(.done(["charge": "standin-k1"])))
        #expect(await pay(bench, "charge", "k1") == charged)
        #expect(await pay(bench, "settle", "k1") == .success(.done(["state": "charged", "charge": "standin-k1"])))
        #expect(await pay(bench, "charge", "k2", "standin-lost") == .failure(.died))
        #expect(await pay(bench, "settle", "k2") == .success(.done(["state": "charged", "charge": "standin-k2"])))
    }

    @Test func payment_thatWasClosed_isNeverMade() async throws {
        let bench = try await bench()
        #expect(await pay(bench, "charge", "k1", "standin-slow") == .failure(.timeLimit))
        #expect(await pay(bench, "settle", "k1") == .success(.done(["state": "closed"])))
        guard case .success(.refused("payment_declined", _)) = await pay(bench, "charge", "k1") else {
            Issue.record("it was charged")
            return
        }
        #expect(await pay(bench, "settle", "k1") == .success(.done(["state": "closed"])))
    }

    @Test func header_isFoldedIntoDecodableWords() {
        let header = MailText.header(String(repeating: "Größe 🙂 ", count: 12))
        for line in header.components(separatedBy: "\r\n") { #expect(line.utf8.count <= 76) }
        #expect(MailText.header("one\r\nBcc: two") == "oneBcc: two")
    }
}

@Suite("Masks of the log (CMP-4)")
struct LogMaskTests {
    @Test func addressesAndTokens_areMasked() {
        let line = "mail to <ada@example.org> by key=abcdefghijklmnopqrstuvwxyz failed\u{7}"
        #expect(LogMask.masked(Array(line.utf8)) == "mail to [address] by [token] failed ")
    }

    @Test func line_isCut() {
        #expect(LogMask.masked(Array(String(repeating: "a ", count: 300).utf8)).count == 200)
    }
}
