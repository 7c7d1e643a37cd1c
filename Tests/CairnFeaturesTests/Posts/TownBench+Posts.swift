import CairnCore
import CairnFeatures
import CairnGeo
import CairnTesting
import CairnWire

extension TownBench {
    /// Posts something and gives the post as everybody sees it.
    mutating func post(
        _ id: UInt32, _ text: String = "Hello, square", by sender: Sender = .make()
    ) throws -> WireInstance {
        let answer = try ask(.make(.posting(text), id: id, from: sender))
        guard case .postCreated(let created) = try answer.result else { throw BenchError("not posted") }
        return created.post.asOthersSee
    }

    /// Votes and gives the answer.
    @discardableResult
    mutating func vote(
        _ id: UInt32, _ vote: Int32, on post: WireInstance, by sender: Sender
    ) throws -> WireVoteSet {
        let answer = try ask(.make(.voting(vote, on: post), id: id, from: sender))
        guard case .voteSet(let set) = try answer.result else { throw BenchError("no vote") }
        return set
    }

    /// Votes a post down until nobody but its author sees it.
    mutating func hide(_ post: WireInstance, firstID: UInt32 = 500) throws {
        for person in 0..<5 {
            try vote(firstID + UInt32(person), -1, on: post, by: .make(UInt64(50 + person)))
        }
    }

    /// Reads a post.
    mutating func read(
        _ id: UInt32, _ post: WireInstance, by sender: Sender = .make()
    ) throws -> WirePostRead {
        let answer = try ask(.make(.reading(post: post), id: id, from: sender))
        guard case .postRead(let read) = try answer.result else { throw BenchError("not read") }
        return read
    }

    /// A page of the posts of `Ground.here`, or of the whole view for an empty token.
    mutating func trending(
        _ id: UInt32, in cell: String = Ground.here.cell.token, count: UInt32 = 0, after: String = "",
        by sender: Sender = .make()
    ) throws -> WirePostPage {
        let body = WireClientMessage.OneOf_Body.listingTrendingPosts(in: cell, count: count, after: after)
        guard case .postPage(let page) = try ask(.make(body, id: id, from: sender)).result else {
            throw BenchError("no page")
        }
        return page
    }
}

extension Settings {
    /// Settings under which nobody is held back.
    static func unhurried(_ change: (inout Settings) -> Void = { _ in }) -> Settings {
        .gesturing { settings in
            settings.posts.perMinute = 1_000_000
            settings.posts.perDay = 1_000_000
            change(&settings)
        }
    }
}
