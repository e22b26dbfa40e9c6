import FlowCore
private import FlowProcess

// Waiting for a running process. The condition is checked again and again: a port sends no
// notification, and one loop for both ends when the caller is cancelled.
extension Child {
  private static let pause = Duration.milliseconds(10)
  /// The time after its start within which a program ends if its port is taken.
  ///
  /// Its own message then explains it best.
  private static let confidence = Duration.seconds(2)

  /// Waits until the process, or one that it started, accepts connections on a port.
  ///
  /// With `anyone`, the port may belong to any program. Otherwise no connection is made to another
  /// program.
  ///
  /// - Throws: `.ended` when the process has ended, `.taken` when another program has the port,
  ///   `CancellationError`.
  func wait(for port: LocalPort, anyone: Bool, _ name: String) async throws {
    while true {
      let holder = anyone ? .none : port.holder(for: origin)
      let taken = holder.isOther(at: port)
      let accepts = taken == nil && port.accepts
      // A program that continues in the background ends with status 0.
      if let result, !accepts || result.status != 0 {
        let reason = taken.map { "; \($0)" } ?? " before port \(port.number) accepted a connection"
        throw ProcessError.ended(name, how: result.end + reason)
      }
      if accepts { return }
      if let taken, .now - started > Self.confidence {
        throw ProcessError.taken(name, reason: taken)
      }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Waits until its server answers with a status from 200 to 399.
  ///
  /// - Throws: As above.
  func wait(forAnswerFrom url: LocalURL, anyone: Bool, _ name: String) async throws {
    try await wait(for: url.port, anyone: anyone, name)
    while true {
      if let status = try await status(of: url), 200..<400 ~= status { return }
      if let result, result.status != 0 {
        throw ProcessError.ended(name, how: "\(result.end) before \(url.text) answered")
      }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Returns the status of a server's response, or nil without one within five seconds.
  private func status(of url: LocalURL) async throws -> Int? {
    guard let connection = url.port.send(url.request) else { return nil }
    defer { flow_close(connection) }
    for _ in 0..<500 {
      let status = flow_answer_status(connection)
      if status != 0 { return status > 0 ? Int(status) : nil }
      if result?.status ?? 0 != 0 { return nil }
      try await Task.sleep(for: Self.pause)
    }
    return nil
  }

  /// Waits until a line of the output contains a string, and returns the line.
  ///
  /// A line without an end counts once the program writes nothing more.
  ///
  /// - Throws: `.ended` when the process has ended, `CancellationError`.
  func wait(forLine text: String, _ name: String) async throws -> String {
    let search = search(for: text)
    defer { endSearch(search) }
    while true {
      // In this order, since the last line comes with the end.
      let result = result
      if let line = line(of: search) ?? unfinishedLine(containing: text) { return line }
      if let result {
        throw ProcessError.ended(name, how: "\(result.end) before it wrote '\(text)'")
      }
      try await Task.sleep(for: Self.pause)
    }
  }
}

extension Child {
  /// Waits until a text appears on the terminal, and returns its line up to the end of the text.
  ///
  /// - Throws: `.ended` when the process has ended, `CancellationError`.
  func wait(forPrompt text: String, _ name: String) async throws -> String {
    while true {
      let result = result
      if let line = prompt(text) { return line }
      if let result {
        throw ProcessError.ended(name, how: "\(result.end) before it wrote '\(text)'")
      }
      try await Task.sleep(for: Self.pause)
    }
  }

  /// Waits until the process and its group have ended, and does not stop them when the caller is
  /// cancelled.
  ///
  /// - Throws: `CancellationError`.
  func wait() async throws -> ProcessResult {
    while true {
      if let result { return result }
      try await Task.sleep(for: Self.pause)
    }
  }
}

extension LocalPort.Holder {
  /// A message that another program has a port, or nil.
  fileprivate func isOther(at port: LocalPort) -> String? {
    guard case .other(let name) = self else { return nil }
    return "port \(port.number) is taken by another program" + (name.map { " (\($0))" } ?? "")
  }
}

extension ProcessResult {
  /// The end in words, such as `ended with status 1`.
  fileprivate var end: String { Self.end(status: status, signal: signal) }
}
