import Dispatch
import Foundation

/// `cairn top` on a terminal: draws, reads keys, follows the window's size and restores the terminal at the end. It
/// never waits for an answer, so keys work even while the server does not respond.
final class TopSession {
    private let path: String
    private var view: TopView
    private var connection: StatsConnection?
    private var request: TopLookRequest?
    /// The command whose answer becomes a page: waiting to be sent, and sent. Its answer and a look's do not mix.
    private var wanted: String?
    private var asked: String?
    private var look: TopLook?
    private var nextLook = Date.distantPast
    /// When the last sample came.
    private var heard = Date.now
    private var isOver = false
    private var isLost = false

    /// Seconds beyond the interval until the screen says that no samples come.
    private static let silenceSeconds = 3.0
    /// Longest wait for a connection, in seconds: keys wait as long.
    private static let connectSeconds = 0.5

    init(path: String, view: TopView) {
        self.path = path
        self.view = view
    }

    func run() throws {
        let screen = try TerminalScreen()
        defer { screen.leave() }
        while !isOver {
            if request == nil, asked == nil {
                if wanted != nil {
                    askForPage()
                } else if !view.isFrozen, Date.now >= nextLook {
                    ask(rows: screen.size.rows)
                }
            }
            draw(screen)
            switch screen.wait(seconds: pause, for: connection?.descriptor) {
            case .keys(let keys): keys.forEach { press($0) }
            case .answer: hear()
            case .resized, .nothing: break
            case .ended: isOver = true
            }
        }
    }

    /// Seconds until there is something to do or to show without a key.
    private var pause: Double {
        // The screen counts the seconds without a sample.
        if silentSeconds != nil || request != nil || asked != nil { return 1 }
        return view.isFrozen ? 60 : max(0, nextLook.timeIntervalSinceNow)
    }

    private var silentSeconds: Int? {
        let silence = Date.now.timeIntervalSince(heard)
        return !view.isFrozen && silence >= view.interval + Self.silenceSeconds ? Int(silence) : nil
    }

    // MARK: Looks

    private func ask(rows: Int) {
        nextLook = Date.now + view.interval
        attempt {
            let connection = try self.connection ?? StatsConnection(path: path, seconds: Self.connectSeconds)
            self.connection = connection
            request = try TopLookRequest(connection, view: view, rows: rows)
        }
    }

    private func askForPage() {
        attempt {
            guard let command = wanted else { return }
            wanted = nil
            let connection = try self.connection ?? StatsConnection(path: path, seconds: Self.connectSeconds)
            self.connection = connection
            try connection.send(command)
            asked = command
        }
    }

    private func open(_ line: [UInt8], of command: String) {
        asked = nil
        heard = .now
        do {
            view.pages.append(try TopPage(line, of: command))
        } catch let refused as TopRefused {
            view.message = refused.message
        } catch {
            view.message = "\(command): the answer cannot be read"
        }
    }

