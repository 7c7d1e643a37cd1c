// @ts-check
// Made by scripts/generate-js-codec from proto/: edit that, not this file.

/** The messages as JavaScript has them; docs/protocol.md explains them. */
export {};

/** @typedef {'DEVICE_CLASS_NORMAL' | 'DEVICE_CLASS_LOW'} DeviceClass */

/** @typedef {'RUN_STATE_UNSPECIFIED' | 'RUN_STATE_WALKING' | 'RUN_STATE_PAUSED' | 'RUN_STATE_COMPLETED'} RunState */

/** @typedef {'TOUR_DIRECTION_UNSPECIFIED' | 'TOUR_DIRECTION_FORWARD' | 'TOUR_DIRECTION_BACKWARD'} TourDirection */

/**
 * One message from a client: one request.
 * @typedef {object} ClientMessage
 * @property {number} [id] Chosen by the client, 1 or more, unique among its unanswered requests. Every request with an
 *  id gets exactly one reply with it (SES-3). Only `position` may go without.
 * @property {string} [key] Idempotency key of a change, 1 to 64 bytes; each request says whether it needs one. The
 *  same key sent again within 24 hours gives the first answer (SYN-2). Keys belong to the account and hold over all
 *  its devices.
 * @property {Hello} [hello]
 * @property {Position} [position]
 * @property {Share} [share]
 * @property {SignOut} [signOut]
 * @property {Refresh} [refresh]
 * @property {SaveSettings} [saveSettings]
 * @property {GetSettings} [getSettings]
 * @property {SelectRealm} [selectRealm]
 * @property {GetPolicy} [getPolicy]
 * @property {AgreePolicy} [agreePolicy]
 * @property {Place} [place]
 * @property {Edit} [edit]
 * @property {Remove} [remove]
 * @property {Select} [select]
 * @property {GetHelp} [getHelp]
 * @property {GetSnapshot} [getSnapshot]
 * @property {DeleteAccount} [deleteAccount]
 * @property {ExportAccount} [exportAccount]
 * @property {React} [react]
 * @property {ListReactions} [listReactions]
 * @property {CreatePost} [createPost]
 * @property {EditPost} [editPost]
 * @property {RemovePost} [removePost]
 * @property {ReadPost} [readPost]
 * @property {ListOwnPosts} [listOwnPosts]
 * @property {ListTrendingPosts} [listTrendingPosts]
 * @property {Vote} [vote]
 * @property {RequestFriend} [requestFriend]
 * @property {AnswerFriendRequest} [answerFriendRequest]
 * @property {WithdrawFriendRequest} [withdrawFriendRequest]
 * @property {Unfriend} [unfriend]
 * @property {ListFriends} [listFriends]
 * @property {Block} [block]
 * @property {Unblock} [unblock]
 * @property {ListBlocks} [listBlocks]
 * @property {FindUsers} [findUsers]
 * @property {CreateRealm} [createRealm]
 * @property {EditRealm} [editRealm]
 * @property {DeleteRealm} [deleteRealm]
 * @property {Invite} [invite]
 * @property {AnswerInvitation} [answerInvitation]
 * @property {JoinRealm} [joinRealm]
 * @property {AnswerJoin} [answerJoin]
 * @property {AddMember} [addMember]
 * @property {RemoveMember} [removeMember]
 * @property {LeaveRealm} [leaveRealm]
 * @property {ListRealms} [listRealms]
 * @property {ListMembers} [listMembers]
 * @property {FindRealms} [findRealms]
 * @property {TakeOut} [takeOut]
 * @property {ReceivedNotifications} [receivedNotifications]
 * @property {MarkRead} [markRead]
 * @property {ListNotifications} [listNotifications]
 * @property {RegisterPush} [registerPush]
 * @property {BeginUpload} [beginUpload]
 * @property {UploadChunk} [uploadChunk]
 * @property {GetAsset} [getAsset]
 * @property {SendFeedback} [sendFeedback]
 * @property {SignUp} [signUp]
 * @property {SignIn} [signIn]
 * @property {SignInWithProvider} [signInWithProvider]
 * @property {GetNonce} [getNonce]
 * @property {LinkProvider} [linkProvider]
 * @property {UnlinkProvider} [unlinkProvider]
 * @property {Recover} [recover]
 * @property {ResetPassword} [resetPassword]
 * @property {VerifyEmail} [verifyEmail]
 * @property {ChangePassword} [changePassword]
 * @property {ChangeEmail} [changeEmail]
 * @property {AddPassword} [addPassword]
 * @property {ListDevices} [listDevices]
 * @property {EndDevice} [endDevice]
 * @property {BeginCodes} [beginCodes]
 * @property {ConfirmCodes} [confirmCodes]
 * @property {EndCodes} [endCodes]
 * @property {GetProfile} [getProfile]
 * @property {EditProfile} [editProfile]
 * @property {ReadProfile} [readProfile]
 * @property {ListAccounts} [listAccounts]
 * @property {SetRole} [setRole]
 * @property {Suspend} [suspend]
 * @property {Reinstate} [reinstate]
 * @property {RequestOrganisation} [requestOrganisation]
 * @property {WithdrawOrganisationRequest} [withdrawOrganisationRequest]
 * @property {GetOrganisation} [getOrganisation]
 * @property {LeaveOrganisation} [leaveOrganisation]
 * @property {RemoveOrganisationMember} [removeOrganisationMember]
 * @property {ListOrganisations} [listOrganisations]
 * @property {ListOrganisationRequests} [listOrganisationRequests]
 * @property {GetOrganisationRequest} [getOrganisationRequest]
 * @property {AcceptOrganisation} [acceptOrganisation]
 * @property {DenyOrganisation} [denyOrganisation]
 * @property {SuspendOrganisation} [suspendOrganisation]
 * @property {ReinstateOrganisation} [reinstateOrganisation]
 * @property {Prove} [prove]
 * @property {UndoChange} [undoChange]
 * @property {CreateTour} [createTour]
 * @property {SetTourFacts} [setTourFacts]
 * @property {SetTourGround} [setTourGround]
 * @property {SetTourStop} [setTourStop]
 * @property {SetTourPopup} [setTourPopup]
 * @property {RemoveTourPart} [removeTourPart]
 * @property {OrderTourStops} [orderTourStops]
 * @property {PublishTour} [publishTour]
 * @property {DiscardTourDraft} [discardTourDraft]
 * @property {DeleteTour} [deleteTour]
 * @property {GetTour} [getTour]
 * @property {ListOwnTours} [listOwnTours]
 * @property {ListTours} [listTours]
 * @property {FindTour} [findTour]
 * @property {OpenTour} [openTour]
 * @property {CloseTour} [closeTour]
 * @property {ImportTour} [importTour]
 * @property {ExportTour} [exportTour]
 * @property {StartTour} [startTour]
 * @property {GetRun} [getRun]
 * @property {PauseRun} [pauseRun]
 * @property {ResumeRun} [resumeRun]
 * @property {LeaveRun} [leaveRun]
 * @property {GetRunContent} [getRunContent]
 * @property {OpenGroup} [openGroup]
 * @property {JoinGroup} [joinGroup]
 * @property {LeaveGroup} [leaveGroup]
 * @property {GetGroup} [getGroup]
 * @property {ShareGroupPlace} [shareGroupPlace]
 * @property {SetGroupTarget} [setGroupTarget]
 * @property {BuyTour} [buyTour]
 * @property {ListPurchases} [listPurchases]
 */

/**
 * One message from the server: everything that waits for this client, in order.
 * @typedef {object} ServerMessage
 * @property {Item[]} [items] One or more.
 */

/**
 * One item of a server message. A client skips items of a kind that it does not know.
 * @typedef {object} Item
 * @property {Reply} [reply]
 * @property {Event} [event]
 * @property {Snapshot} [snapshot]
 * @property {Presence} [presence]
 * @property {Unfollowed} [unfollowed]
 * @property {Resync} [resync]
 * @property {Closing} [closing]
 * @property {Continued} [continued] A topic continues from the client's cursor.
 * @property {Notice} [notice]
 * @property {SignedOut} [signedOut]
 * @property {Own} [own]
 * @property {SettingList} [settings] Another device of the person has saved settings.
 * @property {Notifications} [notifications]
 * @property {RealmSelected} [realmSelected] The selection of a sub-realm was reset.
 * @property {Standing} [standing] The account has another role, or its organisation has changed.
 * @property {ShiftPositions} [shiftPositions] Other moments for the receiver's positions.
 * @property {NearbyTours} [nearbyTours]
 * @property {Run} [run] The receiver's run of a tour, behind the state of its topic.
 * @property {Guidance} [guidance]
 * @property {FellowWalkers} [fellowWalkers]
 * @property {Group} [group] The receiver's group on a tour.
 */

/**
 * The one answer to a request: its success, or a refusal.
 * @typedef {object} Reply
 * @property {number} [id] Id of the request; 0 = the refusal of a message without a readable id.
 * @property {Refusal} [refusal]
 * @property {Done} [done]
 * @property {Welcome} [welcome]
 * @property {Positioned} [positioned]
 * @property {Refreshed} [refreshed]
 * @property {SettingList} [settingList]
 * @property {RealmSelected} [realmSelected]
 * @property {Policy} [policy]
 * @property {Placed} [placed]
 * @property {Edited} [edited]
 * @property {Removed} [removed]
 * @property {Selected} [selected]
 * @property {Help} [help]
 * @property {WorldSnapshot} [worldSnapshot]
 * @property {ReactionSet} [reactionSet]
 * @property {ReactionList} [reactionList]
 * @property {PostCreated} [postCreated]
 * @property {PostEdited} [postEdited]
 * @property {PostRemoved} [postRemoved]
 * @property {PostRead} [postRead]
 * @property {PostPage} [postPage]
 * @property {VoteSet} [voteSet]
 * @property {FriendRequested} [friendRequested]
 * @property {FriendList} [friendList]
 * @property {UserList} [userList]
 * @property {Realm} [realm]
 * @property {RealmList} [realmList]
 * @property {MemberList} [memberList]
 * @property {NotificationPage} [notificationPage]
 * @property {UploadState} [uploadState]
 * @property {AssetAddress} [assetAddress]
 * @property {FeedbackTaken} [feedbackTaken]
 * @property {Nonce} [nonce]
 * @property {NewToken} [newToken]
 * @property {DeviceList} [deviceList]
 * @property {CodesBegun} [codesBegun]
 * @property {RecoveryCodes} [recoveryCodes]
 * @property {OwnProfile} [ownProfile]
 * @property {Profile} [profile]
 * @property {AccountList} [accountList]
 * @property {OwnOrganisation} [ownOrganisation]
 * @property {OrganisationRemoval} [organisationRemoval]
 * @property {OrganisationList} [organisationList]
 * @property {OrganisationRequestList} [organisationRequestList]
 * @property {OrganisationRequest} [organisationRequest]
 * @property {TourEdited} [tourEdited]
 * @property {TourPage} [tourPage]
 * @property {TourList} [tourList]
 * @property {TourFile} [tourFile]
 * @property {Run} [run]
 * @property {RunSummary} [runSummary]
 * @property {Group} [group]
 * @property {Purchase} [purchase]
 * @property {PurchaseList} [purchaseList]
 */

/**
 * A refusal with a code. The request changed nothing (SES-3). Codes: docs/protocol.md.
 * @typedef {object} Refusal
 * @property {string} [code] For programs. A newer server may have codes that a client does not know.
 * @property {string} [message] For people, in the language of the connection; never parse it.
 * @property {string} [component] The part of the server that refused, for instance "placements".
 * @property {number} [retryAfter] Milliseconds after which the same request may succeed. Absent = the same request
 *  will be refused again.
 * @property {string} [correlation] Finds the refusal in the server's log.
 * @property {Record<string, string>} [details] Figures that belong to the code, for instance limit and count of a
 *  quota.
 */

/**
 * The first message of every connection (SES-2). Anything else before it is refused with `hello_required`.
 * @typedef {object} Hello
 * @property {number} [version] Protocol version; this document describes 1. Others are refused with
 *  `unsupported_version`.
 * @property {string} [frontEnd] Kind of client: "realm", "bubble", "notebook", "furniture", "bot", or the app's own
 *  name of 1 to 32 characters from a-z, 0-9, '-', '.' and '_'. An app with its own name is served like "realm".
 * @property {string} [language] Language of what the server writes for people, BCP 47, for instance "en" or "fr-CA".
 *  The setting `accessibility.language` of who signs in goes before it; English stands in for a language that is not
 *  written.
 * @property {DeviceClass} [deviceClass] Capacity of the device.
 * @property {string} [token] A sign-in token from an earlier `welcome`, or one that the app's own backend has signed
 *  (a JWT, ACC-12); empty = none. At most 8,192 bytes.
 * @property {string} [name] Name to sign in by, if the server accepts names without a token (`accounts.open`): 3 to 30
 *  letters, digits, '.', '_' or '-'.
 * @property {boolean} [sharePosition] Whether others may see this user's position (VIS-9). Absent = as in the user's
 *  settings (`privacy.sharePosition`); if they say nothing, false. Settings that say "off" hold whatever a connection
 *  says.
 * @property {number} [shareAccuracy] Others see the position snapped to a grid of this many metres: 0 (exact), 10, 100
 *  or 1000 (PRF-8). Absent = as in the user's settings (`privacy.accuracy`); if they say nothing, `presence.accuracy`
 *  of the server, initially 10. If the settings say another one, the coarser counts. On a grid others get neither
 *  height nor orientation, and an update only when the user is clearly in another square: how far beyond its edge is
 *  secret.
 * @property {Cursor[]} [cursors] Cursors of the topics that the client holds: the server continues after them instead
 *  of sending snapshots (SES-11).
 * @property {string} [session] The session that an earlier `welcome` named, to resume it after a cut. Others then see
 *  neither a leave nor a join.
 * @property {string} [realm] The sub-realm to select, as in `SelectRealm`; empty = none. If the person is not a
 *  member, none is selected, and `realm_selected` says so.
 * @property {boolean} [shortPoses] The client reads batches of poses in the short form (see `Presence.number`). Only
 *  in the binary form.
 * @property {boolean} [shiftsPositions] The client moves the times at which it sends positions as `ShiftPositions`
 *  says.
 */

