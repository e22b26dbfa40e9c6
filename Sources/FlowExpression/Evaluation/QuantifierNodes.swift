internal import FlowCore

/// `all` and `exists`: an element that decides makes the errors of the others harmless.
final class QuantifierNode: Node {
  private let loop: Loop
  private let predicate: any Node
  private let deciding: Bool
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: any Node, deciding: Bool, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.deciding = deciding
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var failure: EvaluationError?
    var isDecided = false
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      do throws(EvaluationError) {
        isDecided = try Loop.holds(predicate, &frame, span) == deciding
      } catch {
        if error.code == .limit { throw error }
        failure = failure ?? error
      }
      return !isDecided
    }
    if isDecided { return .bool(deciding) }
    if let failure { throw failure }
    return .bool(!deciding)
  }
}

/// `exists_one`: an error of any element is the result.
final class ExistsOneNode: Node {
  private let loop: Loop
  private let predicate: any Node
  private let span: Range<Int>

  init(_ loop: Loop, _ predicate: any Node, _ span: Range<Int>) {
    self.loop = loop
    self.predicate = predicate
    self.span = span
  }

  func value(_ frame: inout Frame) throws(EvaluationError) -> Value {
    var count = 0
    try loop.run(&frame) { (frame: inout Frame) throws(EvaluationError) in
      if try Loop.holds(predicate, &frame, span) { count += 1 }
      return true
    }
    return .bool(count == 1)
  }
}
