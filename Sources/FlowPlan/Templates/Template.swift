public import FlowCore
public import FlowExpression
internal import FlowRedaction
package import FlowSystem
private import Synchronization

/// A value of the scenario with its expressions compiled.
public enum Template: Sendable {
  /// No expression in it.
  case constant(Value)
  /// A value that is a single `${{ ... }}`.
  ///
  /// It keeps its type, or is widened to this one.
  case expression(PlannedExpression, as: ValueType)
  /// A string around expressions, whose values become strings.
  case text([Template])
  /// Elements in order.
  case list([Template])
  /// Keys and values in file order.
  case map([(key: String, value: Template)])
  /// A record, with one template for each field in the type's order.
  case record(RecordType, [Template])

  /// The value in a run's present state.
  ///
  /// - Throws: `EvaluationFailure` of the first expression that has no value.
  public func evaluate(_ activation: Activation) throws(EvaluationFailure) -> Value {
    switch self {
    case .constant(let value): return value
    case .expression(let expression, let type): return try expression.evaluate(activation, as: type)
    case .text(let parts): return .string(try Self.text(parts, activation))
    case .list(let elements): return .list(try Self.values(elements, activation))
    case .record(let type, let fields):
      return .record(RecordValue(type, try Self.values(fields, activation)))
    case .map(let entries):
      var map = ValueMap()
      for entry in entries { map[.string(entry.key)] = try entry.value.evaluate(activation) }
      return .map(map)
    }
  }

  /// The value when there is no expression in it.
  public var constant: Value? { if case .constant(let value) = self { value } else { nil } }

  /// The fields of a record without expressions.
  package var knownFields: [String: Value] {
    let values: [(RecordType.Field, Value?)] =
      switch self {
      case .constant(.record(let record)): Array(zip(record.type.fields, record.values))
      case .record(let type, let fields): zip(type.fields, fields).map { ($0, $1.constant) }
      default: []
      }
    return Dictionary(
      uniqueKeysWithValues: values.compactMap { field, value in value.map { (field.name, $0) } })
  }

  /// The fields of a record as far as they are known before the run.
  package var known: KnownFields {
    guard case .record(let type, let fields) = self else {
      return KnownFields(
        values: knownFields, entries: knownFields.compactMapValues(\.texts),
        names: knownFields.compactMapValues(\.keys))
    }
    var texts: [String: [String?]] = [:]
    var entries: [String: [String: Value]] = [:]
    var names: [String: [String]] = [:]
    var unknown: Set<String> = []
    for (field, template) in zip(type.fields, fields) {
      entries[field.name] = template.knownEntries
      names[field.name] = template.keys
      if template.constant != nil { continue }
      unknown.insert(field.name)
      texts[field.name] = template.knownTexts
    }
    return KnownFields(
      values: knownFields, entries: entries, names: names, texts: texts, unknown: unknown)
  }

  /// The entries of a map without an expression, or nil for another value.
  private var knownEntries: [String: Value]? {
    switch self {
    case .constant(let value): value.texts
    case .map(let entries):
      Dictionary(
        entries.compactMap { entry in entry.value.constant.map { (entry.key, $0) } },
        uniquingKeysWith: { first, _ in first })
    default: nil
    }
  }

  /// The keys of a map, or nil for another value.
  private var keys: [String]? {
    switch self {
    case .constant(let value): value.keys
    case .map(let entries): entries.map(\.key)
    default: nil
    }
  }

  /// The literal parts of a text, with nil for each expression, or nil for another value.
  private var knownTexts: [String?]? {
    switch self {
    case .expression: [nil]
    case .text(let parts):
      parts.map { if case .constant(.string(let text)) = $0 { text } else { nil } }
    default: nil
    }
  }

  func operands(_ activation: Activation) -> [OperandText] {
    expressions.flatMap { $0.operands(activation) }.unique
  }

  private static func text(
    _ parts: [Template], _ activation: Activation
  ) throws(EvaluationFailure) -> String {
    var text = ""
    for part in parts {
      text += try part.evaluate(activation).interpolated
      guard text.utf8.count <= longestText else {
        throw EvaluationFailure(
          message: "the text is longer than \(longestText) bytes", place: part.place)
      }
    }
    return text
  }

  // A string that doubles in a loop would otherwise fill the memory.
  private static let longestText = 16 << 20

  /// The place of the template's expression, or nil without one.
  private var place: Place? {
    if case .expression(let expression, _) = self { return expression.place }
    return nil
  }

