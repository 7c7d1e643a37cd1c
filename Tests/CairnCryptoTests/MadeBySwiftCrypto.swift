/// What swift-crypto 4.5.2, which the server used before, made of known bytes.
enum MadeBySwiftCrypto {
    /// By AES-256 with the bytes from 0 as the key, as `valuesOfAllLengths_areSealedAsTheStandardSays` says: bytes of
    /// the text, bytes bound, and the SHA-256 of ciphertext and tag.
    static let hashes = [
        (300, 1, "e1f9e41a9c1483e0a34f3061eeb74e60cb9a2f23387c0414734f0cb8a2b2a7f5"),
        (300, 3, "89cdcc310b7ac539755b9dcc2b4c7e47cf90bbf1eaadc0b8b38d1ee76aeed6df"),
        (300, 16, "29c8cec17c991bdbbd059484b747a70ba43f09db628afa539a80aaa2f869aee3"),
        (300, 90, "d36d9f9c8fc1b85c41c7ce8cac4c1f2e5abf2a2a958b0c11a467c8406af3d13e"),
        (0, 1, "f0319242b25ba174b7ca555e88b3e1f2569b65e4b8f208a9e7385e91be819186"),
        (0, 3, "42a83965f6c8e9fce2c7f77edc339dfdd905362f1447f7c9b8312c8dc2b135d3"),
        (0, 16, "d4b81aeee79ed1761af44420638da6acae371a72c43ab226ae069f2d9d80fac1"),
        (0, 90, "fb4e5e262263b27f2a2a9178a423df17194b5fe16a7ca8cea8ae05e69e2df1d4"),
        (1, 1, "9eeacc8c66f7214426785ca724e4a6b173725959bbcff0f6337d441847ac4120"),
        (1, 3, "68f1529c5e923cba30890cf5fe0b5bef2a5de801cee1aaefb33dbdb71a8b3f70"),
        (1, 16, "e03dd74b2cf170dce7fab35b9a775dccfb1bc4c88cb8820ecdc30c5067a8463c"),
        (1, 90, "1868409547fb276cb8bd3f0e28a5ba23851fd176f001043ecde607b146e139af"),
        (15, 1, "35967b8c7f33ed8305b7a312cee06b0b1ddce76d95ef9b7e446c5010b242a240"),
        (15, 3, "5663629ccb298157c7d7cf0d042f575b8cb7c5f050f55dadbe95beeb40965a15"),
        (15, 16, "034c82dc5667164824cf3ff6389ce1706d0ef6b55230415029113c226e8f13ce"),
        (15, 90, "2ca70d6c552b03e322222d5f9b649eefc8d507c2d2386addbce14f605e4ec472"),
        (16, 1, "44587a8e6ff1186a40c27de51a925e88fce37dc3b9756a4c0aba58d82f0f11c4"),
        (16, 3, "6255d615e84e2f6c70efdd5baa69c8fe06c56830a37c36649df33209981ca150"),
        (16, 16, "b4a8df53ab05856bbb4035f2a5afd908f13ea871a948ceb411337c7d449e5b8b"),
        (16, 90, "26048f4d93b1262212f033cd13af9f94a8922f228084fff45e01440e978b43b8"),
        (17, 1, "c877e6e3dde5468c58f510d0a1411b7b6780cc42f378b83cccd681bad0f5b3e0"),
        (17, 3, "de96892c9e46a41050e248ba44ecc3676d52487cb7df409e6c41d3c084052647"),
        (17, 16, "fa191e5b69e6a01a3039b9702418657f6d651c4a131438f7e8e4d2ff52a0e5b7"),
        (17, 90, "53161bc19e553bcc5b5968e0962423c91a2bea98ad555ee8889208d21b450973"),
        (31, 1, "4d3bc7d0c301613c38510b1022bd0b1b04cfd6bf76ddcc7d0368dddf2c6553b9"),
        (31, 3, "4c610603470cd8787d4c9ec6782094c522b5ed7690707a9be1cab44f20e71d97"),
        (31, 16, "d4105d017de6caa4c8883c4fedbba2e464f1931fbd97f29ce53ec911c9743a50"),
        (31, 90, "bcd333130c526cd11f31f6b4ff395724846edeb8f30e4493f4037df664d8d751"),
        (32, 1, "3e96cd6bb5b16be005ce7deb97f8f37deff8baa3408a6fbbb873c764c437136b"),
        (32, 3, "44376c33f726a6d92323ff777a3a1d8f293c925d228170de5648a70ae3b59ba9"),
        (32, 16, "66f079c7d2cbd8a213bf9df181e31f9c511fb0e7e08aab99c9499bb20bbb9a5a"),
        (32, 90, "618a294b02b4f342d0d9f84f908f3a9a3c07b0c37bf592cc2eb0830d1bf132c8"),
        (33, 1, "390b69a2728da78b41cab4b6f77488fb513c3a79ceabee9ec9d8dfc347f1cd41"),
        (33, 3, "8d39a8b374c5069452207d4ee717cbb28a776b46878ba6e9e24be3c0278f5433"),
        (33, 16, "43b9aaf19742eb8a2e251d4539ffe4b5a3529a119eafc8f393441f90e3447f78"),
        (33, 90, "0c4acf5d208fca96919906dd1bcbd7c0d593c314bf1c30e66cca871c5bb3cfd3"),
        (4_096, 1, "a0aaa06fb183bea5753b353bd078aab1d69f0175c799255edbea23c5c3927fac"),
        (4_096, 3, "3c8f689c0a19e0356bbd3b50065e7d81c05be0be0c2d7334b17ecc7d6c46219a"),
        (4_096, 16, "e1dad29a60721c62d056427b8dbe7be2753c8eb3c281ea5ee66efdd6b0dda2a7"),
        (4_096, 90, "93bc52f8c8aa8cc58f66fc36fb22364f5446b1acd7ec1d665dee0b4ce464aadc"),
        (0, 1, "f0319242b25ba174b7ca555e88b3e1f2569b65e4b8f208a9e7385e91be819186"),
        (0, 3, "42a83965f6c8e9fce2c7f77edc339dfdd905362f1447f7c9b8312c8dc2b135d3"),
        (0, 16, "d4b81aeee79ed1761af44420638da6acae371a72c43ab226ae069f2d9d80fac1"),
        (0, 90, "fb4e5e262263b27f2a2a9178a423df17194b5fe16a7ca8cea8ae05e69e2df1d4"),
        (70_000, 1, "ef7f2e8948554f18b6d034c3b9d8700655c4f8831b1856d4b2dadee6c0b1fafc"),
        (70_000, 3, "f14c7f3983a38254e7a8d5cacf6ed0c0da274d117e297c4d4dbf5187ed0ef60f"),
        (70_000, 16, "03d0e55db362496f29717e8340f3b163e5e34fd03b9a8b4d1100dda8a94cc0f5"),
        (70_000, 90, "2ec6cff1558514b1e35069ebd0c83297bf4718963654574025773c7750f1891e"),
        (5, 1, "9fa840af0e05e68616cbf95a930f4c17cdb26ab8871b2634231ea8fd9b4b1520"),
        (5, 3, "7cd9cab0d2cfa9bf3efa1057a801ddafc7ce2955b61931d9075e74879126820b"),
        (5, 16, "752ee60da3fe41ed2bacbf479009b8227acb249b45a4596ba695efdce265ef5b"),
        (5, 90, "49724eca9c55c1b7ee1e5f6bd374b21d76d4e6172ca6e52c69d9e78de643bafd"),
    ]

    /// `wrapped`, by AES-128 with the bytes from 0 as the key and bound to `cairn asset address 1`.
    static let sealedByAES128 = "0102030405060708090a0b0c7177095643903b1ab60c2042a7255e3f47bd6a93f3cfd2"

    /// The Ed25519 key of the bytes from 0.
    static let privateKey = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
        -----END PRIVATE KEY-----
        """
    static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=
        -----END PUBLIC KEY-----
        """

    /// HMAC of `cairn master key` by the bytes from 0.
    static let code = "654482e5af5275aa044cbf5afaf85265d16fa4b8af6c54d95a16468acb1a15ab"
}
