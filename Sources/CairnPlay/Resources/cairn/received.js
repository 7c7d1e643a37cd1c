// @ts-check
// Made by scripts/generate-js-codec from proto/: edit that, not this file.

/** The messages as they arrive: what is always there is there. They do as what is sent, too. */
export {};

/** @typedef {import('./messages.js').DeviceClass} DeviceClass */

/** @typedef {import('./messages.js').RunState} RunState */

/** @typedef {import('./messages.js').TourDirection} TourDirection */

/**
 * One message from the server: everything that waits for this client, in order.
 * @typedef {object} ServerMessage
 * @property {Item[]} items One or more.
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
 * @property {number} id Id of the request; 0 = the refusal of a message without a readable id.
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
 * @property {string} code For programs. A newer server may have codes that a client does not know.
 * @property {string} message For people, in the language of the connection; never parse it.
 * @property {string} component The part of the server that refused, for instance "placements".
 * @property {number} [retryAfter] Milliseconds after which the same request may succeed. Absent = the same request
 *  will be refused again.
 * @property {string} correlation Finds the refusal in the server's log.
 * @property {Record<string, string>} details Figures that belong to the code, for instance limit and count of a quota.
 */

/**
 * Success of `hello`, `sign_up`, `sign_in` and `sign_in_with_provider`.
 * @typedef {object} Welcome
 * @property {number} serverTime Server time, milliseconds since 1970-01-01 UTC.
 * @property {string} role "guest", "general", "organisation" or "admin".
 * @property {string} account The account's id, 13 characters; empty for a guest.
 * @property {string} name Name that others see; empty for a guest.
 * @property {string} token Signs in to the account on a later connection. Keep it secret. A client that signed in with
 *  a JWT gets that JWT.
 * @property {string} session Id of this session, for the next `hello` after a cut.
 * @property {Limits} [limits] The limits that apply.
 * @property {boolean} tokenExpired True when the token of `hello` was no longer valid: the connection stays open as a
 *  guest's (`token_expired`).
 * @property {boolean} resumed True when `session` was taken over.
 * @property {number} expires When the token expires, milliseconds since 1970-01-01 UTC; 0 = at no set time. The
 *  connection becomes a guest's then, unless a `refresh` comes before.
 * @property {string} deviceKey Names this device at later sign-ins to the account (`SignIn.device_key`). Keep it
 *  secret, also after a sign-out; empty where no password or provider signed in.
 * @property {boolean} ageAdvisory True when the birth date of a sign-up shows an age below the recommended one
 *  (ACC-11).
 * @property {Setting[]} settings The person's settings that were ever saved, in the order of their keys.
 * @property {Organisation} [organisation] The organisation that the account belongs to; absent = none.
 */

/**
 * The limits that apply, so that a client need not guess them (SES-2).
 * @typedef {object} Limits
 * @property {number} messageBytes Most bytes of a client's message; a larger one closes the connection with
 *  `too_large`.
 * @property {number} messagesPerSecond Most messages of a connection per second, on average; excess is refused with
 *  `rate_limited`.
 * @property {number} positionsPerSecond Most positions of a connection per second that are applied; of faster ones
 *  only the newest is.
 * @property {number} presenceInterval Milliseconds between two presence updates of one cell under load.
 * @property {number} pingInterval Seconds between two pings of the server (WebSocket ping frames).
 * @property {number} silence Seconds of silence, pongs included, after which the connection is dropped.
 * @property {number} viewRadius Metres around the user; every cell that this disc touches is in view.
 * @property {number} cellLevel S2 level of the cells.
 * @property {number} reach Metres from the user's last position within which things may be placed.
 * @property {number} areaQuota Live instances that one user may have in one cell.
 * @property {number} placementsPerMinute Placements of one user in any 60 s.
 * @property {number} placementsPerDay Placements of one user in any 24 h.
 * @property {number} scaleMin Least `Pose.scale`.
 * @property {number} scaleMax Greatest `Pose.scale`.
 * @property {string[]} reactions Names of the reactions on offer.
 * @property {string[]} presets Ids of the objects that everybody may place.
 * @property {number} feedbackCharacters Characters that `SendFeedback.text` may have.
 * @property {string[]} feedbackCategories Categories of feedback.
 * @property {number} textCharacters User-perceived characters that the text of an instance may have.
 * @property {number} textBytes Bytes of UTF-8 that the text of an instance may have.
 * @property {number} dataBytes Bytes that the app's own data of an instance may have.
 * @property {number} postCharacters User-perceived characters that a post may have.
 * @property {number} postBytes Bytes of UTF-8 that a post may have.
 * @property {number} postEditSeconds Length of the edit window of a post, in seconds.
 * @property {number} postsPerMinute Posts of one user in any 60 s.
 * @property {number} postsPerDay Posts of one user in any 24 h.
 * @property {string} policyVersion Version of the privacy policy that a sign-up agrees to (CMP-1).
 * @property {string[]} providers Names of the providers whose accounts sign in (ACC-7).
 * @property {number} searchResults Most entries of a search for people or sub-realms.
 * @property {number} realmName User-perceived characters that the name of a sub-realm may have.
 * @property {number} realmDescription User-perceived characters that the description of a sub-realm may have.
 * @property {number} realmMembers Most members of a sub-realm; 0 = sub-realms are switched off.
 * @property {number} invitationDays Days after which an invitation lapses.
 * @property {bigint} assetBytes Bytes that an asset may have.
 * @property {bigint} pictureBytes Bytes that the picture of a profile may have.
 * @property {boolean} guestsLook Whether guests may look: send a position and follow what is public around it
 *  (SES-14).
 * @property {number} tourName Longest name of a tour or stop, in characters.
 * @property {number} tourText Longest other text of a tour, in characters.
 * @property {number} tourLinks Most links of a tour.
 * @property {number} tourPrice Highest price of a tour, in hundredths of `currency`.
 * @property {number} tourArea Most corners of the area of a tour.
 * @property {number} tourRoute Most points of the route of a tour.
 * @property {number} tourParts Most stops and popups of a tour together.
 * @property {string} currency Currency of prices, ISO 4217.
 */

/**
 * Send positions that much later from now on, or sooner (SES-8). Clients near each other that send at a fixed rate are
 *  asked for the same moments: poses that arrive together are sent together and do not wait for each other. The server
 *  asks only clients that say `shifts_positions` in `hello`, and only those that send a whole number of positions a
 *  second, from 1 to 20. A client that cannot follow goes on as before.
 * @typedef {object} ShiftPositions
 * @property {number} milliseconds By how much, at most half of the time between two positions; negative = sooner.
 */

/**
 * Success of a `position` that carried a request id.
 * @typedef {object} Positioned
 * @property {string} cell Token of the cell that the user is in.
 */

/**
 * Success of `share` and of other requests whose success has no content.
 * @typedef {object} Done
 */

/**
 * Success of `refresh`: the newer token applies.
 * @typedef {object} Refreshed
 * @property {number} expires When it expires, milliseconds since 1970-01-01 UTC.
 */

/**
 * The server has signed the connection out: it is a guest's from now on and has left all cells. The person may sign in
 *  again, on this connection by `sign_in` or on a new one.
 * @typedef {object} SignedOut
 * @property {string} code Reason: `token_expired`, or `token_invalid` when the token was ended: by another of the
 *  person's devices, by a new password, or by the app's backend.
 * @property {string} message For people, in the language of the connection; never parse it.
 */