  private static func values(
    _ templates: [Template], _ activation: Activation
  ) throws(EvaluationFailure) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(templates.count)
    for template in templates { values.append(try template.evaluate(activation)) }
    return values
  }

  /// A list, folded when all its elements are constants.
  package static func folding(_ elements: [Template]) -> Template {
    constants(elements).map { .constant(.list($0)) } ?? .list(elements)
  }

  package static func folding(_ type: RecordType, _ fields: [Template]) -> Template {
    constants(fields).map { .constant(.record(RecordValue(type, $0))) } ?? .record(type, fields)
  }

  package static func folding(_ entries: [(key: String, value: Template)]) -> Template {
    guard let values = constants(entries.map(\.value)) else { return .map(entries) }
    return .constant(.map(ValueMap(Array(zip(entries.map(\.key), values)))))
  }

  private static func constants(_ templates: [Template]) -> [Value]? {
    var values: [Value] = []
    for template in templates {
      guard let value = template.constant else { return nil }
      values.append(value)
    }
    return values
  }

  /// The template on one line: `{amount: ${{ inputs.amount }}, title: "Barn"}`, each value cut to
  /// the limit.
  ///
  /// The content of a secret field of the component is replaced by a placeholder here, because it
  /// may be too short to be found in a string, or cut off in the middle.
  package func text(limit: Int = 80, of component: String? = nil) -> String {
    switch self {
    // Each field is shortened for itself, so that a long one does not hide the others.
    case .constant(.record(let record)):
      Self.fields(
        of: record.type, record.values.map(Template.constant), limit: limit, component: component)
    case .constant(let value): value.summary(limit: limit)
    case .expression(let expression, _): expression.text
    case .text(let parts): "\"" + parts.map { $0.part(limit) }.joined() + "\""
    case .list(let elements):
      "[" + elements.map { $0.text(limit: limit, of: component) }.joined(separator: ", ") + "]"
    case .map(let entries):
      Self.braced(entries.map { ($0.key, $0.value.text(limit: limit, of: component)) })
    case .record(let type, let fields):
      Self.fields(of: type, fields, limit: limit, component: component)
    }
  }

  /// Every expression in it, in file order.
  package var expressions: [PlannedExpression] {
    switch self {
    case .constant: []
    case .expression(let expression, _): [expression]
    case .text(let parts), .list(let parts), .record(_, let parts): parts.flatMap(\.expressions)
    case .map(let entries): entries.flatMap(\.value.expressions)
    }
  }

  /// Returns `{key: text}`, with quotes around the keys that need them.
  static func braced(_ entries: [(key: String, text: String)]) -> String {
    "{" + entries.map { "\(Value.keyText($0.key)): \($0.text)" }.joined(separator: ", ") + "}"
  }

  /// Returns the fields without absent optional ones.
  private static func fields(
    of type: RecordType, _ fields: [Template], limit: Int, component: String?
  ) -> String {
    braced(
      zip(type.fields, fields).compactMap { field, template in
        if case .constant(.null) = template, case .optional = field.type { return nil }
        let name = (component.map { $0 + "." } ?? "") + field.name
        let isHidden = field.isSecret && template.isWritten
        return (
          field.name,
          isHidden
            ? Value.string(Redactor.placeholder(for: name)).summary(limit: .max)
            : template.text(limit: limit, of: component)
        )
      })
  }

  /// True if the value, or a part of it, is written in the scenario.
  private var isWritten: Bool {
    switch self {
    case .constant(.null), .constant(.string("")): false
    case .expression(let expression, _): expression.text.hasQuotes
    default: true
    }
  }

  /// Returns a part of a string, without quotes of its own around a literal.
  private func part(_ limit: Int) -> String {
    guard case .constant(.string(let written)) = self else { return text(limit: limit) }
    return written.shortened(to: limit).escaped
  }
}

extension Value {
  /// The keys of a map that are texts, or nil for another value.
  fileprivate var keys: [String]? {
    guard case .map(let map) = self else { return nil }
    return map.entries.compactMap { if case .string(let key) = $0.key { key } else { nil } }
  }

