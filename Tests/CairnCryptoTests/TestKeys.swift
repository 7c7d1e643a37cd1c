/// Keys and signatures that the program `openssl` 3.0.19 made.
enum TestKeys {
    /// 2,048 bits.
    static let rsa = """
        -----BEGIN PUBLIC KEY-----
        MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu4h31zHuYSOg7Qg7hKN0
        JwP5ZW3pOyUBpC56ztSGM78tgV6u+EHsF7tH930Wi/lPbG8ZHbr+NYfjjtIPuyu/
        ndjZwgiKkYyDjZqt2t5lFc0AUYYArg79dABoCMMl3wq/7ovNNHgUzixUeYteZrwH
        Hxp6Md6yr1Zq1cAcSaE9HYBdFlENQOtxk0vBZlcNWMjgh9YDVK2wOAH0GlvmscHZ
        mH+IZFYRjB4a5qs9DzYHVkoKL/U+TKcFlswB5DIoWZv1TLTuzoP46yykuG2HJ1a2
        HLLiEFNwUuqRRcBR/rDMCCfaHK7Zj4Eq1e3FQadmaDn5HQbthMh9vbBUngJRQAc0
        6wIDAQAB
        -----END PUBLIC KEY-----
        """

    /// The same key in the older form of PKCS #1.
    static let rsaPKCS1 = """
        -----BEGIN RSA PUBLIC KEY-----
        MIIBCgKCAQEAu4h31zHuYSOg7Qg7hKN0JwP5ZW3pOyUBpC56ztSGM78tgV6u+EHs
        F7tH930Wi/lPbG8ZHbr+NYfjjtIPuyu/ndjZwgiKkYyDjZqt2t5lFc0AUYYArg79
        dABoCMMl3wq/7ovNNHgUzixUeYteZrwHHxp6Md6yr1Zq1cAcSaE9HYBdFlENQOtx
        k0vBZlcNWMjgh9YDVK2wOAH0GlvmscHZmH+IZFYRjB4a5qs9DzYHVkoKL/U+TKcF
        lswB5DIoWZv1TLTuzoP46yykuG2HJ1a2HLLiEFNwUuqRRcBR/rDMCCfaHK7Zj4Eq
        1e3FQadmaDn5HQbthMh9vbBUngJRQAc06wIDAQAB
        -----END RSA PUBLIC KEY-----
        """

    /// Too short.
    static let rsa1024 = """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDgRiI7mJwc31CjOoWZvJaySvoo
        8s71DvtQ6sx2Jyv5ftQgj/7886Y/6+uSGqeh/G+cQkjXkR8q5LFSADWxPow6Dt3P
        F199RomIpvblprMlDzH4vUL3sv9480LxwDkN0n4omsqgkyeTBsLmVVeVttMLz4bP
        jWdwsLj7x2HD0ocL9QIDAQAB
        -----END PUBLIC KEY-----
        """

    /// For RSASSA-PSS alone (RFC 4055, 1.2).
    static let rsaPSS = """
        -----BEGIN PUBLIC KEY-----
        MIIBIDALBgkqhkiG9w0BAQoDggEPADCCAQoCggEBALUrpdm5ir4Sj1PnM2CjOSvM
        KDATkvEBRzy72G2Y7u6k5izcsmoMXssdgKZDOZnKX3nr+GmEpdG7Ncv59MrJZj8V
        GIbaaU7JSVY2yEfgAzGBQTDX/TEI1FUXpTQShyuIk/hJ8WuONyXN2JnP7jSqmVe1
        B+Azwlpe3BXlBjWnXTviF29uokzwz4KkEcNFGEJp8VuifwR+kAPEhC6cdx5ZJkL6
        D2K7BEZf30nl2IXHZ1rf+FmsyD4weZlVED+gjW0qcWizc5v07vGF7dQR9rPSoE1j
        Q6KhttnbIIJPOs23kRhuCVWX2x/NEM0hTzNrXPuR5dJppD2v1rrpHYEj4i6Nrv8C
        AwEAAQ==
        -----END PUBLIC KEY-----
        """

    /// A named curve, a point that is not compressed.
    static let p256 = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEhf5wtPwQbh6wBbZuCFPruxOnxESp
        NhpSTjoI2NTjtjwgjQA3k61umlkX+LrlP0Hspg8KP1jb0uYeKQYV1BOEiw==
        -----END PUBLIC KEY-----
        """

    /// The same key, with x and the sign of y.
    static let p256Compressed = """
        -----BEGIN PUBLIC KEY-----
        MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgADhf5wtPwQbh6wBbZuCFPruxOnxESp
        NhpSTjoI2NTjtjw=
        -----END PUBLIC KEY-----
        """

    /// The same key, with the numbers of its curve in place of the name.
    static let p256Explicit = """
        -----BEGIN PUBLIC KEY-----
        MIIBSzCCAQMGByqGSM49AgEwgfcCAQEwLAYHKoZIzj0BAQIhAP////8AAAABAAAA
        AAAAAAAAAAAA////////////////MFsEIP////8AAAABAAAAAAAAAAAAAAAA////
        ///////////8BCBaxjXYqjqT57PrvVV2mIa8ZR0GsMxTsPY7zjw+J9JgSwMVAMSd
        NgiG5wSTamZ44ROdJreBn36QBEEEaxfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5
        RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9QIhAP////8AAAAA
        //////////+85vqtpxeehPO5ysL8YyVRAgEBA0IABIX+cLT8EG4esAW2bghT67sT
        p8REqTYaUk46CNjU47Y8II0AN5OtbppZF/i65T9B7KYPCj9Y29LmHikGFdQThIs=
        -----END PUBLIC KEY-----
        """

    /// Its private key (PKCS #8).
    static let p256Private = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDKdXT0k1gwKVU/NW
        +bEJv8hUhMFv/SzIwEEXA5CGdw2hRANCAASF/nC0/BBuHrAFtm4IU+u7E6fERKk2
        GlJOOgjY1OO2PCCNADeTrW6aWRf4uuU/QeymDwo/WNvS5h4pBhXUE4SL
        -----END PRIVATE KEY-----
        """

