internal import FlowCore

/// A function or operator: the types it takes, for the checker, and what it does.
///
/// What it does looks at the kinds of its values itself, so that it works for `dyn` as well.
struct Function: Sendable {
  typealias Unary = @Sendable (Value, inout Frame) throws(EvaluationError) -> Value
  typealias Binary = @Sendable (Value, Value, inout Frame) throws(EvaluationError) -> Value
  typealias Several = @Sendable ([Value], inout Frame) throws(EvaluationError) -> Value
  /// Makes a call with a constant second argument cheaper: reads the pattern or the zone once.
  typealias Preparation = @Sendable (Value) throws(EvaluationError) -> Unary

  /// What tells functions apart: `size(x)` and `x.size()` are two.
  struct Key: Sendable, Hashable {
    let name: String
    let isMember: Bool
    let count: Int
  }

  /// What a function does with its values, the receiver first.
  enum Body: Sendable {
    case unary(Unary)
    case binary(Binary)
    case prepared(Binary, Preparation)
    case several(Int, Several)
    /// `or` and `orValue`, whose second argument is evaluated only when the first is empty.
    case fallback(isUnwrapping: Bool)
    /// A function of so many arguments that can be checked but not called.
    case unbound(Int)
  }

  let name: String
  let isMember: Bool
  let signatures: [Signature]
  let body: Body

  init(_ name: String, isMember: Bool = false, _ signatures: [Signature], _ body: Body) {
    self.name = name
    self.isMember = isMember
    self.signatures = signatures
    self.body = body
  }

  var key: Key { Key(name: name, isMember: isMember, count: argumentCount) }

  private var argumentCount: Int {
    switch body {
    case .unary: 1
    case .binary, .prepared, .fallback: 2
    case .several(let count, _), .unbound(let count): count
    }
  }

  /// A call of the function; reads a constant second argument in advance.
  ///
  /// - Throws: `EvaluationError` when such an argument can never be used.
  func call(_ name: CallName, _ arguments: [any Node]) throws(EvaluationError) -> any Node {
    switch body {
    case .unary(let body): return UnaryCallNode(name, body, arguments[0])
    case .binary(let body): return BinaryCallNode(name, body, arguments[0], arguments[1])
    case .prepared(let body, let prepare):
      guard let constant = arguments[1].constant else {
        return BinaryCallNode(name, body, arguments[0], arguments[1])
      }
      return UnaryCallNode(name, try prepare(constant), arguments[0])
    case .several(_, let body): return CallNode(name, body, arguments)
    case .fallback(let isUnwrapping):
      return FallbackNode(
        arguments[0], arguments[1], isUnwrapping: isUnwrapping, name.span)
    case .unbound: return FailingNode(.unbound(name.name, name.span))
    }
  }
}