/**
 * One batch of live positions in one cell. Batches are volatile: only the newest counts, and none is sent again
 *  (SES-8). Apply in this order: `keyframe`, `left`, `joined`, `poses`.
 * @typedef {object} Presence
 * @property {string} cell Token of the cell.
 * @property {boolean} keyframe True = drop all people known in this cell first; the batch holds all people who share
 *  their position.
 * @property {Person[]} joined People who came or began to share, with their slots.
 * @property {number[]} left Slots of people who left or stopped sharing.
 * @property {Uint8Array} poses Poses, 14 bytes each, little-endian: slot u16; east i16, north i16, up i16 in steps of
 *  `step` from the cell's centre and from `base_height`; orientation u32; age u8 in units of 4 ms when the batch was
 *  made (255 = 1,020 ms or more); accuracy u8 in half metres (254 = 127 m or more, 255 = unknown). Orientation is a
 *  unit quaternion, smallest three: bits 31-30 are the index of the component of greatest magnitude (0 x, 1 y, 2 z, 3
 *  w), made positive and left out; the others follow in the order x, y, z, w in bits 29-20, 19-10 and 9-0, each as
 *  round(v * 511 * sqrt(2)) + 511, which is 0 to 1,022. If all bits of the orientation are set, the person shares only
 *  the square of ground that they are in (PRF-8). The place is the middle of that square; up, age and accuracy have no
 *  meaning. Such a record comes only when another square is told. Only in the binary form; JSON has `live_poses`
 *  instead.
 * @property {number} step Length of a step in millimetres. It is the resolution of places and heights in both forms.
 * @property {number} baseHeight Metres above the ellipsoid that `up` counts from.
 * @property {number} [people] Number of other users in the cell who do not share their position; 0 = too few to show
 *  (VIS-9), absent = unchanged. A user with several connections counts once, and the receiver is not counted.
 * @property {number} [originLat] The cell's centre, from which `east` and `north` count, on the tangent plane there;
 *  in keyframes only.
 * @property {number} [originLon] See `origin_lat`.
 * @property {LivePose[]} livePoses Only in the JSON form: the poses as numbers, in place of `poses`.
 * @property {number} number In the short form, which holds nothing but poses, instead of `cell`: the lowest 14 bits of
 *  the cell's S2 id that differ at its level (id >> 2 * (30 - level) + 1). A client that follows two cells with the
 *  same gets the long form. `step` is that of the cell's last keyframe. Other batches have the long form for all
 *  clients.
 * @property {number} [base] In the short form instead of `base_height`; absent = as in the last batch of the cell.
 */

/**
 * The live position of a person in the JSON form of a batch. For a person who shares only the square of ground that
 *  they are in, it has `slot`, and the middle of that square in `lat` and `lon` (PRF-8).
 * @typedef {object} LivePose
 * @property {number} slot Whose: `Person.slot`.
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
 * @property {number} slot Number that stands for the person in this cell, 0 to 65,535, valid until `left` or the next
 *  keyframe.
 * @property {string} id The account's id, the same in every cell.
 * @property {string} name Name to show.
 */

/**
 * The server closes the connection, for instance because it shuts down. It is the last message.
 * @typedef {object} Closing
 * @property {string} code Name of the closure, for instance `server_shutdown`; the close code follows with the close
 *  frame.
 * @property {string} message For people, in the language of the connection; never parse it.
 * @property {number} [reconnectAfter] Milliseconds after which the client reconnects; absent = do not reconnect
 *  automatically.
 */

/**
 * A notice from the operators, to everybody, to the people in one area, or to one account. The client shows it. It is
 *  sent once, to connected clients, and not stored.
 * @typedef {object} Notice
 * @property {string} text For people: 1 to 500 characters in one line, in any language.
 * @property {number} sent When it was written, milliseconds since 1970-01-01 UTC.
 * @property {string} cell Token of the cell, or larger cell, that it is for; empty = it is not for one area.
 */

/**
 * Success of `get_nonce`.
 * @typedef {object} Nonce
 * @property {string} nonce Good for one token, on this connection; a later one replaces it.
 */

/**
 * Success of `change_password`, and of `end_device` with `others`. A connection that has signed in with a token of an
 *  app's backend keeps that token and gets `Done`.
 * @typedef {object} NewToken
 * @property {string} token Takes the place of the connection's token.
 */

/**
 * Success of `list_devices`: the newest 100.
 * @typedef {object} DeviceList
 * @property {Device[]} devices Latest used first.
 */

/**
 * A device that is signed in.
 * @typedef {object} Device
 * @property {string} id For `end_device`.
 * @property {string} name Name of the device at its sign-in; may be empty.
 * @property {string} frontEnd Front end of its sign-in.
 * @property {number} signedIn When it signed in, milliseconds since 1970-01-01 UTC.
 * @property {number} used When its token was last used, to the day, milliseconds since 1970-01-01 UTC.
 * @property {boolean} isThis True for the device that asks.
 */

/**
 * Success of `begin_codes`.
 * @typedef {object} CodesBegun
 * @property {string} secret The secret for authenticators, in Base32.
 * @property {string} uri The same as an `otpauth` address.
 * @property {string} svg The address as a QR code, an SVG document.
 */

/**
 * Success of `confirm_codes`.
 * @typedef {object} RecoveryCodes
 * @property {string[]} codes Each signs in once in place of a one-time code. They are not shown again.
 */

/**
 * Success of `list_accounts`: at most 1,000.
 * @typedef {object} AccountList
 * @property {Account[]} accounts Newest first.
 */

/**
 * An account, as admins see it.
 * @typedef {object} Account
 * @property {string} id Its id.
 * @property {string} name Its name.
 * @property {string} role `general`, `organisation` or `admin`.
 * @property {number} created When it was made, milliseconds since 1970-01-01 UTC.
 * @property {boolean} suspended Whether it is suspended.
 * @property {string} reason Why it is suspended; may be empty.
 */

/**
 * Success of `get_profile` and `edit_profile`. Others never get more of it than `Profile` has.
 * @typedef {object} OwnProfile
 * @property {string} username Name that others see.
 * @property {string} status One line about now.
 * @property {string} bio About the person.
 * @property {string} firstName Empty = none.
 * @property {string} lastName Empty = none.
 * @property {string} birthDate YYYY-MM-DD; empty = none.
 * @property {string} email Address for mails; empty = none.
 * @property {boolean} emailVerified Whether the email was proved.
 * @property {string} pendingEmail A new email that was not proved yet; empty = none.
 * @property {boolean} hasPassword Whether a password is set. A password is never returned.
 * @property {number} passwordChanged When the password was changed last, milliseconds since 1970-01-01 UTC; 0 = never.
 * @property {boolean} asksForCodes Whether one-time codes are asked for.
 * @property {number} recoveryCodes Recovery codes that are left.
 * @property {string[]} providers Providers whose accounts are linked.
 * @property {string} visibleTo "everyone", "friends" or "nobody".
 * @property {number} created When the account was made, milliseconds since 1970-01-01 UTC.
 * @property {string} friendsVisibleTo "everyone", "friends" or "nobody".
 * @property {string} interactionsVisibleTo "everyone", "friends" or "nobody".
 * @property {string} picture Asset id of the picture, for `get_asset` with one's own account; empty = none.
 * @property {string} policyVersion Version of the privacy policy that the person has agreed to; empty = an app's
 *  backend keeps the consent. Another one than `Limits.policy_version` is to be shown and agreed to (`agree_policy`).
 * @property {number} policyAgreed When the person agreed to it, milliseconds since 1970-01-01 UTC; 0 = never.
 * @property {boolean} guestsSee Whether guests who look see what the person leaves in public (PRF-5).
 */

/**
 * Success of `read_profile`.
 * @typedef {object} Profile
 * @property {string} account The account's id.
 * @property {string} username Name to show.
 * @property {string} status One line about now.
 * @property {string} bio About the person.
 * @property {string} picture Asset id of the picture, for `get_asset` with this account; empty = none.
 */

/**
 * A person in a list.
 * @typedef {object} User
 * @property {string} account Account id, 13 characters.
 * @property {string} name Their present name.
 * @property {string} picture In answers to `find_users`: asset id of the profile's picture, for `get_asset` with this
 *  account, if the person has one and shows the profile to the asking user.
 */

