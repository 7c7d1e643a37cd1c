import CairnWebSocket
import Testing

@testable import CairnServer

/// That actors of a loop are entered on its thread is what the whole server stands on; here is what elsewhere does.
@Suite("LoopResident")
struct LoopResidentTests {
    @Test func enteringFromAnotherThread_traps() async {
        await #expect(processExitsWith: .failure) {
            let resident = Resident(try WebSocketLoop(index: 0, options: LoopOptions()))
            resident.add(1)
        }
    }
}

private actor Resident: LoopResident {
    nonisolated let loop: WebSocketLoop
    private var count = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: WebSocketLoop) {
        self.loop = loop
    }

    nonisolated func add(_ number: Int) {
        enter(with: number) { $0.count += $1 }
    }
}
