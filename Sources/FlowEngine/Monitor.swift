private import Synchronization

/// A state behind a lock, and the tasks that wait for it to change.
package final class Monitor<State: Sendable, Request: Sendable, Answer: Sendable>: Sendable {
  private struct Locked {
    var state: State
    var waiters = Waiters<Request, Answer>()
  }

  private let locked: Mutex<Locked>

  /// A state that nobody waits for yet.
  package init(_ state: State) {
    locked = Mutex(Locked(state: state))
  }

  /// Reads or changes the state, and answers those whose turn has come by that.
  package func withLock<Result>(
    _ body: (inout State, inout Waiters<Request, Answer>) -> Result
  ) -> Result {
    var result: Result?
    change { result = body(&$0.state, &$0.waiters) }
    guard let result else { preconditionFailure("the lock was not taken") }
    return result
  }

  /// Changes what is behind the lock, and resumes those who are answered without it.
  ///
  /// Resuming a task takes its own lock, which a task that is being cancelled holds while it waits for this one.
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
  ///   - request: What to wait for, as those see it who change the state.
  ///   - attempt: The answer that the state has now; nil to wait.
  ///   - onWait: Called after the task has begun to wait, without the lock.
  /// - Returns: The answer.
  /// - Throws: `CancellationError` when the task is cancelled before it was answered; the error of an answer.
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

/// Tasks that wait, in the order in which they began to.
package struct Waiters<Request: Sendable, Answer: Sendable>: Sendable {
  private struct Waiter {
    let number: Int
    var request: Request
    let continuation: CheckedContinuation<Answer, any Error>
  }

  /// A task that waits no more, and has not been resumed yet.
  fileprivate struct Answered {
    let continuation: CheckedContinuation<Answer, any Error>
    let result: Result<Answer, any Error>
  }

  private var waiting: [Waiter] = []
  private var answered: [Answered] = []
  private var lastNumber = 0
  /// Tasks that were cancelled before they began to wait.
  private var cancelled: Set<Int> = []

  /// Whether no task waits.
  package var isEmpty: Bool { waiting.isEmpty }

  /// Answers every task for which there is an answer; the request of one that goes on waiting may be changed.
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

  /// Answers the first task for which there is an answer; false when there is none.
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

  /// Answers the task whose request comes first, of equal ones the one that waits longest; nil without a task.
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

  /// The answer of a task that was cancelled already; nil for others.
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

  /// Hands out the tasks that are to be resumed.
  fileprivate mutating func takeAnswered() -> [Answered] {
    defer { answered = [] }
    return answered
  }
}