/**
 * Success of `find_users` and `list_blocks`.
 * @typedef {object} UserList
 * @property {User[]} users In alphabetical order; the name that equals the prefix comes first. At most
 *  `Limits.search_results`.
 */

/**
 * One setting. Keys and values: [settings](#settings).
 * @typedef {object} Setting
 * @property {string} key For instance "display.theme".
 * @property {string} value For instance "dark".
 * @property {number} edited When the person chose it, milliseconds since 1970-01-01 UTC; 0 = now. A time to come
 *  counts as now. From the server it is the version of the setting: each kept edit has a higher one than the edit
 *  before it, and a device keeps the value with the highest.
 */

/**
 * Success of `save_settings`: the keys that it named, with the values that apply now, which are another's where that
 *  was edited later. Success of `get_settings`: all. As an item: what another device of the person has saved.
 * @typedef {object} SettingList
 * @property {Setting[]} settings In the order of their keys.
 */

/**
 * Success of `begin_upload` and `upload_chunk`.
 * @typedef {object} UploadState
 * @property {string} upload Names the upload, for 24 hours; empty = it is complete.
 * @property {bigint} offset Bytes that have arrived.
 * @property {number} chunkBytes Bytes of the next chunk; the last one is shorter.
 * @property {string} asset The asset's id; empty = the upload is not complete.
 * @property {string} contentType The asset's type as its content says, for instance `image/png`; empty = the upload is
 *  not complete.
 */

/**
 * Success of `get_asset` and `export_account`.
 * @typedef {object} AssetAddress
 * @property {string} path Path and query, relative to the server's address, for GET and HEAD, whole or in ranges. It
 *  is the person's own: it works as long as they are signed in and may see the asset, and must not be passed on.
 * @property {number} expires When the address ends, milliseconds since 1970-01-01 UTC.
 * @property {string} contentType For instance `image/png`.
 * @property {bigint} length Bytes of the download.
 */

/**
 * How far a client has seen a topic. It is one value: a sequence is meaningful only with its own epoch.
 * @typedef {object} Cursor
 * @property {string} topic "<cell token>" for the public things of a cell; "<cell token>/<scope>" for a sub-realm's.
 * @property {bigint} epoch Changes whenever the numbering is restarted.
 * @property {bigint} sequence Number of the last event seen. Each epoch starts at a random number, which has no
 *  meaning.
 */

/**
 * The state of a topic. A large one comes in several pages with the same cursor, in order; events follow the last
 *  page.
 * @typedef {object} Snapshot
 * @property {Cursor} [cursor] The next event of the topic has the number after this one.
 * @property {boolean} first True on the first page: forget what was known of this topic.
 * @property {boolean} last True on the last page: the view of this topic is complete.
 * @property {Instance[]} instances The instances of this page, in no order.
 */

/**
 * Which instances of a topic are the receiver's own: snapshots and events do not say whose an instance is. It comes
 *  after each snapshot that holds own instances, and then replaces what the client knew; and when another device of
 *  the user places an instance there or moves one there, perhaps before its `entered`, and then adds to it. The device
 *  that asked has its answer instead.
 * @typedef {object} Own
 * @property {string} topic Name of the topic, as in `Cursor.topic`.
 * @property {OwnInstance[]} instances The own instances, in no order.
 * @property {Instance[]} hidden Own instances that nobody else sees, in full: they are in no snapshot and no event.
 */

/**
 * One of the receiver's own instances.
 * @typedef {object} OwnInstance
 * @property {string} id Id of the instance.
 * @property {number} created When it was made, milliseconds since 1970-01-01 UTC.
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
 * @property {string} topic Name of the topic, as in `Cursor.topic`. The epoch is that of its last snapshot.
 * @property {bigint} sequence Number of the event: one more than that of the event before, or than the snapshot's.
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
 * @property {string} movedFrom Always empty: followers of one cell learn nothing about others. Older servers named the
 *  former cell here.
 */

/**
 * An instance of the topic was removed, or has ended by itself.
 * @typedef {object} Left
 * @property {string} instance Id of the instance.
 */

/**
 * The topic is no longer in view: the client drops it (VIS-1). When a right ends before the first snapshot of a topic
 *  is sent, the client does not know the topic.
 * @typedef {object} Unfollowed
 * @property {string} topic Name of the topic, as in `Cursor.topic`.
 */

/**
 * Events of this topic were dropped because the client reads too slowly, or the numbering is restarted: the next thing
 *  of this topic is a new snapshot (SES-7, SES-8). The client may show its old state until then.
 * @typedef {object} Resync
 * @property {string} topic Name of the topic, as in `Cursor.topic`.
 */

/**
 * Success of `select_realm`. As an item: the selection was reset, because the person is no longer a member (VIS-6).
 * @typedef {object} RealmSelected
 * @property {string} realm Empty = none.
 */

/**
 * The surroundings that were shown to the user at a moment. It is for display only: nothing of it follows the user,
 *  and nothing of it is a base for changes. Success of `get_snapshot`.
 * @typedef {object} WorldSnapshot
 * @property {string} version Two snapshots with the same version hold the same instances.
 * @property {number} taken When it was taken, milliseconds since 1970-01-01 UTC.
 * @property {number} expires Until when it may be shown: from then on the client deletes it.
 * @property {GeoPosition} [place] Where the user was.
 * @property {string} realm The selected sub-realm; empty = none: the public instances.
 * @property {Instance[]} instances The nearest first; each once.
 * @property {OwnInstance[]} own Which of them are the user's own, in the same order.
 * @property {number} leftOut How many more are presented and have no room here: all of them are further away.
 */

/**
 * One placed occurrence of an object, or a post.
 * @typedef {object} Instance
 * @property {string} id 13 characters, unique for ever. Ids reveal neither age nor order.
 * @property {string} object The object, for instance "preset:heart"; empty for a post.
 * @property {string} placer Account id of the placer, for the placer only; empty for others, and in events and
 *  snapshots.
 * @property {number} created When it was placed, milliseconds since 1970-01-01 UTC, for the placer only. Others get
 *  the beginning of that hour in `selected`, and 0 in events and snapshots.
 * @property {number} version Counts the edits, from 1.
 * @property {Pose} [pose] Where it is and how it is turned and sized; absent for a post.
 * @property {string} cell Token of the cell that holds it.
 * @property {ReactionCount[]} reactions Totals of reactions, in the configured order, only those above 0.
 * @property {string} text The placer's text on it, unchanged, not markup; empty = none (PLC-16).
 * @property {Uint8Array} data The app's own data, unchanged and opaque to the server; empty = none (PLC-16).
 * @property {Post} [post] The properties of a post; absent for other kinds.
 * @property {string[]} realms Ids of the sub-realms in which it is shared, for the placer only, and only of those that
 *  the placer is in.
 */

/**
 * Success of `place`. On disk.
 * @typedef {object} Placed
 * @property {Instance} [instance] As its placer sees it.
 */

/**
 * Success of `edit`. On disk.
 * @typedef {object} Edited
 * @property {Instance} [instance] As its placer sees it now.
 */

/**
 * Success of `remove`. On disk.
 * @typedef {object} Removed
 * @property {string} instance Id of the instance.
 */

/**
 * Success of `select`.
 * @typedef {object} Selected
 * @property {Instance} [instance] As it is now.
 * @property {string} placerName Name of the placer, as far as their privacy allows.
 * @property {string} ownReaction The asking user's own reaction; empty = none.
 * @property {string[]} actions Actions open to the asking user: "react", "edit", "remove"; "take_out" of a sub-realm
 *  of their own, where another has shared it.
 */

/**
 * An instance of the topic was edited and stays within its cell.
 * @typedef {object} Changed
 * @property {string} instance Id of the instance.
 * @property {number} version The version that it has now.
 * @property {Pose} [pose] The whole new pose.
 * @property {string} [text] The new text; absent = unchanged, empty = removed.
 * @property {Uint8Array} [data] The new data; absent = unchanged, empty = removed.
 */

