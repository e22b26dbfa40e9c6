/// The rules for a component's calls that follow from a description of its service, such as an
/// OpenAPI file.
///
/// A plugin returns them in `Plugin.contracted`. `flow check` asks them for types and for mistakes
/// that can be found before the run. A run asks them about each request and each answer, live and
/// replayed, so the answer must depend on the arguments alone.
public protocol CallContract: Sendable {
  /// The description's file, as the scenario names it.
  var file: String { get }
  /// The mistakes of the description that leave the rest of it usable, with their places, for `flow
  /// check`.
  var warnings: [String] { get }
  /// Everything that tests can cover, in the order of the description.
  var parts: [ContractPart] { get }

  /// Returns the rules for a call that is known in part.
  ///
  /// Called once for each step by `flow check` and before a run.
  func rules(for call: KnownCall) -> CallRules

  /// Returns the contradictions of a request, a record of the operation's input type.
  ///
  /// Called before the call is made. Any contradiction fails the step.
  func problems(inInput input: Value, of call: ContractCall) -> [ContractProblem]

  /// Returns the contradictions of an answer, a record of the operation's output type.
  func problems(inAnswer answer: Value, to input: Value, of call: ContractCall) -> [ContractProblem]

  /// Returns the descriptions of the fields of an answer, by name, for `flow mutate`.
  ///
  /// By default none.
  func descriptions(
    ofAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [String: any DescribedValues]

  /// Returns the positions of the parts that a call covers.
  ///
  /// `answer` is nil for a call that failed.
  func parts(coveredBy input: Value, answer: Value?, of call: ContractCall) -> Set<Int>
}

extension CallContract {
  /// No descriptions.
  public func descriptions(
    ofAnswer answer: Value, to input: Value, of call: ContractCall
  ) -> [String: any DescribedValues] { [:] }
}

/// The circumstances of a call that its rules may depend on.
public struct ContractCall: Sendable, Hashable {
  /// The operation's name.
  public let operation: String
  /// The fields of the expected answer that are written in the step without an expression.
  ///
  /// A step that expects a refusal sends a wrong request on purpose.
  public let expected: [String: Value]
  /// The names of all fields of the expected answer, or nil if a condition expects it as a whole.
  public let expectedNames: Set<String>?

  /// Creates the circumstances of a call.
  package init(
    operation: String, expected: [String: Value] = [:], names expectedNames: Set<String>? = []
  ) {
    self.operation = operation
    self.expected = expected
    self.expectedNames = expectedNames
  }
}

/// A call as far as it is known before the run.
public struct KnownCall: Sendable {
  /// The operation and the written parts of the expected answer.
  public let call: ContractCall
  /// The input.
  public let input: KnownFields

  package init(_ call: ContractCall, input: KnownFields) {
    self.call = call
    self.input = input
  }
}

/// The fields of a record as far as they are known before the run.
public struct KnownFields: Sendable, Hashable {
  /// The fields without an expression, and the defaults.
  public let values: [String: Value]
  /// The entries without an expression of the fields that are maps.
  public let entries: [String: [String: Value]]
  /// The names of the entries, in file order, of the fields that are maps.
  public let names: [String: [String]]
  /// The texts with an expression: the literal parts, and nil for each expression.
  public let texts: [String: [String?]]
  /// The names of the fields with an expression anywhere in them.
  public let unknown: Set<String>

  /// The fields of a record, all of them known.
  public init(_ record: Value) {
    guard case .record(let record) = record else {
      self.init(values: [:])
      return
    }
    let values = Dictionary(
      zip(record.type.fields.map(\.name), record.values), uniquingKeysWith: { first, _ in first })
    let maps = values.compactMapValues { value -> ValueMap? in
      if case .map(let map) = value { map } else { nil }
    }
    self.init(
      values: values,
      entries: maps.mapValues { map in
        Dictionary(
          map.entries.map { ($0.key.interpolated, $0.value) },
          uniquingKeysWith: { first, _ in first })
      }, names: maps.mapValues { map in map.entries.map(\.key.interpolated) })
  }

  /// Creates fields, of which everything that is not given is unknown.
  public init(
    values: [String: Value] = [:], entries: [String: [String: Value]] = [:],
    names: [String: [String]] = [:], texts: [String: [String?]] = [:], unknown: Set<String> = []
  ) {
    self.names = names
    self.values = values
    self.entries = entries
    self.texts = texts
    self.unknown = unknown
  }
}

/// The types and the mistakes of a call that is known in part.
public struct CallRules: Sendable {
  /// Narrower types of the input's fields.
  ///
  /// The written values are checked against them, and are sent unchanged.
  public var input: [String: ValueType] = [:]
  /// The fields of the input whose written values `problems` judges in full.
  ///
  /// Their types only say what a value with an expression may be: a type knows less than the
  /// description.
  public var judged: Set<String> = []
  /// Narrower types of the answer's fields.
  ///
  /// A map may take the place of a record, without its optional fields and with further ones.
  public var answer: [String: ValueType] = [:]
  /// The contradictions of the written input and of the expected answer.
  public var problems: [ContractProblem] = []
  /// The mistakes of the description because of which nothing can be said of the call, with their
  /// places.
  public var faults: [String] = []

  /// No rules.
  public init() {}
}

/// A contradiction between a call and the description of its service.
public struct ContractProblem: Sendable, Hashable {
  /// The contradicting side of a call.
  public enum Side: Sendable, Hashable {
    /// The request.
    case input
    /// The answer, or the expected answer before a run.
    case answer
  }

  /// The contradicting side.
  public let side: Side
  /// The place in the input or in the answer, empty for the whole.
  public let path: FieldPath
  /// The contradiction: lower case, no full stop.
  public let message: String
  /// The contradicting value, or nil if it is absent.
  public let actual: Value?
  /// The place of the broken rule in the description, such as `api.yaml#/paths/~1orders/get`, or
  /// nil for none.
  public let rule: String?
  /// The part of the text at the place that it is about, or nil for the whole value.
  public let part: TextPart?

  /// Creates a problem.
  public init(
    in side: Side, at path: FieldPath = FieldPath(), _ message: String, part: TextPart? = nil,
    actual: Value? = nil, rule: String? = nil
  ) {
    self.part = part
    self.side = side
    self.path = path
    self.message = message
    self.actual = actual
    self.rule = rule
  }

  /// The message with the position in the text that it is about.
  package var placedMessage: String {
    part.map { "\(message) (line \($0.start.line), column \($0.start.column))" } ?? message
  }
}

/// A part of a text that has a syntax of its own, such as a query.
public struct TextPart: Sendable, Hashable {
  /// The part in unicode scalars of the text.
  public let characters: Range<Int>
  /// The position in the text at which it starts.
  public let start: Position

  /// Creates a part.
  public init(_ characters: Range<Int>, from start: Position) {
    (self.characters, self.start) = (characters, start)
  }
}

/// A part of a description that a test can cover.
public struct ContractPart: Sendable, Hashable {
  /// The kinds of parts.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A method and a path.
    case operation
    /// A status of an operation's answers.
    case status
    /// A parameter of an operation.
    case parameter
    /// The body of an operation's requests.
    case body
    /// A property of a request's body or of an answer.
    case property
  }

  /// The kind.
  public let kind: Kind
  /// The unique name, such as `GET /orders/{id} 404` or `GET /orders query limit`.
  public let name: String

  /// Creates a part.
  public init(_ kind: Kind, _ name: String) {
    self.kind = kind
    self.name = name
  }
}
