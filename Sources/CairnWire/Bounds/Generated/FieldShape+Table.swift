// Made by scripts/generate-bounds from proto/: edit that, not this file.

extension MessageShape {
    /// The messages that a client can send; a field of such a type has its place here as number.
    static let all: [MessageShape] = [
        // 0: Hello
        MessageShape([
            2: .text("frontEnd", 1_024),
            3: .text("language", 1_024),
            5: .text("token", 16_384),
            6: .text("name", 1_024),
            9: .message("cursors", 128, count: 4_096),
            10: .text("session", 1_024),
            11: .text("realm", 1_024),
        ]),
        // 1: Position
        MessageShape([8: .message("quaternion", 129)]),
        // 2: Share
        MessageShape([:]),
        // 3: SignOut
        MessageShape([:]),
        // 4: Refresh
        MessageShape([1: .text("token", 16_384)]),
        // 5: SaveSettings
        MessageShape([1: .message("settings", 130, count: 256)]),
        // 6: GetSettings
        MessageShape([:]),
        // 7: SelectRealm
        MessageShape([1: .text("realm", 1_024)]),
        // 8: GetPolicy
        MessageShape([1: .text("language", 1_024)]),
        // 9: AgreePolicy
        MessageShape([1: .text("version", 1_024)]),
        // 10: Place
        MessageShape([
            1: .text("object", 1_024),
            2: .message("pose", 131),
            3: .text("text", 65_536),
            4: .bytes("data", 65_536),
            5: .text("realms", 1_024, count: 64),
        ]),
        // 11: Edit
        MessageShape([
            1: .text("instance", 1_024),
            2: .text("cell", 1_024),
            4: .message("pose", 131),
            5: .text("text", 65_536),
            6: .bytes("data", 65_536),
        ]),
        // 12: Remove
        MessageShape([
            1: .text("instance", 1_024),
            2: .text("cell", 1_024),
        ]),
        // 13: Select
        MessageShape([
            1: .text("instance", 1_024),
            2: .text("cell", 1_024),
        ]),
        // 14: GetHelp
        MessageShape([:]),
        // 15: GetSnapshot
        MessageShape([:]),
        // 16: DeleteAccount
        MessageShape([
            1: .text("password", 4_096),
            2: .text("provider", 1_024),
            3: .text("accessToken", 16_384),
            4: .text("idToken", 16_384),
        ]),
        // 17: ExportAccount
        MessageShape([
            1: .text("password", 4_096),
            2: .text("provider", 1_024),
            3: .text("accessToken", 16_384),
            4: .text("idToken", 16_384),
        ]),
        // 18: React
        MessageShape([
            1: .text("instance", 1_024),
            2: .text("cell", 1_024),
            3: .text("reaction", 1_024),
        ]),
        // 19: ListReactions
        MessageShape([
            1: .text("instance", 1_024),
            2: .text("cell", 1_024),
            3: .text("reaction", 1_024),
        ]),
        // 20: CreatePost
        MessageShape([1: .text("text", 65_536)]),
        // 21: EditPost
        MessageShape([
            1: .text("post", 1_024),
            2: .text("cell", 1_024),
            3: .text("text", 65_536),
        ]),
        // 22: RemovePost
        MessageShape([
            1: .text("post", 1_024),
            2: .text("cell", 1_024),
        ]),
        // 23: ReadPost
        MessageShape([
            1: .text("post", 1_024),
            2: .text("cell", 1_024),
        ]),
        // 24: ListOwnPosts
        MessageShape([2: .text("after", 1_024)]),
        // 25: ListTrendingPosts
        MessageShape([
            1: .text("cell", 1_024),
            3: .text("after", 1_024),
        ]),
        // 26: Vote
        MessageShape([
            1: .text("post", 1_024),
            2: .text("cell", 1_024),
        ]),
        // 27: RequestFriend
        MessageShape([1: .text("account", 1_024)]),
        // 28: AnswerFriendRequest
        MessageShape([1: .text("account", 1_024)]),
        // 29: WithdrawFriendRequest
        MessageShape([1: .text("account", 1_024)]),
        // 30: Unfriend
        MessageShape([1: .text("account", 1_024)]),
        // 31: ListFriends
        MessageShape([1: .text("account", 1_024)]),
        // 32: Block
        MessageShape([1: .text("account", 1_024)]),
        // 33: Unblock
        MessageShape([1: .text("account", 1_024)]),
        // 34: ListBlocks
        MessageShape([:]),
        // 35: FindUsers
        MessageShape([1: .text("prefix", 1_024)]),
        // 36: CreateRealm
        MessageShape([
            1: .text("name", 4_096),
            2: .text("description", 65_536),
            5: .text("friends", 1_024, count: 1_024),
        ]),
        // 37: EditRealm
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("name", 4_096),
            3: .text("description", 65_536),
        ]),
        // 38: DeleteRealm
        MessageShape([1: .text("realm", 1_024)]),
        // 39: Invite
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("account", 1_024),
        ]),
        // 40: AnswerInvitation
        MessageShape([1: .text("realm", 1_024)]),
        // 41: JoinRealm
        MessageShape([1: .text("realm", 1_024)]),
        // 42: AnswerJoin
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("account", 1_024),
        ]),
        // 43: AddMember
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("account", 1_024),
        ]),
        // 44: RemoveMember
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("account", 1_024),
        ]),
        // 45: LeaveRealm
        MessageShape([1: .text("realm", 1_024)]),
        // 46: ListRealms
        MessageShape([1: .text("cursor", 1_024)]),
        // 47: ListMembers
        MessageShape([1: .text("realm", 1_024)]),
        // 48: FindRealms
        MessageShape([1: .text("prefix", 1_024)]),
        // 49: TakeOut
        MessageShape([
            1: .text("realm", 1_024),
            2: .text("instance", 1_024),
            3: .text("cell", 1_024),
        ]),
        // 50: ReceivedNotifications
        MessageShape([1: .text("mark", 1_024)]),
        // 51: MarkRead
        MessageShape([
            1: .text("ids", 1_024, count: 256),
            2: .text("allUntil", 1_024),
        ]),
        // 52: ListNotifications
        MessageShape([2: .text("after", 1_024)]),
        // 53: RegisterPush
        MessageShape([1: .text("address", 4_096)]),
        // 54: BeginUpload
        MessageShape([1: .bytes("sha256", 1_024)]),
        // 55: UploadChunk
        MessageShape([
            1: .text("upload", 1_024),
            3: .bytes("data", 16_777_216),
        ]),
        // 56: GetAsset
        MessageShape([
            1: .text("asset", 1_024),
            2: .text("account", 1_024),
            3: .text("tour", 1_024),
        ]),
        // 57: SendFeedback
        MessageShape([
            1: .text("category", 1_024),
            2: .text("text", 65_536),
            4: .text("appVersion", 1_024),
        ]),
        // 58: SignUp
        MessageShape([
            1: .text("email", 1_024),
            2: .text("username", 1_024),
            3: .text("password", 4_096),
            4: .text("firstName", 1_024),
            5: .text("lastName", 1_024),
            6: .text("birthDate", 1_024),
            7: .text("consent", 1_024),
            8: .text("deviceName", 1_024),
        ]),
        // 59: SignIn
        MessageShape([
            1: .text("login", 1_024),
            2: .text("password", 4_096),
            3: .text("code", 1_024),
            4: .text("deviceKey", 1_024),
            5: .text("deviceName", 1_024),
        ]),
        // 60: SignInWithProvider
        MessageShape([
            1: .text("provider", 1_024),
            2: .text("accessToken", 16_384),
            3: .text("idToken", 16_384),
            4: .text("consent", 1_024),
            5: .text("deviceKey", 1_024),
            6: .text("deviceName", 1_024),
            7: .text("code", 1_024),
        ]),
        // 61: GetNonce
        MessageShape([:]),
        // 62: LinkProvider
        MessageShape([
            1: .text("provider", 1_024),
            2: .text("accessToken", 16_384),
            3: .text("idToken", 16_384),
        ]),
        // 63: UnlinkProvider
        MessageShape([1: .text("provider", 1_024)]),
        // 64: Recover
        MessageShape([1: .text("email", 1_024)]),
        // 65: ResetPassword
        MessageShape([
            1: .text("code", 1_024),
            2: .text("password", 4_096),
        ]),
        // 66: VerifyEmail
        MessageShape([1: .text("code", 1_024)]),
        // 67: ChangePassword
        MessageShape([
            1: .text("current", 4_096),
            2: .text("password", 4_096),
        ]),
        // 68: ChangeEmail
        MessageShape([
            1: .text("email", 1_024),
            2: .text("password", 4_096),
        ]),
        // 69: AddPassword
        MessageShape([
            1: .text("email", 1_024),
            2: .text("password", 4_096),
        ]),
        // 70: ListDevices
        MessageShape([:]),
        // 71: EndDevice
        MessageShape([1: .text("id", 1_024)]),
        // 72: BeginCodes
        MessageShape([1: .text("password", 4_096)]),
        // 73: ConfirmCodes
        MessageShape([
            1: .text("password", 4_096),
            2: .text("code", 1_024),
        ]),
        // 74: EndCodes
        MessageShape([
            1: .text("password", 4_096),
            2: .text("code", 1_024),
        ]),
        // 75: GetProfile
        MessageShape([:]),
        // 76: EditProfile
        MessageShape([
            1: .text("username", 1_024),
            2: .text("status", 8_192),
            3: .text("bio", 65_536),
            4: .text("firstName", 1_024),
            5: .text("lastName", 1_024),
            6: .text("birthDate", 1_024),
            7: .text("visibleTo", 1_024),
            8: .text("friendsVisibleTo", 1_024),
            9: .text("interactionsVisibleTo", 1_024),
            10: .text("picture", 1_024),
        ]),
        // 77: ReadProfile
        MessageShape([1: .text("account", 1_024)]),
        // 78: ListAccounts
        MessageShape([
            1: .text("prefix", 1_024),
            2: .text("role", 1_024),
        ]),
        // 79: SetRole
        MessageShape([
            1: .text("account", 1_024),
            2: .text("role", 1_024),
            3: .text("reason", 8_192),
            4: .text("organisation", 2_048),
        ]),
        // 80: Suspend
        MessageShape([
            1: .text("account", 1_024),
            2: .text("reason", 8_192),
        ]),
        // 81: Reinstate
        MessageShape([
            1: .text("account", 1_024),
            2: .text("reason", 8_192),
        ]),
        // 82: RequestOrganisation
        MessageShape([
            1: .text("name", 2_048),
            2: .text("justification", 32_768),
        ]),
        // 83: WithdrawOrganisationRequest
        MessageShape([:]),
        // 84: GetOrganisation
        MessageShape([:]),
        // 85: LeaveOrganisation
        MessageShape([:]),
        // 86: RemoveOrganisationMember
        MessageShape([1: .text("account", 1_024)]),
        // 87: ListOrganisations
        MessageShape([1: .text("after", 1_024)]),
        // 88: ListOrganisationRequests
        MessageShape([1: .text("after", 1_024)]),
        // 89: GetOrganisationRequest
        MessageShape([1: .text("request", 1_024)]),
        // 90: AcceptOrganisation
        MessageShape([
            1: .text("request", 1_024),
            2: .text("organisation", 1_024),
            3: .text("reason", 8_192),
        ]),
        // 91: DenyOrganisation
        MessageShape([
            1: .text("request", 1_024),
            2: .text("reason", 8_192),
        ]),
        // 92: SuspendOrganisation
        MessageShape([
            1: .text("organisation", 1_024),
            2: .text("reason", 8_192),
        ]),
        // 93: ReinstateOrganisation
        MessageShape([
            1: .text("organisation", 1_024),
            2: .text("reason", 8_192),
        ]),
        // 94: Prove
        MessageShape([
            1: .text("password", 4_096),
            2: .text("code", 1_024),
            3: .text("provider", 1_024),
            4: .text("accessToken", 16_384),
            5: .text("idToken", 16_384),
        ]),
        // 95: UndoChange
        MessageShape([1: .text("code", 1_024)]),
        // 96: CreateTour
        MessageShape([1: .message("facts", 132)]),
        // 97: SetTourFacts
        MessageShape([
            1: .text("tour", 1_024),
            3: .message("facts", 132),
        ]),
        // 98: SetTourGround
        MessageShape([
            1: .text("tour", 1_024),
            3: .message("ground", 133),
        ]),
        // 99: SetTourStop
        MessageShape([
            1: .text("tour", 1_024),
            3: .message("stop", 134),
        ]),
        // 100: SetTourPopup
        MessageShape([
            1: .text("tour", 1_024),
            3: .message("popup", 135),
        ]),
        // 101: RemoveTourPart
        MessageShape([
            1: .text("tour", 1_024),
            2: .text("part", 1_024),
        ]),
        // 102: OrderTourStops
        MessageShape([
            1: .text("tour", 1_024),
            3: .text("stops", 1_024, count: 4_096),
        ]),
        // 103: PublishTour
        MessageShape([1: .text("tour", 1_024)]),
        // 104: DiscardTourDraft
        MessageShape([1: .text("tour", 1_024)]),
        // 105: DeleteTour
        MessageShape([1: .text("tour", 1_024)]),
        // 106: GetTour
        MessageShape([1: .text("tour", 1_024)]),
        // 107: ListOwnTours
        MessageShape([1: .text("cursor", 1_024)]),
        // 108: ListTours
        MessageShape([
            1: .text("organisation", 1_024),
            2: .message("near", 136),
            3: .text("cursor", 1_024),
        ]),
        // 109: FindTour
        MessageShape([1: .text("code", 1_024)]),
        // 110: OpenTour
        MessageShape([1: .text("tour", 1_024)]),
        // 111: CloseTour
        MessageShape([1: .text("tour", 1_024)]),
        // 112: ImportTour
        MessageShape([
            1: .text("tour", 1_024),
            3: .text("geojson", 16_777_216),
            4: .text("asset", 1_024),
        ]),
        // 113: ExportTour
        MessageShape([1: .text("tour", 1_024)]),
        // 114: StartTour
        MessageShape([1: .text("tour", 1_024)]),
        // 115: GetRun
        MessageShape([:]),
        // 116: PauseRun
        MessageShape([:]),
        // 117: ResumeRun
        MessageShape([:]),
        // 118: LeaveRun
        MessageShape([:]),
        // 119: GetRunContent
        MessageShape([:]),
        // 120: OpenGroup
        MessageShape([1: .text("tour", 1_024)]),
        // 121: JoinGroup
        MessageShape([1: .text("code", 1_024)]),
        // 122: LeaveGroup
        MessageShape([:]),
        // 123: GetGroup
        MessageShape([:]),
        // 124: ShareGroupPlace
        MessageShape([:]),
        // 125: SetGroupTarget
        MessageShape([1: .text("stop", 1_024)]),
        // 126: BuyTour
        MessageShape([
            1: .text("tour", 1_024),
            3: .text("method", 8_192),
            4: .message("receipt", 137),
            5: .text("currency", 1_024),
        ]),
        // 127: ListPurchases
        MessageShape([1: .text("after", 1_024)]),
        // 128: Cursor
        MessageShape([1: .text("topic", 1_024)]),
        // 129: Quaternion
        MessageShape([:]),
        // 130: Setting
        MessageShape([
            1: .text("key", 1_024),
            2: .text("value", 8_192),
        ]),
        // 131: Pose
        MessageShape([
            1: .message("geopose", 138),
            4: .message("anchor", 139),
        ]),
        // 132: TourFacts
        MessageShape([
            1: .message("name", 140),
            2: .message("description", 140),
            3: .text("links", 4_096, count: 64),
            5: .text("picture", 1_024),
            6: .message("pictureAlternative", 140),
        ]),
        // 133: TourGround
        MessageShape([
            1: .message("area", 136, count: 16_384),
            2: .message("route", 136, count: 65_536),
        ]),
        // 134: TourStop
        MessageShape([
            1: .text("id", 1_024),
            2: .text("object", 1_024),
            3: .message("pose", 131),
            4: .message("name", 140),
            5: .message("history", 140),
            6: .message("alternative", 140),
        ]),
        // 135: TourPopup
        MessageShape([
            1: .text("id", 1_024),
            2: .message("place", 141),
            3: .message("text", 140),
        ]),
        // 136: TourPoint
        MessageShape([:]),
        // 137: StoreReceipt
        MessageShape([
            1: .text("store", 1_024),
            2: .text("data", 32_768),
        ]),
        // 138: GeoPose
        MessageShape([
            1: .message("position", 141),
            2: .message("quaternion", 129),
        ]),
        // 139: Anchor
        MessageShape([
            1: .text("provider", 1_024),
            2: .text("id", 1_024),
            3: .numbers("transform", 512, count: 64),
            4: .bytes("data", 8_192),
        ]),
        // 140: TourText
        MessageShape([1: .message("words", 142, count: 64)]),
        // 141: GeoPosition
        MessageShape([:]),
        // 142: TourWords
        MessageShape([
            1: .text("language", 1_024),
            2: .text("text", 65_536),
            3: .text("audio", 1_024),
        ]),
    ]

    /// The numbers of the bodies of `ClientMessage`, and the places of their types in `all`.
    static let bodies: [UInt32: Int] = [
        10: 0,
        11: 1,
        12: 2,
        13: 3,
        14: 4,
        15: 5,
        16: 6,
        17: 7,
        18: 8,
        19: 9,
        20: 10,
        21: 11,
        22: 12,
        23: 13,
        27: 14,
        28: 15,
        24: 16,
        25: 17,
        30: 18,
        31: 19,
        40: 20,
        41: 21,
        42: 22,
        43: 23,
        44: 24,
        45: 25,
        46: 26,
        50: 27,
        51: 28,
        52: 29,
        53: 30,
        54: 31,
        55: 32,
        56: 33,
        57: 34,
        58: 35,
        60: 36,
        61: 37,
        62: 38,
        63: 39,
        64: 40,
        65: 41,
        66: 42,
        67: 43,
        68: 44,
        69: 45,
        70: 46,
        71: 47,
        72: 48,
        73: 49,
        80: 50,
        81: 51,
        82: 52,
        83: 53,
        84: 54,
        85: 55,
        86: 56,
        90: 57,
        100: 58,
        101: 59,
        102: 60,
        103: 61,
        104: 62,
        105: 63,
        106: 64,
        107: 65,
        108: 66,
        109: 67,
        110: 68,
        111: 69,
        112: 70,
        113: 71,
        114: 72,
        115: 73,
        116: 74,
        117: 75,
        118: 76,
        119: 77,
        120: 78,
        121: 79,
        122: 80,
        123: 81,
        124: 82,
        125: 83,
        126: 84,
        127: 85,
        128: 86,
        129: 87,
        130: 88,
        131: 89,
        132: 90,
        133: 91,
        134: 92,
        135: 93,
        136: 94,
        137: 95,
        140: 96,
        141: 97,
        142: 98,
        143: 99,
        144: 100,
        145: 101,
        146: 102,
        147: 103,
        148: 104,
        149: 105,
        150: 106,
        151: 107,
        152: 108,
        153: 109,
        154: 110,
        155: 111,
        156: 112,
        157: 113,
        170: 114,
        171: 115,
        172: 116,
        173: 117,
        174: 118,
        175: 119,
        180: 120,
        181: 121,
        182: 122,
        183: 123,
        184: 124,
        185: 125,
        190: 126,
        191: 127,
    ]
}
