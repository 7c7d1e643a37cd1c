import Testing

@testable import CairnCredentials

/// Pictures that authenticator apps read (ACC-8; ISO/IEC 18004).
@Suite struct QRPictureTests {
    @Test(arguments: [1, 14, 15, 26, 42, 62, 84, 100, 122, 150, 180, 213])
    func picture_saysItsText(_ length: Int) throws {
        let text = String("Cairn otpauth://totp/".cycled(to: length))
        let picture = try #require(QRPicture(of: text))
        #expect(QRReader(svg: picture.svg(title: "a title"))?.text == text)
    }

    @Test func linkOfASecret_isReadFromItsPicture() throws {
        let link = OneTimeSecret().link(issuer: "Cairn", name: "zo\u{EB}@example.org")
        let picture = try #require(QRPicture(of: link))
        #expect(QRReader(svg: picture.svg(title: "Cairn"))?.text == link)
    }

    @Test func svg_isWellFormed_andSaysItsTitle() throws {
        let svg = try #require(QRPicture(of: "cairn")).svg(title: "Ada & <Bob>\u{0}")
        let form = #/<svg( [-a-zA-Z]+="[^"<&]*")+><title>[^<]*</title>(<path( [a-z]+="[^"<&]*")+/>){2}</svg>/#
        #expect(svg.wholeMatch(of: form) != nil)
        #expect(svg.contains("<title>Ada &amp; &lt;Bob&gt;</title>") && svg.contains("viewBox=\"0 0 29 29\""))
    }

    @Test func halfBlocks_areThePictureWithItsQuietZone() throws {
        let picture = try #require(QRPicture(of: "cairn"))
        let lines = picture.halfBlocks
        let edge = QRPicture.quietZone
        #expect(lines.count == (picture.side + 2 * edge + 1) / 2)
        #expect(lines.allSatisfy { $0.count == picture.side + 2 * edge })
        for row in 0..<picture.side {
            for column in 0..<picture.side {
                let character = Array(lines[(row + edge) / 2])[column + edge]
                let isUpper = (row + edge).isMultiple(of: 2)
                let isLight = character == "\u{2588}" || character == (isUpper ? "\u{2580}" : "\u{2584}")
                #expect(isLight != picture.isDark[row * picture.side + column])
            }
        }
    }

    @Test func length_isBounded() {
        #expect(QRPicture(of: "") == nil && QRPicture(of: "a\u{0}b") == nil)
        let most = String(repeating: "a", count: QRPicture.textBytesMax)
        #expect(QRPicture(of: most)?.side == 177 && QRPicture(of: most + "a") == nil)
    }
}

extension String {
    fileprivate func cycled(to length: Int) -> String {
        String(String(repeating: self, count: length / count + 1).prefix(length))
    }
}
