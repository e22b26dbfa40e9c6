public import FlowCore

/// Random values, determined by the run's seed and the step.
public struct RandomValues: Component {
  /// The name in `plugin:`.
  public static let pluginName = "random"

  /// The plugin `random`.
  public static let plugin = Plugin(
    pluginName, version: "1.0", "Draws random values, repeatable by the run's seed.", state: .none,
    operations: [
      Operation(
        "uuid", "Creates a random UUID (RFC 9562, version 4).",
        answers: Record<String>("uuid", "The UUID, in lower case."), retry: .safe
      ) { _, context in
        var random = context.random
        return uuid(using: &random)
      },
      Operation(
        "integer", "Draws a random whole number.",
        Parameter<Int>("min", "The smallest possible number."),
        Parameter<Int>("max", "The largest possible number."),
        answers: Record<Int>("value", "The drawn number."), errors: [.invalid], retry: .safe
      ) { _, context, least, greatest in
        guard least <= greatest else {
          throw ComponentError(.invalid, "'min' is \(least), above 'max', \(greatest)")
        }
        var random = context.random
        return Int.random(in: least...greatest, using: &random)
      },
      Operation(
        "choose", "Draws one of several values.",
        Parameter<[Value]>("from", "The values, at least one."),
        answers: Record<Value>("value", "The drawn value."), errors: [.invalid], retry: .safe
      ) { _, context, values in
        var random = context.random
        guard let value = values.randomElement(using: &random) else {
          throw ComponentError(.invalid, "'from' is empty")
        }
        return value
      },
      Operation(
        "bytes", "Draws random bytes.",
        Parameter<Int>("count", "The number of bytes, 0 to 1048576."),
        answers: Record<Bytes>("bytes", "The drawn bytes."), errors: [.invalid], retry: .safe
      ) { _, context, count in
        guard 0...greatestCount ~= count else {
          throw ComponentError(.invalid, "'count' must be from 0 to \(greatestCount), not \(count)")
        }
        var random = context.random
        return Bytes((0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) })
      },
    ]
  ) { _ in RandomValues() }

  private static let greatestCount = 1 << 20

  /// RFC 9562, section 5.4: 122 random bits, the version 4 and the variant 10.
  static func uuid(using random: inout some RandomNumberGenerator) -> String {
    var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    let digits = Substring(Bytes(bytes).description)
    var rest = digits
    return [8, 4, 4, 4, 12].map { length in
      defer { rest = rest.dropFirst(length) }
      return String(rest.prefix(length))
    }.joined(separator: "-")
  }
}

extension ErrorCode {
  static let invalid = ErrorCode(
    "invalid", "The list or the range is empty, or the number of bytes is out of range.")
}
