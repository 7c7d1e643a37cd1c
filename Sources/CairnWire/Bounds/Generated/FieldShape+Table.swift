// Made by scripts/generate-bounds from proto/: edit that, not this file.

extension MessageShape {
    /// The messages that a client can send; a field of such a type has its place here as number.
    static let all: [MessageShape] = [
        // 0: Hello
        MessageShape([
            2: .text("frontEnd", 256),
            3: .text("language", 64),
            5: .text("token", 16_384),
            6: .text("name", 512),
            9: .message("cursors", 126, count: 4_096),
            10: .text("session", 128),
            11: .text("realm", 64),
        ]),
        // 1: Position
        MessageShape([8: .message("quaternion", 127)]),
        // 2: Share
        MessageShape([:]),
        // 3: SignOut
        MessageShape([:]),
        // 4: Refresh
        MessageShape([1: .text("token", 16_384)]),
        // 5: SaveSettings
        MessageShape([1: .message("settings", 128, count: 256)]),
        // 6: GetSettings
        MessageShape([:]),
        // 7: SelectRealm
        MessageShape([1: .text("realm", 64)]),
        // 8: GetPolicy
        MessageShape([1: .text("language", 64)]),
        // 9: AgreePolicy
        MessageShape([1: .text("version", 256)]),
        // 10: Place
        MessageShape([
            1: .text("object", 256),
            2: .message("pose", 129),
            3: .text("text", 65_536),
            4: .bytes("data", 65_536),
            5: .text("realms", 64, count: 64),
        ]),
        // 11: Edit
        MessageShape([
            1: .text("instance", 64),
            2: .text("cell", 64),
            4: .message("pose", 129),
            5: .text("text", 65_536),
            6: .bytes("data", 65_536),
        ]),
        // 12: Remove
        MessageShape([
            1: .text("instance", 64),
            2: .text("cell", 64),
        ]),
        // 13: Select
        MessageShape([
            1: .text("instance", 64),
            2: .text("cell", 64),
        ]),
        // 14: GetHelp
        MessageShape([:]),
        // 15: GetSnapshot
        MessageShape([:]),
        // 16: DeleteAccount
        MessageShape([
            1: .text("password", 4_096),
            2: .text("provider", 256),
            3: .text("accessToken", 16_384),
            4: .text("idToken", 16_384),
        ]),
        // 17: ExportAccount
        MessageShape([
            1: .text("password", 4_096),
            2: .text("provider", 256),
            3: .text("accessToken", 16_384),
            4: .text("idToken", 16_384),
        ]),
        // 18: React
        MessageShape([
            1: .text("instance", 64),
            2: .text("cell", 64),
            3: .text("reaction", 256),
        ]),
        // 19: ListReactions
        MessageShape([
            1: .text("instance", 64),
            2: .text("cell", 64),
            3: .text("reaction", 256),
        ]),
        // 20: CreatePost
        MessageShape([1: .text("text", 65_536)]),
        // 21: EditPost
        MessageShape([
            1: .text("post", 64),
            2: .text("cell", 64),
            3: .text("text", 65_536),
        ]),
        // 22: RemovePost
        MessageShape([
            1: .text("post", 64),
            2: .text("cell", 64),
        ]),
        // 23: ReadPost
        MessageShape([
            1: .text("post", 64),
            2: .text("cell", 64),
        ]),
        // 24: ListOwnPosts
        MessageShape([2: .text("after", 512)]),
        // 25: ListTrendingPosts
        MessageShape([
            1: .text("cell", 64),
            3: .text("after", 512),
        ]),
        // 26: Vote
        MessageShape([
            1: .text("post", 64),
            2: .text("cell", 64),
        ]),
        // 27: RequestFriend
        MessageShape([1: .text("account", 64)]),
        // 28: AnswerFriendRequest
        MessageShape([1: .text("account", 64)]),
        // 29: WithdrawFriendRequest
        MessageShape([1: .text("account", 64)]),
        // 30: Unfriend
        MessageShape([1: .text("account", 64)]),
        // 31: ListFriends
        MessageShape([1: .text("account", 64)]),
        // 32: Block
        MessageShape([1: .text("account", 64)]),
        // 33: Unblock
        MessageShape([1: .text("account", 64)]),
        // 34: ListBlocks
        MessageShape([:]),
        // 35: FindUsers
        MessageShape([1: .text("prefix", 512)]),
        // 36: CreateRealm
        MessageShape([
            1: .text("name", 4_096),
            2: .text("description", 65_536),
            5: .text("friends", 64, count: 1_024),
        ]),
        // 37: EditRealm
        MessageShape([
            1: .text("realm", 64),
            2: .text("name", 4_096),
            3: .text("description", 65_536),
        ]),
        // 38: DeleteRealm
        MessageShape([1: .text("realm", 64)]),
        // 39: Invite
        MessageShape([
            1: .text("realm", 64),
            2: .text("account", 64),
        ]),
        // 40: AnswerInvitation
        MessageShape([1: .text("realm", 64)]),
        // 41: JoinRealm
        MessageShape([1: .text("realm", 64)]),
        // 42: AnswerJoin
        MessageShape([
            1: .text("realm", 64),
            2: .text("account", 64),
        ]),
        // 43: AddMember
        MessageShape([
            1: .text("realm", 64),
            2: .text("account", 64),
        ]),
        // 44: RemoveMember
        MessageShape([
            1: .text("realm", 64),
            2: .text("account", 64),
        ]),
        // 45: LeaveRealm
        MessageShape([1: .text("realm", 64)]),
        // 46: ListRealms
        MessageShape([:]),
        // 47: ListMembers
        MessageShape([1: .text("realm", 64)]),
        // 48: FindRealms
        MessageShape([1: .text("prefix", 512)]),
        // 49: TakeOut
        MessageShape([
            1: .text("realm", 64),
            2: .text("instance", 64),
            3: .text("cell", 64),
        ]),
        // 50: ReceivedNotifications
        MessageShape([1: .text("mark", 64)]),
        // 51: MarkRead
        MessageShape([
            1: .text("ids", 64, count: 256),
            2: .text("allUntil", 64),
        ]),
        // 52: ListNotifications
        MessageShape([2: .text("after", 512)]),
        // 53: RegisterPush
        MessageShape([1: .text("address", 4_096)]),
        // 54: BeginUpload
        MessageShape([1: .bytes("sha256", 64)]),
        // 55: UploadChunk
        MessageShape([
            1: .text("upload", 64),
            3: .bytes("data", 16_777_216),
        ]),
        // 56: GetAsset
        MessageShape([
            1: .text("asset", 64),
            2: .text("account", 64),
            3: .text("tour", 64),
        ]),
        // 57: SendFeedback
        MessageShape([
            1: .text("category", 256),
            2: .text("text", 65_536),
            4: .text("appVersion", 256),
        ]),
        // 58: SignUp
        MessageShape([
            1: .text("email", 1_024),
            2: .text("username", 512),
            3: .text("password", 4_096),
            4: .text("firstName", 1_024),
            5: .text("lastName", 1_024),
            6: .text("birthDate", 64),
            7: .text("consent", 256),
            8: .text("deviceName", 1_024),
        ]),
        // 59: SignIn
        MessageShape([
            1: .text("login", 1_024),
            2: .text("password", 4_096),
            3: .text("code", 256),
            4: .text("deviceKey", 256),
            5: .text("deviceName", 1_024),
        ]),
        // 60: SignInWithProvider
        MessageShape([
            1: .text("provider", 256),
            2: .text("accessToken", 16_384),
            3: .text("idToken", 16_384),
            4: .text("consent", 256),
            5: .text("deviceKey", 256),
            6: .text("deviceName", 1_024),
            7: .text("code", 256),
        ]),
        // 61: GetNonce
        MessageShape([:]),
        // 62: LinkProvider
        MessageShape([
            1: .text("provider", 256),
            2: .text("accessToken", 16_384),
            3: .text("idToken", 16_384),
        ]),
        // 63: UnlinkProvider
        MessageShape([1: .text("provider", 256)]),
        // 64: Recover
        MessageShape([1: .text("email", 1_024)]),
        // 65: ResetPassword
        MessageShape([
            1: .text("code", 256),
            2: .text("password", 4_096),
        ]),
        // 66: VerifyEmail
        MessageShape([1: .text("code", 256)]),
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
        MessageShape([1: .text("id", 64)]),
        // 72: BeginCodes
        MessageShape([1: .text("password", 4_096)]),
        // 73: ConfirmCodes
        MessageShape([
            1: .text("password", 4_096),
            2: .text("code", 256),
        ]),
        // 74: EndCodes
        MessageShape([
            1: .text("password", 4_096),
            2: .text("code", 256),
        ]),
        // 75: GetProfile
        MessageShape([:]),
        // 76: EditProfile
        MessageShape([
            1: .text("username", 512),
            2: .text("status", 8_192),
            3: .text("bio", 65_536),
            4: .text("firstName", 1_024),
            5: .text("lastName", 1_024),
            6: .text("birthDate", 64),
            7: .text("visibleTo", 64),
            8: .text("friendsVisibleTo", 64),
            9: .text("interactionsVisibleTo", 64),
            10: .text("picture", 64),
        ]),
        // 77: ReadProfile
        MessageShape([1: .text("account", 64)]),
        // 78: ListAccounts
        MessageShape([
            1: .text("prefix", 512),
            2: .text("role", 64),
        ]),
        // 79: SetRole
        MessageShape([
            1: .text("account", 512),
            2: .text("role", 64),
            3: .text("reason", 8_192),
            4: .text("organisation", 2_048),
        ]),
        // 80: Suspend
        MessageShape([
            1: .text("account", 512),
            2: .text("reason", 8_192),
        ]),
        // 81: Reinstate
        MessageShape([
            1: .text("account", 512),
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
        MessageShape([1: .text("account", 64)]),
        // 87: ListOrganisations
        MessageShape([1: .text("after", 512)]),
        // 88: ListOrganisationRequests
        MessageShape([1: .text("after", 512)]),
        // 89: GetOrganisationRequest
        MessageShape([1: .text("request", 64)]),
        // 90: AcceptOrganisation
        MessageShape([
            1: .text("request", 64),
            2: .text("organisation", 64),
            3: .text("reason", 8_192),
        ]),
        // 91: DenyOrganisation
        MessageShape([
            1: .text("request", 64),
            2: .text("reason", 8_192),
        ]),
        // 92: SuspendOrganisation
        MessageShape([
            1: .text("organisation", 64),
            2: .text("reason", 8_192),
        ]),
        // 93: ReinstateOrganisation
        MessageShape([
            1: .text("organisation", 64),
            2: .text("reason", 8_192),
        ]),
        // 94: CreateTour
        MessageShape([1: .message("facts", 130)]),
        // 95: SetTourFacts
        MessageShape([
            1: .text("tour", 64),
            3: .message("facts", 130),
        ]),
        // 96: SetTourGround
        MessageShape([
            1: .text("tour", 64),
            3: .message("ground", 131),
        ]),
        // 97: SetTourStop
        MessageShape([
            1: .text("tour", 64),
            3: .message("stop", 132),
        ]),
        // 98: SetTourPopup
        MessageShape([
            1: .text("tour", 64),
            3: .message("popup", 133),
        ]),
        // 99: RemoveTourPart
        MessageShape([
            1: .text("tour", 64),
            2: .text("part", 64),
        ]),
        // 100: OrderTourStops
        MessageShape([
            1: .text("tour", 64),
            3: .text("stops", 64, count: 4_096),
        ]),
        // 101: PublishTour
        MessageShape([1: .text("tour", 64)]),
        // 102: DiscardTourDraft
        MessageShape([1: .text("tour", 64)]),
        // 103: DeleteTour
        MessageShape([1: .text("tour", 64)]),
        // 104: GetTour
        MessageShape([1: .text("tour", 64)]),
        // 105: ListOwnTours
        MessageShape([1: .text("cursor", 512)]),
        // 106: ListTours
        MessageShape([
            1: .text("organisation", 64),
            2: .message("near", 134),
            3: .text("cursor", 512),
        ]),
        // 107: FindTour
        MessageShape([1: .text("code", 256)]),
        // 108: OpenTour
        MessageShape([1: .text("tour", 64)]),
        // 109: CloseTour
        MessageShape([1: .text("tour", 64)]),
        // 110: ImportTour
        MessageShape([
            1: .text("tour", 64),
            3: .text("geojson", 16_777_216),
            4: .text("asset", 64),
        ]),
        // 111: ExportTour
        MessageShape([1: .text("tour", 64)]),
        // 112: StartTour
        MessageShape([1: .text("tour", 64)]),
        // 113: GetRun
        MessageShape([:]),
        // 114: PauseRun
        MessageShape([:]),
        // 115: ResumeRun
        MessageShape([:]),
        // 116: LeaveRun
        MessageShape([:]),
        // 117: GetRunContent
        MessageShape([:]),
        // 118: OpenGroup
        MessageShape([1: .text("tour", 64)]),
        // 119: JoinGroup
        MessageShape([1: .text("code", 256)]),
        // 120: LeaveGroup
        MessageShape([:]),
        // 121: GetGroup
        MessageShape([:]),
        // 122: ShareGroupPlace
        MessageShape([:]),
        // 123: SetGroupTarget
        MessageShape([1: .text("stop", 64)]),
        // 124: BuyTour
        MessageShape([
            1: .text("tour", 64),
            3: .text("method", 8_192),
            4: .message("receipt", 135),
            5: .text("currency", 16),
        ]),
        // 125: ListPurchases
        MessageShape([1: .text("after", 512)]),
        // 126: Cursor
        MessageShape([1: .text("topic", 128)]),
        // 127: Quaternion
        MessageShape([:]),
        // 128: Setting
        MessageShape([
            1: .text("key", 256),
            2: .text("value", 8_192),
        ]),
        // 129: Pose
        MessageShape([
            1: .message("geopose", 136),
            4: .message("anchor", 137),
        ]),
        // 130: TourFacts
        MessageShape([
            1: .message("name", 138),
            2: .message("description", 138),
            3: .text("links", 4_096, count: 64),
            5: .text("picture", 64),
            6: .message("pictureAlternative", 138),
        ]),
        // 131: TourGround
        MessageShape([
            1: .message("area", 134, count: 16_384),
            2: .message("route", 134, count: 65_536),
        ]),
        // 132: TourStop
        MessageShape([
            1: .text("id", 64),
            2: .text("object", 256),
            3: .message("pose", 129),
            4: .message("name", 138),
            5: .message("history", 138),
            6: .message("alternative", 138),
        ]),
        // 133: TourPopup
        MessageShape([
            1: .text("id", 64),
            2: .message("place", 139),
            3: .message("text", 138),
        ]),
        // 134: TourPoint
        MessageShape([:]),
        // 135: StoreReceipt
        MessageShape([
            1: .text("store", 64),
            2: .text("data", 32_768),
        ]),
        // 136: GeoPose
        MessageShape([
            1: .message("position", 139),
            2: .message("quaternion", 127),
        ]),
        // 137: Anchor
        MessageShape([
            1: .text("provider", 256),
            2: .text("id", 1_024),
            3: .numbers("transform", 128, count: 16),
            4: .bytes("data", 8_192),
        ]),
        // 138: TourText
        MessageShape([1: .message("words", 140, count: 64)]),
        // 139: GeoPosition
        MessageShape([:]),
        // 140: TourWords
        MessageShape([
            1: .text("language", 64),
            2: .text("text", 65_536),
            3: .text("audio", 64),
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
        140: 94,
        141: 95,
        142: 96,
        143: 97,
        144: 98,
        145: 99,
        146: 100,
        147: 101,
        148: 102,
        149: 103,
        150: 104,
        151: 105,
        152: 106,
        153: 107,
        154: 108,
        155: 109,
        156: 110,
        157: 111,
        170: 112,
        171: 113,
        172: 114,
        173: 115,
        174: 116,
        175: 117,
        180: 118,
        181: 119,
        182: 120,
        183: 121,
        184: 122,
        185: 123,
        190: 124,
        191: 125,
    ]
}
