import CairnCore
import Testing

@testable import CairnConfiguration

@Suite("Play: pages of providers")
struct PlayProvidersTests {
    @Test(arguments: [
        "google https://accounts.google.com/o/oauth2/v2/auth?client_id=1.apps.googleusercontent.com",
        "home http://127.0.0.1:9000/authorize?prompt=login&client_id=cairn",
    ])
    func pageOfAProvider_isTaken(_ item: String) { #expect(SettingForm.providerPage.accepts(item)) }

    @Test(arguments: [
        "google", "google https://accounts.google.com/auth", "google https://accounts.google.com/auth?client_id=",
        "google http://accounts.google.com/auth?client_id=a", "google javascript:alert(1)?client_id=a",
        "google https://a:b@accounts.google.com/auth?client_id=a", "google https://x.example/auth?client_id=a#b",
        "https://accounts.google.com/auth?client_id=a", "google https://x.example/auth?client_id=a b",
    ])
    func anythingElse_isRefused(_ item: String) { #expect(!SettingForm.providerPage.accepts(item)) }
}
