internal import FlowCore
internal import FlowExpression
internal import FlowPlan
internal import FlowSystem

/// A matcher in a transcript, written by a person in place of a value that varies.
struct RecordedPattern {
  /// The longest text compared with a pattern, in bytes.
  private static let longestText = 64 << 10
  /// The longest pattern, in bytes.
  private static let longestPattern = 1_000
  /// The memory of RE2 for a pattern in bytes, which bounds the time of a comparison.
  private static let patternMemory = 512 << 10

  /// The names of a matcher's first member.
  enum Name: String, CaseIterable {
    case any = "$any"
    case same = "$same"
    case match = "$match"
    case near = "$near"
    case unordered = "$unordered"
  }

  /// The accepted values.
  enum Demand {
    /// `$any`: every value of a type.
    case any(Kind)
    /// `$same`: every value of a type, equal where the recorded values are equal.
    case same(Kind)
    /// `$unordered`: a list with the elements of the recorded one, in any order.
    case unordered
    /// `$match`: a string with a matching part.
    case match(String, Pattern)
    /// `$near`: a number or an instant, not further away than the tolerance.
    case near(Measure, within: Measure)
  }

  /// The name of the pattern for every value of a type.
  static let anyName = Name.any.rawValue
  /// The name of the pattern for every value that stays the same where the recorded one does.
  static let sameName = Name.same.rawValue
  /// The name of the pattern for a list in any order.
  static let unorderedName = Name.unordered.rawValue
  /// The name of the member beside `$any` or `$same` with the text around the parts that vary.
  static let templateName = "in"
  /// The name of the member beside it with the value that is served.
  static let exampleName = "example"

  /// The accepted values.
  let demand: Demand
  /// The text around the parts that vary, or nil for a value that varies as a whole.
  let template: TextTemplate?
  /// The value that a replay serves in its place, or nil.
  private(set) var example: RecordedValue?
  /// The members as written, possibly with another example.
  private let members: [JSON.Member]

  /// The pattern with the whole of its example.
  var json: JSON { .object(members(example?.json)) }

  /// The pattern as its line has it.
  var written: JSON { .object(members(example?.written)) }

  private func members(_ example: JSON?) -> [JSON.Member] {
    guard let example else { return members }
    return members.map { $0.name == Self.exampleName ? JSON.Member($0.name, example) : $0 }
  }

  /// Reads an object that has a member `$any`, `$same`, `$match` or `$near`.
  ///
  /// `example` is the value of its member `example`, or nil if that has patterns.
  ///
  /// - Throws: `PatternProblem` when it is malformed.
  init(_ members: [JSON.Member], example given: RecordedValue?) throws(PatternProblem) {
    guard let head = members.first(where: { Name(rawValue: $0.name) != nil }),
      let name = Name(rawValue: head.name)
    else { throw .literal }
    demand = try Self.demand(name, head)
    template = try Self.template(of: members, head)
    self.members = members
    for member in members where member.name != head.name {
      if member.name == Self.templateName, template != nil { continue }
      guard member.name == Self.exampleName, name != .near else {
        throw .unknownMember(member.name, of: head.name)
      }
      if given == nil { throw .exampleWithMatcher }
    }
    example = given
    if name == .near, case .array(let parts) = head.value {
      example = parts.first.map(RecordedValue.plain)
    }
    if case .unordered = demand, example == nil { throw .noExample("\(self)") }
    if let example, !accepts(example.served, as: nil) { throw .example("\(self)") }
  }

  /// Returns true if both stand for every value of one type, so that none contradicts the other.
  func isWhole(like other: RecordedPattern) -> Bool {
    guard case (.any(let kind), .any(let same)) = (demand, other.demand) else { return false }
    return kind == same && template == nil && other.template == nil
  }

  private static func template(
    of members: [JSON.Member], _ head: JSON.Member
  ) throws(PatternProblem) -> TextTemplate? {
    guard head.name == anyName || head.name == sameName,
      let member = members.first(where: { $0.name == templateName })
    else { return nil }
    guard let text = member.value.string, let template = TextTemplate(text),
      head.value == .string(Kind.string.rawValue)
    else { throw .template }
    return template
  }

