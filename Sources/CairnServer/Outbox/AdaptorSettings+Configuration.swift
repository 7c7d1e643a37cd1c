package import CairnAdaptors
package import CairnConfiguration

extension AdaptorSettings {
    package init(_ configuration: Configuration) {
        self.init()
        let adaptors = configuration.adaptors
        sources = [
            .mail: Source(adaptors.mail), .push: Source(adaptors.push), .identity: Source(adaptors.identity),
            .payment: Source(adaptors.payment), .receipts: Source(adaptors.receipts),
        ]
        timeLimit = .seconds(adaptors.timeoutSeconds)
        waitingMax = adaptors.waitingMax
        parallelMax = adaptors.parallelMax
        mailFolder = adaptors.mailFolder ?? "mail"
        mailFrom = adaptors.mailFrom
        paymentFolder = adaptors.paymentFolder ?? "payments"
    }
}
