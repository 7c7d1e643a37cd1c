import Dispatch
import Foundation

/// `cairn top` on a terminal: draws, reads keys, follows the window's size, and leaves the terminal as it was.
final class TopSession {
    private let path: String
    private var view: TopView
    private var connection: StatsConnection?
    private var look: TopLook?
    private var nextLook = Date.distantPast
    private var isOver = false
    private var isLost = false

    init(path: String, view: TopView) {
        self.path = path
        self.view = view
    }

    func run() throws {
        let screen = try TerminalScreen()
        defer { screen.leave() }
        while !isOver {
            if Date.now >= nextLook && !view.isFrozen { refresh(screen) }
            draw(screen)
            let pause = view.isFrozen ? 60 : max(0, nextLook.timeIntervalSinceNow)
            switch screen.wait(seconds: pause) {
            case .keys(let keys): keys.forEach { take($0) }
            case .resized, .nothing: break
            case .ended: isOver = true
            }
        }
    }

    private func refresh(_ screen: TerminalScreen) {
        nextLook = Date.now + view.interval
        do {
            let connection = try self.connection ?? StatsConnection(path: path)
            self.connection = connection
            look = try TopLook(connection, view: view, rows: screen.size.rows - TopScreen.headLines - 1)
            if isLost { view.message = "" }
            isLost = false
        } catch let refused as TopRefused {
            view.message = refused.message
            view.filter = ""
        } catch {
            connection = nil
            isLost = true
            view.message = "\(error); trying again"
        }
    }

    private func draw(_ screen: TerminalScreen) {
        let (rows, width) = screen.size
        guard let look else { return screen.draw([view.message]) }
        let room = max(0, rows - TopScreen.headLines - 1)
        var lines = TopScreen.lines(look, view: view, path: path, width: width, rows: room)
        if view.showsHelp { lines = Array(lines.prefix(TopScreen.headLines - 1)) + [""] + TopScreen.help }
        lines = Array(lines.prefix(max(0, rows - 1)))
        lines += Array(repeating: "", count: max(0, rows - 1 - lines.count))
        lines.append(String(TopScreen.footer(look, view: view).prefix(width)))
        screen.draw(lines, bold: view.showsHelp ? [0] : [0, TopScreen.headLines - 1], inverse: [lines.count - 1])
    }

    // MARK: Keys

    private func take(_ key: TerminalKey) {
        view.message = ""
        if view.typing != nil { return type(key) }
        view.showsHelp = key == .character("?") && !view.showsHelp
        let page = max(1, (look?.cells.count ?? 1) - 1)
        switch key {
        case .character("q"), .interrupt, .escape: isOver = true
        case .character(" "): view.isFrozen.toggle()
        case .character("/"): view.typing = ""
        case .character("+"): view.interval = max(0.2, view.interval / 2)
        case .character("-"): view.interval = min(60, view.interval * 2)
        case .up: scroll(by: -1)
        case .down: scroll(by: 1)
        case .pageUp: scroll(by: -page)
        case .pageDown: scroll(by: page)
        case .character(let character):
            guard let order = TopOrder.allCases.first(where: { $0.key == character }) else { return }
            view.order = order
            view.offset = 0
            lookNow()
        case .enter, .backspace, .other: break
        }
    }

    private func type(_ key: TerminalKey) {
        switch key {
        case .character(let character): view.typing?.append(character)
        case .backspace: _ = view.typing?.popLast()
        case .enter:
            view.filter = (view.typing ?? "").filter { !$0.isNewline }
            view.offset = 0
            view.typing = nil
            lookNow()
        case .escape: view.typing = nil
        case .interrupt: isOver = true
        default: break
        }
    }

    private func scroll(by rows: Int) {
        view.offset = max(0, min((look?.of ?? 1) - 1, view.offset + rows))
        lookNow()
    }

    private func lookNow() {
        view.isFrozen = false
        nextLook = .distantPast
    }
}
