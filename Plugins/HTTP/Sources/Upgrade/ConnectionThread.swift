private import CCurl
private import Synchronization

/// An open connection to a server with a thread of its own, for a protocol that takes it over.
///
/// Tasks leave orders, which the thread carries out and answers. Nothing is read before a task asks
/// for it, so a server that sends more than is read has to wait.
///
/// `@unchecked`: `driver` belongs to the thread alone. `multi` does as well, except for
/// `flow_multi_wake`, which any thread may call until the thread has been joined. `thread` is written
/// before the object is shared, and read by the first `close` alone.
@safe final class ConnectionThread: @unchecked Sendable {
  private struct Orders {
    var waiting: [ConnectionOrder] = []
    var lastNumber: UInt64 = 0
    var isClosed = false
  }

  private let orders = Mutex(Orders())
  private let multi: OpaquePointer
  private var driver: ConnectionDriver
  private var thread: OpaquePointer?

  /// Starts the thread, which runs until `close`.
  init(_ library: CurlLibrary, _ options: TransferOptions) throws(TransferThreadError) {
    guard let multi = unsafe flow_multi_new(library.functions) else { throw .exhausted }
    unsafe self.multi = multi
    do throws(TransferThreadError) {
      driver = unsafe ConnectionDriver(
        try TransferHandle(library, multi, options, keepsCookies: false), multi)
    } catch {
      unsafe flow_multi_free(multi)
      throw error
    }
    unsafe thread = nil
    // The thread keeps the object alive until it ends.
    let context = unsafe Unmanaged.passRetained(self)
    unsafe thread = flow_thread_start(
      { context in
        unsafe Unmanaged<ConnectionThread>.fromOpaque(context).takeRetainedValue().run()
      }, context.toOpaque())
    guard unsafe thread != nil else {
      unsafe context.release()
      driver.free()
      unsafe flow_multi_free(multi)
      throw .exhausted
    }
  }

  /// Connects to the server of a URL, once.
  ///
  /// - Throws: `TransferFailure`, or `CancellationError` as soon as the task is cancelled.
  func connect(to url: String, unixSocket: String?) async throws {
    _ = try await order { .connect($0, url, unixSocket, $1) }
  }

  /// Sends some bytes, and waits until the system has taken them.
  ///
  /// The bytes are also sent if the task is cancelled meanwhile: a part of them would be of no use.
  ///
  /// - Throws: `TransferFailure`, or `CancellationError`.
  func send(_ bytes: [UInt8]) async throws {
    if bytes.isEmpty { return }
    _ = try await order { .send($0, bytes[...], $1) }
  }

  /// Waits for the next bytes, none at the end of the connection.
  ///
  /// One task at a time reads.
  ///
  /// - Throws: `TransferFailure`, or `CancellationError` as soon as the task is cancelled, which
  ///   does not end the connection.
  func receive() async throws -> [UInt8] {
    try await order { .receive($0, $1) }
  }

  /// Ends the connection and the thread.
  ///
  /// Tasks that wait get a `CancellationError`. A second call does nothing.
  func close() async {
    let isFirst = await withCheckedContinuation { (waiter: CheckedContinuation<Bool, Never>) in
      let isFirst = orders.withLock { orders in
        if orders.isClosed { return false }
        orders.isClosed = true
        orders.waiting.append(.close(waiter))
        return true
      }
      if isFirst { unsafe flow_multi_wake(multi) } else { waiter.resume(returning: false) }
    }
    guard isFirst else { return }
    // The thread has nothing left to do except to end.
    if let thread = unsafe thread { unsafe flow_thread_join(thread) }
    unsafe flow_multi_free(multi)
  }

  /// Leaves an order, and waits for the thread to carry it out.
  private func order(
    _ make: (UInt64, ConnectionDriver.Continuation) -> ConnectionOrder
  ) async throws -> [UInt8] {
    let number = orders.withLock { orders in
      orders.lastNumber += 1
      return orders.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if !leave(make(number, continuation)) {
          continuation.resume(throwing: CancellationError())
        }
      }
    } onCancel: {
      _ = leave(.withdraw(number))
    }
  }

  private func leave(_ order: ConnectionOrder) -> Bool {
    let isLeft = orders.withLock { orders in
      // Under the lock, so that a later withdrawal comes after this order.
      if orders.isClosed || !order.isWithdrawal && Task.isCancelled { return false }
      orders.waiting.append(order)
      // Under the lock, since `close` frees what is woken.
      unsafe flow_multi_wake(multi)
      return true
    }
    return isLeft
  }

  // MARK: - On the thread

  private func run() {
    while true {
      for order in takeOrders() {
        if case .close(let waiter) = order {
          driver.free()
          return waiter.resume(returning: true)
        }
        driver.carryOut(order)
      }
      driver.perform()
      if orders.withLock(\.waiting.isEmpty) { driver.wait() }
    }
  }

  private func takeOrders() -> [ConnectionOrder] {
    orders.withLock { orders in
      defer { orders.waiting = [] }
      return orders.waiting
    }
  }
}

