internal import COpenSSL
internal import Synchronization

/// OpenSSL's contexts of one algorithm, mostly with one key in them, each lent to one thread at a time.
///
/// A context keeps the expanded key, which costs more to make than a short value to seal. So contexts are used again.
/// Their number is the largest number of threads that have used the pool at the same time.
final class ContextPool: Sendable {
    private struct Context: @unchecked Sendable {
        // @unchecked because a pointer is not Sendable: the thread that takes a context out of `idle` is alone with it.
        let pointer: OpaquePointer
    }

    private let idle = Mutex<[Context]>([])
    private let make: @Sendable () throws(CryptoFault) -> OpaquePointer
    private let free: @Sendable (OpaquePointer) -> Void

    /// - Parameters:
    ///   - make: a context with the key in it.
    ///   - free: frees a context and wipes the key in it.
    init(
        make: @escaping @Sendable () throws(CryptoFault) -> OpaquePointer,
        free: @escaping @Sendable (OpaquePointer) -> Void
    ) {
        (self.make, self.free) = (make, free)
    }

    /// Contexts of hash functions, without a key.
    static func ofHashes() -> ContextPool {
        ContextPool(
            make: { () throws(CryptoFault) in
                guard let context = EVP_MD_CTX_new() else { throw CryptoFault("make a context of a hash") }
                return context
            }, free: { EVP_MD_CTX_free($0) })
    }

    deinit {
        idle.withLock { for context in $0 { free(context.pointer) } }
    }

    /// Lends a context until `body` returns. One whose use has failed is not used again.
    func lend<Result>(_ body: (OpaquePointer) throws(CryptoFault) -> Result) throws(CryptoFault) -> Result {
        let known = idle.withLock { $0.popLast() }
        let context = if let known { known } else { Context(pointer: try make()) }
        do {
            let result = try body(context.pointer)
            idle.withLock { $0.append(context) }
            return result
        } catch {
            free(context.pointer)
            throw error
        }
    }
}