/**
 * Success of `hello`, `sign_up`, `sign_in` and `sign_in_with_provider`.
 * @typedef {object} Welcome
 * @property {number} [serverTime] Server time, milliseconds since 1970-01-01 UTC.
 * @property {string} [role] "guest", "general", "organisation" or "admin".
 * @property {string} [account] The account's id, 13 characters; empty for a guest.
 * @property {string} [name] Name that others see; empty for a guest.
 * @property {string} [token] Signs in to the account on a later connection. Keep it secret. A client that signed in
 *  with a JWT gets that JWT.
 * @property {string} [session] Id of this session, for the next `hello` after a cut.
 * @property {Limits} [limits] The limits that apply.
 * @property {boolean} [tokenExpired] True when the token of `hello` was no longer valid: the connection stays open as
 *  a guest's (`token_expired`).
 * @property {boolean} [resumed] True when `session` was taken over.
 * @property {number} [expires] When the token expires, milliseconds since 1970-01-01 UTC; 0 = at no set time. The
 *  connection becomes a guest's then, unless a `refresh` comes before.
 * @property {string} [deviceKey] Names this device at later sign-ins to the account (`SignIn.device_key`). Keep it
 *  secret, also after a sign-out; empty where no password or provider signed in.
 * @property {boolean} [ageAdvisory] True when the birth date of a sign-up shows an age below the recommended one
 *  (ACC-11).
 * @property {Setting[]} [settings] The person's settings that were ever saved, in the order of their keys.
 * @property {Organisation} [organisation] The organisation that the account belongs to; absent = none.
 */

/**
 * The limits that apply, so that a client need not guess them (SES-2).
 * @typedef {object} Limits
 * @property {number} [messageBytes] Most bytes of a client's message; a larger one closes the connection with
 *  `too_large`.
 * @property {number} [messagesPerSecond] Most messages of a connection per second, on average; excess is refused with
 *  `rate_limited`.
 * @property {number} [positionsPerSecond] Most positions of a connection per second that are applied; of faster ones
 *  only the newest is.
 * @property {number} [presenceInterval] Milliseconds between two presence updates of one cell under load.
 * @property {number} [pingInterval] Seconds between two pings of the server (WebSocket ping frames).
 * @property {number} [silence] Seconds of silence, pongs included, after which the connection is dropped.
 * @property {number} [viewRadius] Metres around the user; every cell that this disc touches is in view.
 * @property {number} [cellLevel] S2 level of the cells.
 * @property {number} [reach] Metres from the user's last position within which things may be placed.
 * @property {number} [areaQuota] Live instances that one user may have in one cell.
 * @property {number} [placementsPerMinute] Placements of one user in any 60 s.
 * @property {number} [placementsPerDay] Placements of one user in any 24 h.
 * @property {number} [scaleMin] Least `Pose.scale`.
 * @property {number} [scaleMax] Greatest `Pose.scale`.
 * @property {string[]} [reactions] Names of the reactions on offer.
 * @property {string[]} [presets] Ids of the objects that everybody may place.
 * @property {number} [feedbackCharacters] Characters that `SendFeedback.text` may have.
 * @property {string[]} [feedbackCategories] Categories of feedback.
 * @property {number} [textCharacters] User-perceived characters that the text of an instance may have.
 * @property {number} [textBytes] Bytes of UTF-8 that the text of an instance may have.
 * @property {number} [dataBytes] Bytes that the app's own data of an instance may have.
 * @property {number} [postCharacters] User-perceived characters that a post may have.
 * @property {number} [postBytes] Bytes of UTF-8 that a post may have.
 * @property {number} [postEditSeconds] Length of the edit window of a post, in seconds.
 * @property {number} [postsPerMinute] Posts of one user in any 60 s.
 * @property {number} [postsPerDay] Posts of one user in any 24 h.
 * @property {string} [policyVersion] Version of the privacy policy that a sign-up agrees to (CMP-1).
 * @property {string[]} [providers] Names of the providers whose accounts sign in (ACC-7).
 * @property {number} [searchResults] Most entries of a search for people or sub-realms.
 * @property {number} [realmName] User-perceived characters that the name of a sub-realm may have.
 * @property {number} [realmDescription] User-perceived characters that the description of a sub-realm may have.
 * @property {number} [realmMembers] Most members of a sub-realm; 0 = sub-realms are switched off.
 * @property {number} [invitationDays] Days after which an invitation lapses.
 * @property {bigint} [assetBytes] Bytes that an asset may have.
 * @property {bigint} [pictureBytes] Bytes that the picture of a profile may have.
 * @property {boolean} [guestsLook] Whether guests may look: send a position and follow what is public around it
 *  (SES-14).
 * @property {number} [tourName] Longest name of a tour or stop, in characters.
 * @property {number} [tourText] Longest other text of a tour, in characters.
 * @property {number} [tourLinks] Most links of a tour.
 * @property {number} [tourPrice] Highest price of a tour, in hundredths of `currency`.
 * @property {number} [tourArea] Most corners of the area of a tour.
 * @property {number} [tourRoute] Most points of the route of a tour.
 * @property {number} [tourParts] Most stops and popups of a tour together.
 * @property {string} [currency] Currency of prices, ISO 4217.
 */

/**
 * The user's position (SES-5). Without a request id it is not acknowledged. The newest position counts. That of a
 *  guest begins or moves a view of what is public, where `Limits.guests_look` says so (SES-14); else it is refused
 *  with `not_signed_in`, and with `try_again` while the budgets of guests are used up.
 * @typedef {object} Position
 * @property {number} [lat] Degrees; required.
 * @property {number} [lon] Degrees; required.
 * @property {number} [h] Metres above the ellipsoid; absent = 0.
 * @property {number} [accuracy] Metres; absent = unknown. Negative = the coordinate is invalid.
 * @property {number} [heading] Compass heading in degrees, 0 = north, clockwise; absent or -1 = unknown.
 * @property {number} [speed] Metres a second; absent or negative = unknown.
 * @property {number} [deviceTime] The device's own time in milliseconds; not interpreted.
 * @property {Quaternion} [quaternion] Orientation of the device; absent = from the heading.
 */

/**
 * Send positions that much later from now on, or sooner (SES-8). Clients near each other that send at a fixed rate are
 *  asked for the same moments: poses that arrive together are sent together and do not wait for each other. The server
 *  asks only clients that say `shifts_positions` in `hello`, and only those that send a whole number of positions a
 *  second, from 1 to 20. A client that cannot follow goes on as before.
 * @typedef {object} ShiftPositions
 * @property {number} [milliseconds] By how much, at most half of the time between two positions; negative = sooner.
 */

/**
 * Success of a `position` that carried a request id.
 * @typedef {object} Positioned
 * @property {string} [cell] Token of the cell that the user is in.
 */

/**
 * Switch the sharing of one's position on or off for this connection (VIS-9), as `hello` does; for all of the user's
 *  devices `save_settings` does. Settings that say "off", or a coarser accuracy, still hold.
 * @typedef {object} Share
 * @property {boolean} [position] Whether others may see this user's position from now on.
 * @property {number} [accuracy] As in `Hello.share_accuracy`.
 */

/**
 * Success of `share` and of other requests whose success has no content.
 * @typedef {object} Done
 */

/**
 * Ends the token at once; the connection becomes a guest and leaves all cells (ACC-6).
 * @typedef {object} SignOut
 */

/**
 * Replaces the token by a newer one of the same account from the app's own backend, before it expires (ACC-12). Only
 *  for connections that signed in with such a token. If it is refused, the old token stays valid.
 * @typedef {object} Refresh
 * @property {string} [token] A JWT, as in `Hello.token`.
 */

/**
 * Success of `refresh`: the newer token applies.
 * @typedef {object} Refreshed
 * @property {number} [expires] When it expires, milliseconds since 1970-01-01 UTC.
 */

/**
 * The server has signed the connection out: it is a guest's from now on and has left all cells. The person may sign in
 *  again, on this connection by `sign_in` or on a new one.
 * @typedef {object} SignedOut
 * @property {string} [code] Reason: `token_expired`, or `token_invalid` when the token was ended: by another of the
 *  person's devices, by a new password, or by the app's backend.
 * @property {string} [message] For people, in the language of the connection; never parse it.
 */

/**
 * One batch of live positions in one cell. Batches are volatile: only the newest counts, and none is sent again
 *  (SES-8). Apply in this order: `keyframe`, `left`, `joined`, `poses`.
 * @typedef {object} Presence
 * @property {string} [cell] Token of the cell.
 * @property {boolean} [keyframe] True = drop all people known in this cell first; the batch holds all people who share
 *  their position.
 * @property {Person[]} [joined] People who came or began to share, with their slots.
 * @property {number[]} [left] Slots of people who left or stopped sharing.
 * @property {Uint8Array} [poses] Poses, 14 bytes each, little-endian: slot u16; east i16, north i16, up i16 in steps
 *  of `step` from the cell's centre and from `base_height`; orientation u32; age u8 in units of 4 ms when the batch
 *  was made (255 = 1,020 ms or more); accuracy u8 in half metres (254 = 127 m or more, 255 = unknown). Orientation is
 *  a unit quaternion, smallest three: bits 31-30 are the index of the component of greatest magnitude (0 x, 1 y, 2 z,
 *  3 w), made positive and left out; the others follow in the order x, y, z, w in bits 29-20, 19-10 and 9-0, each as
 *  round(v * 511 * sqrt(2)) + 511, which is 0 to 1,022. If all bits of the orientation are set, the person shares only
 *  the square of ground that they are in (PRF-8). The place is the middle of that square; up, age and accuracy have no
 *  meaning. Such a record comes only when another square is told. Only in the binary form; JSON has `live_poses`
 *  instead.
 * @property {number} [step] Length of a step in millimetres. It is the resolution of places and heights in both forms.
 * @property {number} [baseHeight] Metres above the ellipsoid that `up` counts from.
 * @property {number} [people] Number of other users in the cell who do not share their position; 0 = too few to show
 *  (VIS-9), absent = unchanged. A user with several connections counts once, and the receiver is not counted.
 * @property {number} [originLat] The cell's centre, from which `east` and `north` count, on the tangent plane there;
 *  in keyframes only.
 * @property {number} [originLon] See `origin_lat`.
 * @property {LivePose[]} [livePoses] Only in the JSON form: the poses as numbers, in place of `poses`.
 * @property {number} [number] In the short form, which holds nothing but poses, instead of `cell`: the lowest 14 bits
 *  of the cell's S2 id that differ at its level (id >> 2 * (30 - level) + 1). A client that follows two cells with the
 *  same gets the long form. `step` is that of the cell's last keyframe. Other batches have the long form for all
 *  clients.
 * @property {number} [base] In the short form instead of `base_height`; absent = as in the last batch of the cell.
 */

/**
 * The live position of a person in the JSON form of a batch. For a person who shares only the square of ground that
 *  they are in, it has `slot`, and the middle of that square in `lat` and `lon` (PRF-8).
 * @typedef {object} LivePose
 * @property {number} [slot] Whose: `Person.slot`.
 * @property {number} [lat] Latitude in degrees, WGS 84.
 * @property {number} [lon] Longitude in degrees, WGS 84.
 * @property {number} [h] Metres above the ellipsoid; absent = not shared.
 * @property {Quaternion} [quaternion] Orientation of the device in east-north-up; absent = not shared.
 * @property {number} [age] Age of the position when the batch was made, in milliseconds, in steps of 4; 1,020 = that
 *  or more; absent = not shared.
 * @property {number} [accuracy] Estimated error of the position in metres, in half metres; 127 = that or more; absent
 *  = unknown.
 */

/**
 * A person who shares their position.
 * @typedef {object} Person
 * @property {number} [slot] Number that stands for the person in this cell, 0 to 65,535, valid until `left` or the
 *  next keyframe.
 * @property {string} [id] The account's id, the same in every cell.
 * @property {string} [name] Name to show.
 */

/**
 * The server closes the connection, for instance because it shuts down. It is the last message.
 * @typedef {object} Closing
 * @property {string} [code] Name of the closure, for instance `server_shutdown`; the close code follows with the close
 *  frame.
 * @property {string} [message] For people, in the language of the connection; never parse it.
 * @property {number} [reconnectAfter] Milliseconds after which the client reconnects; absent = do not reconnect
 *  automatically.
 */

/**
 * A notice from the operators, to everybody, to the people in one area, or to one account. The client shows it. It is
 *  sent once, to connected clients, and not stored.
 * @typedef {object} Notice
 * @property {string} [text] For people: 1 to 500 characters in one line, in any language.
 * @property {number} [sent] When it was written, milliseconds since 1970-01-01 UTC.
 * @property {string} [cell] Token of the cell, or larger cell, that it is for; empty = it is not for one area.
 */

/**
 * Makes an account and signs in to it (ACC-1, ACC-2). For guests; the answer is a `Welcome`. Which fields a front end
 *  needs is a setting: `missing_field` names every one that is missing.
 * @typedef {object} SignUp
 * @property {string} [email] Address for mails, at most 254 bytes. It is compared without letter case.
 * @property {string} [username] Name that others see: 3 to 30 letters, digits, '.', '_' or '-'. In front ends where
 *  the email is the username it is left out, and the server makes a name that others see.
 * @property {string} [password] 1 to 128 characters, prepared as RFC 8265 OpaqueString. `weak_password` lists what is
 *  missing in `details.missing`.
 * @property {string} [firstName] 1 to 64 characters, where the front end asks for it.
 * @property {string} [lastName] As `first_name`.
 * @property {string} [birthDate] MM/DD/YYYY, where the front end asks for it.
 * @property {string} [consent] Version of the privacy policy that the person agrees to: `Limits.policy_version`; else
 *  `consent_required`.
 * @property {string} [deviceName] Name of the device in the list of devices, at most 64 characters.
 */

/**
 * Signs in with a password (ACC-4). For guests; the answer is a `Welcome`.
 * @typedef {object} SignIn
 * @property {string} [login] Email or username; also one that the account has given up and that is still reserved for
 *  it.
 * @property {string} [password] The account's password.
 * @property {string} [code] A one-time code, or a recovery code, where the account asks for one (`mfa_required`).
 * @property {string} [deviceKey] `Welcome.device_key` of an earlier sign-in on this device; empty = none. With it
 *  others' failures never lock the person out.
 * @property {string} [deviceName] As `SignUp.device_name`.
 */

