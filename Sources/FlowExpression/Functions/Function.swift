internal import FlowCore

/// A function or operator: the types it takes, for the checker, and what it does.
///
/// What it does looks at the kinds of its values itself, so that it works for `dyn` as well.
struct Function: Sendable {
  /// Makes a call with a constant second argument cheaper: reads the pattern or the zone once.
  typealias Preparation = @Sendable (Value) throws(EvaluationError) -> Code.Unary

  /// The identity of a function: `size(x)` and `x.size()` are two.
  struct Key: Sendable, Hashable {
    let name: String
    let isMember: Bool
    let count: Int
  }

  /// The implementation, whose values start with the receiver.
  enum Body: Sendable {
    case unary(Code.Unary)
    case binary(Code.Binary)
    case prepared(Code.Binary, Preparation)
    case several(Int, Code.Several)
    /// `or` and `orValue`, whose second argument is evaluated only if the first is empty.
    case fallback(isUnwrapping: Bool)
    /// A function with this number of arguments that can be checked but not called.
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

  /// A call of the function, with a constant second argument read in advance.
  func call(_ name: CallName, _ arguments: [Code]) throws(EvaluationError) -> Code {
    switch body {
    case .unary(let body): return .call(name, arguments[0], body)
    case .binary(let body): return .call(name, arguments[0], arguments[1], body: body)
    case .prepared(let body, let prepare):
      guard let constant = arguments[1].constant else {
        return .call(name, arguments[0], arguments[1], body: body)
      }
      return .call(name, arguments[0], try prepare(constant))
    case .several(_, let body): return .call(name, arguments, body)
    case .fallback(let isUnwrapping):
      return .fallback(arguments[0], arguments[1], isUnwrapping: isUnwrapping, name.span)
    case .unbound: return .failing(.unbound(name.name, name.span))
    }
  }

  // MARK: - Typed functions

  /// Functions made of a Swift function, with its types.
  ///
  /// If the last parameter is optional there are two, one of them without it.
  static func typed<each Argument: FieldValue, Result: FieldValue>(
    _ name: String, isMember: Bool = true,
    _ body:
      @escaping @Sendable (inout Frame, repeat each Argument) throws(EvaluationError) -> Result
  ) -> [Function] {
    var parameters: [ValueType] = []
    repeat parameters.append((each Argument).valueType)
    var counts = [parameters.count]
    if case .optional(let wrapped) = parameters.last {
      counts.append(parameters.count - 1)
      parameters[parameters.count - 1] = wrapped
    }
    let result = ExpressionType(Result.valueType)
    return counts.map { count in
      let signature = Signature(parameters.prefix(count).map { ExpressionType($0) }, result)
      let body: Code.Several = { (values, frame) throws(EvaluationError) in
        // A null is a given argument.
        if values.last == .null { throw .noOverload }
        var rest = values[...]
        return try body(&frame, repeat try next((each Argument).self, &rest)).encoded
      }
      return Function(name, isMember: isMember, [signature], .several(count, body))
    }
  }

  private static func next<Argument: FieldValue>(
    _ type: Argument.Type, _ values: inout ArraySlice<Value>
  ) throws(EvaluationError) -> Argument {
    do throws(DecodeError) { return try Argument(decoding: values.popFirst() ?? .null) } catch {
      throw .noOverload
    }
  }
}
