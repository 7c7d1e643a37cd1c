import CairnTesting
import CairnWebSocket
import Testing

/// Who gets what, and in how many messages.
@Suite("WebSocketLoop: fan-out", .timeLimit(.minutes(10)))
struct FanOutTests {
    /// A loop that serves, another that is connected to it `count` times, and the ids of those connections there.
    private static func connected(
        _ count: Int = 1, _ subprotocol: String = "test.binary",
        _ body: @escaping (LoopBench, LoopBench, [ConnectionID]) async throws -> Void
    ) async throws {
        try await LoopBench.running(index: 0) { server in
            try await LoopBench.running(index: 1) { client in
                var ids: [ConnectionID] = []
                for tag in 1...count {
                    ids.append(try await client.connect(to: server, tag: UInt64(tag), subprotocol: subprotocol).there)
                }
                try await body(server, client, ids)
            }
        }
    }

    // MARK: One message a turn

    @Test func everythingQueuedInOneTurn_leavesAsOneMessage() async throws {
        try await Self.connected { server, client, ids in
            await server.run { loop in
                loop.follow(.make(), ids[0])
                for number in 1...5 { loop.send([UInt8(number)], to: ids[0]) }
                loop.broadcastEvent(.make(), binary: [6], text: nil)
                loop.broadcastVolatile(.make(), binary: [7], text: nil)
            }
            try await client.journal.wait(until: "a message") { !$0.messages.isEmpty }
            #expect(client.journal.now.messages.map(\.bytes) == [[1, 2, 3, 4, 5, 6, 7]])
            #expect(await server.counters.messagesSent == 1)
        }
    }

    @Test func whatIsQueuedInTwoTurns_leavesAsTwoMessages() async throws {
        try await Self.connected { server, client, ids in
            for number in 1...2 { await server.runAndFlush { $0.send([UInt8(number)], to: ids[0]) } }
            try await client.journal.wait(until: "two messages") { $0.messages.count == 2 }
            #expect(client.journal.now.messages.map(\.bytes) == [[1], [2]])
        }
    }

    @Test func textItems_areFramedAsOneMessage() async throws {
        try await Self.connected(1, "test.text") { server, client, ids in
            await server.run { loop in
                for item in ["a", "b", "c"] { loop.send(Array(item.utf8), to: ids[0]) }
            }
            try await client.journal.wait(until: "a message") { !$0.messages.isEmpty }
            #expect(client.journal.now.texts == ["[a,b,c]"])
            #expect(client.journal.now.messages[0].isText)
        }
    }

