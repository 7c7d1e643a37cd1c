public import CairnCore

/// The register: every capability of the server is one line here, one folder beside it and one line in the envelope.
public enum Features {
    public static let register = FeatureRegister([
        Placements.self,
        Reactions.self,
        Feedback.self,
    ])
}