/**
 * Signs in with an account of a provider (ACC-7), and makes the account the first time. For guests; the answer is a
 *  `Welcome`. One of the two tokens is given.
 * @typedef {object} SignInWithProvider
 * @property {string} [provider] Name of the provider, for instance "google": one of `Limits.providers`.
 * @property {string} [accessToken] An access token of the provider.
 * @property {string} [idToken] An OpenID Connect ID token of the provider (RS256 or ES256), with the nonce of the
 *  connection's latest `Nonce`.
 * @property {string} [consent] As `SignUp.consent`; needed the first time.
 * @property {string} [deviceKey] As `SignIn.device_key`.
 * @property {string} [deviceName] As `SignUp.device_name`.
 * @property {string} [code] As `SignIn.code`. After `mfa_required` or `mfa_invalid` the same ID token is good once
 *  more.
 */

/**
 * Asks for a nonce to have a provider put into an ID token.
 * @typedef {object} GetNonce
 */

/**
 * Success of `get_nonce`.
 * @typedef {object} Nonce
 * @property {string} [nonce] Good for one token, on this connection; a later one replaces it.
 */

/**
 * Proves once more that it is the person who asks, before a change of how one gets in (ACC-13): by the password, a
 *  one-time code, or a fresh token of a provider that is linked. The proof holds for 5 minutes, on this connection.
 *  With nothing in it, asks whether one holds: the answer is `Done`, or `proof_required`, whose `details.proofs` names
 *  what the account has.
 * @typedef {object} Prove
 * @property {string} [password] The account's password.
 * @property {string} [code] A one-time code, or a recovery code, in place of the password.
 * @property {string} [provider] As in `SignInWithProvider`, in place of both.
 * @property {string} [accessToken] As in `SignInWithProvider`.
 * @property {string} [idToken] As in `SignInWithProvider`.
 */

/**
 * Undoes a change of how one gets in, and all such changes after it, by the code of the mail that told of it (ACC-13).
 *  Every token of the account ends. The answer is `Done`, or `link_invalid`.
 * @typedef {object} UndoChange
 * @property {string} [code] The code of the link, behind '#undo='.
 */

/**
 * Lets a provider's account sign in to the person's account from now on (ACC-7). `proof_required` without a proof of
 *  the last 5 minutes (`Prove`, or a sign-in on this connection).
 * @typedef {object} LinkProvider
 * @property {string} [provider] As in `SignInWithProvider`.
 * @property {string} [accessToken] As in `SignInWithProvider`.
 * @property {string} [idToken] As in `SignInWithProvider`.
 */

/**
 * Ends that a provider's account signs in to the person's account. Needs a proof like `LinkProvider`. Refused with
 *  `forbidden` when nothing else does.
 * @typedef {object} UnlinkProvider
 * @property {string} [provider] As in `SignInWithProvider`.
 */

/**
 * Asks for a mail with a link that sets a new password (ACC-10). For guests. The answer is `Done`, whether the address
 *  is known or not: it comes before the address is looked up. No mail within minutes = ask again.
 * @typedef {object} Recover
 * @property {string} [email] The account's address, proved or not.
 */

/**
 * Sets a new password with the code of a recovery link, once (ACC-10). Every token of the account ends, with what was
 *  added to its ways in within 30 days. The answer is `Done`; `reset_token_invalid` for a code that was used, is old
 *  or never was.
 * @typedef {object} ResetPassword
 * @property {string} [code] The code of the link, behind '#reset='.
 * @property {string} [password] As `SignUp.password`.
 */

/**
 * Proves an email by the code that was mailed to it. The answer is `Done`, or `link_invalid`.
 * @typedef {object} VerifyEmail
 * @property {string} [code] The code of the link, behind '#verify='.
 */

/**
 * Changes the password (ACC-9). All other devices are signed out.
 * @typedef {object} ChangePassword
 * @property {string} [current] The password of now.
 * @property {string} [password] As `SignUp.password`.
 */

/**
 * Success of `change_password`, and of `end_device` with `others`. A connection that has signed in with a token of an
 *  app's backend keeps that token and gets `Done`.
 * @typedef {object} NewToken
 * @property {string} [token] Takes the place of the connection's token.
 */

/**
 * Changes the email, or mails the link once more that proves it. The new one counts once it is verified; the old one
 *  is told. The answer is `Done`.
 * @typedef {object} ChangeEmail
 * @property {string} [email] As in `SignUp`.
 * @property {string} [password] The account's password; may be left out while a proof holds (`Prove`).
 */

/**
 * Gives an account that has no password an email and a password. Needs a proof like `LinkProvider`, but where the
 *  account has none: one of open sign-in. The answer is `Done`.
 * @typedef {object} AddPassword
 * @property {string} [email] As in `SignUp`.
 * @property {string} [password] As in `SignUp`.
 */

/**
 * Lists where the person is signed in.
 * @typedef {object} ListDevices
 */

/**
 * Success of `list_devices`: the newest 100.
 * @typedef {object} DeviceList
 * @property {Device[]} [devices] Latest used first.
 */

/**
 * A device that is signed in.
 * @typedef {object} Device
 * @property {string} [id] For `end_device`.
 * @property {string} [name] Name of the device at its sign-in; may be empty.
 * @property {string} [frontEnd] Front end of its sign-in.
 * @property {number} [signedIn] When it signed in, milliseconds since 1970-01-01 UTC.
 * @property {number} [used] When its token was last used, to the day, milliseconds since 1970-01-01 UTC.
 * @property {boolean} [isThis] True for the device that asks.
 */

/**
 * Signs another device out, or all others. Their connections are guests' before the answer is sent: `Done`, or
 *  `NewToken` with `others`.
 * @typedef {object} EndDevice
 * @property {string} [id] `Device.id`; empty with `others`.
 * @property {boolean} [others] All devices but this one.
 */

/**
 * Begins to ask for one-time codes at sign-in (ACC-8, RFC 6238). They are asked for once `confirm_codes` has
 *  succeeded.
 * @typedef {object} BeginCodes
 * @property {string} [password] The account's password.
 */

/**
 * Success of `begin_codes`.
 * @typedef {object} CodesBegun
 * @property {string} [secret] The secret for authenticators, in Base32.
 * @property {string} [uri] The same as an `otpauth` address.
 * @property {string} [svg] The address as a QR code, an SVG document.
 */

/**
 * Turns one-time codes on.
 * @typedef {object} ConfirmCodes
 * @property {string} [password] The account's password.
 * @property {string} [code] The code that the authenticator shows.
 */

/**
 * Success of `confirm_codes`.
 * @typedef {object} RecoveryCodes
 * @property {string[]} [codes] Each signs in once in place of a one-time code. They are not shown again.
 */

/**
 * Turns one-time codes off. The answer is `Done`.
 * @typedef {object} EndCodes
 * @property {string} [password] The account's password.
 * @property {string} [code] A one-time code, or a recovery code.
 */

/**
 * Lists accounts, the newest first (ROL-5). For admins; others are refused with `forbidden`, `details.role` = `admin`.
 * @typedef {object} ListAccounts
 * @property {string} [prefix] Accounts whose names begin so, in any case; empty = all.
 * @property {string} [role] Accounts of this role: `general`, `organisation` or `admin`; empty = of any. Not together
 *  with `prefix`.
 */

/**
 * Success of `list_accounts`: at most 1,000.
 * @typedef {object} AccountList
 * @property {Account[]} [accounts] Newest first.
 */

/**
 * An account, as admins see it.
 * @typedef {object} Account
 * @property {string} [id] Its id.
 * @property {string} [name] Its name.
 * @property {string} [role] `general`, `organisation` or `admin`.
 * @property {number} [created] When it was made, milliseconds since 1970-01-01 UTC.
 * @property {boolean} [suspended] Whether it is suspended.
 * @property {string} [reason] Why it is suspended; may be empty.
 */

/**
 * Gives an account another role (ROL-1, ROL-5). For admins; the answer is `Done`. Every connection of the account goes
 *  by the new role before the answer is sent. `forbidden` names the obstacle in `details.reason`: `last_admin`,
 *  `app_account` (the app's backend decides), `open_account` (an admin needs a password or a provider), and of the
 *  organisation what `accept_organisation` says. An account with another role belongs to no organisation any more.
 * @typedef {object} SetRole
 * @property {string} [account] Id or name of the account, or its email once that was proved.
 * @property {string} [role] `general`, `organisation` or `admin`.
 * @property {string} [reason] Why, for the audit log: 1 to 500 characters.
 * @property {string} [organisation] With the role `organisation`: the name of the organisation that the account
 *  belongs to from then on, 1 to 100 characters; it is made if there is none of this name. Otherwise empty.
 */

/**
 * Suspends an account (ROL-5). For admins; the answer is `Done`. Its connections are closed with `account_suspended`
 *  before the answer is sent, and sign-ins to it are refused.
 * @typedef {object} Suspend
 * @property {string} [account] Id or name of the account, or its email once that was proved.
 * @property {string} [reason] Why, for the audit log and for the account's person: 1 to 500 characters.
 */

/**
 * Lets a suspended account in again (ROL-5). For admins; the answer is `Done`. `not_found`: it is not suspended.
 * @typedef {object} Reinstate
 * @property {string} [account] Id or name of the account, or its email once that was proved.
 * @property {string} [reason] Why, for the audit log: 1 to 500 characters.
 */

/**
 * Asks for one's own profile (PRF-1).
 * @typedef {object} GetProfile
 */

/**
 * Changes fields of one's own profile, all of them or none (PRF-2). Absent fields stay as they are. Email and password
 *  have requests of their own.
 * @typedef {object} EditProfile
 * @property {string} [username] As in `SignUp`. The old name stays reserved for 30 days, and signs in to its account
 *  as long. For an account with a password another name is a change of how one gets in (ACC-13): `proof_required`
 *  without a proof of the last 5 minutes. Refused with `forbidden` for accounts of an app's backend, which names them,
 *  and with `too_many_attempts` after five other names in a day.
 * @property {string} [status] One line of at most 140 characters.
 * @property {string} [bio] At most 500 characters.
 * @property {string} [firstName] At most 64 characters; empty = none.
 * @property {string} [lastName] As `first_name`.
 * @property {string} [birthDate] MM/DD/YYYY; empty = none.
 * @property {string} [visibleTo] Who may see the profile: "everyone", "friends" or "nobody" (PRF-5).
 * @property {string} [friendsVisibleTo] Who may see the list of friends: "everyone", "friends" or "nobody" (PRF-5).
 * @property {string} [interactionsVisibleTo] Who may see the name on what the person places, and how they react:
 *  "everyone", "friends" or "nobody" (PRF-5).
 * @property {string} [picture] Id of an asset that the person has uploaded: PNG or JPEG of at most
 *  `Limits.picture_bytes` bytes. Empty = no picture. Refused with `not_found`, and with `too_large`.
 * @property {boolean} [guestsSee] Whether guests who look see what the person leaves in public (PRF-5). When it is
 *  answered, no guest is sent anything of it any more.
 */

/**
 * Success of `get_profile` and `edit_profile`. Others never get more of it than `Profile` has.
 * @typedef {object} OwnProfile
 * @property {string} [username] Name that others see.
 * @property {string} [status] One line about now.
 * @property {string} [bio] About the person.
 * @property {string} [firstName] Empty = none.
 * @property {string} [lastName] Empty = none.
 * @property {string} [birthDate] YYYY-MM-DD; empty = none.
 * @property {string} [email] Address for mails; empty = none.
 * @property {boolean} [emailVerified] Whether the email was proved.
 * @property {string} [pendingEmail] A new email that was not proved yet; empty = none.
 * @property {boolean} [hasPassword] Whether a password is set. A password is never returned.
 * @property {number} [passwordChanged] When the password was changed last, milliseconds since 1970-01-01 UTC; 0 =
 *  never.
 * @property {boolean} [asksForCodes] Whether one-time codes are asked for.
 * @property {number} [recoveryCodes] Recovery codes that are left.
 * @property {string[]} [providers] Providers whose accounts are linked.
 * @property {string} [visibleTo] "everyone", "friends" or "nobody".
 * @property {number} [created] When the account was made, milliseconds since 1970-01-01 UTC.
 * @property {string} [friendsVisibleTo] "everyone", "friends" or "nobody".
 * @property {string} [interactionsVisibleTo] "everyone", "friends" or "nobody".
 * @property {string} [picture] Asset id of the picture, for `get_asset` with one's own account; empty = none.
 * @property {string} [policyVersion] Version of the privacy policy that the person has agreed to; empty = an app's
 *  backend keeps the consent. Another one than `Limits.policy_version` is to be shown and agreed to (`agree_policy`).
 * @property {number} [policyAgreed] When the person agreed to it, milliseconds since 1970-01-01 UTC; 0 = never.
 * @property {boolean} [guestsSee] Whether guests who look see what the person leaves in public (PRF-5).
 */

/**
 * Asks for another person's profile (PRF-4). Refused with `profile_hidden` where its owner does not show it.
 * @typedef {object} ReadProfile
 * @property {string} [account] The account's id, as presence and instances have it.
 */

/**
 * Success of `read_profile`.
 * @typedef {object} Profile
 * @property {string} [account] The account's id.
 * @property {string} [username] Name to show.
 * @property {string} [status] One line about now.
 * @property {string} [bio] About the person.
 * @property {string} [picture] Asset id of the picture, for `get_asset` with this account; empty = none.
 */

/**
 * A person in a list.
 * @typedef {object} User
 * @property {string} [account] Account id, 13 characters.
 * @property {string} [name] Their present name.
 * @property {string} [picture] In answers to `find_users`: asset id of the profile's picture, for `get_asset` with
 *  this account, if the person has one and shows the profile to the asking user.
 */

/**
 * Searches people by a part of their names, without letter case; those whose names begin with it come first (FRD-1).
 *  Refused with `rate_limited` after too many searches. People who have blocked the sender, and people whom the sender
 *  has blocked, are not found.
 * @typedef {object} FindUsers
 * @property {string} [prefix] 1 to 30 characters.
 */

/**
 * Success of `find_users` and `list_blocks`.
 * @typedef {object} UserList
 * @property {User[]} [users] In alphabetical order; the name that equals the prefix comes first. At most
 *  `Limits.search_results`.
 */

/**
 * Saves settings, all of them or none (PRF-9). Edits that all say when they were made are a batch of queued changes:
 *  each is saved by itself, and the answer names those that were (SYN-3). Of several edits of one key the latest wins,
 *  in whatever order they come. An unknown key or value is refused with `invalid_setting`.
 * @typedef {object} SaveSettings
 * @property {Setting[]} [settings] 1 to 64.
 */