/**
 * An instance of the topic moved to another cell. A view that holds that cell, too, got its `entered` before.
 * @typedef {object} MovedOut
 * @property {string} instance Id of the instance.
 * @property {number} version The version it has in its new cell.
 * @property {string} cell Always empty: followers of one cell learn nothing about others. Older servers named the new
 *  cell here.
 */

/**
 * The number of users with this reaction to an instance.
 * @typedef {object} ReactionCount
 * @property {string} reaction One of `Limits.reactions`.
 * @property {number} count 1 or more.
 */

/**
 * Success of `react`. On disk.
 * @typedef {object} ReactionSet
 * @property {string} instance Id of the instance.
 * @property {string} reaction The user's reaction now; empty = none.
 * @property {ReactionCount[]} reactions Totals now, as in `Instance.reactions`.
 */

/**
 * The totals of an instance's reactions changed.
 * @typedef {object} Reacted
 * @property {string} instance Id of the instance.
 * @property {ReactionCount[]} reactions All totals now, as in `Instance.reactions`; empty = none left.
 */

/**
 * Success of `list_reactions`.
 * @typedef {object} ReactionList
 * @property {NamedReaction[]} reactions At most 100: the asking user first, then friends, then others, each in
 *  alphabetical order. People who may not be named, and those beyond the first 100, are in the totals alone.
 */

/**
 * A person's reaction.
 * @typedef {object} NamedReaction
 * @property {User} [user] Who has reacted.
 * @property {string} reaction One of `Limits.reactions`.
 */

/**
 * The part of an instance that makes it a post: a short text at a place, for a day. The text is `Instance.text`; a
 *  post has id, cell and version like any instance, but neither object nor pose.
 * @typedef {object} Post
 * @property {GeoPosition} [place] Where it is, without a height: the author's position when it was made, as exactly as
 *  others may learn it (PRF-8).
 * @property {number} created When it was made, milliseconds since 1970-01-01 UTC (PST-3).
 * @property {number} edited When its text was edited last; 0 = never.
 * @property {number} expires When it ends by itself (PST-7). Clients stop showing it then; the server sends `left`
 *  within a second.
 * @property {number} score Votes up minus votes down.
 * @property {number} size Size factor of the bubble; 1 = a post without votes (RCT-4).
 * @property {number} reach Metres within which people see it (RCT-4).
 * @property {boolean} hidden True when its low score hides it from everybody but its author (RCT-4).
 * @property {number} editableUntil Until when the author may edit its text, milliseconds since 1970-01-01 UTC (PST-4).
 */

/**
 * Success of `create_post`. On disk.
 * @typedef {object} PostCreated
 * @property {Instance} [post] As its author sees it.
 */

/**
 * Success of `edit_post`. On disk.
 * @typedef {object} PostEdited
 * @property {Instance} [post] As its author sees it now.
 */

/**
 * Success of `remove_post`. On disk.
 * @typedef {object} PostRemoved
 * @property {string} post Id of the post.
 */

/**
 * Success of `read_post`.
 * @typedef {object} PostRead
 * @property {Instance} [post] As it is now.
 * @property {number} ownVote The asking user's own vote: 1 = up, -1 = down, 0 = none.
 * @property {string[]} actions Actions open to the asking user: "vote", "edit_post", "remove_post".
 * @property {string} authorName Name of the author, as far as their privacy allows (PST-8, PRF-5); empty otherwise.
 */

/**
 * Success of `list_own_posts`. Success of `list_trending_posts`. A post whose place in the list does not change
 *  meanwhile is on exactly one page.
 * @typedef {object} PostPage
 * @property {Instance[]} posts In the order of the list.
 * @property {string} next Asks for the next page; empty = this is the last one.
 */

/**
 * Success of `vote`. On disk.
 * @typedef {object} VoteSet
 * @property {string} post Id of the post.
 * @property {number} vote The user's vote now.
 * @property {number} score As in `Post`.
 * @property {number} size As in `Post`.
 * @property {number} reach As in `Post`.
 * @property {boolean} hidden As in `Post`. True = the user no longer sees the post.
 */

/**
 * The text of a post was edited.
 * @typedef {object} PostChanged
 * @property {string} post Id of the post.
 * @property {number} version The version that it has now.
 * @property {string} text The new text.
 * @property {number} edited When, milliseconds since 1970-01-01 UTC.
 */

/**
 * The score of a post changed, and with it size and reach (RCT-4). The voter is not named.
 * @typedef {object} Voted
 * @property {string} post Id of the post.
 * @property {number} score As in `Post`.
 * @property {number} size As in `Post`.
 * @property {number} reach As in `Post`.
 * @property {boolean} hidden True = only its author sees it from now on: other clients drop it.
 */

/**
 * Success of `send_feedback`. On disk.
 * @typedef {object} FeedbackTaken
 * @property {string} feedback Id of the entry, 13 characters.
 */

/**
 * A position on WGS 84. OGC GeoPose 1.0 (21-056r11), Basic-Quaternion, member `position`: all three are required, and
 *  zeros are written out.
 * @typedef {object} GeoPosition
 * @property {number} lat Latitude in degrees, -90 to 90.
 * @property {number} lon Longitude in degrees, -180 to 180.
 * @property {number} h Height in metres above the WGS 84 ellipsoid (not above mean sea level).
 */

/**
 * A unit quaternion from the object's frame to the local east-north-up plane at the position (v_enu = q v q*,
 *  Hamilton). All four are required. The norm may differ from 1 by at most 0.001. q and -q are the same orientation.
 * @typedef {object} Quaternion
 * @property {number} x Vector part, first axis.
 * @property {number} y Vector part, second axis.
 * @property {number} z Vector part, third axis.
 * @property {number} w Scalar part.
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
 * @property {string} provider Which system understands the rest, for instance "arcore.cloud", "arkit.worldmap". At
 *  most 64 bytes.
 * @property {string} id The anchor's id within the provider. At most 256 bytes.
 * @property {number[]} transform Transform of the object relative to the anchor, 16 numbers, column-major, or empty.
 * @property {Uint8Array} data Whatever else the provider wants. At most 4,096 bytes.
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
 * Success of `request_friend`. On disk.
 * @typedef {object} FriendRequested
 * @property {boolean} friends True when the two are friends now.
 */

/**
 * Success of `list_friends`.
 * @typedef {object} FriendList
 * @property {User[]} friends In alphabetical order.
 * @property {FriendRequest[]} received People who have asked the sender, the oldest request first.
 * @property {FriendRequest[]} sent People whom the sender has asked, the oldest request first.
 */

/**
 * A friend request that is not answered.
 * @typedef {object} FriendRequest
 * @property {User} [user] The other person.
 * @property {number} at When it was made, milliseconds since 1970-01-01 UTC.
 */

/**
 * A group as one of its members sees it. Success of `open_group`, `join_group`, `get_group`, `share_group_place` and
 *  `set_group_target`, on disk. Also sent to the member's devices whenever something of it changes, in place of the
 *  last such item: the newest counts.
 * @typedef {object} Group
 * @property {string} id 13 characters, unique for ever.
 * @property {string} topic Name of the member's own topic: that of the run, or of a guide without a run. The group's
 *  items come there and nowhere else.
 * @property {string} tour Id of the tour.
 * @property {string} code By which others on the tour join. Empty for all but the guide, and when its time is over.
 * @property {number} codeEnds Until when the code admits others, in milliseconds since 1970-01-01 UTC.
 * @property {string} target Id of the stop that the guide has set for all; empty = each goes to their own.
 * @property {GroupMember[]} members The receiver first, then the guide, then the others as they have joined. Somebody
 *  with a block between them and the receiver is left out.
 */

