import Glibc

/// Linux's epoll, which Swift's Glibc module does not import.
///
/// The functions are looked up by name, which needs no separate C target: they are three functions and one struct,
/// whose layout is part of the kernel's interface. `struct epoll_event` is packed on x86-64 (12 bytes) and padded
/// elsewhere (16 bytes).
final class Epoll {
    struct Interest: OptionSet {
        let rawValue: UInt32
        static let input = Interest(rawValue: 0x001)
        static let output = Interest(rawValue: 0x004)
        static let error = Interest(rawValue: 0x008)
        static let hangUp = Interest(rawValue: 0x010)
    }

    private enum Change: Int32 {
        case add = 1
        case remove = 2
        case modify = 3
    }

    #if arch(x86_64)
    private static let eventBytes = 12
    private static let tagOffset = 4
    #else
    private static let eventBytes = 16
    private static let tagOffset = 8
    #endif
    private static let eventsMax = 512

    // Declared as in the manual pages; the pointers are borrowed for each call.
    private typealias Create = @convention(c) (Int32) -> Int32
    private typealias Control = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
    private typealias Wait =
        @convention(c) (Int32, UnsafeMutableRawPointer, Int32, UnsafePointer<timespec>?, UnsafeRawPointer?) -> Int32

    private let descriptor: Int32
    private let control: Control
    private let wait: Wait
    /// Filled by the kernel.
    private let events = UnsafeMutableRawPointer.allocate(byteCount: Epoll.eventBytes * Epoll.eventsMax, alignment: 8)

    init() {
        let create: Create = Self.function("epoll_create1")
        control = Self.function("epoll_ctl")
        // Nanoseconds instead of epoll_wait's milliseconds; glibc has it since 2.35, Linux since 5.11.
        wait = Self.function("epoll_pwait2")
        descriptor = create(0)
        precondition(descriptor >= 0, "epoll_create1: \(String(cString: strerror(errno)))")
    }

    deinit {
        Glibc.close(descriptor)
        events.deallocate()
    }

    func add(_ fd: Int32, _ interest: Interest, tag: UInt64) { change(.add, fd, interest, tag) }
    func modify(_ fd: Int32, _ interest: Interest, tag: UInt64) { change(.modify, fd, interest, tag) }
    func remove(_ fd: Int32) { change(.remove, fd, [], 0) }

    /// Waits until a socket is ready or the time is over, then passes on all ready sockets.
    func poll(microseconds: UInt64, _ body: (_ tag: UInt64, _ ready: Interest) -> Void) {
        var timeout = timespec(tv_sec: Int(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1_000)
        let count = wait(descriptor, events, Int32(Self.eventsMax), &timeout, nil)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let event = events + index * Self.eventBytes
            // The kernel wrote `count` events of this layout.
            body(
                event.loadUnaligned(fromByteOffset: Self.tagOffset, as: UInt64.self),
                Interest(rawValue: event.loadUnaligned(as: UInt32.self)))
        }
    }

    private func change(_ change: Change, _ fd: Int32, _ interest: Interest, _ tag: UInt64) {
        withUnsafeTemporaryAllocation(byteCount: Self.eventBytes, alignment: 8) { event in
            event.storeBytes(of: interest.rawValue, as: UInt32.self)
            event.storeBytes(of: tag, toByteOffset: Self.tagOffset, as: UInt64.self)
            let result = control(descriptor, change.rawValue, fd, event.baseAddress)
            precondition(result == 0, "epoll_ctl: \(String(cString: strerror(errno)))")
        }
    }

    private static func function<Function>(_ name: String) -> Function {
        guard let symbol = dlsym(nil, name) else { preconditionFailure("\(name) is not in this C library") }
        // The types above are those of the manual pages.
        return unsafeBitCast(symbol, to: Function.self)
    }
}
