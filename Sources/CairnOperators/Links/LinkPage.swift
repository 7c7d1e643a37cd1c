internal import CairnServer

/// The page of a link, in one language.
struct LinkPage {
    /// What pictures of tours are under, by the code.
    static let picturePath = "/link/picture/"

    let texts: Texts
    /// Nil = the code stands for no published tour.
    let tour: LinkedTour?
    /// Whether this server has a page on which the tour is seen.
    var hasPlayPage = false

    var html: String {
        let name = tour?.name(in: texts.language)
        let title = name?.text ?? texts["link.none"]
        return """
            <!doctype html>
            <html lang="\(texts.language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(Self.escaped(title))</title>
            <link rel="stylesheet" href="/link/link.css">
            </head>
            <body>
            <main>
            \(content(title, name?.language ?? texts.language))
            </main>
            </body>
            </html>

            """
    }

    private func content(_ title: String, _ language: String) -> String {
        guard let tour else {
            return """
                <h1>\(Self.escaped(title))</h1>
                <p>\(Self.escaped(texts["link.noneText"]))</p>
                """
        }
        return """
            <p class="kind">\(Self.escaped(texts["link.title"]))</p>
            <h1 lang="\(Self.escaped(language))">\(Self.escaped(title))</h1>
            <p>\(Self.escaped(texts["link.by", ["organisation": tour.organisation]]))</p>
            \(picture(of: tour))\(playLink(to: tour))<p>\(Self.escaped(texts["link.open"]))</p>
            <p class="code">\(Self.escaped(texts["link.code"])) <strong>\(Self.escaped(tour.code))</strong></p>
            <img src="\(SignIn.linkPath)\(Self.escaped(tour.code)).svg" alt="\(Self.escaped(texts["link.qr"]))">
            """
    }

    private func playLink(to tour: LinkedTour) -> String {
        guard hasPlayPage else { return "" }
        return """
            <p><a href="/play#/tours/code/\(Self.escaped(tour.code))">\(Self.escaped(texts["link.play"]))</a></p>

            """
    }

    private func picture(of tour: LinkedTour) -> String {
        guard let alternative = tour.pictureAlternative(in: texts.language) else { return "" }
        return """
            <img class="picture" src="\(Self.picturePath)\(Self.escaped(tour.code))" \
            lang="\(Self.escaped(alternative.language))" alt="\(Self.escaped(alternative.text))">

            """
    }

    /// Text of a document, or of an attribute in quotation marks.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