  /// The entries of a map with texts as keys, or nil for another value.
  fileprivate var texts: [String: Value]? {
    guard case .map(let map) = self else { return nil }
    return Dictionary(
      map.entries.compactMap { entry in
        if case .string(let key) = entry.key { (key, entry.value) } else { nil }
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// A compiled expression and its place.
public final class PlannedExpression: Sendable {
  /// The expression to evaluate.
  public let expression: Expression
  /// The text between `${{` and `}}`.
  public let place: Place
  /// Found when first asked for, since most expressions are never asked.
  private let foundReads = AtomicLazyReference<FoundReads>()

  /// The variables and parts that it reads, each once, in text order.
  package var reads: [ValueRead] {
    let found = foundReads.load() ?? foundReads.storeIfNil(FoundReads(expression.reads))
    return found.reads
  }

  package init(_ expression: Expression, at place: Place) {
    self.expression = expression
    self.place = place
  }

  /// The expression's value.
  ///
  /// - Throws: `EvaluationFailure` with the expression's place.
  public func evaluate(_ activation: Activation) throws(EvaluationFailure) -> Value {
    do {
      return try expression.evaluate(activation)
    } catch {
      throw failure("\(error)")
    }
  }

  private func failure(_ message: String) -> EvaluationFailure {
    var failure = EvaluationFailure(message: message, place: place)
    failure.reads = reads
    return failure
  }

  /// The parts of the expression with their values, for the message about an unexpected result.
  public func operands(_ activation: Activation) -> [OperandText] {
    expression.operands(activation).compactMap { operand in
      // The failure itself reports a part without a value.
      guard case .success(let value) = operand.result else { return nil }
      return OperandText(
        text: operand.text, value: value.summary(limit: OperandText.longest),
        reads: expression.reads(in: operand.span))
    }
  }

  /// The value as another type.
  func evaluate(_ activation: Activation, as type: ValueType) throws(EvaluationFailure) -> Value {
    let value = try evaluate(activation)
    do {
      return try value.converted(to: type)
    } catch {
      throw failure("\(error)")
    }
  }

  /// The expression as a scenario writes it, on one line: `${{ inputs.amount }}`.
  package var text: String { "${{ \(expression.text.onOneLine) }}" }
}

/// The reads of an expression, in an object.
private final class FoundReads: Sendable {
  let reads: [ValueRead]

  init(_ reads: [ValueRead]) { self.reads = reads }
}

/// A part of an expression and its value, both as text.
public struct OperandText: Sendable, Hashable {
  /// The part as it is written.
  public internal(set) var text: String
  /// Its value.
  ///
  /// The caller shortens it for a line, after hiding the secrets in it.
  public package(set) var value: String
  /// The variables that it reads, until their origins are known.
  package var reads: [ValueRead] = []
  /// The origins of the variables that it reads.
  ///
  /// Empty unless they are behind a failure.
  public package(set) var origins: [ValueOrigin] = []

  /// The longest value, in characters.
  package static let longest = 4_000

  /// Creates an operand from its texts.
  package init(text: String, value: String, reads: [ValueRead] = []) {
    (self.text, self.value, self.reads) = (text, value, reads)
  }

  /// Returns the operand with a part of its value, which holds no secret any more.
  package func shortened(to limit: Int) -> OperandText {
    var copy = self
    copy.value = value.shortened(to: limit)
    return copy
  }
}

/// An expression without a value at run time.
public struct EvaluationFailure: Error, Sendable, Hashable {
  /// The problem, in lower case and without a full stop.
  public package(set) var message: String
  /// The expression's place, or nil for that of the step.
  public let place: Place?
  /// The variables that the expression reads, until their origins are known.
  package var reads: [ValueRead] = []
  /// The origins of the variables that the expression reads.
  ///
  /// Empty unless they are known.
  public package(set) var origins: [ValueOrigin] = []

  /// A failure at a place.
  public init(message: String, place: Place?) {
    self.message = message
    self.place = place
  }
}

/// A range of the scenario file, in only 16 bytes, because a plan keeps one for each of its parts.
public struct Place: Sendable, Hashable {
  private let startLine: Int32
  private let startColumn: Int32
  private let endLine: Int32
  private let endColumn: Int32

  package init(_ span: Span) {
    startLine = Int32(clamping: span.start.line)
    startColumn = Int32(clamping: span.start.column)
    endLine = Int32(clamping: span.end.line)
    endColumn = Int32(clamping: span.end.column)
  }

  /// The stretch in a file.
  public func span(in file: String) -> SourceSpan {
    SourceSpan(
      file: file, start: Position(line: Int(startLine), column: Int(startColumn)),
      end: Position(line: Int(endLine), column: Int(endColumn)))
  }
}

extension String {
  /// True if an expression with this text may have a string literal.
  package var hasQuotes: Bool {
    utf8.contains(UInt8(ascii: "'")) || utf8.contains(UInt8(ascii: "\""))
  }
}