  private static func demand(
    _ name: Name, _ head: JSON.Member
  ) throws(PatternProblem) -> Demand {
    switch name {
    case .any: return .any(try kind(of: head))
    case .same: return .same(try kind(of: head))
    case .unordered:
      guard try kind(of: head) == .list else { throw .unordered }
      return .unordered
    case .match:
      guard let source = head.value.string else { throw .noPattern }
      guard source.utf8.count <= longestPattern else { throw .longPattern(longestPattern) }
      do throws(EvaluationError) {
        return .match(source, try Pattern(source, memory: patternMemory))
      } catch {
        throw .pattern(error.message)
      }
    case .near:
      guard case .array(let parts) = head.value, parts.count == 2 else { throw .near }
      guard let center = Measure(parts[0]) else { throw .nearValue }
      guard let tolerance = Measure(parts[1]), tolerance.isTolerance(of: center) else {
        throw .tolerance(isDuration: !center.isNumber)
      }
      return .near(center, within: tolerance)
    }
  }

  private static func kind(of head: JSON.Member) throws(PatternProblem) -> Kind {
    guard let name = head.value.string, let kind = Kind(rawValue: name) else {
      throw .kind(head.value.string, of: head.name)
    }
    return kind
  }

  /// True if its example is a member of its own, and not a part of what it demands.
  var hasWrittenExample: Bool { members.contains { $0.name == Self.exampleName } }

  /// Returns the pattern with another example, if it has an example.
  func withExample(_ example: RecordedValue) -> RecordedPattern {
    guard hasWrittenExample else { return self }
    var copy = self
    copy.example = example
    return copy
  }

  /// Returns true if it accepts a value in the notation of this type, or of an unknown type for
  /// nil.
  func accepts(_ json: JSON, as type: ValueType?) -> Bool {
    if case .unordered = demand { return json.inOrder == example?.served.inOrder }
    if let template { return json.string.map { template.parts(of: $0) != nil } ?? false }
    // What an optional type wraps, unless it is null.
    return json.means(as: json == .null ? type : type?.unwrapped) { value in
      switch demand {
      case .any(let kind), .same(let kind): kind.holds(of: value)
      case .match(_, let pattern):
        if case .string(let text) = value { Self.matches(text, pattern) } else { false }
      case .near(let center, let tolerance):
        Measure(value).map { $0.isNear(center, within: tolerance) } ?? false
      // Compared as written above.
      case .unordered: false
      }
    }
  }

  /// What tells a call with it apart from others: nothing, or the text or the elements that do not vary.
  var constant: JSON {
    if case .unordered = demand { return example?.served.inOrder ?? .null }
    return template.map { .string($0.text) } ?? .null
  }

  private static func matches(_ text: String, _ pattern: Pattern) -> Bool {
    // Without memory nothing is known to match.
    text.utf8.count <= longestText && (try? pattern.matches(text)) ?? false
  }
}

extension RecordedPattern: CustomStringConvertible {
  /// A phrase: `any string`, `text like '^a+$'`, `12.50 within 0.01`.
  var description: String {
    switch demand {
    case .any(.any): "any value"
    case .any(let kind): "any \(kind.rawValue)"
    case .unordered: "the elements of \((example?.served ?? .null).summary()) in any order"
    case .any where template != nil, .same where template != nil:
      "a text like '\(template?.text.onOneLine ?? "")'"
    case .same(.any): "the same value"
    case .same(let kind): "the same \(kind.rawValue)"
    case .match(let source, _): "a string like '\(source.onOneLine)'"
    case .near(let center, let tolerance): "\(center) within \(tolerance)"
    }
  }
}

extension JSON {
  /// A list in an order that its elements determine.
  fileprivate var inOrder: JSON {
    guard case .array(let elements) = self else { return self }
    let keyed = elements.map { (key: $0.text, value: $0) }
    return .array(keyed.sorted { $0.key < $1.key }.map(\.value))
  }

  /// Returns true if a possible meaning of the string passes: a value of the known type, or any
  /// reading.
  fileprivate func means(as type: ValueType?, _ what: (Value) -> Bool) -> Bool {
    if let type { return (try? Value(self, as: type)).map(what) ?? false }
    if let plain = try? Value(dynamic: self), what(plain) { return true }
    if case .number(let text) = self { return UInt(text).map { what(.uint($0)) } ?? false }
    guard case .string(let text) = self else { return false }
    // One after the other: the first is nearly always it.
    if let value = Decimal(text), what(.decimal(value)) { return true }
    if let value = Timestamp(text), what(.timestamp(value)) { return true }
    if let value = Duration(flowText: text), what(.duration(value)) { return true }
    return Base64.decode(text).map { what(.bytes(Bytes($0))) } ?? false
  }
}

