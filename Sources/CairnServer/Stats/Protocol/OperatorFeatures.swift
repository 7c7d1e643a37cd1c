/// What operators may ask of features: a line each, with commands and the meaning of what they answer.
enum OperatorFeatures {
    static var commands: [StatsCommand] { StatsCommand.feedback }

    static let sections: [StatsSchema.Section] = [("feedback", StatsSchema.feedback)]
}
