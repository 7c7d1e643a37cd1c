import CairnCore
import CairnTesting
import Testing

@testable import CairnRoot

/// DAT-5: when a backup is due.
@Suite("Backup schedule")
struct BackupScheduleTests {
    private static func hours(_ count: Int) -> WallTime { .epoch + .seconds(count * 3_600) }

    @Test func firstBackup_comesSoonAfterTheStart() {
        let schedule = BackupSchedule(hours: 6)
        #expect(schedule.next(newest: nil, failedAt: nil, startedAt: 0) == .epoch + BackupSchedule.firstDelay)
    }

    @Test func restart_doesNotResetThePace() {
        let schedule = BackupSchedule(hours: 6)
        #expect(schedule.next(newest: 0, failedAt: nil, startedAt: Self.hours(5)) == Self.hours(6))
        let late = Self.hours(9)
        #expect(schedule.next(newest: 0, failedAt: nil, startedAt: late) == late + BackupSchedule.firstDelay)
    }

    @Test func failure_isTriedAgainAfterAPause() {
        let schedule = BackupSchedule(hours: 6)
        let failedAt = Self.hours(6) + .milliseconds(5)
        #expect(schedule.next(newest: 0, failedAt: failedAt, startedAt: 0) == failedAt + BackupSchedule.retry)
    }

    @Test func noHours_meansNever() {
        #expect(BackupSchedule(hours: 0).next(newest: nil, failedAt: nil, startedAt: 0) == nil)
    }
}
