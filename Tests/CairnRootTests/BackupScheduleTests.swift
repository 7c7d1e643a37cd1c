import Testing

@testable import CairnRoot

/// DAT-5: when a backup is due.
@Suite("Backup schedule")
struct BackupScheduleTests {
    private static let hour: Int64 = 3_600_000

    @Test func firstBackup_comesSoonAfterTheStart() {
        let schedule = BackupSchedule(hours: 6)
        #expect(schedule.next(newest: nil, failedAt: nil, startedAt: 0) == BackupSchedule.firstDelay)
    }

    @Test func restart_doesNotResetThePace() {
        let schedule = BackupSchedule(hours: 6)
        #expect(schedule.next(newest: 0, failedAt: nil, startedAt: 5 * Self.hour) == 6 * Self.hour)
        let late = 9 * Self.hour
        #expect(schedule.next(newest: 0, failedAt: nil, startedAt: late) == late + BackupSchedule.firstDelay)
    }

    @Test func failure_isTriedAgainAfterAPause() {
        let schedule = BackupSchedule(hours: 6)
        let failedAt = 6 * Self.hour + 5
        #expect(schedule.next(newest: 0, failedAt: failedAt, startedAt: 0) == failedAt + BackupSchedule.retry)
    }

    @Test func noHours_meansNever() {
        #expect(BackupSchedule(hours: 0).next(newest: nil, failedAt: nil, startedAt: 0) == nil)
    }
}
