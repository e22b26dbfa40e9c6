private import CCurl
private import Synchronization

/// A driver for the exchanges of one component at a time, so that no task waits on a socket for long.
///
/// Tasks leave orders, which a thread carries out and answers. A task with the only exchange drives
/// it itself for a moment: a server nearby responds sooner than two threads can take turns.
/// Connections are kept until `close`, cookies until the component's `reset`.
///
/// `@unchecked`: `driver` and `multi` belong to the pilot in `Orders.pilot`, except for
/// `flow_multi_wake`, which any thread may call until the thread has been joined. `thread` is
/// written before the object is shared, and read by `close` alone.
@safe final class TransferThread: @unchecked Sendable {
  typealias Continuation = CheckedContinuation<TransferReply, any Error>
  typealias Reader = CheckedContinuation<TransferPiece, any Error>
  typealias CookieReader = CheckedContinuation<[String], any Error>

  typealias Waiter = CheckedContinuation<Void, Never>

  private enum Order {
    case begin(UInt64, Transfer, Continuation)
    case read(UInt64, Reader)
    case withdraw(UInt64)
    case cancel(UInt64)
    case cookies([String], CookieReader)
    case reset(Waiter)
    case close(Waiter)

    /// True for an order carried out at once, which a task itself does if nobody drives.
    var isShort: Bool {
      switch self {
      case .cookies, .reset: true
      case .begin, .read, .withdraw, .cancel, .close: false
      }
    }
  }

  /// The driver of the exchanges, `nobody` without any.
  private enum Pilot { case nobody, thread, task }

  private struct Orders {
    var waiting: [Order] = []
    var lastNumber: UInt64 = 0
    /// The number of components that have used the thread and ended.
    var generation = 0
    var isClosed = false
    var pilot = Pilot.nobody
    /// True if the pilot waits for the network and has to be woken.
    var isAsleep = false
    /// True unless the latest exchange overlapped with others or exceeded a task's patience, as the
    /// next one may then do.
    var isQuick = true
    /// True if a connection may raise SIGPIPE: only one with TLS, since libcurl itself prevents it
    /// elsewhere.
    var maySignal: Bool

    /// Takes an order, unless the task is to carry it out itself.
    mutating func leave(_ order: Order) -> Next {
      if case .begin(_, let transfer, _) = order, !transfer.isPlain { maySignal = true }
      if pilot == .nobody, order.isShort || isQuickExchange(order) {
        pilot = .task
        return .drive(maySignal: maySignal)
      }
      waiting.append(order)
      defer { isAsleep = false }
      if isAsleep { return .wake }
      if pilot != .nobody { return .nothing }
      pilot = .thread
      return .ring
    }

    private func isQuickExchange(_ order: Order) -> Bool {
      if isQuick, case .begin(_, let transfer, _) = order { !transfer.isStream } else { false }
    }

    /// Returns true, and marks the task as asleep, if the time is not over and no order waits.
    mutating func wait(until end: ContinuousClock.Instant) -> Bool {
      isAsleep = waiting.isEmpty && ContinuousClock.now < end
      return isAsleep
    }

    /// Ends a task's driving, and returns true if the thread has to continue.
    mutating func handOver(isBusy: Bool) -> Bool {
      isAsleep = false
      isQuick = !isBusy
      pilot = isBusy || !waiting.isEmpty ? .thread : .nobody
      return pilot == .thread
    }

    /// Returns true if the thread has to continue.
    ///
    /// Otherwise its driving has ended.
    mutating func goOn(isBusy: Bool, isQuick: Bool) -> Bool {
      if isBusy || !waiting.isEmpty { return true }
      self.isQuick = isQuick
      pilot = .nobody
      return false
    }
  }

  /// The next action of a caller that left an order.
  private enum Next { case nothing, wake, ring, drive(maySignal: Bool) }

  private let orders: Mutex<Orders>
  private let library: CurlLibrary
  private let options: TransferOptions
  private let multi: OpaquePointer
  private let bell: OpaquePointer
  private var driver: TransferDriver
  private var thread: OpaquePointer? = nil

  /// The time for which a task drives its exchange before the thread does, blocking its executor.
  private static let patience = Duration.milliseconds(1)