    @Test func muchInOneTurn_leavesInSeveralMessagesThatSplitNoItem() async throws {
        try await LoopBench.running(index: 0) { server in
            try await LoopBench.running(index: 1, options: { $0.messageBytesMax = 1 << 20 }) { client in
                let id = try await client.connect(to: server).there
                await server.run { loop in
                    for number in 1...10 { loop.send(Array(repeating: UInt8(number), count: 30_000), to: id) }
                }
                try await client.journal.wait(until: "all bytes") { $0.messages.flatMap(\.bytes).count == 300_000 }
                let messages = client.journal.now.messages.map(\.bytes)
                #expect(messages.count == 5)
                #expect(messages.allSatisfy { $0.count == 60_000 })
                #expect(
                    messages.flatMap { $0 }.reduce(into: [UInt8]()) { if $0.last != $1 { $0.append($1) } }
                        == Array(1...10))
            }
        }
    }

    @Test func broadcast_isOneSendForEachReader() async throws {
        try await Self.connected(8) { server, client, ids in
            await server.run { loop in
                for id in ids { loop.follow(.make(), id) }
                for number in 1...20 { loop.broadcastEvent(.make(), binary: [UInt8(number)], text: nil) }
            }
            try await client.journal.wait(until: "8 messages") { $0.messages.count == 8 }
            #expect(client.journal.now.messages.allSatisfy { $0.bytes == Array(1...20) })
            #expect(await server.counters.messagesSent == 8)
        }
    }

    /// QOS-3: an answer does not wait for the poses of a crowd.
    @Test func answer_overtakesThePosesOfACrowd() async throws {
        try await LoopBench.running(index: 0, options: { $0.poseSlice = .zero }) { server in
            try await LoopBench.running(index: 1) { client in
                var ids: [ConnectionID] = []
                for tag in 1...128 { ids.append(try await client.connect(to: server, tag: UInt64(tag)).there) }
                let last = ids[127]
                await server.run { [ids] loop in
                    for id in ids { loop.follow(.make(), id) }
                    loop.broadcastVolatile(.make(), binary: [7], text: nil)
                    // The next turn begins as soon as the first of the poses have left.
                    loop.post { [loop] in loop.send([9], to: last) }
                }
                try await client.journal.wait(until: "everybody's message") { $0.messages.count == 128 }
                let messages = client.journal.now.messages.map(\.bytes)
                let place = try #require(messages.firstIndex(of: [7, 9]))
                #expect(place < 80, "\(place)")
                #expect(messages.count { $0 == [7] } == 127)
            }
        }
    }

    // MARK: Who follows

    @Test func broadcast_reachesThoseWhoFollowAndNobodyElse() async throws {
        try await Self.connected(3) { server, client, ids in
            await server.run { loop in
                loop.follow(.make(1), ids[0])
                loop.follow(.make(2), ids[1])
                loop.broadcastEvent(.make(1), binary: [1], text: nil)
                loop.broadcastVolatile(.make(2), binary: [2], text: nil)
                loop.broadcastEvent(.make(3), binary: [3], text: nil)
                for id in ids { loop.send([9], to: id) }
            }
            try await client.journal.wait(until: "all messages") { $0.messages.count == 3 }
            let byTag = client.journal.now
            let bytes = byTag.opened.map { opened in byTag.messages.filter { $0.id == opened.id }.flatMap(\.bytes) }
            #expect(bytes == [[1, 9], [2, 9], [9]])
        }
    }

    /// Who did not ask for it gets the form that has always been.
    @Test func shortForm_isForThoseWhoAsked() async throws {
        try await Self.connected(2) { server, client, ids in
            await server.run { loop in
                for (index, id) in ids.enumerated() { loop.follow(.make(), id, group: UInt16(index)) }
                loop.readsShort(ids[0], true)
                loop.broadcastVolatile(.make(), binary: [1], short: [2], text: nil)
                loop.broadcastVolatile(.make(), binary: [3], short: nil, text: nil)
                loop.broadcastVolatile(.make(), binary: [[4], [5]], short: [[6], [7]], text: [nil, nil])
            }
            try await client.journal.wait(until: "both messages") { $0.messages.count == 2 }
            let record = client.journal.now
            let bytes = record.opened.map { opened in
                record.messages.filter { $0.id == opened.id }.flatMap(\.bytes)
            }
            #expect(bytes == [[2, 3, 6], [1, 3, 5]])
        }
    }

    @Test func unfollowing_endsIt() async throws {
        try await Self.connected { server, client, ids in
            await server.run { loop in
                loop.follow(.make(), ids[0])
                loop.broadcastEvent(.make(), binary: [1], text: nil)
                loop.unfollow(.make(), ids[0])
                loop.broadcastEvent(.make(), binary: [2], text: nil)
                loop.send([3], to: ids[0])
            }
            try await client.journal.wait(until: "a message") { !$0.messages.isEmpty }
            #expect(client.journal.now.messages[0].bytes == [1, 3])
        }
    }

    @Test func followingTwice_isOnce() async throws {
        try await Self.connected { server, client, ids in
            await server.run { loop in
                loop.follow(.make(), ids[0])
                loop.follow(.make(), ids[0])
                loop.broadcastEvent(.make(), binary: [1], text: nil)
            }
            try await client.journal.wait(until: "a message") { !$0.messages.isEmpty }
            #expect(client.journal.now.messages[0].bytes == [1])
            #expect(await server.run { $0.followerCount(.make()) } == 1)
        }
    }

    @Test func unfollowingInAnyOrder_keepsTheOthers() async throws {
        try await Self.connected(6) { server, client, ids in
            await server.run { loop in
                for id in ids { loop.follow(.make(), id) }
                for index in [0, 5, 2] { loop.unfollow(.make(), ids[index]) }
                loop.broadcastEvent(.make(), binary: [1], text: nil)
            }
            try await client.journal.wait(until: "3 messages") { $0.messages.count == 3 }
            let record = client.journal.now
            let readers = record.opened.indices.filter { index in
                record.messages.contains { $0.id == record.opened[index].id }
            }
            #expect(readers == [1, 3, 4])
        }
    }

    @Test func endOfAConnection_endsItsFollowing() async throws {
        try await LoopBench.running { server in
            let (socket, id) = try await server.accept()
            await server.run { $0.follow(.make(), id) }
            socket.abort()
            try await server.journal.wait(until: "the end") { $0.closed.count == 1 }
            #expect(await server.run { $0.followerCount(.make()) } == 0)
            #expect(await server.run { $0.isText(id) } == nil)
        }
    }

    @Test func idOfAGoneConnection_namesNobodyElse() async throws {
        try await LoopBench.running { server in
            let (socket, id) = try await server.accept()
            socket.abort()
            try await server.journal.wait(until: "the end") { $0.closed.count == 1 }
            let journal = Journal(0)
            let (second, secondID) = try await server.accept { _ in journal.note { $0 += 1 } }
            #expect(id != secondID)
            await server.run { loop in
                loop.send([1], to: id)
                loop.send([2], to: secondID)
            }
            try await journal.wait(until: "a message") { $0 == 1 }
            #expect(await server.counters.itemsLost == 1)
            second.abort()
        }
    }

    /// Who has left gives their place to another, whose group stays theirs.
    @Test func whoUnfollows_leavesTheOthersTheirGroups() async throws {
        try await Self.connected(4) { server, client, ids in
            await server.run { loop in
                for (group, id) in ids.enumerated() { loop.follow(.make(), id, group: UInt16(group)) }
                loop.unfollow(.make(), ids[1])
                loop.unfollow(.make(), ids[0])
                loop.broadcastVolatile(
                    .make(), binary: [[10], [11], [12], [13]], short: [nil, nil, nil, nil], text: [])
            }
            try await client.journal.wait(until: "2 messages") { $0.messages.count == 2 }
            let record = client.journal.now
            let bytes = record.opened.map { opened in record.messages.filter { $0.id == opened.id }.flatMap(\.bytes) }
            #expect(bytes == [[], [], [12], [13]])
        }
    }

    @Test func groups_getTheirOwnBatch() async throws {
        try await Self.connected(3) { server, client, ids in
            await server.run { loop in
                for (group, id) in ids.enumerated() { loop.follow(.make(), id, group: UInt16(group)) }
                loop.setGroup(.make(), ids[0], 2)
                loop.broadcastVolatile(.make(), binary: [[10], [11], [12]], short: [nil, nil, nil], text: [])
            }
            try await client.journal.wait(until: "3 messages") { $0.messages.count == 3 }
            let record = client.journal.now
            let bytes = record.opened.map { opened in record.messages.filter { $0.id == opened.id }.flatMap(\.bytes) }
            #expect(bytes == [[12], [11], [12]])
        }
    }

    @Test func textAndBinaryReaders_getTheirOwnFormat() async throws {
        try await LoopBench.running(index: 0) { server in
            try await LoopBench.running(index: 1) { client in
                let binary = try await client.connect(to: server, tag: 1, subprotocol: "test.binary").there
                let text = try await client.connect(to: server, tag: 2, subprotocol: "test.text").there
                await server.run { loop in
                    loop.follow(.make(), binary)
                    loop.follow(.make(), text)
                    loop.broadcastEvent(.make(), binary: [1], text: Array("t".utf8))
                }
                try await client.journal.wait(until: "2 messages") { $0.messages.count == 2 }
                #expect(Set(client.journal.now.texts) == ["\u{1}", "[t]"])
                #expect(await server.run { $0.hasTextFollowers(.make()) })
            }
        }
    }

    // MARK: In

    @Test func messages_arriveWholeAndInOrder() async throws {
        try await LoopBench.running { server in
            let (socket, _) = try await server.accept()
            for number in 0..<200 { socket.send(binary: Array(repeating: UInt8(number), count: number * 13)) }
            try await server.journal.wait(until: "200 messages") { $0.messages.count == 200 }
            #expect(server.journal.now.messages.map(\.bytes.count) == (0..<200).map { $0 * 13 })
            socket.abort()
        }
    }

    @Test func pausedConnection_isNotReadUntilItIsResumed() async throws {
        try await LoopBench.running { server in
            let (first, firstID) = try await server.accept()
            let (second, secondID) = try await server.accept()
            await server.run { $0.pause(firstID, true) }
            first.send(binary: [1])
            second.send(binary: [2])
            try await server.journal.wait(until: "a message") { $0.messages.contains { $0.id == secondID } }
            await server.run { $0.pause(firstID, false) }
            try await server.journal.wait(until: "the other message") { $0.messages.count == 2 }
            #expect(server.journal.now.messages.map(\.bytes) == [[2], [1]])
            first.abort()
            second.abort()
        }
    }
}
