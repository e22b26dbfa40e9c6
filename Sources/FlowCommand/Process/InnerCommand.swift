private import Synchronization

/// The settings of a command that runs inside of another one.
struct InnerCommand: Sendable {
  /// The most bytes of a short verdict.
  let largestVerdict: Int
}

/// The output of a command, kept in memory.
final class CapturedOutput: Sendable {
  private let texts = Mutex((output: "", errors: "", document: ""))

  /// The most bytes kept of a text for people.
  private static let most = 64 << 10

  var output: String { texts.withLock { $0.output } }
  var errors: String { texts.withLock { $0.errors } }
  var document: String { texts.withLock { $0.document } }

  func add(output text: String) {
    texts.withLock { if $0.output.utf8.count < Self.most { $0.output += text } }
  }

  func add(errors text: String) {
    texts.withLock { if $0.errors.utf8.count < Self.most { $0.errors += text } }
  }

  func add(document text: String) { texts.withLock { $0.document += text } }
}