extension RecordedPattern {
  /// The types for `$any` and `$same`.
  enum Kind: String, CaseIterable {
    case string, int, decimal, double, bool, bytes, timestamp, duration, list, map, any

    /// Returns true if a value has the type.
    ///
    /// Only `any` includes null.
    func holds(of value: Value) -> Bool { self == .any || self == Kind(value) }

    /// The one for values like this.
    init(_ value: Value) {
      self =
        switch value.calculable {
        case .string: .string
        case .int, .uint: .int
        case .decimal: .decimal
        case .double: .double
        case .bool: .bool
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .list: .list
        case .map, .record: .map
        case .null, .number, .type, .optional: .any
        }
    }

    /// Creates the one for a field's type.
    init(_ type: ValueType) {
      self =
        switch type {
        case .bool: .bool
        case .int, .uint: .int
        case .double: .double
        case .decimal: .decimal
        case .string, .enumeration: .string
        case .bytes: .bytes
        case .timestamp: .timestamp
        case .duration: .duration
        case .list: .list
        case .map, .record: .map
        case .optional, .dynamic: .any
        }
    }
  }
}

/// The problem of a pattern, as data and in words.
///
/// Users know patterns as matchers.
enum PatternProblem: Error {
  /// `$any` or `$same` with another name, or with none.
  case kind(String?, of: String)
  case noPattern
  /// `in` with something else than a text with named parts.
  case template
  /// `$unordered` of something else than a list.
  case unordered
  case longPattern(Int)
  case pattern(String)
  /// More patterns than a transcript may have.
  case manyPatterns(Int)
  case near
  case nearValue
  case tolerance(isDuration: Bool)
  case unknownMember(String, of: String)
  /// An example that the pattern does not accept.
  case example(String)
  case exampleWithMatcher
  /// An answer that cannot be served.
  case noExample(String)
  case literal
  case blob

  /// The code and the message.
  var wording: (code: DiagnosticCode, message: String) {
    if case .noExample(let pattern) = self {
      return (
        .unservableMatcher, "cannot replay \(pattern) as an answer; give it an 'example'"
      )
    }
    return (.malformedMatcher, message)
  }

  private var message: String {
    switch self {
    case .kind(let name, let owner): Self.kind(name, of: owner)
    case .template: "'in' must be a text with named parts, such as '/orders/{id}', of a string"
    case .unordered: "'$unordered' must be 'list'"
    case .noPattern: "'$match' must be a string with a regular expression"
    case .longPattern(let limit): "the pattern is longer than \(limit) bytes"
    case .pattern(let message): message
    case .manyPatterns(let limit): "there are more than \(limit) patterns"
    case .near: "'$near' must be a list of a value and a tolerance"
    case .nearValue: "'$near' must start with a number, a timestamp or a duration"
    case .tolerance(let isDuration):
      "the tolerance must be a \(isDuration ? "duration" : "number") of zero or more"
    case .unknownMember(let name, let owner):
      "unknown member '\(name)' next to '\(owner)'; "
        + (owner == "$near" ? "nothing is allowed there" : "only 'example' is allowed there")
    case .example(let pattern): "the example is not \(pattern)"
    case .exampleWithMatcher: "an example cannot contain matchers"
    case .noExample: ""
    case .blob:
      "'$blob' must be 'sha256:' and 64 hexadecimal digits, with its 'size' in bytes next to it"
    case .literal: "'$literal' must hold an object and be the only member"
    }
  }

  private static func kind(_ name: String?, of owner: String) -> String {
    let known = RecordedPattern.Kind.allCases.map(\.rawValue)
    guard let name else {
      return "'\(owner)' must be the name of a type: \(known.joined(separator: ", "))"
    }
    let near = Suggestion.phrase(Suggestion.nearest(to: name, among: known))
    return "'\(owner)' has no type '\(name)'; "
      + (near ?? "the types are \(known.joined(separator: ", "))")
  }
}
