/// What a throw-away server is told so that the plan, and not a quota, is what limits the crowd.
extension CrowdPlan {
    /// `key=value` for `cairn serve --set`.
    func serverSettings(loops: Int?) -> [String] {
        var settings = [
            "listen.connectionsMax=\(people + 200)",
            "connections.positionsPerSecond=\(max(10, Int((rate * 2).rounded(.up))))",
            "connections.messagesPerSecond=\(max(50, Int((rate * 4).rounded(.up)) + 20))",
            "connections.messagesBurst=\(max(100, Int((rate * 8).rounded(.up)) + 40))",
        ]
        if placeEvery > 0 {
            let perMinute = max(10, Int((60 / placeEvery).rounded(.up)) + 2)
            settings.append("placement.perMinute=\(perMinute)")
            settings.append("placement.perDay=\(max(100, perMinute * 60))")
            settings.append("cells.instancesMax=\(max(2_000, people * 50))")
        }
        if let loops { settings.append("listen.loops=\(loops)") }
        return settings
    }
}