/**
 * A member of a group.
 * @typedef {object} GroupMember
 * @property {string} account Id of the account; empty = the name is hidden from the receiver.
 * @property {string} name Empty = hidden from the receiver by the member's settings.
 * @property {boolean} guide Whether it is the guide.
 * @property {boolean} own Whether it is the receiver.
 * @property {number} [reached] Number of stops that they have reached; absent for a guide without a run.
 * @property {number} [lat] Where they are, as exactly as they share their position. Absent without consent, and before
 *  the first position.
 * @property {number} [lon] Longitude, with `lat`.
 * @property {boolean} sharesPlace Whether they have agreed that the group learns their place.
 */

/**
 * The receiver is in this group no longer: they have left, or it has ended. In the topic of the run.
 * @typedef {object} GroupEnded
 * @property {string} group Id of the group.
 */

/**
 * Success of `get_help`. All texts are plain, with line breaks between paragraphs.
 * @typedef {object} Help
 * @property {string} language Language of the texts, for instance "fr".
 * @property {HelpQuestion[]} questions At most 100, in the order to show.
 * @property {string} further Where more help is to be had; empty = nowhere.
 * @property {string} phone Telephone number of the support, as it is dialled, for instance "+41 44 123 45 67"; empty =
 *  there is none.
 * @property {HelpForm} [form] The form by which an organisation asks for an account.
 */

/**
 * A question with its answer.
 * @typedef {object} HelpQuestion
 * @property {string} question At most 200 characters.
 * @property {string} answer At most 2,000 characters.
 */

/**
 * The form by which an organisation asks for an account.
 * @typedef {object} HelpForm
 * @property {string} text Its purpose; empty = this server has no accounts for organisations.
 * @property {string} address Email address that the filled-in form goes to; empty = the text says how.
 * @property {HelpField[]} fields At most 20, in the order to show.
 */

/**
 * A field of the form.
 * @typedef {object} HelpField
 * @property {string} name For programs, for instance "organisation".
 * @property {string} label For people.
 * @property {string} kind Kind of its value: "text", "paragraph", "email", "phone" or "address", a web address.
 * @property {boolean} required Whether it must be filled in.
 */

/**
 * One notification (NTF-1). Only its recipient ever gets it.
 * @typedef {object} Notification
 * @property {string} id The same on all devices of the person and at every repetition.
 * @property {string} kind For instance "friend_request": [kinds](#notifications). A client skips kinds that it does
 *  not know.
 * @property {number} at When it was caused, milliseconds since 1970-01-01 UTC.
 * @property {boolean} read Marked as read by any device of the person.
 * @property {string} person Account of the person who has caused it; empty = no particular person, or the account is
 *  deleted.
 * @property {string} personName That person's name at present.
 * @property {string} realm Id of the sub-realm that it is about; empty = none.
 * @property {string} instance Id of the instance that it is about; empty = none.
 * @property {string} label The recipient's name of the thing that it is about, for instance the title of the
 *  sub-realm; of `organisation_denied` the reason, which `get_organisation` has whole. At most 256 bytes.
 */

/**
 * Notifications that this device has not acknowledged yet, in their order, or a new number of unread ones. Comes after
 *  `welcome` and whenever something changes. Acknowledge `mark` by `received_notifications`: until then they come
 *  again at the next connection of this device, and after 64 no further ones come.
 * @typedef {object} Notifications
 * @property {Notification[]} notifications At most 64.
 * @property {number} unread Notifications of the person that are not marked as read, of all kinds that are switched
 *  on. Before the first item of a connection it is 0.
 * @property {string} mark The mark to acknowledge; empty = none.
 */

/**
 * Success of `list_notifications`. A page may have fewer than `count`: kinds that are switched off are left out.
 * @typedef {object} NotificationPage
 * @property {Notification[]} notifications Newest first.
 * @property {string} next Asks for the next page; empty = this is the last one.
 * @property {number} unread As in `Notifications`.
 * @property {string} mark The newest of the page, for `mark_read`; empty = the page is empty.
 */

/**
 * An organisation, for its members and for admins.
 * @typedef {object} Organisation
 * @property {string} id Its id, 13 characters.
 * @property {string} name As it was asked for.
 * @property {boolean} suspended True while admins have suspended it.
 * @property {string} reason Why it is suspended; may be empty.
 * @property {number} created For admins: when it was made, milliseconds since 1970-01-01 UTC.
 * @property {number} members For admins: how many members it has.
 */

/**
 * The account has another role, or its organisation has changed: the connection goes by it from here on (ORG-2). Comes
 *  before the change is acknowledged to its author.
 * @typedef {object} Standing
 * @property {string} role `general`, `organisation` or `admin`.
 * @property {Organisation} [organisation] Absent = the account belongs to none.
 */

/**
 * Success of `get_organisation`.
 * @typedef {object} OwnOrganisation
 * @property {Organisation} [organisation] Absent = the account belongs to none.
 * @property {OrganisationMember[]} members All members of it, the longest-standing first.
 * @property {OrganisationRequest} [request] The account's newest request; absent = none is kept. A decided one is kept
 *  for `accounts.auditDays`.
 */

/**
 * A member of one's own organisation.
 * @typedef {object} OrganisationMember
 * @property {string} account Account id, 13 characters.
 * @property {string} name Their present name.
 * @property {number} since Since when, milliseconds since 1970-01-01 UTC.
 * @property {string} removalBy Account of the member who wants this one removed; empty = none.
 */

/**
 * A request for an organisation account. Success of `get_organisation_request`.
 * @typedef {object} OrganisationRequest
 * @property {string} id Its id, 13 characters.
 * @property {string} account Account of the person.
 * @property {string} accountName That person's present name.
 * @property {string} name Name of the organisation that is asked for.
 * @property {string} justification Why. Empty in lists, and once it is decided.
 * @property {number} at When it was made, milliseconds since 1970-01-01 UTC.
 * @property {string} state `open`, `accepted`, `denied`, or `withdrawn`: by the person, or void because the account
 *  got another role.
 * @property {string} reason Why it was denied.
 * @property {Organisation} [known] For admins, of an open one: the organisation that has this name, or one that looks
 *  like it. Absent = there is none.
 */

/**
 * Success of `remove_organisation_member`.
 * @typedef {object} OrganisationRemoval
 * @property {boolean} removed True = the member is removed; false = another member has to agree.
 */

/**
 * Success of `list_organisations`: at most 100.
 * @typedef {object} OrganisationList
 * @property {Organisation[]} organisations In the order in which they were made.
 * @property {string} next Asks for the next page; empty = this is the last one.
 */

/**
 * Success of `list_organisation_requests`: at most 100.
 * @typedef {object} OrganisationRequestList
 * @property {OrganisationRequest[]} requests Oldest first, without justification.
 * @property {string} next Asks for the next page; empty = this is the last one.
 */

/**
 * Success of `get_policy`.
 * @typedef {object} Policy
 * @property {string} version The version that a sign-up agrees to: `Limits.policy_version`.
 * @property {string} region Where database, backups and assets are (CMP-7): a country of ISO 3166-1 or a subdivision
 *  of ISO 3166-2.
 * @property {string} language The language of the text, BCP 47: the one that was asked for, or English.
 * @property {string} title One line.
 * @property {string} text Paragraphs, with an empty line between two. A paragraph that begins with "# " is a heading.
 */

/**
 * A purchase. Success of `buy_tour`: on disk.
 * @typedef {object} Purchase
 * @property {string} id Names the purchase, also in the operators' ledger.
 * @property {string} tour Id of the tour.
 * @property {string} name Name of the tour, in the language of the purchase.
 * @property {number} price Amount paid, in hundredths of `currency`.
 * @property {string} currency ISO 4217, for instance "CAD".
 * @property {number} bought When it was made, milliseconds since 1970-01-01 UTC.
 */

