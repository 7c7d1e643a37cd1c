import Testing

@testable import CairnWebSocket

@Suite("HTTP: fields")
struct HTTPFieldsTests {
    @Test(arguments: [
        ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=0-9", .part(0..<10)), ("bytes=5-", .part(5..<10)),
        ("bytes=0-99", .part(0..<10)), ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)),
        ("Bytes=2-3", .part(2..<4)), ("bytes= 2-3 ", .part(2..<4)),
        ("bytes=3-99999999999999999999", .part(3..<10)),
        ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
        ("bytes=99999999999999999999-", .unsatisfiable),
        ("", .whole), ("bytes", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes=4-3", .whole),
        ("bytes=0-1,3-4", .whole), ("bytes=0-1-2", .whole), ("bytes=a-b", .whole), ("bytes=+1-2", .whole),
        ("bytes=0x1-2", .whole), ("items=0-1", .whole),
    ])
    func range_isReadAsTheStandardSays(field: String, expected: ByteRange) {
        #expect(ByteRange(field, of: 10) == expected)
    }

    @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1"])
    func rangeOfNothing_isUnsatisfiable(field: String) {
        #expect(ByteRange(field, of: 0) == .unsatisfiable)
    }

    @Test(arguments: [
        ("\"a\"", true), ("*", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("\"b\",W/\"a\"", true),
        ("\"b,\", \"a\"", true), ("", false), ("a", false), ("\"A\"", false), ("\"ab\"", false), ("\"a", false),
        ("\"b\"a\"c\"", false),
    ])
    func ifNoneMatch_isCompared(field: String, expected: Bool) {
        #expect(EntityTag(opaque: "a").matches(ifNoneMatch: field) == expected)
    }

    @Test(arguments: [
        ("\"a\"", true), ("", true), ("W/\"a\"", false), ("\"b\"", false), ("Sat, 29 Oct 1994 19:43:31 GMT", false),
    ])
    func ifRange_isComparedStrongly(field: String, expected: Bool) {
        #expect(EntityTag(opaque: "a").matches(ifRange: field) == expected)
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=1.0, *;q=0.5", true), ("*", true),
        ("gzip ; q=0.5", true), ("identity;q=0.5, gzip;q=0.8", true), ("gzip;q=0.5, identity;q=0.5", true),
        ("", false), ("identity", false), ("gzip;q=0", false), ("*;q=0", false), ("gzip;q=0, *", false), ("br", false),
        ("identity, gzip;q=0.5", false), ("gzip;q=nonsense", false),
    ])
    func acceptEncoding_isWeighed(field: String, expected: Bool) {
        #expect(ContentCoding.wantsGzip(field) == expected)
    }

    @Test(arguments: [("gzip, deflate, br, zstd", true), ("gzip", false), ("br;q=0, gzip", false), ("", false)])
    func brotli_isOneOfThem(field: String, expected: Bool) {
        #expect(ContentCoding.wantsBrotli(field) == expected)
    }
}