/**
 * One setting. Keys and values: [settings](#settings).
 * @typedef {object} Setting
 * @property {string} [key] For instance "display.theme".
 * @property {string} [value] For instance "dark".
 * @property {number} [edited] When the person chose it, milliseconds since 1970-01-01 UTC; 0 = now. A time to come
 *  counts as now. From the server it is the version of the setting: each kept edit has a higher one than the edit
 *  before it, and a device keeps the value with the highest.
 */

/**
 * Asks for all settings that were ever saved.
 * @typedef {object} GetSettings
 */

/**
 * Success of `save_settings`: the keys that it named, with the values that apply now, which are another's where that
 *  was edited later. Success of `get_settings`: all. As an item: what another device of the person has saved.
 * @typedef {object} SettingList
 * @property {Setting[]} [settings] In the order of their keys.
 */

/**
 * Begins an upload, or continues one: the answer says how much of these bytes has arrived, also over other connections
 *  and before a restart. An asset that the account has already is answered with its id, and nothing is sent. Refused
 *  with `too_large`, with `limit_reached` where the account has too many or too large assets or uploads, and with
 *  `too_many_attempts` after ten uploads of the account in an hour, or a hundred of its address, that were no sound
 *  files.
 * @typedef {object} BeginUpload
 * @property {Uint8Array} [sha256] SHA-256 of all bytes, 32 bytes.
 * @property {bigint} [length] Number of all bytes, at most `Limits.asset_bytes`.
 */

/**
 * Sends the next bytes of an upload. One is under way at a time for each connection; a second is refused with
 *  `try_again`. The answer waits until the connection may send as much again (`rate_limited`). The last one completes
 *  the asset. Refused with `asset_corrupt` if the bytes are not those of the digest or are no sound picture, with
 *  `invalid_field` (`details.field` = `type`) if they are of no known type, and with `too_large` if the picture has
 *  too many pixels; then the upload is over. Refused with `not_found` if there is no such upload, and with
 *  `too_many_attempts` as `begin_upload` is; then the upload stays, and goes on when it is begun again.
 * @typedef {object} UploadChunk
 * @property {string} [upload] `UploadState.upload`.
 * @property {bigint} [offset] Place of the first byte. Other bytes than those at `UploadState.offset` change nothing;
 *  the answer says what is wanted.
 * @property {Uint8Array} [data] Exactly `UploadState.chunk_bytes`, or all that is left. Fewer or more are refused with
 *  `invalid_field`.
 */

/**
 * Success of `begin_upload` and `upload_chunk`.
 * @typedef {object} UploadState
 * @property {string} [upload] Names the upload, for 24 hours; empty = it is complete.
 * @property {bigint} [offset] Bytes that have arrived.
 * @property {number} [chunkBytes] Bytes of the next chunk; the last one is shorter.
 * @property {string} [asset] The asset's id; empty = the upload is not complete.
 * @property {string} [contentType] The asset's type as its content says, for instance `image/png`; empty = the upload
 *  is not complete.
 */

/**
 * Asks for an address from which an asset can be downloaded. Refused with `not_found` if there is no such asset, or
 *  the person may not see it there.
 * @typedef {object} GetAsset
 * @property {string} [asset] The asset's id.
 * @property {string} [account] The account whose profile has it as picture; empty = an asset that the person has
 *  uploaded.
 * @property {string} [tour] The tour that shows it; empty = as `account` says. Assets of a draft alone are visible to
 *  users of its organisation only; of a priced tour that the person has not bought, only what lists show is visible
 *  (TRT-4).
 */

/**
 * Success of `get_asset` and `export_account`.
 * @typedef {object} AssetAddress
 * @property {string} [path] Path and query, relative to the server's address, for GET and HEAD, whole or in ranges. It
 *  is the person's own: it works as long as they are signed in and may see the asset, and must not be passed on.
 * @property {number} [expires] When the address ends, milliseconds since 1970-01-01 UTC.
 * @property {string} [contentType] For instance `image/png`.
 * @property {bigint} [length] Bytes of the download.
 */

/**
 * How far a client has seen a topic. It is one value: a sequence is meaningful only with its own epoch.
 * @typedef {object} Cursor
 * @property {string} [topic] "<cell token>" for the public things of a cell; "<cell token>/<scope>" for a sub-realm's.
 * @property {bigint} [epoch] Changes whenever the numbering is restarted.
 * @property {bigint} [sequence] Number of the last event seen. Each epoch starts at a random number, which has no
 *  meaning.
 */

/**
 * The state of a topic. A large one comes in several pages with the same cursor, in order; events follow the last
 *  page.
 * @typedef {object} Snapshot
 * @property {Cursor} [cursor] The next event of the topic has the number after this one.
 * @property {boolean} [first] True on the first page: forget what was known of this topic.
 * @property {boolean} [last] True on the last page: the view of this topic is complete.
 * @property {Instance[]} [instances] The instances of this page, in no order.
 */

/**
 * Which instances of a topic are the receiver's own: snapshots and events do not say whose an instance is. It comes
 *  after each snapshot that holds own instances, and then replaces what the client knew; and when another device of
 *  the user places an instance there or moves one there, perhaps before its `entered`, and then adds to it. The device
 *  that asked has its answer instead.
 * @typedef {object} Own
 * @property {string} [topic] Name of the topic, as in `Cursor.topic`.
 * @property {OwnInstance[]} [instances] The own instances, in no order.
 * @property {Instance[]} [hidden] Own instances that nobody else sees, in full: they are in no snapshot and no event.
 */

/**
 * One of the receiver's own instances.
 * @typedef {object} OwnInstance
 * @property {string} [id] Id of the instance.
 * @property {number} [created] When it was made, milliseconds since 1970-01-01 UTC.
 */

/**
 * A topic continues from a cursor that `hello` named: the client's state of it is valid, and the events after the
 *  cursor follow, if there are any (SES-11).
 * @typedef {object} Continued
 * @property {Cursor} [cursor] The cursor that the client named.
 */

/**
 * One change of a topic. Numbers follow one another without a gap: sequence n+1 comes after n.
 * @typedef {object} Event
 * @property {string} [topic] Name of the topic, as in `Cursor.topic`. The epoch is that of its last snapshot.
 * @property {bigint} [sequence] Number of the event: one more than that of the event before, or than the snapshot's.
 * @property {Entered} [entered] An instance is new here: placed, posted, or moved here from another cell.
 * @property {Changed} [changed] An instance that is here was moved, turned or resized.
 * @property {Left} [left] An instance was removed, or has ended by itself.
 * @property {MovedOut} [movedOut] An instance moved to another cell; followers of that cell get an `entered` there.
 * @property {Reacted} [reacted] Reaction totals of an instance changed.
 * @property {PostChanged} [postChanged] The text of a post was edited.
 * @property {Voted} [voted] The score of a post changed.
 * @property {RealmChanged} [realmChanged] A sub-realm has changed; in the topic of its members.
 * @property {TourChanged} [tourChanged] A draft of a tour has changed; in the topic of its organisation.
 * @property {StopReached} [stopReached] The walker of a run has reached a stop; in the topic of the run.
 * @property {RunChanged} [runChanged] A run was paused or resumed, or its distance has grown.
 * @property {PopupShown} [popupShown] The walker of a run has come near a popup.
 * @property {GroupEnded} [groupEnded] The receiver's group on a tour is over for them; in the topic of their run.
 */

/**
 * An instance is new in the topic.
 * @typedef {object} Entered
 * @property {Instance} [instance] The whole instance, as in a snapshot.
 * @property {string} [movedFrom] Always empty: followers of one cell learn nothing about others. Older servers named
 *  the former cell here.
 */

/**
 * An instance of the topic was removed, or has ended by itself.
 * @typedef {object} Left
 * @property {string} [instance] Id of the instance.
 */

/**
 * The topic is no longer in view: the client drops it (VIS-1). When a right ends before the first snapshot of a topic
 *  is sent, the client does not know the topic.
 * @typedef {object} Unfollowed
 * @property {string} [topic] Name of the topic, as in `Cursor.topic`.
 */

/**
 * Events of this topic were dropped because the client reads too slowly, or the numbering is restarted: the next thing
 *  of this topic is a new snapshot (SES-7, SES-8). The client may show its old state until then.
 * @typedef {object} Resync
 * @property {string} [topic] Name of the topic, as in `Cursor.topic`.
 */

/**
 * Selects what the live view shows: the instances of one sub-realm, or the public ones (VIS-5). `unfollowed` comes for
 *  each topic of the former selection, then the answer, then a snapshot of each topic of the new one. Refused with
 *  `not_member`, and with `join_pending` for who waits for approval.
 * @typedef {object} SelectRealm
 * @property {string} [realm] Empty = none: the public instances.
 */

/**
 * Success of `select_realm`. As an item: the selection was reset, because the person is no longer a member (VIS-6).
 * @typedef {object} RealmSelected
 * @property {string} [realm] Empty = none.
 */

/**
 * Asks for what is presented around the user, in one message that is complete by itself, for display where there is no
 *  network (SYN-1). Without a position: `position_required`. More than one a second: `rate_limited`.
 * @typedef {object} GetSnapshot
 */

/**
 * The surroundings that were shown to the user at a moment. It is for display only: nothing of it follows the user,
 *  and nothing of it is a base for changes. Success of `get_snapshot`.
 * @typedef {object} WorldSnapshot
 * @property {string} [version] Two snapshots with the same version hold the same instances.
 * @property {number} [taken] When it was taken, milliseconds since 1970-01-01 UTC.
 * @property {number} [expires] Until when it may be shown: from then on the client deletes it.
 * @property {GeoPosition} [place] Where the user was.
 * @property {string} [realm] The selected sub-realm; empty = none: the public instances.
 * @property {Instance[]} [instances] The nearest first; each once.
 * @property {OwnInstance[]} [own] Which of them are the user's own, in the same order.
 * @property {number} [leftOut] How many more are presented and have no room here: all of them are further away.
 */

/**
 * One placed occurrence of an object, or a post.
 * @typedef {object} Instance
 * @property {string} [id] 13 characters, unique for ever. Ids reveal neither age nor order.
 * @property {string} [object] The object, for instance "preset:heart"; empty for a post.
 * @property {string} [placer] Account id of the placer, for the placer only; empty for others, and in events and
 *  snapshots.
 * @property {number} [created] When it was placed, milliseconds since 1970-01-01 UTC, for the placer only. Others get
 *  the beginning of that hour in `selected`, and 0 in events and snapshots.
 * @property {number} [version] Counts the edits, from 1.
 * @property {Pose} [pose] Where it is and how it is turned and sized; absent for a post.
 * @property {string} [cell] Token of the cell that holds it.
 * @property {ReactionCount[]} [reactions] Totals of reactions, in the configured order, only those above 0.
 * @property {string} [text] The placer's text on it, unchanged, not markup; empty = none (PLC-16).
 * @property {Uint8Array} [data] The app's own data, unchanged and opaque to the server; empty = none (PLC-16).
 * @property {Post} [post] The properties of a post; absent for other kinds.
 * @property {string[]} [realms] Ids of the sub-realms in which it is shared, for the placer only, and only of those
 *  that the placer is in.
 */

/**
 * Place an object. Needs an idempotency key; the same key again gives the first answer (PLC-8).
 * @typedef {object} Place
 * @property {string} [object] One of `Limits.presets` or of the user's inventory.
 * @property {Pose} [pose] Within `Limits.reach` of the user's last position.
 * @property {string} [text] At most `Limits.text_characters` user-perceived characters and `Limits.text_bytes` bytes
 *  of UTF-8; longer texts are refused with `text_too_long`.
 * @property {Uint8Array} [data] At most `Limits.data_bytes` bytes; more are refused with `data_too_large`.
 * @property {string[]} [realms] Ids of sub-realms in which it is shared, at most 16; none = it is public. One of which
 *  the sender is not a member: `not_member`, or `join_pending` for who waits for approval (PLC-3, SUB-3).
 */

/**
 * Success of `place`. On disk.
 * @typedef {object} Placed
 * @property {Instance} [instance] As its placer sees it.
 */

/**
 * Move, turn or resize an own instance, or change its text and data (PLC-10, PLC-16). Needs an idempotency key.
 * @typedef {object} Edit
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it, as its last event said.
 * @property {number} [version] The version that the edit is based on; `version_conflict` if another edit came first.
 * @property {Pose} [pose] The whole new pose. A pose in another cell moves the instance to that cell.
 * @property {string} [text] As in `Place.text`; absent = unchanged, empty = remove the text.
 * @property {Uint8Array} [data] As in `Place.data`; absent = unchanged, empty = remove the data.
 */

/**
 * Success of `edit`. On disk.
 * @typedef {object} Edited
 * @property {Instance} [instance] As its placer sees it now.
 */

/**
 * Remove an own instance (PLC-11). Removing again is success. Needs an idempotency key.
 * @typedef {object} Remove
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it, as its last event said.
 */

/**
 * Success of `remove`. On disk.
 * @typedef {object} Removed
 * @property {string} [instance] Id of the instance.
 */

/**
 * Ask for the details of an instance in view (VIS-7).
 * @typedef {object} Select
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it, as its last event said.
 */

/**
 * Success of `select`.
 * @typedef {object} Selected
 * @property {Instance} [instance] As it is now.
 * @property {string} [placerName] Name of the placer, as far as their privacy allows.
 * @property {string} [ownReaction] The asking user's own reaction; empty = none.
 * @property {string[]} [actions] Actions open to the asking user: "react", "edit", "remove"; "take_out" of a sub-realm
 *  of their own, where another has shared it.
 */

/**
 * An instance of the topic was edited and stays within its cell.
 * @typedef {object} Changed
 * @property {string} [instance] Id of the instance.
 * @property {number} [version] The version that it has now.
 * @property {Pose} [pose] The whole new pose.
 * @property {string} [text] The new text; absent = unchanged, empty = removed.
 * @property {Uint8Array} [data] The new data; absent = unchanged, empty = removed.
 */

/**
 * An instance of the topic moved to another cell. A view that holds that cell, too, got its `entered` before.
 * @typedef {object} MovedOut
 * @property {string} [instance] Id of the instance.
 * @property {number} [version] The version it has in its new cell.
 * @property {string} [cell] Always empty: followers of one cell learn nothing about others. Older servers named the
 *  new cell here.
 */

