internal import FlowSystem

/// A scheduler for processes on many machines.
enum ExportEngine {
  case slurm
  /// Kubernetes, with the image of the container.
  case kubernetes(image: String)

  /// Creates the engine named by the first operand, with its own options.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    switch arguments.operands[0] {
    case "slurm":
      for option in ["image", "claim"] where arguments.has(option) {
        throw .malformed(option: option, value: "slurm", expected: "kubernetes")
      }
      self = .slurm
    case "kubernetes":
      guard let image = try arguments.only("image"), !image.isEmpty else {
        throw .missingOption("image", purpose: "the container's image")
      }
      self = .kubernetes(image: image)
    case let other: throw .unknownCommand(other, of: "export", known: ["slurm", "kubernetes"])
    }
  }
}

extension ParsedArguments {
  /// Returns the value of an option as a DNS label (RFC 1123), which needs no quotes anywhere, or
  /// nil without the option.
  func label(_ option: String) throws(UsageError) -> String? {
    try only(option, "up to 50 lower-case letters, digits and '-'") { text in
      let isLabel = text.utf8.allSatisfy {
        0x61...0x7A ~= $0 || $0.isDigit || $0 == UInt8(ascii: "-")
      }
      return isLabel && 1...50 ~= text.utf8.count && !text.hasPrefix("-") && !text.hasSuffix("-")
        ? text : nil
    }
  }

  /// Returns the number of retries, or nil without the option.
  func retries() throws(UsageError) -> Int? {
    try whole("retries", 0...1_000)
  }
}

/// The formatting of text for Kubernetes.
enum ManifestText {
  /// Returns a string in JSON, and so in YAML.
  static func quoted(_ text: String) -> String { JSON.string(text).text }

  /// Returns a list of words without expansion of variables, and then of variables with it.
  static func list(_ words: [String], variables: [String] = []) -> String {
    "["
      + (words.map { $0.replacing("$(", with: "$$(") } + variables).map(quoted)
      .joined(separator: ", ") + "]"
  }

  /// Returns the rules for retries: lost pods are tried again, but not failed tests, wrong command
  /// lines or wrong files.
  static func failurePolicy(_ action: String) -> String {
    """
      podFailurePolicy:
        rules:
          - action: Ignore
            onPodConditions:
              - type: DisruptionTarget
                status: "True"
          - action: \(action)
            onExitCodes:
              containerName: flow
              operator: In
              values: [1, 64, 65]
    """
  }
}
