internal import FlowSystem

/// The lines of a person, or of a script, on standard input.
final class DebuggerInput {
  private let process: ProcessEnvironment
  private var lines: AsyncStream<ClientLine>.AsyncIterator
  private let input: AsyncStream<ClientLine>.Continuation
  /// True if a person types.
  let isTerminal: Bool

  /// The most characters of a line.
  private static let longest = 10_000

  /// Reads lines, which a person types or not.
  init(_ process: ProcessEnvironment, _ lines: AsyncStream<ClientLine>, isTerminal: Bool) {
    let (own, input) = AsyncStream.makeStream(of: ClientLine.self)
    self.process = process
    self.lines = own.makeAsyncIterator()
    self.input = input
    self.isTerminal = isTerminal
    Task {
      for await line in lines { input.yield(line) }
      input.finish()
    }
  }

  /// Reads standard input.
  convenience init(_ process: ProcessEnvironment) {
    self.init(
      process, ClientInput.parts(by: LineSplitter()), isTerminal: FileSystem.isInputTerminal)
  }

  /// An action that ends the input, as the end of a file does.
  var ending: @Sendable () -> Void { { [input] in input.finish() } }

  /// Returns the next line without spaces at its ends, or nil at the end of the input.
  ///
  /// A person sees the prompt.
  func line(after prompt: String) async -> String? {
    while true {
      if isTerminal { process.output(prompt) }
      guard let line = await lines.next(isolation: nil) else { return nil }
      guard case .text(let bytes) = line, bytes.count <= Self.longest else {
        process.output("the line is too long\n")
        continue
      }
      let text = String(decoding: bytes.trimming { " \t\r".utf8.contains($0) }, as: UTF8.self)
      if !text.isEmpty { return text }
    }
  }
}