/**
 * The number of users with this reaction to an instance.
 * @typedef {object} ReactionCount
 * @property {string} [reaction] One of `Limits.reactions`.
 * @property {number} [count] 1 or more.
 */

/**
 * React to an instance in view. One reaction per user and instance: another replaces it (RCT-1). Needs an idempotency
 *  key.
 * @typedef {object} React
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it, as its last event said.
 * @property {string} [reaction] One of `Limits.reactions`; empty withdraws.
 */

/**
 * Success of `react`. On disk.
 * @typedef {object} ReactionSet
 * @property {string} [instance] Id of the instance.
 * @property {string} [reaction] The user's reaction now; empty = none.
 * @property {ReactionCount[]} [reactions] Totals now, as in `Instance.reactions`.
 */

/**
 * The totals of an instance's reactions changed.
 * @typedef {object} Reacted
 * @property {string} [instance] Id of the instance.
 * @property {ReactionCount[]} [reactions] All totals now, as in `Instance.reactions`; empty = none left.
 */

/**
 * Lists the people who have reacted to an instance in view. All users see the totals. A person is named only to users
 *  who may see their interactions (`EditProfile.interactions_visible_to`), and never to people with a block between
 *  them (RCT-2, PRF-5).
 * @typedef {object} ListReactions
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it, as its last event said.
 * @property {string} [reaction] One of `Limits.reactions`; empty = any.
 */

/**
 * Success of `list_reactions`.
 * @typedef {object} ReactionList
 * @property {NamedReaction[]} [reactions] At most 100: the asking user first, then friends, then others, each in
 *  alphabetical order. People who may not be named, and those beyond the first 100, are in the totals alone.
 */

/**
 * A person's reaction.
 * @typedef {object} NamedReaction
 * @property {User} [user] Who has reacted.
 * @property {string} [reaction] One of `Limits.reactions`.
 */

/**
 * The part of an instance that makes it a post: a short text at a place, for a day. The text is `Instance.text`; a
 *  post has id, cell and version like any instance, but neither object nor pose.
 * @typedef {object} Post
 * @property {GeoPosition} [place] Where it is, without a height: the author's position when it was made, as exactly as
 *  others may learn it (PRF-8).
 * @property {number} [created] When it was made, milliseconds since 1970-01-01 UTC (PST-3).
 * @property {number} [edited] When its text was edited last; 0 = never.
 * @property {number} [expires] When it ends by itself (PST-7). Clients stop showing it then; the server sends `left`
 *  within a second.
 * @property {number} [score] Votes up minus votes down.
 * @property {number} [size] Size factor of the bubble; 1 = a post without votes (RCT-4).
 * @property {number} [reach] Metres within which people see it (RCT-4).
 * @property {boolean} [hidden] True when its low score hides it from everybody but its author (RCT-4).
 * @property {number} [editableUntil] Until when the author may edit its text, milliseconds since 1970-01-01 UTC
 *  (PST-4).
 */

/**
 * Leave a post at the user's last position (PST-1). Needs an idempotency key.
 * @typedef {object} CreatePost
 * @property {string} [text] 1 to `Limits.post_characters` user-perceived characters, not only spaces, and at most
 *  `Limits.post_bytes` bytes of UTF-8; refused otherwise with `text_empty` or `text_too_long`.
 */

/**
 * Success of `create_post`. On disk.
 * @typedef {object} PostCreated
 * @property {Instance} [post] As its author sees it.
 */

/**
 * Change the text of an own post within `Limits.post_edit_seconds` after it was made; refused later with
 *  `edit_window_closed` (PST-4). Place, score and end stay. Needs an idempotency key.
 * @typedef {object} EditPost
 * @property {string} [post] Id of the post.
 * @property {string} [cell] Cell that holds it.
 * @property {string} [text] As in `CreatePost`.
 */

/**
 * Success of `edit_post`. On disk.
 * @typedef {object} PostEdited
 * @property {Instance} [post] As its author sees it now.
 */

/**
 * Remove an own post (PST-6). Needs an idempotency key.
 * @typedef {object} RemovePost
 * @property {string} [post] Id of the post.
 * @property {string} [cell] Cell that holds it.
 */

/**
 * Success of `remove_post`. On disk.
 * @typedef {object} PostRemoved
 * @property {string} [post] Id of the post.
 */

/**
 * Ask for one post in view, for instance to show it on a page of its own (PST-2).
 * @typedef {object} ReadPost
 * @property {string} [post] Id of the post.
 * @property {string} [cell] Cell that holds it.
 */

/**
 * Success of `read_post`.
 * @typedef {object} PostRead
 * @property {Instance} [post] As it is now.
 * @property {number} [ownVote] The asking user's own vote: 1 = up, -1 = down, 0 = none.
 * @property {string[]} [actions] Actions open to the asking user: "vote", "edit_post", "remove_post".
 * @property {string} [authorName] Name of the author, as far as their privacy allows (PST-8, PRF-5); empty otherwise.
 */

/**
 * Ask for one's own live posts, newest first. No position is needed (PST-5).
 * @typedef {object} ListOwnPosts
 * @property {number} [count] Posts of the page, 1 to 100; 0 = 20.
 * @property {string} [after] `PostPage.next` of the page before; empty = the first page.
 */

/**
 * Ask for the posts of one cell in view, or of the whole view, best score first, then newest (PST-9).
 * @typedef {object} ListTrendingPosts
 * @property {string} [cell] The cell's token; empty = all cells of the view, in one order.
 * @property {number} [count] Posts of the page, 1 to 100; 0 = 20.
 * @property {string} [after] `PostPage.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_own_posts`. Success of `list_trending_posts`. A post whose place in the list does not change
 *  meanwhile is on exactly one page.
 * @typedef {object} PostPage
 * @property {Instance[]} [posts] In the order of the list.
 * @property {string} [next] Asks for the next page; empty = this is the last one.
 */

/**
 * Vote on a post in view and in reach, change the vote or withdraw it (RCT-3). A user has one vote on a post;
 *  repeating it changes nothing. Refused with `own_post`, `post_expired`, and `not_found` out of reach. Needs an
 *  idempotency key.
 * @typedef {object} Vote
 * @property {string} [post] Id of the post.
 * @property {string} [cell] Cell that holds it.
 * @property {number} [vote] 1 = up, -1 = down, 0 withdraws.
 */

/**
 * Success of `vote`. On disk.
 * @typedef {object} VoteSet
 * @property {string} [post] Id of the post.
 * @property {number} [vote] The user's vote now.
 * @property {number} [score] As in `Post`.
 * @property {number} [size] As in `Post`.
 * @property {number} [reach] As in `Post`.
 * @property {boolean} [hidden] As in `Post`. True = the user no longer sees the post.
 */

/**
 * The text of a post was edited.
 * @typedef {object} PostChanged
 * @property {string} [post] Id of the post.
 * @property {number} [version] The version that it has now.
 * @property {string} [text] The new text.
 * @property {number} [edited] When, milliseconds since 1970-01-01 UTC.
 */

/**
 * The score of a post changed, and with it size and reach (RCT-4). The voter is not named.
 * @typedef {object} Voted
 * @property {string} [post] Id of the post.
 * @property {number} [score] As in `Post`.
 * @property {number} [size] As in `Post`.
 * @property {number} [reach] As in `Post`.
 * @property {boolean} [hidden] True = only its author sees it from now on: other clients drop it.
 */

/**
 * Send feedback or report a bug. No position is needed. Refused with `text_empty`, `text_too_long`, and `rate_limited`
 *  after too many in an hour. Needs an idempotency key.
 * @typedef {object} SendFeedback
 * @property {string} [category] One of `Limits.feedback_categories`.
 * @property {string} [text] The text: 1 to `Limits.feedback_characters` characters, not only spaces.
 * @property {number} [rating] Overall rating, 1 to 5; absent = not given.
 * @property {string} [appVersion] Version of the app, at most 64 bytes; empty = not given.
 * @property {number} [intuitive] How intuitive the app is, 1 to 5; absent = not given.
 * @property {number} [satisfying] How satisfying the app is, 1 to 5; absent = not given.
 * @property {number} [undistracting] How little the app distracts, 1 to 5, 5 = not at all; absent = not given.
 */

/**
 * Success of `send_feedback`. On disk.
 * @typedef {object} FeedbackTaken
 * @property {string} [feedback] Id of the entry, 13 characters.
 */

/**
 * A position on WGS 84. OGC GeoPose 1.0 (21-056r11), Basic-Quaternion, member `position`: all three are required, and
 *  zeros are written out.
 * @typedef {object} GeoPosition
 * @property {number} [lat] Latitude in degrees, -90 to 90.
 * @property {number} [lon] Longitude in degrees, -180 to 180.
 * @property {number} [h] Height in metres above the WGS 84 ellipsoid (not above mean sea level).
 */

/**
 * A unit quaternion from the object's frame to the local east-north-up plane at the position (v_enu = q v q*,
 *  Hamilton). All four are required. The norm may differ from 1 by at most 0.001. q and -q are the same orientation.
 * @typedef {object} Quaternion
 * @property {number} [x] Vector part, first axis.
 * @property {number} [y] Vector part, second axis.
 * @property {number} [z] Vector part, third axis.
 * @property {number} [w] Scalar part.
 */

/**
 * An OGC GeoPose: position and orientation in the east-north-up plane. Kept bit for bit.
 * @typedef {object} GeoPose
 * @property {GeoPosition} [position] Where it is.
 * @property {Quaternion} [quaternion] How it is turned.
 */

/**
 * Data that a device needs besides the GeoPose to put an object exactly where it stood: opaque to the server, kept bit
 *  for bit.
 * @typedef {object} Anchor
 * @property {string} [provider] Which system understands the rest, for instance "arcore.cloud", "arkit.worldmap". At
 *  most 64 bytes.
 * @property {string} [id] The anchor's id within the provider. At most 256 bytes.
 * @property {number[]} [transform] Transform of the object relative to the anchor, 16 numbers, column-major, or empty.
 * @property {Uint8Array} [data] Whatever else the provider wants. At most 4,096 bytes.
 */

/**
 * Everything needed to reproduce an instance (PLC-1, PLC-4).
 * @typedef {object} Pose
 * @property {GeoPose} [geopose] Position and orientation.
 * @property {number} [scale] Size factor, 0.01 to 100; 1 = as modelled. Absent = 1.
 * @property {number} [accuracy] Estimated error of the position in metres; absent = unknown.
 * @property {Anchor} [anchor] Absent = none.
 */

/**
 * Asks a person to become a friend (FRD-2). If that person has asked the sender, the two become friends at once.
 *  Refused with `user_not_found`, `self_request`, `already_friends`, `request_pending`, `limit_reached` and
 *  `rate_limited`. Needs an idempotency key.
 * @typedef {object} RequestFriend
 * @property {string} [account] Account id.
 */

/**
 * Success of `request_friend`. On disk.
 * @typedef {object} FriendRequested
 * @property {boolean} [friends] True when the two are friends now.
 */

/**
 * Accepts or rejects a friend request (FRD-3). The sender of the request is notified. Refused with `request_not_found`
 *  and `limit_reached`. Needs an idempotency key.
 * @typedef {object} AnswerFriendRequest
 * @property {string} [account] Account id of the person who asked.
 * @property {boolean} [accept] False = reject.
 */

/**
 * Withdraws an own friend request that is not answered (FRD-4). Refused with `request_not_found`. Needs an idempotency
 *  key.
 * @typedef {object} WithdrawFriendRequest
 * @property {string} [account] Account id of the person who was asked.
 */

/**
 * Ends a friendship (FRD-6). Memberships of sub-realms stay. Refused with `not_friends`. Needs an idempotency key.
 * @typedef {object} Unfriend
 * @property {string} [account] Account id.
 */

/**
 * Lists friends and open requests (FRD-5).
 * @typedef {object} ListFriends
 * @property {string} [account] Whose: an account id; empty = the sender's. Of others only the friends are listed, as
 *  their privacy settings allow; otherwise `profile_hidden`.
 */

/**
 * Success of `list_friends`.
 * @typedef {object} FriendList
 * @property {User[]} [friends] In alphabetical order.
 * @property {FriendRequest[]} [received] People who have asked the sender, the oldest request first.
 * @property {FriendRequest[]} [sent] People whom the sender has asked, the oldest request first.
 */

/**
 * A friend request that is not answered.
 * @typedef {object} FriendRequest
 * @property {User} [user] The other person.
 * @property {number} [at] When it was made, milliseconds since 1970-01-01 UTC.
 */

/**
 * Blocks a person (FRD-7): neither finds, sees, befriends, invites or is notified of the other. Friendship, requests
 *  and invitations between the two end. The blocked person is not notified. Blocking again is success. A person who
 *  has blocked the sender is not there, as a deleted account is not: both are refused with `user_not_found`. Refused
 *  with `self_request`, `limit_reached` and `rate_limited` as well. Needs an idempotency key.
 * @typedef {object} Block
 * @property {string} [account] Account id.
 */

/**
 * Ends a block (FRD-7). Success also if there is none. Refused with `user_not_found` as `block` is. Needs an
 *  idempotency key.
 * @typedef {object} Unblock
 * @property {string} [account] Account id.
 */

/**
 * Lists the people whom the sender has blocked, by the names that they had then.
 * @typedef {object} ListBlocks
 */

/**
 * A group as one of its members sees it. Success of `open_group`, `join_group`, `get_group`, `share_group_place` and
 *  `set_group_target`, on disk. Also sent to the member's devices whenever something of it changes, in place of the
 *  last such item: the newest counts.
 * @typedef {object} Group
 * @property {string} [id] 13 characters, unique for ever.
 * @property {string} [topic] Name of the member's own topic: that of the run, or of a guide without a run. The group's
 *  items come there and nowhere else.
 * @property {string} [tour] Id of the tour.
 * @property {string} [code] By which others on the tour join. Empty for all but the guide, and when its time is over.
 * @property {number} [codeEnds] Until when the code admits others, in milliseconds since 1970-01-01 UTC.
 * @property {string} [target] Id of the stop that the guide has set for all; empty = each goes to their own.
 * @property {GroupMember[]} [members] The receiver first, then the guide, then the others as they have joined.
 *  Somebody with a block between them and the receiver is left out.
 */

