import CairnTime
import CairnWire
import Testing

@testable import CairnClient

/// What answers about the account change in a client.
@Suite("Client: accounts")
struct AccountTests {
    private var core = ClientCore(profile: ClientProfile(), seed: 1)

    private func welcome(_ token: String, deviceKey: String = "") -> WireWelcome {
        var welcome = WireWelcome()
        welcome.token = token
        welcome.deviceKey = deviceKey
        return welcome
    }

    @Test mutating func signIn_makesTheClientThePersons() {
        #expect(core.follow(.welcome(welcome("t-1", deviceKey: "d-1")))?.token == "t-1")
        #expect(core.profile.token == "t-1" && core.profile.deviceKey == "d-1" && core.welcome?.token == "t-1")
    }

    @Test mutating func signOut_keepsTheDeviceKey() throws {
        _ = core.follow(.welcome(welcome("t-1", deviceKey: "d-1")))
        _ = try core.signOut(now: .epoch)
        #expect(core.profile.token == "" && core.profile.deviceKey == "d-1")
        _ = core.follow(.welcome(welcome("t-2")))
        #expect(core.profile.token == "t-2" && core.profile.deviceKey == "d-1")
    }

    /// The server forgets it as well: the next person who signs in has said nothing.
    @Test mutating func signOut_endsTheWordAboutSharing() throws {
        _ = core.follow(.welcome(welcome("t-1")))
        _ = try core.share(true, accuracyMetres: 0, now: .epoch)
        #expect(core.profile.sharesPosition == true && core.profile.shareAccuracyMetres == 0)
        _ = try core.signOut(now: .epoch)
        #expect(core.profile.sharesPosition == nil && core.profile.shareAccuracyMetres == nil)
    }

    @Test mutating func newToken_replacesTheOld() {
        _ = core.follow(.welcome(welcome("t-1")))
        var new = WireNewToken()
        new.token = "t-2"
        #expect(core.follow(.newToken(new)) == nil)
        #expect(core.profile.token == "t-2")
        #expect(core.follow(.done(WireDone())) == nil)
        #expect(core.profile.token == "t-2")
    }
}
