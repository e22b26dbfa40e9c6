public import FlowCore

extension StandIn {
  /// What an operation of a stand-in answers.
  public struct Answer: Sendable {
    /// Makes an answer from the input and the call's context.
    public typealias Body =
      @Sendable (_ input: RecordValue, _ context: Context) async throws -> [String: any FieldValue]

    enum Kind: Sendable {
      case output([String: any FieldValue])
      case laidOut(Value)
      case error(code: String, message: String)
      case sequence([Answer])
      case body(Body)
    }

    let kind: Kind

    /// These fields, every time; fields with a default and optional ones may be left out.
    public static func answer(_ fields: [String: any FieldValue]) -> Answer {
      Answer(kind: .output(fields))
    }

    /// Nothing, every time: for an operation whose answer has no fields.
    public static var answer: Answer { .answer([:]) }

    /// An error that the operation declares, every time.
    public static func error(_ code: String, _ message: String = "scripted") -> Answer {
      Answer(kind: .error(code: code, message: message))
    }

    /// One after the other, each once; the call after the last has no answer.
    public static func sequence(_ answers: [Answer]) -> Answer {
      Answer(kind: .sequence(answers))
    }

    /// What the closure makes of each call; it may sleep and emit through the context, and throw a
    /// `ComponentError`.
    public static func body(_ body: @escaping Body) -> Answer {
      Answer(kind: .body(body))
    }
  }
}

extension StandIn.Answer {
  /// The answer, once it is known that the operation can give it; its fields are laid out.
  func checked(
    for operation: OperationDescription, _ name: String
  ) throws(StandInError) -> StandIn.Answer {
    switch kind {
    case .body, .laidOut: return self
    case .output(let fields):
      return StandIn.Answer(kind: .laidOut(try Self.laidOut(fields, operation, name)))
    case .error(let code, _):
      guard !operation.errors.contains(where: { $0.name == code }) else { return self }
      let near = Suggestion.nearest(to: code, among: operation.errors.map(\.name))
      throw .unknownError(code, of: name, near: near)
    case .sequence(let answers):
      var checked: [StandIn.Answer] = []
      for answer in answers {
        if case .sequence = answer.kind { throw .nestedSequence(of: name) }
        checked.append(try answer.checked(for: operation, name))
      }
      return .sequence(checked)
    }
  }

  /// The fields as a record of the operation's output.
  static func laidOut(
    _ fields: [String: any FieldValue], _ operation: OperationDescription, _ name: String
  ) throws(StandInError) -> Value {
    // In the order of their names, so that the first mistake is always the same one.
    let pairs = fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.encoded) }
    do {
      return try Value.map(ValueMap(pairs)).converted(to: .record(operation.output))
    } catch {
      throw .wrongAnswer("\(error)", of: name)
    }
  }
}