/**
 * A member of a group.
 * @typedef {object} GroupMember
 * @property {string} [account] Id of the account; empty = the name is hidden from the receiver.
 * @property {string} [name] Empty = hidden from the receiver by the member's settings.
 * @property {boolean} [guide] Whether it is the guide.
 * @property {boolean} [own] Whether it is the receiver.
 * @property {number} [reached] Number of stops that they have reached; absent for a guide without a run.
 * @property {number} [lat] Where they are, as exactly as they share their position. Absent without consent, and before
 *  the first position.
 * @property {number} [lon] Longitude, with `lat`.
 * @property {boolean} [sharesPlace] Whether they have agreed that the group learns their place.
 */

/**
 * Opens a group and guides it: on the sender's run, or, by a user of the organisation that made the tour, without a
 *  run. A guide without a run is in a space of their own until the group ends, as walkers are: they see no cell, and
 *  nobody in the world sees them. Refused with `not_found`, `forbidden`, `already_member` and `limit_reached`. Needs
 *  an idempotency key.
 * @typedef {object} OpenGroup
 * @property {string} [tour] Id of the tour; not needed on a run.
 * @property {boolean} [sharesPlace] Whether the group learns the sender's place.
 */

/**
 * Follows a group on the same tour with the own run. Refused with `not_found` (the same for a wrong code, one that has
 *  ended, and one on another tour), `already_member`, `limit_reached` when the group is full, and `too_many_attempts`
 *  after many codes, with the time to wait. Needs an idempotency key.
 * @typedef {object} JoinGroup
 * @property {string} [code] In capital or small letters.
 * @property {boolean} [sharesPlace] Whether the group learns the sender's place.
 */

/**
 * Leaves the group; the run goes on. When the guide leaves, the group ends. Refused with `not_found`. Needs an
 *  idempotency key.
 * @typedef {object} LeaveGroup
 */

/**
 * Asks for the sender's group. Refused with `not_found` when there is none, and with `rate_limited`.
 * @typedef {object} GetGroup
 */

/**
 * Says whether the group learns the sender's place from now on. Refused with `not_found`. Needs an idempotency key.
 * @typedef {object} ShareGroupPlace
 * @property {boolean} [sharesPlace]
 */

/**
 * Sets the stop to which the group is guided: `guidance` of each member leads there. Stops are reached in their order
 *  all the same. Refused with `not_found`, `forbidden` for all but the guide, and `invalid_field` for a stop that the
 *  tour does not have. Needs an idempotency key.
 * @typedef {object} SetGroupTarget
 * @property {string} [stop] Id of the stop; empty = each goes to their own.
 */

/**
 * The receiver is in this group no longer: they have left, or it has ended. In the topic of the run.
 * @typedef {object} GroupEnded
 * @property {string} [group] Id of the group.
 */

/**
 * Asks for the help page's content, in the language of the connection. Guests may ask.
 * @typedef {object} GetHelp
 */

/**
 * Success of `get_help`. All texts are plain, with line breaks between paragraphs.
 * @typedef {object} Help
 * @property {string} [language] Language of the texts, for instance "fr".
 * @property {HelpQuestion[]} [questions] At most 100, in the order to show.
 * @property {string} [further] Where more help is to be had; empty = nowhere.
 * @property {string} [phone] Telephone number of the support, as it is dialled, for instance "+41 44 123 45 67"; empty
 *  = there is none.
 * @property {HelpForm} [form] The form by which an organisation asks for an account.
 */

/**
 * A question with its answer.
 * @typedef {object} HelpQuestion
 * @property {string} [question] At most 200 characters.
 * @property {string} [answer] At most 2,000 characters.
 */

/**
 * The form by which an organisation asks for an account.
 * @typedef {object} HelpForm
 * @property {string} [text] Its purpose; empty = this server has no accounts for organisations.
 * @property {string} [address] Email address that the filled-in form goes to; empty = the text says how.
 * @property {HelpField[]} [fields] At most 20, in the order to show.
 */

/**
 * A field of the form.
 * @typedef {object} HelpField
 * @property {string} [name] For programs, for instance "organisation".
 * @property {string} [label] For people.
 * @property {string} [kind] Kind of its value: "text", "paragraph", "email", "phone" or "address", a web address.
 * @property {boolean} [required] Whether it must be filled in.
 */

/**
 * One notification (NTF-1). Only its recipient ever gets it.
 * @typedef {object} Notification
 * @property {string} [id] The same on all devices of the person and at every repetition.
 * @property {string} [kind] For instance "friend_request": [kinds](#notifications). A client skips kinds that it does
 *  not know.
 * @property {number} [at] When it was caused, milliseconds since 1970-01-01 UTC.
 * @property {boolean} [read] Marked as read by any device of the person.
 * @property {string} [person] Account of the person who has caused it; empty = no particular person, or the account is
 *  deleted.
 * @property {string} [personName] That person's name at present.
 * @property {string} [realm] Id of the sub-realm that it is about; empty = none.
 * @property {string} [instance] Id of the instance that it is about; empty = none.
 * @property {string} [label] The recipient's name of the thing that it is about, for instance the title of the
 *  sub-realm; of `organisation_denied` the reason, which `get_organisation` has whole. At most 256 bytes.
 */

/**
 * Notifications that this device has not acknowledged yet, in their order, or a new number of unread ones. Comes after
 *  `welcome` and whenever something changes. Acknowledge `mark` by `received_notifications`: until then they come
 *  again at the next connection of this device, and after 64 no further ones come.
 * @typedef {object} Notifications
 * @property {Notification[]} [notifications] At most 64.
 * @property {number} [unread] Notifications of the person that are not marked as read, of all kinds that are switched
 *  on. Before the first item of a connection it is 0.
 * @property {string} [mark] The mark to acknowledge; empty = none.
 */

/**
 * Acknowledges notifications: this device, which is the sign-in that `list_devices` lists, never gets them again. A
 *  connection by a token of the app's backend is a device of its own, which takes its mark along when it resumes its
 *  session.
 * @typedef {object} ReceivedNotifications
 * @property {string} [mark] `Notifications.mark`.
 */

/**
 * Marks notifications as read, for all devices of the person (NTF-2). Those that are gone are passed over.
 * @typedef {object} MarkRead
 * @property {string[]} [ids] Up to 100 ids; empty with `all_until`.
 * @property {string} [allUntil] `Notifications.mark` or `NotificationPage.mark`: marks all until there; empty with
 *  `ids`.
 */

/**
 * Asks for the person's notifications, newest first.
 * @typedef {object} ListNotifications
 * @property {number} [count] Notifications of the page, 1 to 100; 0 = 20.
 * @property {string} [after] `NotificationPage.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_notifications`. A page may have fewer than `count`: kinds that are switched off are left out.
 * @typedef {object} NotificationPage
 * @property {Notification[]} [notifications] Newest first.
 * @property {string} [next] Asks for the next page; empty = this is the last one.
 * @property {number} [unread] As in `Notifications`.
 * @property {string} [mark] The newest of the page, for `mark_read`; empty = the page is empty.
 */

/**
 * Says where the service of this device's platform takes pushes (NTF-3). A push follows a notification that no device
 *  of the person has acknowledged for 5 s; it says what kind it is and nothing else. Refused with `forbidden` on a
 *  connection by a token of the app's backend, which is no device that stays.
 * @typedef {object} RegisterPush
 * @property {string} [address] The address that the platform has given the app, at most 1,024 bytes; empty = no pushes
 *  to this device.
 */

/**
 * An organisation, for its members and for admins.
 * @typedef {object} Organisation
 * @property {string} [id] Its id, 13 characters.
 * @property {string} [name] As it was asked for.
 * @property {boolean} [suspended] True while admins have suspended it.
 * @property {string} [reason] Why it is suspended; may be empty.
 * @property {number} [created] For admins: when it was made, milliseconds since 1970-01-01 UTC.
 * @property {number} [members] For admins: how many members it has.
 */

/**
 * The account has another role, or its organisation has changed: the connection goes by it from here on (ORG-2). Comes
 *  before the change is acknowledged to its author.
 * @typedef {object} Standing
 * @property {string} [role] `general`, `organisation` or `admin`.
 * @property {Organisation} [organisation] Absent = the account belongs to none.
 */

/**
 * Asks for an organisation account (ORG-1). For general users; the answer is `Done`, and the decision comes as a
 *  notification. Refused with `missing_field` or `invalid_field` (`details.field`), `request_pending` while a request
 *  of the account is open, `forbidden` for other roles and for accounts of an app's backend, and `rate_limited`.
 * @typedef {object} RequestOrganisation
 * @property {string} [name] Name of the organisation, 1 to 100 characters in one line. Several users of one
 *  organisation ask for the same name.
 * @property {string} [justification] Why, for the admins: 1 to 2,000 characters.
 */

/**
 * Takes the account's open request back. The answer is `Done`; `request_not_found`: none is open.
 * @typedef {object} WithdrawOrganisationRequest
 */

/**
 * Asks for what the account has to do with organisations.
 * @typedef {object} GetOrganisation
 */

/**
 * Success of `get_organisation`.
 * @typedef {object} OwnOrganisation
 * @property {Organisation} [organisation] Absent = the account belongs to none.
 * @property {OrganisationMember[]} [members] All members of it, the longest-standing first.
 * @property {OrganisationRequest} [request] The account's newest request; absent = none is kept. A decided one is kept
 *  for `accounts.auditDays`.
 */

/**
 * A member of one's own organisation.
 * @typedef {object} OrganisationMember
 * @property {string} [account] Account id, 13 characters.
 * @property {string} [name] Their present name.
 * @property {number} [since] Since when, milliseconds since 1970-01-01 UTC.
 * @property {string} [removalBy] Account of the member who wants this one removed; empty = none.
 */

/**
 * A request for an organisation account. Success of `get_organisation_request`.
 * @typedef {object} OrganisationRequest
 * @property {string} [id] Its id, 13 characters.
 * @property {string} [account] Account of the person.
 * @property {string} [accountName] That person's present name.
 * @property {string} [name] Name of the organisation that is asked for.
 * @property {string} [justification] Why. Empty in lists, and once it is decided.
 * @property {number} [at] When it was made, milliseconds since 1970-01-01 UTC.
 * @property {string} [state] `open`, `accepted`, `denied`, or `withdrawn`: by the person, or void because the account
 *  got another role.
 * @property {string} [reason] Why it was denied.
 * @property {Organisation} [known] For admins, of an open one: the organisation that has this name, or one that looks
 *  like it. Absent = there is none.
 */

/**
 * Leaves the organisation: the account is a general user's from then on. The answer is `Done`; `not_member`: it
 *  belongs to none.
 * @typedef {object} LeaveOrganisation
 */

/**
 * Says that another member should be removed from the organisation. When a second member has said so within 14 days,
 *  the member is removed and notified; until then the other members are. Refused with `not_member`, where sender and
 *  account are not of one organisation.
 * @typedef {object} RemoveOrganisationMember
 * @property {string} [account] Account id.
 */

/**
 * Success of `remove_organisation_member`.
 * @typedef {object} OrganisationRemoval
 * @property {boolean} [removed] True = the member is removed; false = another member has to agree.
 */

/**
 * Asks for organisations, for admins.
 * @typedef {object} ListOrganisations
 * @property {string} [after] `OrganisationList.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_organisations`: at most 100.
 * @typedef {object} OrganisationList
 * @property {Organisation[]} [organisations] In the order in which they were made.
 * @property {string} [next] Asks for the next page; empty = this is the last one.
 */

/**
 * Asks for open requests, for admins (ORG-2).
 * @typedef {object} ListOrganisationRequests
 * @property {string} [after] `OrganisationRequestList.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_organisation_requests`: at most 100.
 * @typedef {object} OrganisationRequestList
 * @property {OrganisationRequest[]} [requests] Oldest first, without justification.
 * @property {string} [next] Asks for the next page; empty = this is the last one.
 */

/**
 * Opens a request with its details, for admins (ORG-2). `not_found`: there is no such request.
 * @typedef {object} GetOrganisationRequest
 * @property {string} [request] Its id.
 */

/**
 * Accepts a request, for admins (ORG-2). The answer is `Done`: the account is an organisation user's of that
 *  organisation, which is made if there is none of this name, and every connection of the account goes by it. Refused
 *  with `not_found`, `already_resolved`, `limit_reached`, and `forbidden`, where `details.reason` says what stands
 *  against it: `looks_alike` (`details.organisation` has a name that looks like this one), `organisation_suspended`.
 * @typedef {object} AcceptOrganisation
 * @property {string} [request] Id of the request.
 * @property {string} [organisation] Id of the organisation that is meant; empty = the one that has the name, or a new
 *  one.
 * @property {string} [reason] Why, for the audit log: up to 500 characters.
 */

/**
 * Denies a request, for admins (ORG-3). The answer is `Done`; the person is notified with the reason, and may ask
 *  anew. Refused with `missing_field`, `not_found` and `already_resolved`.
 * @typedef {object} DenyOrganisation
 * @property {string} [request] Id of the request.
 * @property {string} [reason] Why, for the person and for the audit log: 1 to 500 characters.
 */

/**
 * Suspends an organisation, for admins. The answer is `Done`; its members are notified. It accepts no new members.
 * @typedef {object} SuspendOrganisation
 * @property {string} [organisation] Its id.
 * @property {string} [reason] Why, for the members and for the audit log: 1 to 500 characters.
 */

/**
 * Ends the suspension of an organisation, for admins. The answer is `Done`; `not_found`: it is not suspended.
 * @typedef {object} ReinstateOrganisation
 * @property {string} [organisation] Its id.
 * @property {string} [reason] Why, for the audit log: 1 to 500 characters.
 */

/**
 * Asks for the privacy policy: what is held on people, and for what (CMP-1). For all connections after hello.
 * @typedef {object} GetPolicy
 * @property {string} [language] BCP 47; empty = the connection's language.
 */

/**
 * Success of `get_policy`.
 * @typedef {object} Policy
 * @property {string} [version] The version that a sign-up agrees to: `Limits.policy_version`.
 * @property {string} [region] Where database, backups and assets are (CMP-7): a country of ISO 3166-1 or a subdivision
 *  of ISO 3166-2.
 * @property {string} [language] The language of the text, BCP 47: the one that was asked for, or English.
 * @property {string} [title] One line.
 * @property {string} [text] Paragraphs, with an empty line between two. A paragraph that begins with "# " is a
 *  heading.
 */

/**
 * Agrees to the present version of the privacy policy. The answer is `Done`; `consent_required` for another version,
 *  `forbidden` for an account of an app's backend or of open sign-in, whose consent the app keeps.
 * @typedef {object} AgreePolicy
 * @property {string} [version] `Policy.version`.
 */

