internal import CairnServer
internal import CairnText

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
            <title>\(Escaping.markup(title))</title>
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
                <h1>\(Escaping.markup(title))</h1>
                <p>\(Escaping.markup(texts["link.noneText"]))</p>
                """
        }
        return """
            <p class="kind">\(Escaping.markup(texts["link.title"]))</p>
            <h1 lang="\(Escaping.markup(language))">\(Escaping.markup(title))</h1>
            <p>\(Escaping.markup(texts["link.by", ["organisation": tour.organisation]]))</p>
            \(picture(of: tour))\(playLink(to: tour))<p>\(Escaping.markup(texts["link.open"]))</p>
            <p class="code">\(Escaping.markup(texts["link.code"])) <strong>\(Escaping.markup(tour.code))</strong></p>
            <img src="\(SignIn.linkPath)\(Escaping.markup(tour.code)).svg" alt="\(Escaping.markup(texts["link.qr"]))">
            """
    }

    private func playLink(to tour: LinkedTour) -> String {
        guard hasPlayPage else { return "" }
        return """
            <p><a href="/play#/tours/code/\(Escaping.markup(tour.code))">\(Escaping.markup(texts["link.play"]))</a></p>

            """
    }

    private func picture(of tour: LinkedTour) -> String {
        guard let alternative = tour.pictureAlternative(in: texts.language) else { return "" }
        return """
            <img class="picture" src="\(Self.picturePath)\(Escaping.markup(tour.code))" \
            lang="\(Escaping.markup(alternative.language))" alt="\(Escaping.markup(alternative.text))">

            """
    }
}
