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
