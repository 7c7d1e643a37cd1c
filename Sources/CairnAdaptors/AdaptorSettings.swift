/// What operators configure about adaptors.
package struct AdaptorSettings: Sendable, Equatable {
    /// What stands behind an adaptor.
    package enum Source: Sendable, Equatable {
        /// Calls fail.
        case off
        /// The local stand-in (EXT-2).
        case builtin
        /// A program and its arguments. A name without `/` is looked up in PATH; there is no shell.
        case command([String])

        /// Reads a setting: `builtin`, `off`, or a command line whose words are separated by blanks.
        package init(_ text: String) {
            switch text {
            case "off": self = .off
            case "builtin": self = .builtin
            default: self = .command(text.split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
    }

    /// By adaptor; one that is missing is off.
    package var sources: [AdaptorName: Source] = [:]
    /// Longest that a call takes, its time in the queue included.
    package var timeLimit = Duration.seconds(10)
    /// Calls of one adaptor that wait.
    package var waitingMax = 1_000
    /// Calls of one adaptor under way.
    package var parallelMax = 16
    /// Folder of the mails that the stand-in writes.
    package var mailFolder = "mail"
    /// Folder of the charges that the stand-in makes.
    package var paymentFolder = "payments"
    /// Sender of mails.
    package var mailFrom = "cairn@localhost"

    package init() {}
}

/// How a command is supervised. Tests use shorter times.
package struct SupervisionPace: Sendable {
    /// Pause before the first restart; each further one doubles it.
    package var firstPause = Duration.seconds(1)
    package var longestPause = Duration.seconds(60)
    /// A process that lives this long, or has answered, starts with the first pause again.
    package var steadyAfter = Duration.seconds(60)
    /// From the closing of stdin to SIGTERM.
    package var closePause = Duration.seconds(2)
    /// From SIGTERM to SIGKILL.
    package var terminatePause = Duration.seconds(3)
    /// A process that answers nothing for this many time limits while calls time out is ended.
    package var silentLimits = 3

    package init() {}
}