/**
 * Success of `list_purchases`: a page of purchases.
 * @typedef {object} PurchaseList
 * @property {Purchase[]} purchases The newest first.
 * @property {string} next For the next page; empty = this is the last.
 */

/**
 * A sub-realm. To people who are not in it, an open one shows id, name and description only (SUB-12). Success of
 *  `create_realm`, `edit_realm`, `join_realm`, `answer_invitation` and `add_member`, on disk.
 * @typedef {object} Realm
 * @property {string} id 13 characters, unique for ever.
 * @property {string} name 1 to `Limits.realm_name` characters.
 * @property {string} description At most `Limits.realm_description` characters.
 * @property {boolean} open Whether people may find it by name and join it without an invitation.
 * @property {boolean} approval Whether its owner approves each person who joins or accepts an invitation (SUB-3).
 * @property {string} standing The recipient's own place in it: "owner", "member", "invited" or "pending"; empty =
 *  none.
 * @property {number} members Number of members; 0 for people who are not members.
 * @property {number} version Counts the edits, from 1.
 */

/**
 * Success of `list_realms` and `find_realms`.
 * @typedef {object} RealmList
 * @property {Realm[]} realms In alphabetical order, on each page.
 * @property {string} next Of `list_realms`: for the next page; empty = this is the last. A page ends where its texts
 *  have no more room.
 */

/**
 * Success of `list_members`.
 * @typedef {object} MemberList
 * @property {Member[]} members Of longest standing first. People who have blocked the recipient, or whom the recipient
 *  has blocked, are left out.
 * @property {User[]} pending People who wait for approval, for the owner only.
 */

/**
 * A member of a sub-realm.
 * @typedef {object} Member
 * @property {User} [user]
 * @property {boolean} owner
 * @property {number} since Since when, milliseconds since 1970-01-01 UTC.
 */

/**
 * A sub-realm has changed; in the topic of its members. What has changed is read with `list_realms` or `list_members`:
 *  the event is the same for all members, and what each of them may see of the others is not.
 * @typedef {object} RealmChanged
 * @property {string} realm
 * @property {number} version `Realm.version`.
 * @property {boolean} members Whether members were added or removed. Members for whom the person is absent (FRD-7) do
 *  not get this event.
 * @property {boolean} settings Whether name, description, openness, approval or owner were changed.
 */

/**
 * A run as its walker sees it. Success of `start_tour`, `get_run`, `pause_run` and `resume_run`, on disk. Also sent
 *  behind the state of the run's topic, to each device that follows it.
 * @typedef {object} Run
 * @property {string} id 13 characters, unique for ever.
 * @property {string} topic Name of the run's topic: its events come there and nowhere else.
 * @property {string} tour Id of the tour.
 * @property {number} version The published version that is walked, to its end (TRM-9).
 * @property {RunState} state How far it is.
 * @property {number} reached Number of stops that are reached.
 * @property {number} stops Number of stops of the tour.
 * @property {TourStop} [target] The stop to go to; absent when all are reached.
 * @property {TourStop} [last] The stop that was reached last, with its history; absent before the first.
 * @property {number} metres Distance travelled, in metres, as it is on disk (TRT-10).
 * @property {bigint} milliseconds Time taken until `at`, in milliseconds, without pauses.
 * @property {number} at The server's time of this state, in milliseconds since 1970-01-01 UTC: while walking the clock
 *  runs on from there.
 * @property {string[]} popups Ids of the popups that were shown.
 */

/**
 * Totals of a run. Success of `leave_run`, on disk.
 * @typedef {object} RunSummary
 * @property {string} tour Id of the tour.
 * @property {boolean} completed Whether all stops were reached.
 * @property {number} reached Number of stops that were reached.
 * @property {number} metres Distance travelled, in metres.
 * @property {bigint} milliseconds Time taken, in milliseconds, without pauses.
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
 * @property {string} topic Name of the run's topic.
 * @property {number} metres Distance to the target in metres, as the crow flies.
 * @property {number} bearing Compass bearing to the target in degrees: 0 is north, 90 east.
 */

/**
 * How many others are on the same tour (TRT-12). The newest counts.
 * @typedef {object} FellowWalkers
 * @property {string} topic Name of the run's topic.
 * @property {number[]} reached Entry n is the number of others who have reached n stops, beginning with 0. Below
 *  `presence.countHiddenBelow` it is told as 0.
 */

/**
 * A point on the ground, WGS 84. Both are required.
 * @typedef {object} TourPoint
 * @property {number} lat Latitude in degrees, -90 to 90.
 * @property {number} lon Longitude in degrees, -180 to 180.
 */

/**
 * A text of a tour in one language or several (TRM-5).
 * @typedef {object} TourText
 * @property {TourWords[]} words One or more, no language twice. A reader gets their own language, else the first.
 */

/**
 * A text in one language.
 * @typedef {object} TourWords
 * @property {string} language BCP 47, for instance "en" or "zh-Hans".
 * @property {string} text The text itself, not markup. Never empty: whatever can be heard can be read (ACS-2).
 * @property {string} audio Asset with the recorded audio; empty = the device speaks the text in `language`.
 */

/**
 * Facts of a tour (TRM-2).
 * @typedef {object} TourFacts
 * @property {TourText} [name] 1 to 100 characters in each language.
 * @property {TourText} [description] Up to 5,000 characters in each language.
 * @property {string[]} links http or https, up to 20.
 * @property {number} price 0 = free, else 1 to 999, in hundredths of `Limits.currency`.
 * @property {string} picture Asset with the picture of the tour; empty = none.
 * @property {TourText} [pictureAlternative] What the picture shows (ACS-2); required with a picture.
 * @property {number} seconds Time that the tour takes, in seconds; 0 = estimated by the distance.
 */

/**
 * Where a tour is (TRM-3).
 * @typedef {object} TourGround
 * @property {TourPoint[]} area Corners of the area, in order, not closed: 3 or more.
 * @property {TourPoint[]} route Points of the route, in order, inside the area: 2 or more.
 * @property {TourDirection} direction In which direction the route is walked.
 */

/**
 * An object along the route at which walkers arrive (TRM-4).
 * @typedef {object} TourStop
 * @property {string} id Id within the tour: 13 characters.
 * @property {string} object The object that stands there, for instance "preset:heart".
 * @property {Pose} [pose] Where it stands and how it is turned and sized.
 * @property {TourText} [name] Its name.
 * @property {TourText} [history] Its history, told on arrival (TRT-9).
 * @property {TourText} [alternative] The look of the object in words (ACS-2).
 */

/**
 * A text at a place along the route, shown as walkers come near (TRM-4).
 * @typedef {object} TourPopup
 * @property {string} id Id within the tour: 13 characters.
 * @property {GeoPosition} [place] Where it is.
 * @property {TourText} [text] Its text.
 */

/**
 * Everything of one version of a tour. A published version never changes.
 * @typedef {object} TourContent
 * @property {TourFacts} [facts] Its facts.
 * @property {TourGround} [ground] Where it is.
 * @property {TourStop[]} stops In the order in which they are reached.
 * @property {TourPopup[]} popups In the order of the route.
 */

/**
 * Success of `export_tour`. The pieces of one version, one behind the other, are the text.
 * @typedef {object} TourFile
 * @property {number} page
 * @property {number} pages Number of pieces.
 * @property {string} geojson
 * @property {TourPreview} [preview] As in `TourPage`.
 */

/**
 * Success of `create_tour`, `set_tour_facts`, `set_tour_ground`, `set_tour_stop`, `set_tour_popup`,
 *  `remove_tour_part`, `order_tour_stops`, `publish_tour`, `discard_tour_draft`, `delete_tour` and `import_tour`, on
 *  disk.
 * @typedef {object} TourEdited
 * @property {string} tour Id of the tour: 13 characters.
 * @property {string} part The part: "facts", "ground", "order", or the id of a stop or popup; "" = the tour as a
 *  whole.
 * @property {number} version The part's version now; for "" the published version.
 */