/// An order to the thread of a connection.
enum ConnectionOrder: Sendable {
  case connect(UInt64, String, String?, ConnectionDriver.Continuation)
  case send(UInt64, ArraySlice<UInt8>, ConnectionDriver.Continuation)
  case receive(UInt64, ConnectionDriver.Continuation)
  /// The task of an order no longer waits.
  case withdraw(UInt64)
  case close(CheckedContinuation<Bool, Never>)

  var isWithdrawal: Bool { if case .withdraw = self { true } else { false } }
}

/// The work on an open connection, of the thread alone.
@safe struct ConnectionDriver {
  typealias Continuation = CheckedContinuation<[UInt8], any Error>

  private struct Task {
    let number: UInt64
    var bytes: ArraySlice<UInt8> = []
    /// Nil after its withdrawal.
    var continuation: Continuation?
  }

  private enum State {
    case new, connecting(Task), open, ended
    case failed(any Error)
  }

  private var handle: TransferHandle?
  private let multi: OpaquePointer
  private var state = State.new
  private var sends: ArraySlice<Task> = []
  private var reader: Task?

  init(_ handle: TransferHandle, _ multi: OpaquePointer) {
    self.handle = handle
    unsafe self.multi = multi
  }

  mutating func carryOut(_ order: ConnectionOrder) {
    switch order {
    case .connect(let number, let url, let socket, let continuation):
      state = .connecting(Task(number: number, continuation: continuation))
      do throws(TransferThreadError) {
        try handle?.connect(number, to: url, unixSocket: socket)
      } catch {
        fail(error)
      }
    case .send(let number, let bytes, let continuation):
      sends.append(Task(number: number, bytes: bytes, continuation: continuation))
    case .receive(let number, let continuation):
      reader = Task(number: number, continuation: continuation)
    case .withdraw(let number): withdraw(number)
    case .close: break
    }
  }

  private mutating func withdraw(_ number: UInt64) {
    if case .connecting(let task) = state, task.number == number {
      return fail(CancellationError())
    }
    if reader?.number == number {
      reader?.continuation?.resume(throwing: CancellationError())
      reader = nil
    }
    if let index = sends.firstIndex(where: { $0.number == number }) {
      sends[index].continuation?.resume(throwing: CancellationError())
      sends[index].continuation = nil
    }
  }

  /// Does all work possible without waiting.
  mutating func perform() {
    unsafe flow_multi_perform(multi)
    if case .connecting(let task) = state { finishConnecting(task) }
    switch state {
    case .new, .connecting: return
    case .open: exchange()
    case .ended, .failed: break
    }
    // What is left after the end cannot be done.
    if case .failed(let error) = state { failTasks(error) }
    if case .ended = state { endTasks() }
  }

  private mutating func finishConnecting(_ task: Task) {
    var code: Int32 = 0
    guard unsafe flow_multi_next(multi, &code) > 0, let handle else { return }
    if code != 0 { return fail(handle.failure(code)) }
    state = .open
    task.continuation?.resume(returning: [])
  }

  private mutating func exchange() {
    do throws(TransferFailure) {
      try send()
      try receive()
    } catch {
      state = .failed(error)
    }
  }

  private mutating func send() throws(TransferFailure) {
    while let task = sends.first, let handle {
      let count = try handle.send(task.bytes)
      if count == 0 { return }
      guard count == task.bytes.count else {
        sends[sends.startIndex].bytes = task.bytes.dropFirst(count)
        continue
      }
      sends.removeFirst()
      task.continuation?.resume(returning: [])
    }
  }

  private mutating func receive() throws(TransferFailure) {
    guard let task = reader, let handle else { return }
    guard let bytes = try handle.receive() else {
      state = .ended
      return
    }
    if bytes.isEmpty { return }
    reader = nil
    task.continuation?.resume(returning: bytes)
  }

  /// Waits until there is something to do.
  func wait() {
    guard case .open = state, let handle else { return unsafe flow_multi_wait(multi, 3_600_000) }
    handle.wait(toRead: reader != nil, toWrite: !sends.isEmpty)
  }

  /// Ends the connection and the waits of all tasks.
  mutating func free() {
    fail(CancellationError())
    failTasks(CancellationError())
    handle?.end()
    handle = nil
  }

  private mutating func fail(_ error: any Error) {
    if case .connecting(let task) = state { task.continuation?.resume(throwing: error) }
    state = .failed(error)
  }

  private mutating func failTasks(_ error: any Error) {
    for task in sends { task.continuation?.resume(throwing: error) }
    reader?.continuation?.resume(throwing: error)
    (sends, reader) = ([], nil)
  }

  /// Ends the tasks after the end of the server's side, which takes nothing more either.
  private mutating func endTasks() {
    reader?.continuation?.resume(returning: [])
    reader = nil
    for task in sends { task.continuation?.resume(throwing: TransferFailure.lost) }
    sends = []
  }
}

extension TransferFailure {
  /// The loss of an open connection.
  fileprivate static let lost = TransferFailure(of: 56)
}