    private func hear() {
        attempt {
            for line in try connection?.linesAtHand() ?? [] {
                if let command = asked {
                    open(line, of: command)
                    continue
                }
                guard let fresh = try request?.add(line) else { continue }
                request = nil
                heard = .now
                // If the view was frozen meanwhile, the screen stays.
                if !view.isFrozen || look == nil { look = fresh }
                if isLost { view.message = "" }
                isLost = false
            }
        }
    }

    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch let refused as TopRefused {
            request = nil
            heard = .now
            view.message = refused.message
            view.filter = ""
        } catch {
            connection = nil
            request = nil
            asked = nil
            isLost = true
            view.message = "\(error); trying again"
        }
    }

    private func draw(_ screen: TerminalScreen) {
        let (rows, width) = screen.size
        guard let look else {
            let silence = silentSeconds.map { "NO NEWS for \($0) s   q quit" } ?? ""
            return screen.draw([String((view.message.isEmpty ? silence : view.message).prefix(width))])
        }
        let page = TopScreen(look, view: view, path: path, width: width, height: rows)
        let room = max(0, rows - page.head.count - 1)
        var lines = page.head + page.rows(room)
        if view.showsHelp {
            lines = Array(page.head.dropLast()) + page.help.map { String($0.prefix(width)) }
        } else if view.showsReasons {
            let reasons = TopScreen.reasons(look, width: width)
            view.offset = min(view.offset, max(0, reasons.count - rows + 1))
            lines = Array(reasons.dropFirst(view.offset))
        } else if let found = view.pages.last {
            lines = Array(page.head.dropLast()) + found.rows(room + 1, width: width)
        }
        lines = Array(lines.prefix(max(0, rows - 1)))
        lines += Array(repeating: "", count: max(0, rows - 1 - lines.count))
        lines.append(String(page.footer(rows: room, silentSeconds: silentSeconds).prefix(width)))
        let isTable = !view.showsHelp && !view.showsReasons
        screen.draw(lines, bold: isTable ? [0, page.head.count - 1] : [0], inverse: [lines.count - 1])
    }

    // MARK: Keys

    private func press(_ key: TerminalKey) {
        if !isLost { view.message = "" }
        if view.typing != nil { return type(key) }
        let wasHelp = view.showsHelp
        view.showsHelp = key == .character("?") && !view.showsHelp
        if key == .character("!") || (key == .escape && view.showsReasons) {
            view.showsReasons.toggle()
            view.offset = 0
            return
        }
        switch key {
        case .character("q"), .interrupt: isOver = true
        case .escape: if !wasHelp { leaveWhatIsChosen() }
        case .character(" "): freeze(!view.isFrozen)
        case .character("/"): (view.typing, view.isFinding, view.showsReasons) = ("", true, false)
        case .character("f"): (view.typing, view.isFinding) = ("", false)
        case .character("+"): view.interval = max(0.2, view.interval / 2)
        case .character("-"): view.interval = min(60, view.interval * 2)
        case .up: scroll(by: -1)
        case .down: scroll(by: 1)
        case .pageUp: scroll(by: -Self.pageRows)
        case .pageDown: scroll(by: Self.pageRows)
        case .character(let character):
            if let page = view.pages.last { return openHit(character, of: page) }
            guard let column = look?.columns.first(where: { $0.key == String(character) }) else { return }
            view.order = column.order
            view.offset = 0
            lookNow()
        case .enter, .backspace, .other: break
        }
    }

    private static let pageRows = 10

    /// 1 to 9 open a hit of the page.
    private func openHit(_ key: Character, of page: TopPage) {
        guard let number = key.wholeNumberValue, page.commands.indices.contains(number - 1) else { return }
        wanted = page.commands[number - 1]
    }

    private func type(_ key: TerminalKey) {
        switch key {
        case .character(let character): view.typing?.append(character)
        case .backspace: _ = view.typing?.popLast()
        case .enter:
            let text = (view.typing ?? "").filter { !$0.isNewline }
            view.typing = nil
            guard !view.isFinding else {
                if !text.isEmpty { wanted = "find \(text)" }
                return
            }
            view.pages = []
            view.filter = text
            view.offset = 0
            lookNow()
        case .escape: view.typing = nil
        case .interrupt: isOver = true
        default: break
        }
    }

    /// Escape: leaves the page, else ends the freeze, else removes the filter; it never ends the program.
    private func leaveWhatIsChosen() {
        guard view.pages.popLast() == nil else { return }
        if view.isFrozen { return freeze(false) }
        guard !view.filter.isEmpty else { return }
        view.filter = ""
        view.offset = 0
        lookNow()
    }

    private func freeze(_ isFrozen: Bool) {
        view.isFrozen = isFrozen
        guard !isFrozen else { return }
        heard = .now
        lookNow()
    }

    /// Scrolls. A frozen sample is scrolled within itself: a new one would be of another moment.
    private func scroll(by rows: Int) {
        if view.showsReasons { return view.offset = max(0, view.offset + rows) }
        guard view.pages.isEmpty else { return view.pages[view.pages.count - 1].scroll(by: rows) }
        let end = view.isFrozen ? look?.cells.count ?? 1 : look?.of ?? 1
        view.offset = max(0, min(end - 1, view.offset + rows))
        if !view.isFrozen { nextLook = .distantPast }
    }

    private func lookNow() {
        view.isFrozen = false
        nextLook = .distantPast
    }
}
