internal import CairnConfiguration
internal import CairnCore
internal import CairnEmbedded
internal import CairnServer
internal import CairnText
internal import CairnWebSocket
internal import Foundation

/// The pages of links of tours (TRT-3): what a code on a wall leads to where the app is not installed. They run no
/// script, and say the same about a code that is unknown and about one whose tour is a draft or withdrawn.
enum LinkPages {
    static let routes: [Route] = [
        Route("GET", .under(SignIn.linkPath), for: .everyone) { pages, request in
            .now(response(to: request, pages.context))
        },
        .getLater(.under(LinkPage.picturePath), for: .everyone) { pages, request in
            guard let picture = await pages.context.signIn.linkedPicture(code: request.parameter) else {
                return none(for: request, pages.context)
            }
            return picture.response(to: request.head)
        },
        .get("/link/link.css", for: .everyone) { _, request in style.response(to: request.head) },
        .get("/.well-known/apple-app-site-association", for: .everyone) { pages, _ in
            association(AppleAssociation(pages.context.configuration.links.appleApps))
        },
        .get("/.well-known/assetlinks.json", for: .everyone) { pages, _ in
            association(AndroidAssociation.all(pages.context.configuration.links.androidApps))
        },
    ]

    private static let style = AccountPages.file("link.css", in: .links)
    private static let pictureSuffix = ".svg"

    private static func texts(for request: Route.Request, _ context: ServerContext) -> Texts {
        let languages = context.configuration.accounts.languages
        return Texts.of(AcceptLanguage.best(request.head.acceptLanguage, of: languages) ?? "en", among: languages)
    }

    private static func none(for request: Route.Request, _ context: ServerContext) -> HTTPResponse {
        page(404, LinkPage(texts: texts(for: request, context), tour: nil).html)
    }

    private static func response(to request: Route.Request, _ context: ServerContext) -> HTTPResponse {
        let texts = texts(for: request, context)
        let isPicture = request.parameter.hasSuffix(pictureSuffix)
        let code = isPicture ? String(request.parameter.dropLast(pictureSuffix.count)) : request.parameter
        guard let tour = context.signIn.linkedTour(code: code) else {
            return none(for: request, context)
        }
        guard isPicture else {
            let hasPlayPage = context.configuration.play.enabled
            return page(200, LinkPage(texts: texts, tour: tour, hasPlayPage: hasPlayPage).html)
        }
        guard let picture = tour.picture(title: texts["link.qr"]) else { return .text(503, "no memory\n") }
        return HTTPResponse(
            status: 200, contentType: "image/svg+xml", headers: headers, body: Array(picture.utf8))
    }

    private static let headers = [
        "Cache-Control: no-cache", "Vary: Accept-Language",
        "Content-Security-Policy: default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; "
            + "form-action 'none'; frame-ancestors 'none'",
        "X-Frame-Options: DENY", "Referrer-Policy: no-referrer", "Cross-Origin-Opener-Policy: same-origin",
    ]

    private static func page(_ status: Int, _ html: String) -> HTTPResponse {
        HTTPResponse(status: status, contentType: "text/html; charset=utf-8", headers: headers, body: Array(html.utf8))
    }

    // MARK: Apps

    /// A file by which a platform knows that an app may open links of this server; 404 where no app is configured.
    private static func association(_ file: (some Encodable)?) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let file, let json = try? encoder.encode(file) else { return .text(404, "no app is configured\n") }
        return HTTPResponse(
            status: 200, contentType: "application/json", headers: ["Cache-Control: no-cache"], body: Array(json))
    }

    private struct AppleAssociation: Encodable {
        struct AppLinks: Encodable { let details: [Detail] }
        struct Detail: Encodable {
            let appIDs: [String]
            let components: [[String: String]]
        }
        let applinks: AppLinks

        init?(_ apps: [String]) {
            guard !apps.isEmpty else { return nil }
            applinks = AppLinks(
                details: [Detail(appIDs: apps, components: [["/": "\(SignIn.linkPath)*"]])])
        }
    }

    private struct AndroidAssociation: Encodable {
        struct Target: Encodable {
            let namespace = "android_app"
            let packageName: String
            let fingerprints: [String]

            enum CodingKeys: String, CodingKey {
                case namespace
                case packageName = "package_name"
                case fingerprints = "sha256_cert_fingerprints"
            }
        }
        let relation = ["delegate_permission/common.handle_all_urls"]
        let target: Target

        static func all(_ apps: [String]) -> [AndroidAssociation]? {
            let known = apps.compactMap { app -> AndroidAssociation? in
                let parts = app.pieces(at: " ").map(String.init)
                guard parts.count == 2 else { return nil }
                return AndroidAssociation(target: Target(packageName: parts[0], fingerprints: [parts[1]]))
            }
            return known.isEmpty ? nil : known
        }
    }
}
