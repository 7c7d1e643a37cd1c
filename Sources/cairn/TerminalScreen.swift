import Dispatch
import Foundation

/// A key that somebody pressed.
enum TerminalKey: Equatable {
    case character(Character)
    case enter, backspace, escape, interrupt, up, down, pageUp, pageDown, other
}

/// The terminal as a full screen: the alternate buffer, without a cursor, keys unbuffered and without echo.
final class TerminalScreen {
    /// What ends a wait.
    enum Event {
        case keys([TerminalKey])
        /// The descriptor has something to read, or has ended.
        case answer
        case resized
        case ended
        case nothing
    }

    private var before = termios()
    private let signals: [any DispatchSourceSignal]
    private let news: [Int32]
    private var hasLeft = false

    init() throws {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { throw CocoaError(.fileReadUnknown) }
        var raw = before
        cfmakeraw(&raw)
        // Keep the processing of output: a line break also returns to the first column.
        raw.c_oflag = before.c_oflag
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        news = ends
        let writer = ends[1]
        signals = [(SIGWINCH, "r"), (SIGTERM, "t"), (SIGHUP, "t")].map { number, letter in
            // The dispatch source gets the signal only if its default action is off.
            if number != SIGWINCH { signal(number, SIG_IGN) }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { _ = Foundation.write(writer, letter, 1) }
            source.resume()
            return source
        }
        Terminal.write("\u{1b}[?1049h\u{1b}[?25l\u{1b}[2J")
    }

    /// Restores the terminal.
    func leave() {
        guard !hasLeft else { return }
        hasLeft = true
        signals.forEach { $0.cancel() }
        Terminal.write("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
    }

    var size: (rows: Int, columns: Int) {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0 else { return (24, 80) }
        return (Int(window.ws_row), Int(window.ws_col))
    }

    /// Overwrites the screen with lines, without clearing it first, which would flicker.
    func draw(_ lines: [String], bold: [Int] = [], inverse: [Int] = []) {
        var text = "\u{1b}[H"
        for (place, line) in lines.enumerated() {
            let style = inverse.contains(place) ? "\u{1b}[7m" : bold.contains(place) ? "\u{1b}[1m" : ""
            text += style + Self.printable(line) + (style.isEmpty ? "" : "\u{1b}[0m") + "\u{1b}[K"
            if place < lines.count - 1 { text += "\n" }
        }
        Terminal.write(text + "\u{1b}[J")
    }

    /// Waits for a key, a change of the window, or something to read at `descriptor`.
    func wait(seconds: Double, for descriptor: Int32?) -> Event {
        var polled = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: news[0], events: Int16(POLLIN), revents: 0),
            // poll ignores negative descriptors.
            pollfd(fd: descriptor ?? -1, events: Int16(POLLIN), revents: 0),
        ]
        poll(&polled, nfds_t(polled.count), Int32((min(60, seconds) * 1_000).rounded(.up)))
        if polled[1].revents != 0 {
            var letters = [UInt8](repeating: 0, count: 64)
            let count = read(news[0], &letters, letters.count)
            return letters.prefix(max(0, count)).contains(UInt8(ascii: "t")) ? .ended : .resized
        }
        guard polled[0].revents != 0 else { return polled[2].revents != 0 ? .answer : .nothing }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 ? .keys(Self.keys(in: bytes[..<count])) : .ended
    }

    /// The keys in the terminal's input.
    static func keys(in bytes: ArraySlice<UInt8>) -> [TerminalKey] {
        let sequences: [(String, TerminalKey)] = [
            ("\u{1b}[A", .up), ("\u{1b}[B", .down), ("\u{1b}OA", .up), ("\u{1b}OB", .down), ("\u{1b}[5~", .pageUp),
            ("\u{1b}[6~", .pageDown),
        ]
        var keys: [TerminalKey] = []
        var rest = bytes
        while let first = rest.first {
            if let (sequence, key) = sequences.first(where: { rest.starts(with: $0.0.utf8) }) {
                keys.append(key)
                rest = rest.dropFirst(sequence.utf8.count)
                continue
            }
            let second = rest.dropFirst().first
            if first == 0x1b, second == UInt8(ascii: "[") || second == UInt8(ascii: "O") {
                // An unknown escape sequence is skipped up to its final byte.
                let end = rest.dropFirst(2).firstIndex { $0 >= 0x40 && $0 <= 0x7e } ?? rest.endIndex - 1
                keys.append(.other)
                rest = rest[(end + 1)...]
                continue
            }
            rest = rest.dropFirst()
            switch first {
            case 3: keys.append(.interrupt)
            case 0x1b: keys.append(.escape)
            case 13, 10: keys.append(.enter)
            case 127, 8: keys.append(.backspace)
            case 0x20..<0x7f: keys.append(.character(Character(UnicodeScalar(first))))
            default: keys.append(.other)
            }
        }
        return keys
    }

    /// Removes control characters, which could steer the terminal.
    private static func printable(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return String(String.UnicodeScalarView(plain))
    }
}
