public import CairnWire

/// What guests who look see of a home (SES-14): a topic of its own, with its own numbers, so that nothing of what they
/// do not see leaves a gap in it. It exists while a guest has followed it since the home woke.
extension HomeCore {
    /// Publishes a change of everyone's topic to guests as well, as far as they may see it.
    mutating func publishToGuests(_ publication: Publication, into actions: inout [Action]) {
        guard topics.has(.guests), publication.audience.scopes.contains(.everyone),
            let owner = publication.owner
        else { return }
        let isSeen = turn.names.guestsSee(owner)
        let seen = isSeen ? turn.asGuestsSee(publication) : publication
        let item = topics.change(.guests) { stream -> WireItem? in
            let isHeld = stream.instances[publication.object] != nil
            // What they have not been told of can only come; what its owner hides can only go.
            guard publication.state == nil ? isHeld : isSeen && (isHeld || publication.isEntry) else { return nil }
            // No old cursor brings back what is gone.
            if publication.state == nil { stream.forget { $0.object == publication.object } }
            return stream.publish(seen)
        }
        if let item = item ?? nil { actions.append(.broadcast(.guests, item)) }
    }

    /// Takes what a person has left here out of the topic of guests, or puts it there, as the person has chosen
    /// (`NameDirectory.guestsSee`). An entry that is not on disk yet follows with its own event.
    public mutating func goByGuestSight(of person: AccountID) -> [Action] {
        guard topics.has(.guests), !isLost else { return [] }
        let items = turn.names.guestsSee(person) ? entries(of: person) : departures(of: person)
        return items.map { .broadcast(.guests, $0) }
    }

    private mutating func entries(of person: AccountID) -> [WireItem] {
        turn.objects.kept(of: person).filter { $0.audience.scopes.contains(.everyone) }
            .sorted { $0.wire.id < $1.wire.id }
            .compactMap { record in
                let entry = turn.asGuestsSee(Publication.entry(of: record, as: turn.described(record)))
                let item = topics.change(.guests) { stream -> WireItem? in
                    stream.instances[record.id] == nil ? stream.publish(entry) : nil
                }
                return item ?? nil
            }
    }

    /// It goes by what guests hold: something whose removal is not on disk yet is no longer among the instances.
    private mutating func departures(of person: AccountID) -> [WireItem] {
        let items = topics.change(.guests) { stream -> [WireItem] in
            // A guest with an older cursor gets a snapshot: the events in between may have what the person hides.
            stream.forget { $0.owner == person }
            return stream.instances.filter { $0.value.owner == person }.sorted { $0.value.state.id < $1.value.state.id }
                .map { stream.publish(.departure(of: $0.key, $0.value)) }
        }
        return items ?? []
    }
}

extension Turn {
    /// The state with which the topic of guests begins.
    var seenByGuests: [(id: InstanceID, owner: AccountID, state: WireInstance)] {
        objects.kept(in: .everyone).filter { names.guestsSee($0.owner) }
            .map { ($0.id, $0.owner, describedToGuests($0)) }
    }

    /// Whether an instance exists for a sender; for a guest also by the choice of its owner (PRF-5).
    public func shows(_ record: ObjectRecord, to sender: Sender) -> Bool {
        record.isSeen(by: sender) && (!sender.isGuest || names.guestsSee(record.owner))
    }

    /// An instance as guests see it.
    public func describedToGuests(_ record: ObjectRecord) -> WireInstance {
        register.asGuestsSee(described(record))
    }

    /// A change as guests see it.
    fileprivate func asGuestsSee(_ publication: Publication) -> Publication {
        Publication(
            audience: publication.audience, change: register.asGuestsSee(publication.change),
            object: publication.object, owner: publication.owner, state: publication.state.map(register.asGuestsSee))
    }
}

extension FeatureRegister {
    func asGuestsSee(_ instance: WireInstance) -> WireInstance {
        var instance = instance
        // Nobody is named, whoever describes it. A field that is set makes a copy: mostly none is, and guests share
        // what everyone's topic holds.
        if !instance.placer.isEmpty { instance.placer = "" }
        if instance.created != 0 { instance.created = 0 }
        if !instance.realms.isEmpty { instance.realms = [] }
        coarsen(&instance)
        return instance
    }

    fileprivate func asGuestsSee(_ change: WireEvent.OneOf_Change) -> WireEvent.OneOf_Change {
        guard case .entered(var entered) = change else { return coarsened(change) }
        entered.instance = asGuestsSee(entered.instance)
        return .entered(entered)
    }
}

extension Publication {
    fileprivate static func departure(of id: InstanceID, _ held: TopicStream.Held) -> Publication {
        var left = WireLeft()
        left.instance = held.state.id
        return Publication(audience: .everyone, change: .left(left), object: id, owner: held.owner, state: nil)
    }

    fileprivate var isEntry: Bool { if case .entered = change { true } else { false } }
}