/**
 * A draft has changed, for the users of its organisation who have it open. The part itself is left out where it is
 *  gone, or is the ground, which has no room here.
 * @typedef {object} TourChanged
 * @property {string} tour
 * @property {string} part As in `TourEdited`; "" = published, discarded or deleted: read the draft again.
 * @property {number} version
 * @property {TourFacts} [facts]
 * @property {TourStop} [stop]
 * @property {TourPopup} [popup]
 * @property {TourOrder} [order]
 */

/**
 * Order of the stops.
 * @typedef {object} TourOrder
 * @property {string[]} stops
 */

/**
 * Summary of a tour in a list.
 * @typedef {object} TourSummary
 * @property {string} id 13 characters, unique for ever.
 * @property {string} organisation Id of the organisation.
 * @property {string} organisationName
 * @property {TourText} [name] In one language: the receiver's, else the first that the tour has. What is longer than
 *  1,024 bytes of UTF-8 is cut, and ends with "…". The whole text in every language is in `TourFacts`.
 * @property {string} picture Asset; empty = none.
 * @property {TourText} [pictureAlternative] As the name.
 * @property {number} price As in `TourFacts`.
 * @property {number} distance Length of the route in metres.
 * @property {number} seconds Seconds that it takes.
 * @property {TourPoint} [start] Where it begins.
 * @property {string} code Eight letters that stay the tour's, for its link (TRT-3).
 * @property {number} version The published version; 0 = none.
 * @property {string} state For its makers alone: "draft", "published", or "edited" for a published one with a draft
 *  that differs.
 * @property {number} [away] Metres from the place that the request names to the start.
 */

/**
 * Success of `list_tours`, `list_own_tours` and `find_tour`.
 * @typedef {object} TourList
 * @property {TourSummary[]} tours
 * @property {string} next For the next page; empty = this is the last.
 */

/**
 * Success of `get_tour` and `get_run_content`. The pages of one version put together, lists behind lists, are the
 *  content.
 * @typedef {object} TourPage
 * @property {TourSummary} [tour]
 * @property {number} page
 * @property {number} pages Number of pages.
 * @property {TourContent} [content]
 * @property {TourPart[]} parts Of a draft: the versions of its parts, on the first page.
 * @property {TourPreview} [preview] What is left out of a tour that the receiver has not bought; absent = the content
 *  is whole.
 */

/**
 * How much the preview of a priced tour leaves out (TRT-4): those who buy it read it with `get_tour`, and hear the
 *  recordings with `get_asset`.
 * @typedef {object} TourPreview
 * @property {number} stories Histories of stops.
 * @property {number} popups Popups whose texts are left out; their places are in the content.
 * @property {number} recordings Recordings, of all texts but the name of the tour and its picture's.
 */

/**
 * Version of a part of a draft.
 * @typedef {object} TourPart
 * @property {string} part "facts", "ground", "order", or the id of a stop or popup.
 * @property {number} version
 */

/**
 * Tours that begin near the receiver (PRX-2): all there are, in place of the last such item. It comes when one comes
 *  near or is left behind.
 * @typedef {object} NearbyTours
 * @property {TourSummary[]} tours At most 10, the nearest first.
 */

