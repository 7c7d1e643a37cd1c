internal import CairnCore
internal import CairnServer
internal import CairnStore

/// An alarm that depends on more than one figure, or on how large it is.
struct HealthRule: Sendable {
    /// Names the alarm.
    let figure: StaticString
    /// The section of the stats socket that it belongs to.
    let section: MetricSection
    /// The figure on `/metrics` by which Prometheus raises the same alarm; empty = by another of them.
    let family: String
    /// The alarm; nil = there is none.
    let judge: @Sendable (HealthFigures) -> (alarm: MetricAlarm, amount: Int?)?

    private init(
        _ figure: StaticString, in section: MetricSection, family: String,
        judge: @escaping @Sendable (HealthFigures) -> (alarm: MetricAlarm, amount: Int?)?
    ) {
        self.figure = figure
        self.section = section
        self.family = family
        self.judge = judge
    }

    /// A tick that is later than this makes everything on its loop late.
    static let lateTick = Duration.milliseconds(250)
    /// Seconds in a row that are no hiccup.
    private static let lasting = 5
    /// An unsaved change of this age means that the disk does not keep up.
    private static let unsavedMax = Duration.seconds(5)
    /// A mail or push of this age means that its adaptor does not take any.
    private static let messageMax = Duration.seconds(900)
    /// Wrong credentials in a minute that are no slip of the hand.
    static let wrongCredentialsMin = 10
    /// Below a twentieth, and below this in all: a large disk is not full with a twentieth.
    private static let diskFreeMin = 2_000_000_000
    /// Below this the database has hardly room for another hour.
    private static let diskFreeLeast = 200_000_000
    /// A backup is old beyond twice the time between two, and this.
    private static let backupGrace = Duration.seconds(3_600)

    static let all: [HealthRule] = [
        HealthRule("serving", in: .process, family: "") { figures in
            guard !figures.isServing else { return nil }
            return bad(
                "The server starts or drains, and takes no players", remedy: "Wait; the log says how far it is")
        },
        HealthRule("acceptsChanges", in: .store, family: "") { figures in
            guard !figures.acceptsChanges else { return nil }
            return bad(
                "The queue of changes for the disk is full, and new changes are refused",
                remedy: "Look for a slow or full disk")
        },
        HealthRule("oldestUnsaved", in: .store, family: "cairn_store_oldest_unsaved_seconds") { figures in
            guard figures.oldestUnsaved > unsavedMax else { return nil }
            return bad("Changes wait longer than 5 s for the disk", remedy: "Look for a slow or full disk")
        },
        HealthRule("overload", in: .process, family: "cairn_loop_overload") { figures in
            switch figures.overload {
            case ...3:
                guard figures.overload > 0, figures.overloadSeconds >= lasting else { return nil }
                return warn(
                    "A loop does not keep up, and positions and counts come more seldom",
                    remedy: "See cells by turns and people; give the server more processor", amount: figures.overload)
            default:
                return bad(
                    "A loop does not keep up, and new connections and changes are refused",
                    remedy: "See cells by turns and people; give the server more processor", amount: figures.overload)
            }
        },
        HealthRule("loopsLate", in: .process, family: "cairn_loop_delay_seconds") { figures in
            guard figures.lateSeconds >= lasting else { return nil }
            return warn(
                "Everything on a loop has waited longer than a quarter of a second, for 5 s",
                remedy: "See Process for the loop; look for other work on the machine")
        },
        HealthRule("memoryLevel", in: .process, family: "cairn_memory_level") { figures in
            switch figures.memoryLevel {
            case ...0: return nil
            case 1:
                return warn(
                    "Memory is near its limit, and caches are freed",
                    remedy: "Raise the limit (overload.memoryMegabytes, MemoryMax=)", amount: 1)
            default:
                return bad(
                    "Memory is at its limit, and new connections and changes are refused",
                    remedy: "Raise the limit (overload.memoryMegabytes, MemoryMax=)", amount: figures.memoryLevel)
            }
        },
        HealthRule("openFiles", in: .process, family: "process_open_fds") { figures in
            guard figures.openFilesMax > 0, figures.openFiles * 10 > figures.openFilesMax * 9 else { return nil }
            return warn(
                "Nine tenths of the files that may be open are", remedy: "Raise LimitNOFILE= of the unit (ulimit -n)")
        },
        HealthRule("backupOld", in: .store, family: "cairn_backup_last_seconds") { figures in
            guard let age = figures.backupAge, age > figures.backupInterval * 2 + backupGrace else { return nil }
            return warn("There is no recent backup", remedy: "cairn stats backup makes one; the log says what fails")
        },
        HealthRule("diskFree", in: .store, family: "cairn_disk_free_bytes") { figures in
            guard figures.diskBytes > 0, figures.diskFreeBytes < diskFreeMin,
                figures.diskFreeBytes < figures.diskBytes / 20
            else { return nil }
            if figures.diskFreeBytes < diskFreeLeast {
                return bad(
                    "The disk of the database is all but full",
                    remedy: "Make room: without it no change is acknowledged")
            }
            return warn(
                "The disk of the database is nearly full",
                remedy: "Make room, or keep fewer backups (backup.keep); Disk and backup says how fast it fills")
        },
        wrongCredentials,
        HealthRule("oldestMessage", in: .queues, family: "cairn_mails_oldest_seconds") { figures in
            guard figures.oldestMessage > messageMax else { return nil }
            return warn(
                "A mail or push has waited for a quarter of an hour", remedy: "Look at the adaptor; the log says why")
        },
    ]

    /// Its addresses are those of `CredentialAttempts`, and the audit log has an entry of it.
    static let wrongCredentials = HealthRule(
        "wrongCredentials", in: .refusals, family: "cairn_operator_attempts_total"
    ) { figures in
        guard figures.wrongCredentials >= wrongCredentialsMin else { return nil }
        return warn(
            "Wrong credentials at the operators' door",
            remedy: "The alarm and the audit log name the addresses. Keep them out, or give operators an address "
                + "of their own (stats.listener)", amount: figures.wrongCredentials)
    }

    private static func bad(
        _ text: String, remedy: String, amount: Int? = nil
    ) -> (alarm: MetricAlarm, amount: Int?) {
        (MetricAlarm(severity: .bad, text: text, remedy: remedy), amount)
    }

    private static func warn(
        _ text: String, remedy: String, amount: Int? = nil
    ) -> (alarm: MetricAlarm, amount: Int?) {
        (MetricAlarm(severity: .warn, text: text, remedy: remedy), amount)
    }
}
