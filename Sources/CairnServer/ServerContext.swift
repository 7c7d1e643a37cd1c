package import CairnAdaptors
package import CairnConfiguration
package import CairnCore
internal import CairnGeo
package import CairnStore
internal import CairnWire
package import Logging

/// The context that all parts of a running server share: settings, clock, store and other services. It is immutable; a
/// reload makes a new one with the same services.
///
/// A class, because every home refers to it and a copy of all settings in each would take too much memory.
package final class ServerContext: Sendable {
    package let configuration: Configuration
    /// The settings that features read.
    package let settings: Settings
    package let register: FeatureRegister
    /// The limits in force, as `welcome` reports them.
    let limits: WireLimits
    let reach: ViewTracker.Reach
    package let clock: ServerClock
    package let store: Store
    package let identifiers: IdentifierIssuer
    let directory: HomeDirectory
    /// The present names of people and open sub-realms.
    package let names: NameDirectory
    /// The accounts that may have rights beyond everyone's.
    let rightHolders: RightHolders
    package let doors: Doors
    package let signIn: SignIn
    package let suspensions: Suspensions
    package let organisations: Organisations
    let explorers: Explorers
    let coarsePlaces: CoarsePlaces
    let guestViews: GuestViews
    let walkers: Walkers
    package let reports: ShardReports
    package let memory: MemoryBoard
    /// Services outside the server.
    package let adaptors: Adaptors
    /// Sends the mails and pushes of the outbox.
    package let postman: Postman
    package let logger: Logger

    init(
        configuration: Configuration, register: FeatureRegister, clock: ServerClock, store: Store,
        suspensions: Suspensions, organisations: Organisations, explorers: Explorers, coarsePlaces: CoarsePlaces,
        guestViews: GuestViews, walkers: Walkers, identifiers: IdentifierIssuer, directory: HomeDirectory,
        names: NameDirectory, rightHolders: RightHolders,
        doors: Doors, reports: ShardReports, memory: MemoryBoard, adaptors: Adaptors, postman: Postman,
        proofs: SignIn.Proofs, help: Help, services: SignIn.Services, logger: Logger
    ) {
        self.configuration = configuration
        self.register = register
        self.clock = clock
        self.store = store
        self.suspensions = suspensions
        self.organisations = organisations
        self.explorers = explorers
        self.coarsePlaces = coarsePlaces
        self.guestViews = guestViews
        self.walkers = walkers
        self.identifiers = identifiers
        self.directory = directory
        self.names = names
        self.rightHolders = rightHolders
        self.doors = doors
        self.reports = reports
        self.memory = memory
        self.adaptors = adaptors
        self.postman = postman
        self.logger = logger
        settings = Settings(configuration)
        limits = WireLimits(configuration, settings, of: register)
        reach = ViewTracker.Reach(configuration.cells)
        signIn = SignIn(
            store: store, suspensions: suspensions, organisations: organisations, identifiers: identifiers,
            names: names, clock: clock, configuration: configuration, proofs: proofs, help: help,
            currency: limits.currency, services: services, logger: logger)
    }

    /// A context with the same services and other settings.
    package func applying(_ configuration: Configuration, logger: Logger) -> ServerContext {
        let proofs = signIn.proofs.applying(configuration, logger: logger)
        do throws(ConfigurationError) {
            signIn.services.show(try PrivacyPolicy(configuration))
        } catch {
            logger.error("the privacy policy cannot be read; the old one stays in force: \(error)")
        }
        return ServerContext(
            configuration: configuration, register: register, clock: clock, store: store, suspensions: suspensions,
            organisations: organisations,
            explorers: explorers.limits == configuration.travel ? explorers : Explorers(configuration.travel),
            coarsePlaces: coarsePlaces, guestViews: guestViews, walkers: walkers, identifiers: identifiers,
            directory: directory, names: names,
            rightHolders: rightHolders, doors: doors, reports: reports, memory: memory, adaptors: adaptors,
            postman: postman, proofs: proofs, help: signIn.help.applying(configuration, logger: logger),
            services: signIn.services, logger: logger)
    }
}

extension ViewTracker.Reach {
    init(_ cells: Configuration.Cells) {
        self.init(
            level: cells.level, radius: cells.viewRadiusMetres, hysteresis: cells.viewHysteresis,
            border: cells.borderHysteresisMetres)
    }
}

extension Settings {
    init(_ configuration: Configuration) {
        self = configuration.features
        cellLevel = configuration.cells.level
        instancesPerCellMax = configuration.cells.instancesMax
        viewRadiusMetres = configuration.cells.viewRadiusMetres
        keyLifetime = .seconds(configuration.storage.keyHours * 3_600)
        mailLifetime = .seconds(configuration.adaptors.mailHours * 3_600)
        hasFriends = configuration.accounts.friends
        searchResultsMax = configuration.accounts.searchResults
        countHiddenBelow = configuration.presence.countHiddenBelow
    }
}