/**
 * The requests: what each sends, and what its success has.
 * @typedef {object} Requests
 * @property {{body: import('./messages.js').Hello, result: Welcome}} hello
 * @property {{body: import('./messages.js').Position, result: Positioned}} position
 * @property {{body: import('./messages.js').Share, result: Done}} share
 * @property {{body: import('./messages.js').SignOut, result: Done}} signOut
 * @property {{body: import('./messages.js').Refresh, result: Refreshed}} refresh
 * @property {{body: import('./messages.js').SaveSettings, result: SettingList}} saveSettings
 * @property {{body: import('./messages.js').GetSettings, result: SettingList}} getSettings
 * @property {{body: import('./messages.js').SelectRealm, result: RealmSelected}} selectRealm
 * @property {{body: import('./messages.js').GetPolicy, result: Policy}} getPolicy
 * @property {{body: import('./messages.js').AgreePolicy, result: Done}} agreePolicy
 * @property {{body: import('./messages.js').Place, result: Placed}} place
 * @property {{body: import('./messages.js').Edit, result: Edited}} edit
 * @property {{body: import('./messages.js').Remove, result: Removed}} remove
 * @property {{body: import('./messages.js').Select, result: Selected}} select
 * @property {{body: import('./messages.js').GetHelp, result: Help}} getHelp
 * @property {{body: import('./messages.js').GetSnapshot, result: WorldSnapshot}} getSnapshot
 * @property {{body: import('./messages.js').DeleteAccount, result: Done}} deleteAccount
 * @property {{body: import('./messages.js').ExportAccount, result: AssetAddress}} exportAccount
 * @property {{body: import('./messages.js').React, result: ReactionSet}} react
 * @property {{body: import('./messages.js').ListReactions, result: ReactionList}} listReactions
 * @property {{body: import('./messages.js').CreatePost, result: PostCreated}} createPost
 * @property {{body: import('./messages.js').EditPost, result: PostEdited}} editPost
 * @property {{body: import('./messages.js').RemovePost, result: PostRemoved}} removePost
 * @property {{body: import('./messages.js').ReadPost, result: PostRead}} readPost
 * @property {{body: import('./messages.js').ListOwnPosts, result: PostPage}} listOwnPosts
 * @property {{body: import('./messages.js').ListTrendingPosts, result: PostPage}} listTrendingPosts
 * @property {{body: import('./messages.js').Vote, result: VoteSet}} vote
 * @property {{body: import('./messages.js').RequestFriend, result: FriendRequested}} requestFriend
 * @property {{body: import('./messages.js').AnswerFriendRequest, result: Done}} answerFriendRequest
 * @property {{body: import('./messages.js').WithdrawFriendRequest, result: Done}} withdrawFriendRequest
 * @property {{body: import('./messages.js').Unfriend, result: Done}} unfriend
 * @property {{body: import('./messages.js').ListFriends, result: FriendList}} listFriends
 * @property {{body: import('./messages.js').Block, result: Done}} block
 * @property {{body: import('./messages.js').Unblock, result: Done}} unblock
 * @property {{body: import('./messages.js').ListBlocks, result: UserList}} listBlocks
 * @property {{body: import('./messages.js').FindUsers, result: UserList}} findUsers
 * @property {{body: import('./messages.js').CreateRealm, result: Realm}} createRealm
 * @property {{body: import('./messages.js').EditRealm, result: Realm}} editRealm
 * @property {{body: import('./messages.js').DeleteRealm, result: Done}} deleteRealm
 * @property {{body: import('./messages.js').Invite, result: Done}} invite
 * @property {{body: import('./messages.js').AnswerInvitation, result: Realm}} answerInvitation
 * @property {{body: import('./messages.js').JoinRealm, result: Realm}} joinRealm
 * @property {{body: import('./messages.js').AnswerJoin, result: Done}} answerJoin
 * @property {{body: import('./messages.js').AddMember, result: Realm}} addMember
 * @property {{body: import('./messages.js').RemoveMember, result: Done}} removeMember
 * @property {{body: import('./messages.js').LeaveRealm, result: Done}} leaveRealm
 * @property {{body: import('./messages.js').ListRealms, result: RealmList}} listRealms
 * @property {{body: import('./messages.js').ListMembers, result: MemberList}} listMembers
 * @property {{body: import('./messages.js').FindRealms, result: RealmList}} findRealms
 * @property {{body: import('./messages.js').TakeOut, result: Done}} takeOut
 * @property {{body: import('./messages.js').ReceivedNotifications, result: Done}} receivedNotifications
 * @property {{body: import('./messages.js').MarkRead, result: Done}} markRead
 * @property {{body: import('./messages.js').ListNotifications, result: NotificationPage}} listNotifications
 * @property {{body: import('./messages.js').RegisterPush, result: Done}} registerPush
 * @property {{body: import('./messages.js').BeginUpload, result: UploadState}} beginUpload
 * @property {{body: import('./messages.js').UploadChunk, result: UploadState}} uploadChunk
 * @property {{body: import('./messages.js').GetAsset, result: AssetAddress}} getAsset
 * @property {{body: import('./messages.js').SendFeedback, result: FeedbackTaken}} sendFeedback
 * @property {{body: import('./messages.js').SignUp, result: Welcome}} signUp
 * @property {{body: import('./messages.js').SignIn, result: Welcome}} signIn
 * @property {{body: import('./messages.js').SignInWithProvider, result: Welcome}} signInWithProvider
 * @property {{body: import('./messages.js').GetNonce, result: Nonce}} getNonce
 * @property {{body: import('./messages.js').LinkProvider, result: Done}} linkProvider
 * @property {{body: import('./messages.js').UnlinkProvider, result: Done}} unlinkProvider
 * @property {{body: import('./messages.js').Recover, result: Done}} recover
 * @property {{body: import('./messages.js').ResetPassword, result: Done}} resetPassword
 * @property {{body: import('./messages.js').VerifyEmail, result: Done}} verifyEmail
 * @property {{body: import('./messages.js').ChangePassword, result: NewToken}} changePassword
 * @property {{body: import('./messages.js').ChangeEmail, result: Done}} changeEmail
 * @property {{body: import('./messages.js').AddPassword, result: Done}} addPassword
 * @property {{body: import('./messages.js').ListDevices, result: DeviceList}} listDevices
 * @property {{body: import('./messages.js').EndDevice, result: Done}} endDevice
 * @property {{body: import('./messages.js').BeginCodes, result: CodesBegun}} beginCodes
 * @property {{body: import('./messages.js').ConfirmCodes, result: RecoveryCodes}} confirmCodes
 * @property {{body: import('./messages.js').EndCodes, result: Done}} endCodes
 * @property {{body: import('./messages.js').GetProfile, result: OwnProfile}} getProfile
 * @property {{body: import('./messages.js').EditProfile, result: OwnProfile}} editProfile
 * @property {{body: import('./messages.js').ReadProfile, result: Profile}} readProfile
 * @property {{body: import('./messages.js').ListAccounts, result: AccountList}} listAccounts
 * @property {{body: import('./messages.js').SetRole, result: Done}} setRole
 * @property {{body: import('./messages.js').Suspend, result: Done}} suspend
 * @property {{body: import('./messages.js').Reinstate, result: Done}} reinstate
 * @property {{body: import('./messages.js').RequestOrganisation, result: Done}} requestOrganisation
 * @property {{body: import('./messages.js').WithdrawOrganisationRequest, result: Done}} withdrawOrganisationRequest
 * @property {{body: import('./messages.js').GetOrganisation, result: OwnOrganisation}} getOrganisation
 * @property {{body: import('./messages.js').LeaveOrganisation, result: Done}} leaveOrganisation
 * @property {{body: import('./messages.js').RemoveOrganisationMember, result: OrganisationRemoval}}
 *  removeOrganisationMember
 * @property {{body: import('./messages.js').ListOrganisations, result: OrganisationList}} listOrganisations
 * @property {{body: import('./messages.js').ListOrganisationRequests, result: OrganisationRequestList}}
 *  listOrganisationRequests
 * @property {{body: import('./messages.js').GetOrganisationRequest, result: OrganisationRequest}}
 *  getOrganisationRequest
 * @property {{body: import('./messages.js').AcceptOrganisation, result: Done}} acceptOrganisation
 * @property {{body: import('./messages.js').DenyOrganisation, result: Done}} denyOrganisation
 * @property {{body: import('./messages.js').SuspendOrganisation, result: Done}} suspendOrganisation
 * @property {{body: import('./messages.js').ReinstateOrganisation, result: Done}} reinstateOrganisation
 * @property {{body: import('./messages.js').Prove, result: Done}} prove
 * @property {{body: import('./messages.js').UndoChange, result: Done}} undoChange
 * @property {{body: import('./messages.js').CreateTour, result: TourEdited}} createTour
 * @property {{body: import('./messages.js').SetTourFacts, result: TourEdited}} setTourFacts
 * @property {{body: import('./messages.js').SetTourGround, result: TourEdited}} setTourGround
 * @property {{body: import('./messages.js').SetTourStop, result: TourEdited}} setTourStop
 * @property {{body: import('./messages.js').SetTourPopup, result: TourEdited}} setTourPopup
 * @property {{body: import('./messages.js').RemoveTourPart, result: TourEdited}} removeTourPart
 * @property {{body: import('./messages.js').OrderTourStops, result: TourEdited}} orderTourStops
 * @property {{body: import('./messages.js').PublishTour, result: TourEdited}} publishTour
 * @property {{body: import('./messages.js').DiscardTourDraft, result: TourEdited}} discardTourDraft
 * @property {{body: import('./messages.js').DeleteTour, result: TourEdited}} deleteTour
 * @property {{body: import('./messages.js').GetTour, result: TourPage}} getTour
 * @property {{body: import('./messages.js').ListOwnTours, result: TourList}} listOwnTours
 * @property {{body: import('./messages.js').ListTours, result: TourList}} listTours
 * @property {{body: import('./messages.js').FindTour, result: TourList}} findTour
 * @property {{body: import('./messages.js').OpenTour, result: Done}} openTour
 * @property {{body: import('./messages.js').CloseTour, result: Done}} closeTour
 * @property {{body: import('./messages.js').ImportTour, result: TourEdited}} importTour
 * @property {{body: import('./messages.js').ExportTour, result: TourFile}} exportTour
 * @property {{body: import('./messages.js').StartTour, result: Run}} startTour
 * @property {{body: import('./messages.js').GetRun, result: Run}} getRun
 * @property {{body: import('./messages.js').PauseRun, result: Run}} pauseRun
 * @property {{body: import('./messages.js').ResumeRun, result: Run}} resumeRun
 * @property {{body: import('./messages.js').LeaveRun, result: RunSummary}} leaveRun
 * @property {{body: import('./messages.js').GetRunContent, result: TourPage}} getRunContent
 * @property {{body: import('./messages.js').OpenGroup, result: Group}} openGroup
 * @property {{body: import('./messages.js').JoinGroup, result: Group}} joinGroup
 * @property {{body: import('./messages.js').LeaveGroup, result: Done}} leaveGroup
 * @property {{body: import('./messages.js').GetGroup, result: Group}} getGroup
 * @property {{body: import('./messages.js').ShareGroupPlace, result: Group}} shareGroupPlace
 * @property {{body: import('./messages.js').SetGroupTarget, result: Group}} setGroupTarget
 * @property {{body: import('./messages.js').BuyTour, result: Purchase}} buyTour
 * @property {{body: import('./messages.js').ListPurchases, result: PurchaseList}} listPurchases
 */

/**
 * What the server tells of its own accord, by the names of events.
 * @typedef {object} News
 * @property {Notice} notice
 * @property {NearbyTours} nearbyTours
 * @property {Run} run The receiver's run of a tour, behind the state of its topic.
 * @property {Guidance} guidance
 * @property {FellowWalkers} fellowWalkers
 * @property {Group} group The receiver's group on a tour.
 * @property {TourChanged} tourChanged A draft of a tour has changed; in the topic of its organisation.
 * @property {StopReached} stopReached The walker of a run has reached a stop; in the topic of the run.
 * @property {RunChanged} runChanged A run was paused or resumed, or its distance has grown.
 * @property {PopupShown} popupShown The walker of a run has come near a popup.
 * @property {GroupEnded} groupEnded The receiver's group on a tour is over for them; in the topic of their run.
 */
