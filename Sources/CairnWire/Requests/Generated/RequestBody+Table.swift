// Made by scripts/generate-requests from proto/: edit that, not this file.

extension WireHello: RequestBody {
    public static let kind = MessageKind(field: 10, name: "hello")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .hello(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireWelcome? {
        if case .welcome(let success) = result { success } else { nil }
    }
}

extension WirePosition: RequestBody {
    public static let kind = MessageKind(field: 11, name: "position")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .position(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePositioned? {
        if case .positioned(let success) = result { success } else { nil }
    }
}

extension WireShare: RequestBody {
    public static let kind = MessageKind(field: 12, name: "share")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .share(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireSignOut: RequestBody {
    public static let kind = MessageKind(field: 13, name: "sign_out")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .signOut(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireRefresh: RequestBody {
    public static let kind = MessageKind(field: 14, name: "refresh")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .refresh(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRefreshed? {
        if case .refreshed(let success) = result { success } else { nil }
    }
}

extension WireSaveSettings: RequestBody {
    public static let kind = MessageKind(field: 15, name: "save_settings")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .saveSettings(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireSettingList? {
        if case .settingList(let success) = result { success } else { nil }
    }
}

extension WireGetSettings: RequestBody {
    public static let kind = MessageKind(field: 16, name: "get_settings")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getSettings(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireSettingList? {
        if case .settingList(let success) = result { success } else { nil }
    }
}

extension WireSelectRealm: RequestBody {
    public static let kind = MessageKind(field: 17, name: "select_realm")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .selectRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealmSelected? {
        if case .realmSelected(let success) = result { success } else { nil }
    }
}

extension WireGetPolicy: RequestBody {
    public static let kind = MessageKind(field: 18, name: "get_policy")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getPolicy(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePolicy? {
        if case .policy(let success) = result { success } else { nil }
    }
}

extension WireAgreePolicy: RequestBody {
    public static let kind = MessageKind(field: 19, name: "agree_policy")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .agreePolicy(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WirePlace: RequestBody {
    public static let kind = MessageKind(field: 20, name: "place")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .place(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePlaced? {
        if case .placed(let success) = result { success } else { nil }
    }
}

extension WireEdit: RequestBody {
    public static let kind = MessageKind(field: 21, name: "edit")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .edit(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireEdited? {
        if case .edited(let success) = result { success } else { nil }
    }
}

extension WireRemove: RequestBody {
    public static let kind = MessageKind(field: 22, name: "remove")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .remove(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRemoved? {
        if case .removed(let success) = result { success } else { nil }
    }
}

extension WireSelect: RequestBody {
    public static let kind = MessageKind(field: 23, name: "select")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .select(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireSelected? {
        if case .selected(let success) = result { success } else { nil }
    }
}

extension WireGetHelp: RequestBody {
    public static let kind = MessageKind(field: 27, name: "get_help")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getHelp(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireHelp? {
        if case .help(let success) = result { success } else { nil }
    }
}

extension WireGetSnapshot: RequestBody {
    public static let kind = MessageKind(field: 28, name: "get_snapshot")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getSnapshot(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireWorldSnapshot? {
        if case .worldSnapshot(let success) = result { success } else { nil }
    }
}

extension WireDeleteAccount: RequestBody {
    public static let kind = MessageKind(field: 24, name: "delete_account")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .deleteAccount(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireExportAccount: RequestBody {
    public static let kind = MessageKind(field: 25, name: "export_account")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .exportAccount(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireAssetAddress? {
        if case .assetAddress(let success) = result { success } else { nil }
    }
}

extension WireReact: RequestBody {
    public static let kind = MessageKind(field: 30, name: "react")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .react(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireReactionSet? {
        if case .reactionSet(let success) = result { success } else { nil }
    }
}

extension WireListReactions: RequestBody {
    public static let kind = MessageKind(field: 31, name: "list_reactions")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listReactions(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireReactionList? {
        if case .reactionList(let success) = result { success } else { nil }
    }
}

extension WireCreatePost: RequestBody {
    public static let kind = MessageKind(field: 40, name: "create_post")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .createPost(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostCreated? {
        if case .postCreated(let success) = result { success } else { nil }
    }
}

extension WireEditPost: RequestBody {
    public static let kind = MessageKind(field: 41, name: "edit_post")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .editPost(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostEdited? {
        if case .postEdited(let success) = result { success } else { nil }
    }
}

extension WireRemovePost: RequestBody {
    public static let kind = MessageKind(field: 42, name: "remove_post")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .removePost(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostRemoved? {
        if case .postRemoved(let success) = result { success } else { nil }
    }
}

extension WireReadPost: RequestBody {
    public static let kind = MessageKind(field: 43, name: "read_post")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .readPost(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostRead? {
        if case .postRead(let success) = result { success } else { nil }
    }
}

extension WireListOwnPosts: RequestBody {
    public static let kind = MessageKind(field: 44, name: "list_own_posts")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listOwnPosts(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostPage? {
        if case .postPage(let success) = result { success } else { nil }
    }
}

extension WireListTrendingPosts: RequestBody {
    public static let kind = MessageKind(field: 45, name: "list_trending_posts")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listTrendingPosts(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePostPage? {
        if case .postPage(let success) = result { success } else { nil }
    }
}

extension WireVote: RequestBody {
    public static let kind = MessageKind(field: 46, name: "vote")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .vote(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireVoteSet? {
        if case .voteSet(let success) = result { success } else { nil }
    }
}

extension WireRequestFriend: RequestBody {
    public static let kind = MessageKind(field: 50, name: "request_friend")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .requestFriend(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireFriendRequested? {
        if case .friendRequested(let success) = result { success } else { nil }
    }
}

extension WireAnswerFriendRequest: RequestBody {
    public static let kind = MessageKind(field: 51, name: "answer_friend_request")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .answerFriendRequest(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireWithdrawFriendRequest: RequestBody {
    public static let kind = MessageKind(field: 52, name: "withdraw_friend_request")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .withdrawFriendRequest(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireUnfriend: RequestBody {
    public static let kind = MessageKind(field: 53, name: "unfriend")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .unfriend(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireListFriends: RequestBody {
    public static let kind = MessageKind(field: 54, name: "list_friends")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listFriends(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireFriendList? {
        if case .friendList(let success) = result { success } else { nil }
    }
}

extension WireBlock: RequestBody {
    public static let kind = MessageKind(field: 55, name: "block")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .block(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireUnblock: RequestBody {
    public static let kind = MessageKind(field: 56, name: "unblock")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .unblock(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireListBlocks: RequestBody {
    public static let kind = MessageKind(field: 57, name: "list_blocks")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listBlocks(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireUserList? {
        if case .userList(let success) = result { success } else { nil }
    }
}

extension WireFindUsers: RequestBody {
    public static let kind = MessageKind(field: 58, name: "find_users")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .findUsers(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireUserList? {
        if case .userList(let success) = result { success } else { nil }
    }
}

extension WireCreateRealm: RequestBody {
    public static let kind = MessageKind(field: 60, name: "create_realm")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .createRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealm? {
        if case .realm(let success) = result { success } else { nil }
    }
}

extension WireEditRealm: RequestBody {
    public static let kind = MessageKind(field: 61, name: "edit_realm")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .editRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealm? {
        if case .realm(let success) = result { success } else { nil }
    }
}

extension WireDeleteRealm: RequestBody {
    public static let kind = MessageKind(field: 62, name: "delete_realm")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .deleteRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireInvite: RequestBody {
    public static let kind = MessageKind(field: 63, name: "invite")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .invite(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireAnswerInvitation: RequestBody {
    public static let kind = MessageKind(field: 64, name: "answer_invitation")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .answerInvitation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealm? {
        if case .realm(let success) = result { success } else { nil }
    }
}

extension WireJoinRealm: RequestBody {
    public static let kind = MessageKind(field: 65, name: "join_realm")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .joinRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealm? {
        if case .realm(let success) = result { success } else { nil }
    }
}

extension WireAnswerJoin: RequestBody {
    public static let kind = MessageKind(field: 66, name: "answer_join")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .answerJoin(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireAddMember: RequestBody {
    public static let kind = MessageKind(field: 67, name: "add_member")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .addMember(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealm? {
        if case .realm(let success) = result { success } else { nil }
    }
}

extension WireRemoveMember: RequestBody {
    public static let kind = MessageKind(field: 68, name: "remove_member")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .removeMember(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireLeaveRealm: RequestBody {
    public static let kind = MessageKind(field: 69, name: "leave_realm")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .leaveRealm(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireListRealms: RequestBody {
    public static let kind = MessageKind(field: 70, name: "list_realms")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listRealms(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealmList? {
        if case .realmList(let success) = result { success } else { nil }
    }
}

extension WireListMembers: RequestBody {
    public static let kind = MessageKind(field: 71, name: "list_members")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listMembers(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireMemberList? {
        if case .memberList(let success) = result { success } else { nil }
    }
}

extension WireFindRealms: RequestBody {
    public static let kind = MessageKind(field: 72, name: "find_realms")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .findRealms(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRealmList? {
        if case .realmList(let success) = result { success } else { nil }
    }
}

extension WireTakeOut: RequestBody {
    public static let kind = MessageKind(field: 73, name: "take_out")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .takeOut(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireReceivedNotifications: RequestBody {
    public static let kind = MessageKind(field: 80, name: "received_notifications")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .receivedNotifications(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireMarkRead: RequestBody {
    public static let kind = MessageKind(field: 81, name: "mark_read")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .markRead(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireListNotifications: RequestBody {
    public static let kind = MessageKind(field: 82, name: "list_notifications")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listNotifications(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireNotificationPage? {
        if case .notificationPage(let success) = result { success } else { nil }
    }
}

extension WireRegisterPush: RequestBody {
    public static let kind = MessageKind(field: 83, name: "register_push")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .registerPush(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireBeginUpload: RequestBody {
    public static let kind = MessageKind(field: 84, name: "begin_upload")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .beginUpload(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireUploadState? {
        if case .uploadState(let success) = result { success } else { nil }
    }
}

extension WireUploadChunk: RequestBody {
    public static let kind = MessageKind(field: 85, name: "upload_chunk")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .uploadChunk(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireUploadState? {
        if case .uploadState(let success) = result { success } else { nil }
    }
}

extension WireGetAsset: RequestBody {
    public static let kind = MessageKind(field: 86, name: "get_asset")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getAsset(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireAssetAddress? {
        if case .assetAddress(let success) = result { success } else { nil }
    }
}

extension WireSendFeedback: RequestBody {
    public static let kind = MessageKind(field: 90, name: "send_feedback")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .sendFeedback(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireFeedbackTaken? {
        if case .feedbackTaken(let success) = result { success } else { nil }
    }
}

extension WireSignUp: RequestBody {
    public static let kind = MessageKind(field: 100, name: "sign_up")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .signUp(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireWelcome? {
        if case .welcome(let success) = result { success } else { nil }
    }
}

extension WireSignIn: RequestBody {
    public static let kind = MessageKind(field: 101, name: "sign_in")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .signIn(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireWelcome? {
        if case .welcome(let success) = result { success } else { nil }
    }
}

extension WireSignInWithProvider: RequestBody {
    public static let kind = MessageKind(field: 102, name: "sign_in_with_provider")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .signInWithProvider(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireWelcome? {
        if case .welcome(let success) = result { success } else { nil }
    }
}

extension WireGetNonce: RequestBody {
    public static let kind = MessageKind(field: 103, name: "get_nonce")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getNonce(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireNonce? {
        if case .nonce(let success) = result { success } else { nil }
    }
}

extension WireLinkProvider: RequestBody {
    public static let kind = MessageKind(field: 104, name: "link_provider")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .linkProvider(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireUnlinkProvider: RequestBody {
    public static let kind = MessageKind(field: 105, name: "unlink_provider")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .unlinkProvider(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireRecover: RequestBody {
    public static let kind = MessageKind(field: 106, name: "recover")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .recover(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireResetPassword: RequestBody {
    public static let kind = MessageKind(field: 107, name: "reset_password")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .resetPassword(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireVerifyEmail: RequestBody {
    public static let kind = MessageKind(field: 108, name: "verify_email")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .verifyEmail(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireChangePassword: RequestBody {
    public static let kind = MessageKind(field: 109, name: "change_password")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .changePassword(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireNewToken? {
        if case .newToken(let success) = result { success } else { nil }
    }
}

extension WireChangeEmail: RequestBody {
    public static let kind = MessageKind(field: 110, name: "change_email")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .changeEmail(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireAddPassword: RequestBody {
    public static let kind = MessageKind(field: 111, name: "add_password")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .addPassword(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireListDevices: RequestBody {
    public static let kind = MessageKind(field: 112, name: "list_devices")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listDevices(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDeviceList? {
        if case .deviceList(let success) = result { success } else { nil }
    }
}

extension WireEndDevice: RequestBody {
    public static let kind = MessageKind(field: 113, name: "end_device")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .endDevice(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireBeginCodes: RequestBody {
    public static let kind = MessageKind(field: 114, name: "begin_codes")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .beginCodes(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireCodesBegun? {
        if case .codesBegun(let success) = result { success } else { nil }
    }
}

extension WireConfirmCodes: RequestBody {
    public static let kind = MessageKind(field: 115, name: "confirm_codes")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .confirmCodes(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRecoveryCodes? {
        if case .recoveryCodes(let success) = result { success } else { nil }
    }
}

extension WireEndCodes: RequestBody {
    public static let kind = MessageKind(field: 116, name: "end_codes")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .endCodes(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireGetProfile: RequestBody {
    public static let kind = MessageKind(field: 117, name: "get_profile")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getProfile(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOwnProfile? {
        if case .ownProfile(let success) = result { success } else { nil }
    }
}

extension WireEditProfile: RequestBody {
    public static let kind = MessageKind(field: 118, name: "edit_profile")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .editProfile(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOwnProfile? {
        if case .ownProfile(let success) = result { success } else { nil }
    }
}

extension WireReadProfile: RequestBody {
    public static let kind = MessageKind(field: 119, name: "read_profile")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .readProfile(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireProfile? {
        if case .profile(let success) = result { success } else { nil }
    }
}

extension WireListAccounts: RequestBody {
    public static let kind = MessageKind(field: 120, name: "list_accounts")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listAccounts(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireAccountList? {
        if case .accountList(let success) = result { success } else { nil }
    }
}

extension WireSetRole: RequestBody {
    public static let kind = MessageKind(field: 121, name: "set_role")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .setRole(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireSuspend: RequestBody {
    public static let kind = MessageKind(field: 122, name: "suspend")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .suspend(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireReinstate: RequestBody {
    public static let kind = MessageKind(field: 123, name: "reinstate")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .reinstate(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireRequestOrganisation: RequestBody {
    public static let kind = MessageKind(field: 124, name: "request_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .requestOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireWithdrawOrganisationRequest: RequestBody {
    public static let kind = MessageKind(field: 125, name: "withdraw_organisation_request")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .withdrawOrganisationRequest(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireGetOrganisation: RequestBody {
    public static let kind = MessageKind(field: 126, name: "get_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOwnOrganisation? {
        if case .ownOrganisation(let success) = result { success } else { nil }
    }
}

extension WireLeaveOrganisation: RequestBody {
    public static let kind = MessageKind(field: 127, name: "leave_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .leaveOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireRemoveOrganisationMember: RequestBody {
    public static let kind = MessageKind(field: 128, name: "remove_organisation_member")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .removeOrganisationMember(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOrganisationRemoval? {
        if case .organisationRemoval(let success) = result { success } else { nil }
    }
}

extension WireListOrganisations: RequestBody {
    public static let kind = MessageKind(field: 129, name: "list_organisations")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listOrganisations(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOrganisationList? {
        if case .organisationList(let success) = result { success } else { nil }
    }
}

extension WireListOrganisationRequests: RequestBody {
    public static let kind = MessageKind(field: 130, name: "list_organisation_requests")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listOrganisationRequests(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOrganisationRequestList? {
        if case .organisationRequestList(let success) = result { success } else { nil }
    }
}

extension WireGetOrganisationRequest: RequestBody {
    public static let kind = MessageKind(field: 131, name: "get_organisation_request")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getOrganisationRequest(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireOrganisationRequest? {
        if case .organisationRequest(let success) = result { success } else { nil }
    }
}

extension WireAcceptOrganisation: RequestBody {
    public static let kind = MessageKind(field: 132, name: "accept_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .acceptOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireDenyOrganisation: RequestBody {
    public static let kind = MessageKind(field: 133, name: "deny_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .denyOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireSuspendOrganisation: RequestBody {
    public static let kind = MessageKind(field: 134, name: "suspend_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .suspendOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireReinstateOrganisation: RequestBody {
    public static let kind = MessageKind(field: 135, name: "reinstate_organisation")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .reinstateOrganisation(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireProve: RequestBody {
    public static let kind = MessageKind(field: 136, name: "prove")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .prove(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireUndoChange: RequestBody {
    public static let kind = MessageKind(field: 137, name: "undo_change")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .undoChange(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireCreateTour: RequestBody {
    public static let kind = MessageKind(field: 140, name: "create_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .createTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireSetTourFacts: RequestBody {
    public static let kind = MessageKind(field: 141, name: "set_tour_facts")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .setTourFacts(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireSetTourGround: RequestBody {
    public static let kind = MessageKind(field: 142, name: "set_tour_ground")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .setTourGround(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireSetTourStop: RequestBody {
    public static let kind = MessageKind(field: 143, name: "set_tour_stop")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .setTourStop(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireSetTourPopup: RequestBody {
    public static let kind = MessageKind(field: 144, name: "set_tour_popup")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .setTourPopup(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireRemoveTourPart: RequestBody {
    public static let kind = MessageKind(field: 145, name: "remove_tour_part")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .removeTourPart(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireOrderTourStops: RequestBody {
    public static let kind = MessageKind(field: 146, name: "order_tour_stops")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .orderTourStops(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WirePublishTour: RequestBody {
    public static let kind = MessageKind(field: 147, name: "publish_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .publishTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireDiscardTourDraft: RequestBody {
    public static let kind = MessageKind(field: 148, name: "discard_tour_draft")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .discardTourDraft(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireDeleteTour: RequestBody {
    public static let kind = MessageKind(field: 149, name: "delete_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .deleteTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireGetTour: RequestBody {
    public static let kind = MessageKind(field: 150, name: "get_tour")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourPage? {
        if case .tourPage(let success) = result { success } else { nil }
    }
}

extension WireListOwnTours: RequestBody {
    public static let kind = MessageKind(field: 151, name: "list_own_tours")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listOwnTours(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourList? {
        if case .tourList(let success) = result { success } else { nil }
    }
}

extension WireListTours: RequestBody {
    public static let kind = MessageKind(field: 152, name: "list_tours")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listTours(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourList? {
        if case .tourList(let success) = result { success } else { nil }
    }
}

extension WireFindTour: RequestBody {
    public static let kind = MessageKind(field: 153, name: "find_tour")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .findTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourList? {
        if case .tourList(let success) = result { success } else { nil }
    }
}

extension WireOpenTour: RequestBody {
    public static let kind = MessageKind(field: 154, name: "open_tour")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .openTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireCloseTour: RequestBody {
    public static let kind = MessageKind(field: 155, name: "close_tour")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .closeTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireImportTour: RequestBody {
    public static let kind = MessageKind(field: 156, name: "import_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .importTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourEdited? {
        if case .tourEdited(let success) = result { success } else { nil }
    }
}

extension WireExportTour: RequestBody {
    public static let kind = MessageKind(field: 157, name: "export_tour")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .exportTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourFile? {
        if case .tourFile(let success) = result { success } else { nil }
    }
}

extension WireStartTour: RequestBody {
    public static let kind = MessageKind(field: 170, name: "start_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .startTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRun? {
        if case .run(let success) = result { success } else { nil }
    }
}

extension WireGetRun: RequestBody {
    public static let kind = MessageKind(field: 171, name: "get_run")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getRun(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRun? {
        if case .run(let success) = result { success } else { nil }
    }
}

extension WirePauseRun: RequestBody {
    public static let kind = MessageKind(field: 172, name: "pause_run")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .pauseRun(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRun? {
        if case .run(let success) = result { success } else { nil }
    }
}

extension WireResumeRun: RequestBody {
    public static let kind = MessageKind(field: 173, name: "resume_run")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .resumeRun(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRun? {
        if case .run(let success) = result { success } else { nil }
    }
}

extension WireLeaveRun: RequestBody {
    public static let kind = MessageKind(field: 174, name: "leave_run")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .leaveRun(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireRunSummary? {
        if case .runSummary(let success) = result { success } else { nil }
    }
}

extension WireGetRunContent: RequestBody {
    public static let kind = MessageKind(field: 175, name: "get_run_content")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getRunContent(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireTourPage? {
        if case .tourPage(let success) = result { success } else { nil }
    }
}

extension WireOpenGroup: RequestBody {
    public static let kind = MessageKind(field: 180, name: "open_group")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .openGroup(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireGroup? {
        if case .group(let success) = result { success } else { nil }
    }
}

extension WireJoinGroup: RequestBody {
    public static let kind = MessageKind(field: 181, name: "join_group")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .joinGroup(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireGroup? {
        if case .group(let success) = result { success } else { nil }
    }
}

extension WireLeaveGroup: RequestBody {
    public static let kind = MessageKind(field: 182, name: "leave_group")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .leaveGroup(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireDone? {
        if case .done(let success) = result { success } else { nil }
    }
}

extension WireGetGroup: RequestBody {
    public static let kind = MessageKind(field: 183, name: "get_group")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .getGroup(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireGroup? {
        if case .group(let success) = result { success } else { nil }
    }
}

extension WireShareGroupPlace: RequestBody {
    public static let kind = MessageKind(field: 184, name: "share_group_place")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .shareGroupPlace(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireGroup? {
        if case .group(let success) = result { success } else { nil }
    }
}

extension WireSetGroupTarget: RequestBody {
    public static let kind = MessageKind(field: 185, name: "set_group_target")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .setGroupTarget(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WireGroup? {
        if case .group(let success) = result { success } else { nil }
    }
}

extension WireBuyTour: RequestBody {
    public static let kind = MessageKind(field: 190, name: "buy_tour")
    public static let needsKey = true
    public var inEnvelope: WireClientMessage.OneOf_Body { .buyTour(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePurchase? {
        if case .purchase(let success) = result { success } else { nil }
    }
}

extension WireListPurchases: RequestBody {
    public static let kind = MessageKind(field: 191, name: "list_purchases")
    public static let needsKey = false
    public var inEnvelope: WireClientMessage.OneOf_Body { .listPurchases(self) }

    public static func success(in result: WireReply.OneOf_Result) -> WirePurchaseList? {
        if case .purchaseList(let success) = result { success } else { nil }
    }
}

extension WireClientMessage.OneOf_Body {
    public var content: any RequestBody {
        switch self {
        case .hello(let body): body
        case .position(let body): body
        case .share(let body): body
        case .signOut(let body): body
        case .refresh(let body): body
        case .saveSettings(let body): body
        case .getSettings(let body): body
        case .selectRealm(let body): body
        case .getPolicy(let body): body
        case .agreePolicy(let body): body
        case .place(let body): body
        case .edit(let body): body
        case .remove(let body): body
        case .select(let body): body
        case .getHelp(let body): body
        case .getSnapshot(let body): body
        case .deleteAccount(let body): body
        case .exportAccount(let body): body
        case .react(let body): body
        case .listReactions(let body): body
        case .createPost(let body): body
        case .editPost(let body): body
        case .removePost(let body): body
        case .readPost(let body): body
        case .listOwnPosts(let body): body
        case .listTrendingPosts(let body): body
        case .vote(let body): body
        case .requestFriend(let body): body
        case .answerFriendRequest(let body): body
        case .withdrawFriendRequest(let body): body
        case .unfriend(let body): body
        case .listFriends(let body): body
        case .block(let body): body
        case .unblock(let body): body
        case .listBlocks(let body): body
        case .findUsers(let body): body
        case .createRealm(let body): body
        case .editRealm(let body): body
        case .deleteRealm(let body): body
        case .invite(let body): body
        case .answerInvitation(let body): body
        case .joinRealm(let body): body
        case .answerJoin(let body): body
        case .addMember(let body): body
        case .removeMember(let body): body
        case .leaveRealm(let body): body
        case .listRealms(let body): body
        case .listMembers(let body): body
        case .findRealms(let body): body
        case .takeOut(let body): body
        case .receivedNotifications(let body): body
        case .markRead(let body): body
        case .listNotifications(let body): body
        case .registerPush(let body): body
        case .beginUpload(let body): body
        case .uploadChunk(let body): body
        case .getAsset(let body): body
        case .sendFeedback(let body): body
        case .signUp(let body): body
        case .signIn(let body): body
        case .signInWithProvider(let body): body
        case .getNonce(let body): body
        case .linkProvider(let body): body
        case .unlinkProvider(let body): body
        case .recover(let body): body
        case .resetPassword(let body): body
        case .verifyEmail(let body): body
        case .changePassword(let body): body
        case .changeEmail(let body): body
        case .addPassword(let body): body
        case .listDevices(let body): body
        case .endDevice(let body): body
        case .beginCodes(let body): body
        case .confirmCodes(let body): body
        case .endCodes(let body): body
        case .getProfile(let body): body
        case .editProfile(let body): body
        case .readProfile(let body): body
        case .listAccounts(let body): body
        case .setRole(let body): body
        case .suspend(let body): body
        case .reinstate(let body): body
        case .requestOrganisation(let body): body
        case .withdrawOrganisationRequest(let body): body
        case .getOrganisation(let body): body
        case .leaveOrganisation(let body): body
        case .removeOrganisationMember(let body): body
        case .listOrganisations(let body): body
        case .listOrganisationRequests(let body): body
        case .getOrganisationRequest(let body): body
        case .acceptOrganisation(let body): body
        case .denyOrganisation(let body): body
        case .suspendOrganisation(let body): body
        case .reinstateOrganisation(let body): body
        case .prove(let body): body
        case .undoChange(let body): body
        case .createTour(let body): body
        case .setTourFacts(let body): body
        case .setTourGround(let body): body
        case .setTourStop(let body): body
        case .setTourPopup(let body): body
        case .removeTourPart(let body): body
        case .orderTourStops(let body): body
        case .publishTour(let body): body
        case .discardTourDraft(let body): body
        case .deleteTour(let body): body
        case .getTour(let body): body
        case .listOwnTours(let body): body
        case .listTours(let body): body
        case .findTour(let body): body
        case .openTour(let body): body
        case .closeTour(let body): body
        case .importTour(let body): body
        case .exportTour(let body): body
        case .startTour(let body): body
        case .getRun(let body): body
        case .pauseRun(let body): body
        case .resumeRun(let body): body
        case .leaveRun(let body): body
        case .getRunContent(let body): body
        case .openGroup(let body): body
        case .joinGroup(let body): body
        case .leaveGroup(let body): body
        case .getGroup(let body): body
        case .shareGroupPlace(let body): body
        case .setGroupTarget(let body): body
        case .buyTour(let body): body
        case .listPurchases(let body): body
        }
    }
}