    /// Another curve.
    static let p384 = """
        -----BEGIN PUBLIC KEY-----
        MHYwEAYHKoZIzj0CAQYFK4EEACIDYgAECVFw8oqp6tJnMrBGu+Rql4yBlPMUVwPF
        jbYi4EEqf1T/4bKtNkjAVsFDCOYlLBVNY5w8bKXYjBz8CET2+PMhLNESehBZwFtr
        Nbs/4y1j26Kr0oCegYd7tn1M8Nrm65PK
        -----END PUBLIC KEY-----
        """

    /// Another curve of 256 bits.
    static let secp256k1 = """
        -----BEGIN PUBLIC KEY-----
        MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAEEYfMj63Aedz2jTvKReOme5i2K1uychUM
        OyRoM+u6LmVm2zB2zQO3hl+vReq3qFCruupOHg1annSHiyocvpZbEg==
        -----END PUBLIC KEY-----
        """

    /// For key agreement, not for signatures.
    static let x25519 = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VuAyEAvGS+dwbYIB2m8mQTg/67n7TtMLfBKsBCBwvvnDNdkHY=
        -----END PUBLIC KEY-----
        """

    /// An Ed25519 key under a password.
    static let encryptedPrivate = """
        -----BEGIN ENCRYPTED PRIVATE KEY-----
        MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAil331P2u3V6QICCAAw
        DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEALfCc7iqek+XSGVVUpQXRkEQB7g
        bTkd7dR5H8LQ4je1d7qGdA60i2CC/1V7HK4AvhhlunwON+D5KO9n26Bo1X47vs5B
        m7h+DqjX9Z4vzUij904=
        -----END ENCRYPTED PRIVATE KEY-----
        """

    /// Of `message` by `rsa`, with SHA-256 and the padding of PKCS #1 v1.5.
    static let rsaSignature =
        "qrmzX5eSCWL2qP6+2xYpaTi6YmBog+UKyRPqCPBVjN+guoA1Fn+wmDPyLHyxtQi78Es3Q6SQDa8vbLempvEzqi7dxF++TZXOEnM5"
        + "urZXAg7Wwri/RVK25NrT8dzk0zTtd5nnbn39PX9JUILdO53UrvlBsZBb8En9QuNqtejAJnPWgkr4sB/j+o8ZPQ1q/QvpNfRM+nBk"
        + "yTn+pf/6xYRGO8RXk0caa/j1ypv7eKZTDIOj9A4fRJ7F/OPOBJcZwnmF0Kxg8keubCmvGOW6pCmrTSPl3Feu+MIchXVvwcrdkURd"
        + "eosFaGlsNXoTX3L3FrnfKUQTR0hfBChzjLbvLQS4wQ=="

    /// The same with the padding PSS.
    static let rsaPSSSignature =
        "uKWWHJg5yXU1SYv90za2m1h527PTcMmElY1f/LxcOSIOldTF+igLr5xLe/g3VVhe5qj2v57dMY4S7H5WLnjV2Qij6ex1C6gezYoY"
        + "6ynrtjTGQqS+HwebwRUmMrV2CWspt+aBQZCPamg/DzCRlVp5e2PKYdbqAV/T3PJ7XX1gbuwpHkVkg62DVipyJusaqcEwP1AJE/tY"
        + "acPrSjowQQYpZ/EjGjvql+gRyduuRiw2Uv/XoLGIm4Uue7tw32i1djK47N3CZq5jtx+QYJ5ytbVqMYMThU1yiENMv3zMaNRBULr1"
        + "NiXI7/ocnT7K1nJfsHdMQJa40spRiXQtzcLPC2OWaw=="

    /// The same with the padding of PKCS #1 v1.5 and SHA-512.
    static let rsaSHA512Signature =
        "HO491N55ptYn3ZuP+YNCUpAXkPTR5GeJneKgRtZQoJtZ8S7uT4MPkRAoheEjvu7/W+e3lDh3qCQQ6tj0gDzmxT4H+Q7sxz2DTky+"
        + "lHx9/dhc+8lT1fbQDE+0x6VciFUlZEEcGjVMmb/J7dCu7YfSEt5WEWirt0t2932D4Qo6VVdbtCxdFe4DwiCsVB3VRsx63RtcBkx2"
        + "Dec9Nb5p/J8aRCNvDR61O4ZxOzbq1BXNgtrBT6VWXCtgVeeYCNm5qv5wmDbBKwDMAClBm4L678dtfvQzP2mVvrxWZ6OIeBbviHbx"
        + "3q+bO8XaY+AbMjWevnCTlGiZr4EwmQXq12piAaU7zg=="

    /// Of `message` by `p256`, with SHA-256: r and s.
    static let p256Signature =
        "S6NXdR4S2tC7+pIYH8Xoqheh1zdXuZmbJVyreMQWC68SibuIOL4crmSORSX7iAB6H6aOO55SGGMtPpcol/Wrxg=="
}
