package import CairnCore
internal import CairnFeatures
internal import CairnLogging
package import CairnServer
internal import CairnStore
internal import CairnWire

/// Commands about the ledger of purchases, refunds and ad revenue (CMP-6).
extension StatsCommand {
    static var ledger: [StatsCommand] {
        [
            StatsCommand(
                "ledger", takes: "YEAR [AFTER]", level: .admin,
                "entries of the ledger of a year, in order, in pages: behind the number AFTER; next = there are more"
            ) { room, someone, arguments throws(StatsRefusal) in
                guard (1...2).contains(arguments.words.count), let year = Int(arguments.words[0]),
                    (1_970...9_999).contains(year), let after = Int64(arguments.words.dropFirst().first ?? "0")
                else { throw StatsRefusal(.badArgument, "wants a year, and perhaps a number") }
                room.listLedger(ofYear: year, after: after, for: someone)
            },
            StatsCommand(
                "ledger-revenue", takes: "DAY CENTS CURRENCY REFERENCE SOURCE", level: .admin,
                "enter ad revenue in the ledger, for ever: the day as 2026-11-24, hundredths of the currency (below 0 "
                    + "corrects an entry), your reference (- = none), who paid it"
            ) { room, someone, arguments throws(StatsRefusal) in
                let words = arguments.words
                guard words.count >= 5, let cents = Int64(words[1]) else {
                    throw StatsRefusal(.badArgument, "wants a day, hundredths, a currency, a reference and a source")
                }
                let revenue: SignIn.Revenue
                do throws(Refusal) {
                    revenue = try SignIn.Revenue(
                        day: words[0], cents: cents, currency: words[2],
                        source: words.dropFirst(4).joined(separator: " "),
                        reference: words[3] == "-" ? "" : words[3])
                } catch {
                    throw StatsRefusal(.badArgument, error.message)
                }
                room.add(revenue, for: someone)
            },
            StatsCommand(
                "purchase-refund", takes: "PURCHASE charge|paid REASON", level: .admin,
                "refund a purchase and end its right: charge = by the payment adaptor, paid = it was refunded already, "
                    + "as by a store; PURCHASE is the reference in the ledger"
            ) { room, someone, arguments throws(StatsRefusal) in
                let words = arguments.words
                guard words.count >= 3, ["charge", "paid"].contains(words[1]) else {
                    throw StatsRefusal(.badArgument, "wants a purchase, charge or paid, and a reason")
                }
                let id: PurchaseID = try room.identifier(words[0], "purchase")
                let (context, reason) = (room.context, try arguments.checkedReason(after: 2))
                room.decide("purchase-refund", for: someone) { author, signIn, shards in
                    let purchase = try await signIn.refund(
                        id, isPaidBack: words[1] == "paid", by: author, because: reason)
                    await context.tell(ofRefund: purchase, on: shards)
                    return JSONLine.object { line in
                        line.member("purchase", words[0])
                        line.member("account", signIn.identifiers.name(of: purchase.account))
                        line.member("refunded", purchase.price.text)
                    }
                }
            },
        ]
    }
}

extension ServerContext {
    /// A purchase was paid back: its buyer's devices are told, and a run on its tour ends with notice.
    package func tell(ofRefund purchase: Purchase, on shards: [Shard]) async {
        await Shard.notify([purchase.account], on: shards)
        guard let runs = try? await store.read([WalkedTour.query(of: purchase.account)])[0],
            let run = WalkedTour.run(in: runs, on: purchase.tour)
        else { return }
        _ = await Shard.order(RunRevoked(), of: .space(run), in: self, on: shards)
    }
}

extension StatsRoom {
    fileprivate func listLedger(ofYear year: Int, after number: Int64, for someone: Operator) {
        let signIn = context.signIn
        perform(for: someone) {
            let page = try await signIn.ledger(ofYear: year, after: number)
            return JSONLine.object { line in
                line.array("entries") { line in
                    for entry in page.entries {
                        line.element { line in
                            for (name, value) in zip(LedgerEntry.columns, entry.values) {
                                line.member(named: name, value)
                            }
                        }
                    }
                }
                if let next = page.next { line.member("next", Int(next)) }
            }
        }
    }

    fileprivate func add(_ revenue: SignIn.Revenue, for someone: Operator) {
        noteAction("ledger-revenue", of: someone)
        let (signIn, author) = (context.signIn, AccountAuthor.named(someone.name))
        perform(for: someone) {
            try await signIn.add(revenue, by: author)
            return JSONLine.object { $0.member("done", "entered") }
        }
    }
}
