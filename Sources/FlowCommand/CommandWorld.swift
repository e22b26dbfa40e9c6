internal import FlowCore

/// What a command would otherwise find in the air; tests give their own.
public struct CommandWorld: Sendable {
  /// Writes to standard output.
  public var output: @Sendable (String) -> Void
  /// Writes to standard error.
  public var errorOutput: @Sendable (String) -> Void
  /// Whether standard output is a terminal.
  public var isTerminal: Bool
  /// The environment variables.
  public var environment: [String: String]

  /// A world made by hand.
  public init(
    output: @escaping @Sendable (String) -> Void,
    errorOutput: @escaping @Sendable (String) -> Void, isTerminal: Bool = false,
    environment: [String: String] = [:]
  ) {
    self.output = output
    self.errorOutput = errorOutput
    self.isTerminal = isTerminal
    self.environment = environment
  }

  /// The process's own streams, and those environment variables that flow knows.
  public static func process() -> CommandWorld {
    let variables = ["CI", "NO_COLOR", "TERM"].compactMap { name in
      FileSystem.environmentVariable(name).map { (name, $0) }
    }
    return CommandWorld(
      output: { FileSystem.print($0) }, errorOutput: { FileSystem.printError($0) },
      isTerminal: FileSystem.isOutputTerminal,
      environment: Dictionary(uniqueKeysWithValues: variables))
  }
}
