import CairnClient

extension DemoWalkers {
    private static let reactions = ["like", "love", "laugh", "wow"]

    /// Reacts to something in view, whoever's it is.
    static func reactToSomething(_ client: CairnClient) async {
        guard let instance = await Array(client.view.instances).randomElement() else { return }
        _ = try? await client.react(to: instance, with: reactions.randomElement() ?? "like")
    }
}
