internal import CairnCore
internal import CairnStore
internal import Logging

/// What all parts of a running server share; nothing in it changes but the services it names.
struct World: Sendable {
    let configuration: Configuration
    let rules: Rules
    let register: FeatureRegister
    let reach: ViewTracker.Reach
    let clock: ServerClock
    let store: Store
    let identifiers: IdentifierIssuer
    let directory: HomeDirectory
    let admission: Admission
    let signIn: SignIn
    let board: FigureBoard
    let operators: Operators
    let logger: Logger
}

extension World {
    /// The same services under other settings.
    func adopting(_ configuration: Configuration, logger: Logger) -> World {
        World(
            configuration: configuration, rules: Rules(configuration, register: register), register: register,
            reach: ViewTracker.Reach(configuration.cells), clock: clock, store: store, identifiers: identifiers,
            directory: directory, admission: admission,
            signIn: SignIn(store: store, identifiers: identifiers, clock: clock, accounts: configuration.accounts),
            board: board, operators: operators, logger: logger)
    }
}

extension ViewTracker.Reach {
    init(_ cells: Configuration.Cells) {
        self.init(
            level: cells.level, radius: cells.viewRadiusMetres, hysteresis: cells.viewHysteresis,
            border: cells.borderHysteresisMetres)
    }
}

extension Rules {
    init(_ configuration: Configuration, register: FeatureRegister) {
        self.init()
        openActions = register.openActions
        cellLevel = configuration.cells.level
        instancesPerCellMax = configuration.cells.instancesMax
        areaQuota = configuration.placement.areaQuota
        placementsPerMinute = configuration.placement.perMinute
        placementsPerDay = configuration.placement.perDay
        reachMetres = configuration.placement.reachMetres
        scale = configuration.placement.scaleMin...configuration.placement.scaleMax
        presets = configuration.placement.presets
        reactions = configuration.reactions.names
        reactionsPerMinute = configuration.reactions.perMinute
        feedbackCategories = configuration.feedback.categories
        feedbackCharactersMax = configuration.feedback.charactersMax
        feedbackPerHour = configuration.feedback.perHour
    }
}
