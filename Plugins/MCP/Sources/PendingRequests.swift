import FlowCore

/// The requests that a server has not answered, with their deadlines.
struct PendingRequests: Sendable {
  typealias Instant = ContinuousClock.Instant
  typealias Answer = CheckedContinuation<Value, any Error>

  /// A finished request.
  struct Finished: Sendable {
    let answer: Answer
    let result: Result<Value, any Error>

    /// Resumes the task that waits for it.
    func resume() { answer.resume(with: result) }
  }

  private struct Request {
    let answer: Answer
    let method: String
    let limit: Duration
    let deadline: Instant
  }

  private var requests: [Int: Request] = [:]
  var isEmpty: Bool { requests.isEmpty }

  /// The time at which `expire` is due, or nil.
  ///
  /// It may be that of a request which is finished: calls one after the other then do not change it,
  /// and the thread that waits for it is not woken for each of them.
  private(set) var deadline: Instant?

  /// Adds a request.
  mutating func add(_ id: Int, _ method: String, within limit: Duration, _ answer: Answer) {
    let request = Request(
      answer: answer, method: method, limit: limit, deadline: .now + limit)
    requests[id] = request
    deadline = deadline.map { min($0, request.deadline) } ?? request.deadline
  }

  /// Finishes a request, or returns nil for an unknown one, such as one that was cancelled.
  mutating func finish(_ id: Int, _ result: Result<Value, any Error>) -> Finished? {
    guard let request = requests.removeValue(forKey: id) else { return nil }
    return Finished(answer: request.answer, result: result)
  }

  /// Fails a request whose answer contradicts the protocol, or returns nil for an unknown one.
  mutating func refuse(_ id: Int, _ problem: String) -> Finished? {
    guard let method = requests[id]?.method else { return nil }
    return finish(id, .failure(MCPError.malformed("the answer to '\(method)' \(problem)")))
  }

  /// Finishes the requests that are out of time, and returns their numbers.
  mutating func expire(_ now: Instant) -> [(id: Int, finished: Finished)] {
    guard let deadline, deadline <= now else { return [] }
    let expired = requests.filter { $0.value.deadline <= now }
    requests = requests.filter { $0.value.deadline > now }
    self.deadline = requests.values.map(\.deadline).min()
    return expired.map { id, request in
      let error = MCPError.timeout(request.method, request.limit)
      return (id, Finished(answer: request.answer, result: .failure(error)))
    }
  }

  /// Finishes all requests with an error.
  mutating func failAll(_ error: MCPError) -> [Finished] {
    defer { (requests, deadline) = ([:], nil) }
    return requests.values.map { Finished(answer: $0.answer, result: .failure(error)) }
  }
}