  /// Starts the thread, which runs until `close`.
  init(_ library: CurlLibrary, _ options: TransferOptions) throws(TransferThreadError) {
    guard let multi = unsafe flow_multi_new(library.functions) else { throw .exhausted }
    guard let bell = unsafe flow_bell_new() else {
      unsafe flow_multi_free(multi)
      throw .exhausted
    }
    self.library = library
    self.options = options
    unsafe (self.multi, self.bell) = (multi, bell)
    driver = unsafe TransferDriver(library, multi, options)
    orders = Mutex(Orders(maySignal: options.proxy.hasPrefix("https:")))
    // Every exchange has these options, so libcurl refuses them here and not in the first exchange.
    do { _ = try unsafe TransferHandle(library, multi, options) } catch {
      free()
      throw error
    }
    // The thread keeps the object alive until it ends.
    let context = unsafe Unmanaged.passRetained(self)
    unsafe thread = flow_thread_start(
      { context in
        unsafe Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard unsafe thread != nil else {
      unsafe context.release()
      free()
      throw .exhausted
    }
  }

  /// The number of components that have used the thread and ended, which tells the present one from
  /// them.
  var generation: Int { orders.withLock(\.generation) }

  /// Makes an exchange, or starts one whose body is a stream.
  ///
  /// - Throws: `TransferFailure`, or `CancellationError` as soon as the task is cancelled and after
  ///   the component's end.
  func send(_ transfer: Transfer, of generation: Int) async throws -> TransferReply {
    let number = orders.withLock { orders in
      orders.lastNumber += 1
      return orders.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (reply: Continuation) in
        if !leave(.begin(number, transfer, reply), of: generation) {
          reply.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      leave(.cancel(number))
    }
  }

  /// Returns the new bytes of a stream, at least one, or none at its end.
  ///
  /// - Throws: `TransferFailure` when it breaks, or `CancellationError` as soon as the task is
  ///   cancelled, which does not end the stream.
  func read(_ number: UInt64) async throws -> TransferPiece {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { reader in
        if !leave(.read(number, reader)) { reader.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      leave(.withdraw(number))
    }
  }

  /// Changes the cookies by some lines, and returns all of them, one a line in Netscape's format.
  ///
  /// - Throws: `TransferThreadError` without memory, or `CancellationError` after the component's end.
  func cookies(changedBy lines: [String], of generation: Int) async throws -> [String] {
    try await withCheckedThrowingContinuation { (reader: CookieReader) in
      if !leave(.cookies(lines, reader), of: generation) {
        reader.resume(throwing: CancellationError())
      }
    }
  }

  /// Ends a stream and its connection.
  func end(_ number: UInt64) { leave(.cancel(number)) }

  /// Ends a component: cancels its exchanges and forgets its cookies.
  ///
  /// The connections stay open for another component with the same options.
  func reset() async {
    await withCheckedContinuation { _ = leave(.reset($0)) }
  }

  /// Ends the thread with its connections.
  ///
  /// Called once, after `reset`.
  func close() async {
    await withCheckedContinuation { _ = leave(.close($0)) }
    // The thread has nothing left to do except to end.
    if let thread = unsafe thread { unsafe flow_thread_join(thread) }
    free()
  }

  private func free() {
    unsafe flow_multi_free(multi)
    unsafe flow_bell_free(bell)
  }

  /// Leaves an order, possibly of one component, and returns true if it will be carried out.
  @discardableResult private func leave(_ order: Order, of generation: Int? = nil) -> Bool {
    let next: Next? = orders.withLock { orders in
      if orders.isClosed || generation.map({ $0 != orders.generation }) == true { return nil }
      switch order {
      // Under the lock, so that a later cancellation leaves its order after this one.
      case .begin, .read: if Task.isCancelled { return nil }
      case .cancel, .withdraw, .cookies: break
      case .reset: orders.generation += 1
      case .close: orders.isClosed = true
      }
      return orders.leave(order)
    }
    // Outside of the lock: the woken thread would wait for it at once.
    switch next {
    case .nothing?, nil: break
    case .wake?: unsafe flow_multi_wake(multi)
    case .ring?: unsafe flow_bell_ring(bell)
    case .drive(let maySignal)?: drive(order, maySignal: maySignal)
    }
    return next != nil
  }

  // MARK: - On the thread of a task

  /// Starts the ordered exchange and drives it until it ends or the thread takes over.
  private func drive(_ order: Order, maySignal: Bool) {
    let wasHeld = !maySignal || flow_pipe_signal_hold()
    defer { if !wasHeld { flow_pipe_signal_release() } }
    let end = ContinuousClock.now + Self.patience
    carryOut(order)
    driver.perform()
    while driver.isBusy, orders.withLock({ $0.wait(until: end) }) {
      unsafe flow_multi_wait(multi, 1)
      driver.perform()
    }
    if orders.withLock({ $0.handOver(isBusy: driver.isBusy) }) { unsafe flow_bell_ring(bell) }
  }

  // MARK: - On the thread

  private func run() {
    while true {
      unsafe flow_bell_wait(bell)
      repeat {
        for order in takeOrders() {
          carryOut(order)
          if case .close(let waiter) = order { return waiter.resume() }
        }
        driver.perform()
      } while hasMore
    }
  }

  /// True if the thread has to continue.
  ///
  /// Otherwise it stops driving.
  private var hasMore: Bool {
    let isQuick = !driver.isCrowded && driver.latest < Self.patience
    // The next of several requests often follows at once, before the thread could sleep and be
    // woken again.
    var yields = driver.isBusy || isQuick ? 0 : Self.greatestYieldCount
    while yields > 0, orders.withLock({ $0.waiting.isEmpty }) {
      flow_thread_yield()
      yields -= 1
    }
    return orders.withLock { $0.goOn(isBusy: driver.isBusy, isQuick: isQuick) }
  }

  // About 100 microseconds, during which every other thread may have the processor.
  private static let greatestYieldCount = 100

  /// Takes the waiting orders, or waits for one or for network activity.
  private func takeOrders() -> [Order] {
    let isAsleep = orders.withLock { orders in
      orders.isAsleep = orders.waiting.isEmpty
      return orders.isAsleep
    }
    if isAsleep { unsafe flow_multi_wait(multi, 3_600_000) }
    return orders.withLock { orders in
      orders.isAsleep = false
      defer { orders.waiting = [] }
      return orders.waiting
    }
  }

  private func carryOut(_ order: Order) {
    switch order {
    case .begin(let number, let transfer, let continuation):
      driver.begin(number, transfer, continuation)
    case .read(let number, let reader): driver.read(number, reader)
    case .withdraw(let number): driver.withdraw(number)
    case .cancel(let number): driver.cancel(number)
    case .cookies(let lines, let reader):
      reader.resume(
        with: Result { () throws(TransferThreadError) in try driver.cookies(changedBy: lines) }
          .mapError { $0 as any Error })
    case .reset(let waiter):
      driver.reset()
      waiter.resume()
    case .close: break
    }
  }
}
