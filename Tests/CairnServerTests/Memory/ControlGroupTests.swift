import CairnTesting
import Foundation
import Testing

@testable import CairnServer

/// Limits of memory as the kernel's files say them, with files of ours.
@Suite("Control groups") struct ControlGroupTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, _ path: String) throws {
        let url = URL(filePath: folder.path + "/" + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    private func use(_ membership: String, ownBytes: Int = 1_000) -> MemoryUse? {
        ControlGroup(membership: membership, mount: folder.path)?.use(ownBytes: ownBytes)
    }

    @Test func version2_ownLimit_isFound() throws {
        try write("5000000\n", "system.slice/cairn.service/memory.max")
        #expect(use("0::/system.slice/cairn.service\n")?.limitBytes == 5_000_000)
    }

    @Test func max_isNoLimit() throws {
        try write("max\n", "a/memory.max")
        #expect(use("0::/a\n") == nil)
    }

    @Test func high_countsWhereItIsLower() throws {
        try write("max\n", "a/memory.max")
        try write("3000000\n", "a/memory.high")
        #expect(use("0::/a\n")?.limitBytes == 3_000_000)
    }

    @Test func limitOfAGroupAbove_counts() throws {
        try write("9000000\n", "a/b/memory.max")
        try write("4000000\n", "a/memory.max")
        #expect(use("0::/a/b\n")?.limitBytes == 4_000_000)
    }

    /// The path is the host's, and the container's own group is mounted at the root.
    @Test func inAContainer_theRootIsItsOwn() throws {
        try write("7000000\n", "memory.max")
        #expect(use("0::/../../kubepods/pod1\n")?.limitBytes == 7_000_000)
        #expect(use("0::/\n")?.limitBytes == 7_000_000)
    }

    @Test func version1_isReadWhereItHasTheController() throws {
        try write("6000000\n", "memory/web/memory.limit_in_bytes")
        try write("9223372036854771712\n", "memory/memory.limit_in_bytes")
        #expect(use("4:cpu:/\n3:memory:/web\n0::/web\n")?.limitBytes == 6_000_000)
    }

    @Test func version1_withoutALimit_hasNone() throws {
        try write("9223372036854771712\n", "memory/memory.limit_in_bytes")
        #expect(use("3:memory:/\n") == nil)
    }

    @Test func whatTheKernelKeepsForSockets_isPartOfIt() throws {
        try write("5000000\n", "a/memory.max")
        try write("anon 7\nfile 900000\nsock 40000\nsock_other 1\n", "a/memory.stat")
        #expect(use("0::/a\n", ownBytes: 1_000)?.usedBytes == 41_000)
    }

    @Test func limitThatIsSetLater_isSeen() throws {
        try write("max\n", "a/memory.max")
        let group = try #require(ControlGroup(membership: "0::/a\n", mount: folder.path))
        #expect(group.use(ownBytes: 1) == nil)
        try write("2000\n", "a/memory.max")
        #expect(group.use(ownBytes: 1)?.limitBytes == 2_000)
    }

    @Test(arguments: ["", "nonsense", "0::", "1:memory:/nowhere\n"])
    func withoutGroups_thereIsNone(membership: String) {
        #expect(ControlGroup(membership: membership, mount: folder.path) == nil)
    }

    @Test func ownMemory_isReadFromTheSystem() {
        let memory = ProcessMemory.read()
        #expect(memory.ownBytes > 1 << 20)
        #expect(memory.addressBytes > memory.ownBytes)
    }
}
