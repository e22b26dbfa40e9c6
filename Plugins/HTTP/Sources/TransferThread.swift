private import CCurl
private import Synchronization

/// A thread that drives the exchanges of one component, so that no task waits on a socket.
///
/// Tasks leave orders and are continued by the thread. Connections and cookies are kept until `close`.
///
/// `@unchecked`: `multi` belongs to the thread, apart from `flow_multi_wake`, which any thread may call until the
/// thread has been joined; `thread` is written before the object is shared, and read by `close` alone.
@safe final class TransferThread: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<TransferReply, any Error>
  typealias Reader = CheckedContinuation<[UInt8], any Error>

  private enum Order {
    case begin(UInt64, Transfer, Continuation)
    case read(UInt64, Reader)
    case withdraw(UInt64)
    case cancel(UInt64)
    case close(CheckedContinuation<Void, Never>)
  }

  private struct Orders {
    var waiting: [Order] = []
    var lastNumber: UInt64 = 0
    var isClosed = false
    /// Whether the thread waits and has to be woken.
    var isAsleep = false
  }

  private let orders = Mutex(Orders())
  private let library: CurlLibrary
  private let options: TransferOptions
  private let multi: OpaquePointer
  private var thread: OpaquePointer? = nil

  /// Starts the thread, which runs until `close`.
  init(_ library: CurlLibrary, _ options: TransferOptions) throws(TransferThreadError) {
    guard let multi = unsafe flow_multi_new(library.functions) else { throw .exhausted }
    self.library = library
    self.options = options
    unsafe self.multi = multi
    // Its options are those of every exchange: what libcurl refuses fails here, not in the first one.
    do { _ = try unsafe TransferHandle(library, multi, options) } catch {
      unsafe flow_multi_free(multi)
      throw error
    }
    // The thread holds the object until it ends.
    let context = unsafe Unmanaged.passRetained(self)
    unsafe thread = flow_thread_start(
      { context in
        unsafe Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard unsafe thread != nil else {
      unsafe context.release()
      unsafe flow_multi_free(multi)
      throw .exhausted
    }
  }

  /// Makes an exchange, or begins one whose body is a stream.
  ///
  /// - Throws: `TransferFailure`, or `CancellationError` as soon as the task is cancelled.
  func send(_ transfer: Transfer) async throws -> TransferReply {
    let number = orders.withLock { orders in
      orders.lastNumber += 1
      return orders.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { begin(number, transfer, $0) }
    } onCancel: {
      leave(.cancel(number))
    }
  }

  /// The bytes of a stream that have come since, at least one; none at its end.
  ///
  /// - Throws: `TransferFailure` when it breaks, or `CancellationError` as soon as the task is cancelled, which does not
  ///   end the stream.
  func read(_ number: UInt64) async throws -> [UInt8] {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        if !leave(.read(number, reader)) { reader.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(.withdraw(number))
    }
  }

  /// Ends a stream and lets go of its connection.
  func end(_ number: UInt64) { leave(.cancel(number)) }

  /// Ends what is under way as if it were cancelled, then the thread, its connections and cookies.
  ///
  /// Called once, after which nothing is sent.
  func close() async {
    await withCheckedContinuation { leave(.close($0)) }
    // The thread has nothing left to do but to end.
    if let thread = unsafe thread { unsafe flow_thread_join(thread) }
    unsafe flow_multi_free(multi)
  }

  private func begin(_ number: UInt64, _ transfer: Transfer, _ continuation: Continuation) {
    if !leave(.begin(number, transfer, continuation)) {
      continuation.resume(throwing: CancellationError())
    }
  }

  /// Answers whether the thread will carry the order out.
  @discardableResult private func leave(_ order: Order) -> Bool {
    let isAsleep: Bool? = orders.withLock { orders in
      if orders.isClosed { return nil }
      switch order {
      // Under the lock: a cancellation after this line leaves its order behind this one.
      case .begin, .read: if Task.isCancelled { return nil }
      case .cancel, .withdraw: break
      case .close: orders.isClosed = true
      }
      orders.waiting.append(order)
      defer { orders.isAsleep = false }
      return orders.isAsleep
    }
    // Outside of the lock, for which the thread would wait at once.
    if isAsleep == true { unsafe flow_multi_wake(multi) }
    return isAsleep != nil
  }

  // MARK: - On the thread

  private func run() {
    var driver = unsafe TransferDriver(library, multi, options)
    while true {
      for order in takeOrders(isBusy: driver.isBusy) {
        switch order {
        case .begin(let number, let transfer, let continuation):
          driver.begin(number, transfer, continuation)
        case .read(let number, let reader): driver.read(number, reader)
        case .withdraw(let number): driver.withdraw(number)
        case .cancel(let number): driver.cancel(number)
        case .close(let continuation):
          driver.close()
          return continuation.resume()
        }
      }
      driver.perform()
    }
  }

  /// The orders that have come; waits for one, or until an exchange goes on.
  private func takeOrders(isBusy: Bool) -> [Order] {
    // A scenario's next request often follows at once, before the thread would be asleep and woken again.
    var patience = isBusy ? 0 : Self.patience
    while patience > 0, orders.withLock({ $0.waiting.isEmpty }) {
      flow_thread_yield()
      patience -= 1
    }
    let isAsleep = orders.withLock { orders in
      orders.isAsleep = orders.waiting.isEmpty
      return orders.isAsleep
    }
    if isAsleep { unsafe flow_multi_wait(multi) }
    return orders.withLock { orders in
      orders.isAsleep = false
      defer { orders.waiting = [] }
      return orders.waiting
    }
  }

  // About 100 microseconds, during which every other thread may have the processor.
  private static let patience = 100
}

/// Why an exchange cannot begin.
enum TransferThreadError: Error, CustomStringConvertible {
  /// The system has no memory, thread or descriptor left.
  case exhausted
  /// What libcurl refuses, and its words for why.
  case refused(String, reason: String)

  var description: String {
    switch self {
    case .exhausted: "the system has no memory, thread or descriptor left"
    case .refused(let what, let reason): "libcurl refuses \(what): \(reason)"
    }
  }
}
