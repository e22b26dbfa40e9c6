internal import FlowCore

extension Address {
  /// Whether it is a step's, or that of one inside.
  func belongs(to step: Address) -> Bool {
    iterations.starts(with: step.iterations)
      && (path == step.path || path.hasPrefix(step.path + "/"))
  }

  /// The iterations around this step in which a recorded call was made; nil for a call that is not inside of it.
  func iterations(of recorded: String) -> [Int]? {
    let (own, text) = (path.utf8, recorded.utf8)
    guard text.starts(with: own), let mark = text.lastIndex(of: UInt8(ascii: "#")),
      text[..<mark].dropFirst(own.count).first == UInt8(ascii: "/")
    else { return nil }
    let numbers = text[mark...].dropFirst().split(separator: UInt8(ascii: "."))
    guard numbers.count >= iterations.count else { return nil }
    let around = numbers.prefix(iterations.count).compactMap { Int(Substring($0)) }
    return around.count == iterations.count ? around : nil
  }

  /// Whether a recorded call inside of this step is one of a `finally` there.
  func hasInFinally(_ recorded: String) -> Bool {
    recorded.utf8.dropFirst(path.utf8.count).prefix { $0 != UInt8(ascii: "#") }
      .split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("finally".utf8) }
  }
}
