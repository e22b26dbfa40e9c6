private import Synchronization

/// A state behind a lock, and the tasks that wait for it to change.
package final class Monitor<State: Sendable, Request: Sendable, Answer: Sendable>: Sendable {
  private struct Locked {
    var state: State
    var waiters = Waiters<Request, Answer>()
  }

  private let locked: Mutex<Locked>

  /// Creates a monitor without waiting tasks.
  package init(_ state: State) {
    locked = Mutex(Locked(state: state))
  }

  /// Reads or changes the state, and answers the tasks whose turn has come.
  package func withLock<Result>(
    _ body: (inout State, inout Waiters<Request, Answer>) -> Result
  ) -> Result {
    var result: Result?
    change { result = body(&$0.state, &$0.waiters) }
    guard let result else { preconditionFailure("the lock was not taken") }
    return result
  }

  /// Changes the locked values, and resumes the answered tasks without the lock.
  ///
  /// Resuming a task takes the task's own lock. A task that is being cancelled holds that lock
  /// while it waits for this one.
  private func change(_ body: (inout Locked) -> Void) {
    let answered = locked.withLock { locked in
      body(&locked)
      return locked.waiters.takeAnswered()
    }
    for waiter in answered { waiter.continuation.resume(with: waiter.result) }
  }

  /// Waits for an answer, unless the state has one now.
  ///
  /// - Parameters:
  ///   - request: The request, as code that changes the state sees it.
  ///   - attempt: The answer of the present state, or nil to wait.
  ///   - onWait: Called after the task has started to wait, without the lock.
  /// - Returns: The answer.
  /// - Throws: `CancellationError` if the task is cancelled before its answer, and the error of a
  ///   failed answer.
  package func wait(
    for request: Request,
    _ attempt: (inout State) -> Result<Answer, any Error>? = { _ in nil },
    onWait: () -> Void = {}
  ) async throws -> Answer {
    let number = locked.withLock { $0.waiters.newNumber() }
    // The cancellation may come after the answer.
    defer { if Task.isCancelled { locked.withLock { _ = $0.waiters.cancellation(of: number) } } }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let now = locked.withLock { locked -> Result<Answer, any Error>? in
          if let now = locked.waiters.cancellation(of: number) ?? attempt(&locked.state) {
            return now
          }
          locked.waiters.add(number, request, continuation)
          return nil
        }
        if let now { continuation.resume(with: now) } else { onWait() }
      }
    } onCancel: {
      change { $0.waiters.cancel(number) }
    }
  }
}

/// The waiting tasks, longest wait first.
package struct Waiters<Request: Sendable, Answer: Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    var request: Request
    let continuation: CheckedContinuation<Answer, any Error>
  }

  /// An answered task before it is resumed.
  fileprivate struct Answered {
    let continuation: CheckedContinuation<Answer, any Error>
    let result: Result<Answer, any Error>
  }

  private var waiting: [Waiter] = []
  private var answered: [Answered] = []
  private var lastNumber = 0
  /// Tasks cancelled before they started to wait.
  private var cancelled: Set<Int> = []

  /// True if no task waits.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Answers every task for which `answer` returns a result.
  ///
  /// It may change the request of a task that keeps waiting.
  package mutating func resume(_ answer: (inout Request) -> Result<Answer, any Error>?) {
    var left: [Waiter] = []
    for var waiter in waiting {
      if let result = answer(&waiter.request) {
        end(waiter, with: result)
      } else {
        left.append(waiter)
      }
    }
    waiting = left
  }

  /// Answers the first task for which `answer` returns a result.
  ///
  /// Returns false if there is none.
  @discardableResult
  package mutating func resumeFirst(
    _ answer: (Request) -> Result<Answer, any Error>?
  ) -> Bool {
    for (index, waiter) in waiting.enumerated() {
      guard let result = answer(waiter.request) else { continue }
      end(waiting.remove(at: index), with: result)
      return true
    }
    return false
  }

  /// The least request, the first of equal ones, or nil without any.
  func least(by isLess: (Request, Request) -> Bool) -> Request? {
    waiting.lazy.map(\.request).min(by: isLess)
  }

  /// Answers the task with the least request, and of equal ones the longest waiting.
  ///
  /// Returns nil without a task.
  package mutating func resumeLeast(
    by isLess: (Request, Request) -> Bool, _ answer: (Request) -> Answer
  ) -> Request? {
    // The first of equal ones: `min` keeps the earliest.
    guard let index = waiting.indices.min(by: { isLess(waiting[$0].request, waiting[$1].request) })
    else { return nil }
    let waiter = waiting.remove(at: index)
    end(waiter, with: .success(answer(waiter.request)))
    return waiter.request
  }

  fileprivate mutating func newNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  fileprivate mutating func add(
    _ number: Int, _ request: Request, _ continuation: CheckedContinuation<Answer, any Error>
  ) {
    waiting.append(Waiter(number: number, request: request, continuation: continuation))
  }

  /// Returns the answer for a task that was already cancelled, or nil.
  fileprivate mutating func cancellation(of number: Int) -> Result<Answer, any Error>? {
    cancelled.remove(number).map { _ in .failure(CancellationError()) }
  }

  fileprivate mutating func cancel(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else {
      cancelled.insert(number)
      return
    }
    end(waiting.remove(at: index), with: .failure(CancellationError()))
  }

  private mutating func end(_ waiter: Waiter, with result: Result<Answer, any Error>) {
    answered.append(Answered(continuation: waiter.continuation, result: result))
  }

  /// Returns the tasks to resume.
  fileprivate mutating func takeAnswered() -> [Answered] {
    defer { answered = [] }
    return answered
  }
}
