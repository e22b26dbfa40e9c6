/// Where in a run something happened: the step's structural path and which time it ran.
///
/// It depends on the scenario's structure alone, never on a running counter, so inserting a step or
/// finishing in another order moves no other address.
public struct Address: Sendable, Hashable {
  /// The ids of the steps from the outside in, joined by `/`: `browse/page`.
  public let path: String
  /// The iteration, from 1, of each loop around the step, outside in; empty outside of loops.
  public let iterations: [Int]

  /// The address of a step in the given iterations.
  public init(path: String, iterations: [Int] = []) {
    self.path = path
    self.iterations = iterations
  }
}

extension Address: CustomStringConvertible {
  /// Path and occurrence: `spend#1`, `browse/page#3`, `rows/columns/cell#2.5`.
  public var description: String {
    switch iterations.count {
    case 0: path + "#1"
    case 1: path + "#" + String(iterations[0])
    default: path + "#" + iterations.map(String.init).joined(separator: ".")
    }
  }
}

extension Address {
  /// Reads what `description` prints; a step outside of loops comes back in iteration 1.
  package init?(_ text: String) {
    let text = text.utf8
    guard let mark = text.lastIndex(of: UInt8(ascii: "#")) else { return nil }
    let numbers = text[text.index(after: mark)...].split(separator: UInt8(ascii: "."))
    let iterations = numbers.compactMap { Int(Substring($0)) }
    guard iterations.count == numbers.count else { return nil }
    self.init(path: String(Substring(text[..<mark])), iterations: iterations)
  }

  /// Whether it is the address of a step, or of one inside of that in one of its iterations.
  package func belongs(to step: Address) -> Bool {
    guard iterations.starts(with: step.iterations), path.utf8.starts(with: step.path.utf8) else {
      return false
    }
    let rest = path.utf8.dropFirst(step.path.utf8.count)
    return rest.isEmpty || rest.first == UInt8(ascii: "/")
  }

  /// Whether it belongs to a `finally`; with a step around it, to one inside of that step.
  package func isInFinally(inside step: Address? = nil) -> Bool {
    // No step and no branch can be called `finally`, so the word in a path is what it says.
    path.utf8.dropFirst(step?.path.utf8.count ?? 0).split(separator: UInt8(ascii: "/"))
      .contains { $0.elementsEqual("finally".utf8) }
  }
}