/**
 * Deletes the person's account with everything that is held on them (CMP-3), and so withdraws the consent (CMP-1).
 *  There is no way back. When the answer `Done` comes, the account can sign in no more, all its connections are
 *  guests', and its deletion is on disk; its placed things disappear within seconds in viewed cells, and soon
 *  everywhere. `forbidden` with the reason "last_admin" for the last admin.
 * @typedef {object} DeleteAccount
 * @property {string} [password] The account's password; `invalid_credentials` and `too_many_attempts` as in
 *  `change_password`. Empty for an account without one.
 * @property {string} [provider] For an account without a password that providers sign in to: one of them, with a token
 *  as in `SignInWithProvider`. An account with neither is deleted on request alone.
 * @property {string} [accessToken] As in `SignInWithProvider`.
 * @property {string} [idToken] As in `SignInWithProvider`.
 */

/**
 * Asks for an address from which everything that is held on the person can be downloaded once or more, as one JSON
 *  file (CMP-2). The answer leaves `length` out; `rate_limited` beyond `accounts.exportsPerHour`. The address is good
 *  for as long as one of `get_asset`, and the sign-in that asked for it has to stand.
 * @typedef {object} ExportAccount
 * @property {string} [password] As `DeleteAccount.password`.
 * @property {string} [provider] As `DeleteAccount.provider`.
 * @property {string} [accessToken] As in `SignInWithProvider`.
 * @property {string} [idToken] As in `SignInWithProvider`.
 */

/**
 * Buys a priced tour, once: a person who has it already gets the purchase again and pays nothing. Needs an idempotency
 *  key, which makes one charge at most, however often it is sent. `payment_declined` and `payment_invalid`: nothing
 *  was charged. `provider_unavailable` and `try_again`: send the same key again later; the server has settled by then
 *  whether there was a charge, and if so the answer is the purchase.
 * @typedef {object} BuyTour
 * @property {string} [tour] Id of the tour; unknown, draft or withdrawn: `not_found`.
 * @property {number} [price] The price that the person was shown, in hundredths of `Limits.currency`. Another one by
 *  now: `version_conflict`.
 * @property {string} [method] The code of one payment from the app's payment form, opaque to the server: up to 4,096
 *  bytes.
 * @property {StoreReceipt} [receipt] A receipt of an app store.
 * @property {string} [currency] The currency in which the price was shown (`Limits.currency`). Another one by now:
 *  `version_conflict`. Empty = it is not compared.
 */

/**
 * A receipt by which an app store says that the person has paid there.
 * @typedef {object} StoreReceipt
 * @property {string} [store] Name of the store, one of those that the server takes receipts of, by default "app-store"
 *  and "play-store": 1 to 32 of a-z, 0-9 and "-". Another one is refused with `invalid_field`.
 * @property {string} [data] As the store gave it, opaque to the server: up to 16,384 bytes.
 */

/**
 * A purchase. Success of `buy_tour`: on disk.
 * @typedef {object} Purchase
 * @property {string} [id] Names the purchase, also in the operators' ledger.
 * @property {string} [tour] Id of the tour.
 * @property {string} [name] Name of the tour, in the language of the purchase.
 * @property {number} [price] Amount paid, in hundredths of `currency`.
 * @property {string} [currency] ISO 4217, for instance "CAD".
 * @property {number} [bought] When it was made, milliseconds since 1970-01-01 UTC.
 */

/**
 * The own purchases, the newest first, in pages of 50.
 * @typedef {object} ListPurchases
 * @property {string} [after] `PurchaseList.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_purchases`: a page of purchases.
 * @typedef {object} PurchaseList
 * @property {Purchase[]} [purchases] The newest first.
 * @property {string} [next] For the next page; empty = this is the last.
 */

/**
 * A sub-realm. To people who are not in it, an open one shows id, name and description only (SUB-12). Success of
 *  `create_realm`, `edit_realm`, `join_realm`, `answer_invitation` and `add_member`, on disk.
 * @typedef {object} Realm
 * @property {string} [id] 13 characters, unique for ever.
 * @property {string} [name] 1 to `Limits.realm_name` characters.
 * @property {string} [description] At most `Limits.realm_description` characters.
 * @property {boolean} [open] Whether people may find it by name and join it without an invitation.
 * @property {boolean} [approval] Whether its owner approves each person who joins or accepts an invitation (SUB-3).
 * @property {string} [standing] The recipient's own place in it: "owner", "member", "invited" or "pending"; empty =
 *  none.
 * @property {number} [members] Number of members; 0 for people who are not members.
 * @property {number} [version] Counts the edits, from 1.
 */

/**
 * Creates a sub-realm with the sender as owner (SUB-1). Refused with `missing_field`, `invalid_field`, `not_friends`,
 *  `too_many_members` and `limit_reached`: the sender, or the friend whom the detail `account` names, is in as many
 *  sub-realms as a person may be. Needs an idempotency key.
 * @typedef {object} CreateRealm
 * @property {string} [name]
 * @property {string} [description]
 * @property {boolean} [open]
 * @property {boolean} [approval]
 * @property {string[]} [friends] Account ids of friends who become members at once and are notified.
 */

/**
 * Changes a sub-realm; owner only (SUB-7). Members get `realm_changed`. Refused with `not_found`, `forbidden`,
 *  `missing_field` and `invalid_field`. Needs an idempotency key.
 * @typedef {object} EditRealm
 * @property {string} [realm]
 * @property {string} [name] Absent = unchanged.
 * @property {string} [description] Absent = unchanged.
 * @property {boolean} [open] Absent = unchanged.
 * @property {boolean} [approval] Absent = unchanged.
 */

/**
 * Deletes a sub-realm; owner only (SUB-8). After the answer no one sees anything of it any more. Instances that are
 *  shared nowhere else are removed afterwards. Refused with `not_found` and `forbidden`. Needs an idempotency key.
 * @typedef {object} DeleteRealm
 * @property {string} [realm]
 */

/**
 * Invites a person; any member may (SUB-2). The person is notified. An invitation lapses after
 *  `Limits.invitation_days`. Refused with `not_found`, `user_not_found`, `already_member` and `limit_reached`. Needs
 *  an idempotency key.
 * @typedef {object} Invite
 * @property {string} [realm]
 * @property {string} [account] Account id.
 */

/**
 * Accepts or declines an invitation (SUB-2). Refused with `invite_not_found`, `too_many_members` and `limit_reached`.
 *  Needs an idempotency key.
 * @typedef {object} AnswerInvitation
 * @property {string} [realm]
 * @property {boolean} [accept] False = decline.
 */

/**
 * Joins an open sub-realm (SUB-12). Refused with `not_found`, `already_member`, `join_pending`, `too_many_members` and
 *  `limit_reached`. Needs an idempotency key.
 * @typedef {object} JoinRealm
 * @property {string} [realm]
 */

/**
 * Approves or refuses a person who waits for approval; owner only (SUB-3). The person is notified. Refused with
 *  `not_found`, `forbidden`, `request_not_found` and `too_many_members`. Needs an idempotency key.
 * @typedef {object} AnswerJoin
 * @property {string} [realm]
 * @property {string} [account] Account id.
 * @property {boolean} [approve] False = refuse.
 */

/**
 * Adds a friend of the sender; any member may (SUB-4). Where `approval` is set, whom a member other than the owner
 *  adds waits for the owner's approval. Refused with `not_found`, `join_pending` for a sender who waits,
 *  `not_friends`, `already_member`, `too_many_members`, and `limit_reached` where the friend is in as many sub-realms
 *  as a person may be. Needs an idempotency key.
 * @typedef {object} AddMember
 * @property {string} [realm]
 * @property {string} [account] Account id.
 */

/**
 * Removes a member: a member removes own friends, the owner anyone (SUB-5). When it is answered, the removed person
 *  gets nothing of the sub-realm any more. Refused with `not_found`, `not_member` and `forbidden`. Needs an
 *  idempotency key.
 * @typedef {object} RemoveMember
 * @property {string} [realm]
 * @property {string} [account] Account id.
 */

/**
 * Leaves a sub-realm (SUB-6). If the owner leaves, the member of longest standing becomes owner. If the last member
 *  leaves, it is deleted. Refused with `not_found`. Needs an idempotency key.
 * @typedef {object} LeaveRealm
 * @property {string} [realm]
 */

/**
 * Lists the sender's sub-realms, invitations and requests to join (SUB-11, PRF-11). Those that the sender is in come
 *  first. Refused with `invalid_field`.
 * @typedef {object} ListRealms
 * @property {string} [cursor] `RealmList.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_realms` and `find_realms`.
 * @typedef {object} RealmList
 * @property {Realm[]} [realms] In alphabetical order, on each page.
 * @property {string} [next] Of `list_realms`: for the next page; empty = this is the last. A page ends where its texts
 *  have no more room.
 */

/**
 * Lists the members of a sub-realm; members only (SUB-11). Refused with `not_found`.
 * @typedef {object} ListMembers
 * @property {string} [realm]
 */

/**
 * Success of `list_members`.
 * @typedef {object} MemberList
 * @property {Member[]} [members] Of longest standing first. People who have blocked the recipient, or whom the
 *  recipient has blocked, are left out.
 * @property {User[]} [pending] People who wait for approval, for the owner only.
 */

/**
 * A member of a sub-realm.
 * @typedef {object} Member
 * @property {User} [user]
 * @property {boolean} [owner]
 * @property {number} [since] Since when, milliseconds since 1970-01-01 UTC.
 */

/**
 * Searches open sub-realms by the beginning of their names (SUB-12). Refused with `rate_limited`.
 * @typedef {object} FindRealms
 * @property {string} [prefix] 1 to 50 characters.
 */

/**
 * Takes another member's instance out of a sub-realm; owner only (SUB-13). It stays where else it is shared. Refused
 *  with `not_found` and `forbidden`. Needs an idempotency key.
 * @typedef {object} TakeOut
 * @property {string} [realm]
 * @property {string} [instance] Id of the instance.
 * @property {string} [cell] Cell that holds it.
 */

/**
 * A sub-realm has changed; in the topic of its members. What has changed is read with `list_realms` or `list_members`:
 *  the event is the same for all members, and what each of them may see of the others is not.
 * @typedef {object} RealmChanged
 * @property {string} [realm]
 * @property {number} [version] `Realm.version`.
 * @property {boolean} [members] Whether members were added or removed. Members for whom the person is absent (FRD-7)
 *  do not get this event.
 * @property {boolean} [settings] Whether name, description, openness, approval or owner were changed.
 */

/**
 * A run as its walker sees it. Success of `start_tour`, `get_run`, `pause_run` and `resume_run`, on disk. Also sent
 *  behind the state of the run's topic, to each device that follows it.
 * @typedef {object} Run
 * @property {string} [id] 13 characters, unique for ever.
 * @property {string} [topic] Name of the run's topic: its events come there and nowhere else.
 * @property {string} [tour] Id of the tour.
 * @property {number} [version] The published version that is walked, to its end (TRM-9).
 * @property {RunState} [state] How far it is.
 * @property {number} [reached] Number of stops that are reached.
 * @property {number} [stops] Number of stops of the tour.
 * @property {TourStop} [target] The stop to go to; absent when all are reached.
 * @property {TourStop} [last] The stop that was reached last, with its history; absent before the first.
 * @property {number} [metres] Distance travelled, in metres, as it is on disk (TRT-10).
 * @property {bigint} [milliseconds] Time taken until `at`, in milliseconds, without pauses.
 * @property {number} [at] The server's time of this state, in milliseconds since 1970-01-01 UTC: while walking the
 *  clock runs on from there.
 * @property {string[]} [popups] Ids of the popups that were shown.
 */

/**
 * Begins a run on the published version of a tour (TRT-5). From then on the sender is in the run's space: no cell is
 *  followed and nobody in the world sees them, and whatever changes something on the ground is refused with
 *  `read_only_tour`. General users only. Refused with `forbidden`, `not_found`, `tour_in_progress` and
 *  `payment_required`. Needs an idempotency key.
 * @typedef {object} StartTour
 * @property {string} [tour] Id of the tour.
 */

/**
 * Asks for the sender's run. Refused with `not_found` when there is none, and with `rate_limited`.
 * @typedef {object} GetRun
 */

/**
 * Asks for a page of the version that is walked (TRT-7), answered as `get_tour` is: `tour_page`. Refused with
 *  `not_found` when there is no run, and behind the last page, and with `rate_limited`.
 * @typedef {object} GetRunContent
 * @property {number} [page] From 0.
 */

/**
 * Stops the clock of a run (TRT-5). Nothing happens when it stands still already. Refused with `not_found`. Needs an
 *  idempotency key. The answer to a retry of it, of `ResumeRun` and of `StartTour` leaves long texts of the stops out.
 * @typedef {object} PauseRun
 */

/**
 * Goes on with a paused run. Nothing happens when it is not paused. Refused with `not_found`. Needs an idempotency
 *  key.
 * @typedef {object} ResumeRun
 */

/**
 * Leaves a run (TRT-11): before the last stop it counts as abandoned. When it is answered the sender is back in the
 *  world. Refused with `not_found`. Needs an idempotency key.
 * @typedef {object} LeaveRun
 */

/**
 * Totals of a run. Success of `leave_run`, on disk.
 * @typedef {object} RunSummary
 * @property {string} [tour] Id of the tour.
 * @property {boolean} [completed] Whether all stops were reached.
 * @property {number} [reached] Number of stops that were reached.
 * @property {number} [metres] Distance travelled, in metres.
 * @property {bigint} [milliseconds] Time taken, in milliseconds, without pauses.
 */

/**
 * The walker has reached the target (TRT-9). It is on disk, and comes once, in the order of the stops.
 * @typedef {object} StopReached
 * @property {Run} [run] The run after it: its `last` is the stop, with its history, and `target` the next one. With
 *  the last stop the run is completed: time and distance are final (TRT-10).
 */

/**
 * The walker has paused the run or gone on, or the distance on disk has grown.
 * @typedef {object} RunChanged
 * @property {Run} [run] The run after the change.
 */

/**
 * The walker has come near a popup, for the first time in this run (TRT-8).
 * @typedef {object} PopupShown
 * @property {TourPopup} [popup] The popup.
 */

/**
 * Where the target is from the walker's last position (TRT-8). The newest counts; nothing of it is stored.
 * @typedef {object} Guidance
 * @property {string} [topic] Name of the run's topic.
 * @property {number} [metres] Distance to the target in metres, as the crow flies.
 * @property {number} [bearing] Compass bearing to the target in degrees: 0 is north, 90 east.
 */

/**
 * How many others are on the same tour (TRT-12). The newest counts.
 * @typedef {object} FellowWalkers
 * @property {string} [topic] Name of the run's topic.
 * @property {number[]} [reached] Entry n is the number of others who have reached n stops, beginning with 0. Below
 *  `presence.countHiddenBelow` it is told as 0.
 */

/**
 * A point on the ground, WGS 84. Both are required.
 * @typedef {object} TourPoint
 * @property {number} [lat] Latitude in degrees, -90 to 90.
 * @property {number} [lon] Longitude in degrees, -180 to 180.
 */

/**
 * A text of a tour in one language or several (TRM-5).
 * @typedef {object} TourText
 * @property {TourWords[]} [words] One or more, no language twice. A reader gets their own language, else the first.
 */

/**
 * A text in one language.
 * @typedef {object} TourWords
 * @property {string} [language] BCP 47, for instance "en" or "zh-Hans".
 * @property {string} [text] The text itself, not markup. Never empty: whatever can be heard can be read (ACS-2).
 * @property {string} [audio] Asset with the recorded audio; empty = the device speaks the text in `language`.
 */

/**
 * Facts of a tour (TRM-2).
 * @typedef {object} TourFacts
 * @property {TourText} [name] 1 to 100 characters in each language.
 * @property {TourText} [description] Up to 5,000 characters in each language.
 * @property {string[]} [links] http or https, up to 20.
 * @property {number} [price] 0 = free, else 1 to 999, in hundredths of `Limits.currency`.
 * @property {string} [picture] Asset with the picture of the tour; empty = none.
 * @property {TourText} [pictureAlternative] What the picture shows (ACS-2); required with a picture.
 * @property {number} [seconds] Time that the tour takes, in seconds; 0 = estimated by the distance.
 */

/**
 * Where a tour is (TRM-3).
 * @typedef {object} TourGround
 * @property {TourPoint[]} [area] Corners of the area, in order, not closed: 3 or more.
 * @property {TourPoint[]} [route] Points of the route, in order, inside the area: 2 or more.
 * @property {TourDirection} [direction] In which direction the route is walked.
 */

/**
 * An object along the route at which walkers arrive (TRM-4).
 * @typedef {object} TourStop
 * @property {string} [id] Id within the tour: 13 characters.
 * @property {string} [object] The object that stands there, for instance "preset:heart".
 * @property {Pose} [pose] Where it stands and how it is turned and sized.
 * @property {TourText} [name] Its name.
 * @property {TourText} [history] Its history, told on arrival (TRT-9).
 * @property {TourText} [alternative] The look of the object in words (ACS-2).
 */

/**
 * A text at a place along the route, shown as walkers come near (TRM-4).
 * @typedef {object} TourPopup
 * @property {string} [id] Id within the tour: 13 characters.
 * @property {GeoPosition} [place] Where it is.
 * @property {TourText} [text] Its text.
 */

/**
 * Everything of one version of a tour. A published version never changes.
 * @typedef {object} TourContent
 * @property {TourFacts} [facts] Its facts.
 * @property {TourGround} [ground] Where it is.
 * @property {TourStop[]} [stops] In the order in which they are reached.
 * @property {TourPopup[]} [popups] In the order of the route.
 */

/**
 * Makes a tour, a draft of the sender's organisation (TRM-1, TRM-6). Only users of an organisation make tours; all
 *  requests here are refused with `forbidden` for others. Refused with `missing_field` with the list of blank ones,
 *  `invalid_price`, `invalid_link`, `invalid_field` and `limit_reached`. Needs an idempotency key. Success:
 *  `tour_edited`.
 * @typedef {object} CreateTour
 * @property {TourFacts} [facts]
 */

/**
 * Replaces what a draft says of itself (TRM-2). Each part of a tour has a version of its own: two editors of different
 *  parts do not disturb one another (TRM-9). Refused with `not_found`, `version_conflict`, `missing_field` with the
 *  list of blank ones, `invalid_price`, `invalid_link` and `invalid_field`. Needs an idempotency key.
 * @typedef {object} SetTourFacts
 * @property {string} [tour]
 * @property {number} [version] The version of the part that the change is based on.
 * @property {TourFacts} [facts]
 */

/**
 * Replaces area, route and direction (TRM-3). A ground that is larger than a message comes in several requests: all
 *  but the first append, all but the last say that there is more, and the last one's checks are those of the whole.
 *  Refused with `not_found`, `version_conflict`, `invalid_route` with reason and index, `restricted_area` and
 *  `off_route`. Needs an idempotency key.
 * @typedef {object} SetTourGround
 * @property {string} [tour]
 * @property {number} [version] As in `SetTourFacts`.
 * @property {TourGround} [ground]
 * @property {boolean} [append] Whether the points are added behind those that are there.
 * @property {boolean} [more] Whether further points follow. Until they have, the draft cannot be published.
 */

/**
 * Adds a stop behind the others, or replaces one (TRM-4). Neither reach nor quota of placing applies. Refused with
 *  `not_found`, `version_conflict`, `missing_field`, `invalid_field`, `object_not_owned`, `bad_pose`, `off_route` and
 *  `space_full`. Needs an idempotency key.
 * @typedef {object} SetTourStop
 * @property {string} [tour]
 * @property {number} [version] As in `SetTourFacts`; 0 with a new one.
 * @property {TourStop} [stop] Without an id it is a new one.
 */

/**
 * Adds a popup or replaces one (TRM-4). As `SetTourStop`. Needs an idempotency key.
 * @typedef {object} SetTourPopup
 * @property {string} [tour]
 * @property {number} [version] As in `SetTourFacts`; 0 with a new one.
 * @property {TourPopup} [popup] Without an id it is a new one.
 */

/**
 * Removes a stop or a popup. Refused with `not_found` and `version_conflict`. Needs an idempotency key.
 * @typedef {object} RemoveTourPart
 * @property {string} [tour]
 * @property {string} [part] Id of the stop or popup.
 * @property {number} [version] As in `SetTourFacts`.
 */

/**
 * Puts the stops in another order. Refused with `not_found`, `version_conflict` and `invalid_field`. Needs an
 *  idempotency key.
 * @typedef {object} OrderTourStops
 * @property {string} [tour]
 * @property {number} [version] The version of the part "order".
 * @property {string[]} [stops] Every stop, once.
 */

/**
 * Publishes the draft as a new version, which never changes (TRM-7). Runs in progress finish on theirs. Refused with
 *  `not_found`, `tour_incomplete` with the list of what is missing, and as the edits are. Needs an idempotency key.
 * @typedef {object} PublishTour
 * @property {string} [tour]
 */

/**
 * Makes the draft what is published (TRM-9). Refused with `not_found`, also if nothing is published. Needs an
 *  idempotency key.
 * @typedef {object} DiscardTourDraft
 * @property {string} [tour]
 */

/**
 * Deletes a tour (TRM-10). Refused with `not_found`. Needs an idempotency key.
 * @typedef {object} DeleteTour
 * @property {string} [tour]
 */

/**
 * Makes the draft what a GeoJSON text says (docs/tours-geojson.md): facts, ground, stops and popups together. Refused
 *  with `not_found`, `version_conflict`, `space_full`, `invalid_field`, and as `set_tour_facts`, `set_tour_ground`,
 *  `set_tour_stop` and `set_tour_popup` are. Needs an idempotency key.
 * @typedef {object} ImportTour
 * @property {string} [tour]
 * @property {number} [version] The version of the part "facts".
 * @property {string} [geojson] A FeatureCollection (RFC 7946). As large as a message may be.
 * @property {string} [asset] In its place, an asset of the sender (`upload_chunk`) that is such a text; what is larger
 *  than a message comes so. A successful import deletes the asset. `invalid_field` for an asset of another account,
 *  `too_large` for more than 1,048,576 bytes.
 */

/**
 * Gives what `get_tour` shows as GeoJSON (docs/tours-geojson.md), in pieces: of a tour that is not bought its preview.
 *  Refused with `not_found`.
 * @typedef {object} ExportTour
 * @property {string} [tour]
 * @property {boolean} [draft] As in `GetTour`.
 * @property {number} [page] From 0.
 */

/**
 * Success of `export_tour`. The pieces of one version, one behind the other, are the text.
 * @typedef {object} TourFile
 * @property {number} [page]
 * @property {number} [pages] Number of pieces.
 * @property {string} [geojson]
 * @property {TourPreview} [preview] As in `TourPage`.
 */

/**
 * Success of `create_tour`, `set_tour_facts`, `set_tour_ground`, `set_tour_stop`, `set_tour_popup`,
 *  `remove_tour_part`, `order_tour_stops`, `publish_tour`, `discard_tour_draft`, `delete_tour` and `import_tour`, on
 *  disk.
 * @typedef {object} TourEdited
 * @property {string} [tour] Id of the tour: 13 characters.
 * @property {string} [part] The part: "facts", "ground", "order", or the id of a stop or popup; "" = the tour as a
 *  whole.
 * @property {number} [version] The part's version now; for "" the published version.
 */

/**
 * A draft has changed, for the users of its organisation who have it open. The part itself is left out where it is
 *  gone, or is the ground, which has no room here.
 * @typedef {object} TourChanged
 * @property {string} [tour]
 * @property {string} [part] As in `TourEdited`; "" = published, discarded or deleted: read the draft again.
 * @property {number} [version]
 * @property {TourFacts} [facts]
 * @property {TourStop} [stop]
 * @property {TourPopup} [popup]
 * @property {TourOrder} [order]
 */

/**
 * Order of the stops.
 * @typedef {object} TourOrder
 * @property {string[]} [stops]
 */

/**
 * Follows the changes of a draft (TRM-9): its topic sends `tour_changed` until `close_tour`, or until the sender is no
 *  user of an organisation any more. What was before is read with `get_tour`, behind the snapshot, which is empty.
 *  Refused with `forbidden` and `limit_reached`. It says nothing of whether there is such a tour.
 * @typedef {object} OpenTour
 * @property {string} [tour]
 */

/**
 * Follows the changes no longer.
 * @typedef {object} CloseTour
 * @property {string} [tour]
 */

/**
 * Lists the tours of the sender's organisation with their state (TRM-8), in pages as of `ListTours`, the oldest first.
 *  Refused with `forbidden` and `rate_limited`.
 * @typedef {object} ListOwnTours
 * @property {string} [cursor] `TourList.next` of the page before; empty = the first page.
 */

/**
 * Summary of a tour in a list.
 * @typedef {object} TourSummary
 * @property {string} [id] 13 characters, unique for ever.
 * @property {string} [organisation] Id of the organisation.
 * @property {string} [organisationName]
 * @property {TourText} [name] In one language: the receiver's, else the first that the tour has. What is longer than
 *  1,024 bytes of UTF-8 is cut, and ends with "…". The whole text in every language is in `TourFacts`.
 * @property {string} [picture] Asset; empty = none.
 * @property {TourText} [pictureAlternative] As the name.
 * @property {number} [price] As in `TourFacts`.
 * @property {number} [distance] Length of the route in metres.
 * @property {number} [seconds] Seconds that it takes.
 * @property {TourPoint} [start] Where it begins.
 * @property {string} [code] Eight letters that stay the tour's, for its link (TRT-3).
 * @property {number} [version] The published version; 0 = none.
 * @property {string} [state] For its makers alone: "draft", "published", or "edited" for a published one with a draft
 *  that differs.
 * @property {number} [away] Metres from the place that the request names to the start.
 */

/**
 * Lists published tours (TRT-2), in pages of up to 20 and up to 65,536 bytes. Tours that are published or withdrawn
 *  meanwhile neither repeat nor hide another. Refused with `invalid_field` and `rate_limited`.
 * @typedef {object} ListTours
 * @property {string} [organisation] Of one organisation alone; empty = of all.
 * @property {TourPoint} [near] The nearest first; absent = by organisation.
 * @property {string} [cursor] `TourList.next` of the page before; empty = the first page.
 */

/**
 * Success of `list_tours`, `list_own_tours` and `find_tour`.
 * @typedef {object} TourList
 * @property {TourSummary[]} [tours]
 * @property {string} [next] For the next page; empty = this is the last.
 */

/**
 * Finds a published tour by the code of its link (TRT-3). Refused with `not_found` and `rate_limited`.
 * @typedef {object} FindTour
 * @property {string} [code] In capital or small letters.
 */

/**
 * Shows a tour in pages (TRT-4, TRM-8): everything of it, and of a priced tour its preview to those who have not
 *  bought it (`TourPage.preview`), unless it is their organisation's. Looking changes nothing. Refused with
 *  `rate_limited` and with `not_found`, the same for a tour that does not exist, a draft of another organisation, and
 *  one that was withdrawn.
 * @typedef {object} GetTour
 * @property {string} [tour]
 * @property {boolean} [draft] The draft, for users of its organisation.
 * @property {number} [page] From 0.
 */

/**
 * Success of `get_tour` and `get_run_content`. The pages of one version put together, lists behind lists, are the
 *  content.
 * @typedef {object} TourPage
 * @property {TourSummary} [tour]
 * @property {number} [page]
 * @property {number} [pages] Number of pages.
 * @property {TourContent} [content]
 * @property {TourPart[]} [parts] Of a draft: the versions of its parts, on the first page.
 * @property {TourPreview} [preview] What is left out of a tour that the receiver has not bought; absent = the content
 *  is whole.
 */

/**
 * How much the preview of a priced tour leaves out (TRT-4): those who buy it read it with `get_tour`, and hear the
 *  recordings with `get_asset`.
 * @typedef {object} TourPreview
 * @property {number} [stories] Histories of stops.
 * @property {number} [popups] Popups whose texts are left out; their places are in the content.
 * @property {number} [recordings] Recordings, of all texts but the name of the tour and its picture's.
 */

/**
 * Version of a part of a draft.
 * @typedef {object} TourPart
 * @property {string} [part] "facts", "ground", "order", or the id of a stop or popup.
 * @property {number} [version]
 */

/**
 * Tours that begin near the receiver (PRX-2): all there are, in place of the last such item. It comes when one comes
 *  near or is left behind.
 * @typedef {object} NearbyTours
 * @property {TourSummary[]} [tours] At most 10, the nearest first.
 */
