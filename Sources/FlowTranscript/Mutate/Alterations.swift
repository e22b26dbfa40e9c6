package import FlowCore
package import FlowPlan
internal import FlowSystem

/// The alterations of a transcript's answers, in its order.
package struct Alterations: Sendable {
  /// The first ones, as many as were asked for.
  package private(set) var first: [Alteration] = []
  /// The number of alterations.
  package private(set) var count = 0

  /// The choice of alterations.
  package struct Options: Sendable {
    /// The most alterations kept.
    package var limit: Int
    /// True to alter the fields that restate others, too.
    package var includesAllFields = false
    /// The components whose answers are not altered, because they run live.
    package var sparing: Set<String> = []

    /// Creates options with a limit.
    package init(limit: Int) { self.limit = limit }
  }

  private let options: Options
  private var incidental: IncidentalParts

  /// Creates other possible answers of components: each value of each output, and each error's
  /// code.
  ///
  /// Volatile fields are left out, because any value of theirs is as good. So are, unless all are
  /// asked for, the fields that restate others, and those that a live run compares only where the
  /// scenario reads them, and it does not.
  ///
  /// - Parameters:
  ///   - transcript: The recording.
  ///   - plan: The scenario, for the types.
  ///   - options: The choice of alterations.
  package init(of transcript: Transcript, _ plan: Plan, _ options: Options) {
    self.options = options
    incidental = IncidentalParts(plan)
    let types = CallTypes(plan)
    let attempts = transcript.calls.attempts
    var steps = StepFinder(plan)
    for (index, call) in transcript.calls.enumerated() {
      guard let types = types[call.name],
        !options.sparing.contains(call.component)
      else { continue }
      var source = Source(index: index, call: call, attempt: attempts[index])
      switch call.answer {
      case .output(let output)?:
        let declared =
          call.address.calls.isEmpty ? steps.place(at: call.address.path)?.volatile ?? [] : []
        let marked = output.marking(declared, as: .record(types.output))
        source.volatile = Set(marked.placesOfAny(at: FieldPath([.field("ok")])))
        add(output.served, as: .record(types.output), at: FieldPath([.field("ok")]), source)
      case .error(let code, _)?: add(code, types.errors, source)
      case .cancelled?, nil: continue
      }
    }
  }

  private struct Source {
    let index: Int
    let call: Transcript.Call
    let attempt: Int?
    /// The places where every value of a type is as good as the recorded one.
    var volatile: Set<FieldPath> = []
    /// True inside of a field that a live run compares only where the scenario reads it.
    var isIncidental = false
  }

  private mutating func add(_ code: String, _ declared: [String], _ source: Source) {
    let other = declared.first { $0 != code } ?? ErrorCode.unexpected.name
    if other == code { return }
    add(.string(code), [.string(other)], as: .string, at: FieldPath([.field("error")]), source)
  }

  private mutating func add(
    _ json: JSON?, as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    if source.volatile.contains(path) || meansNothing(path, source) { return }
    if case .optional(let wrapped) = type {
      guard let json, json != .null else {
        return add(json, [wrapped.zero], as: wrapped, at: path, source)
      }
      add(json, [.null], as: type, at: path, source)
      return add(json, as: wrapped, at: path, source)
    }
    guard let json else { return }
    switch (json, json.form) {
    case (_, .literal(let members)):
      add(members, as: type, at: path.appending(.field(JSON.literalName)), source)
    case (.array(let elements), _): add(elements, as: type, at: path, source)
    case (.object(let members), _) where type != .dynamic || json.tag == nil:
      add(members, as: type, at: path, source)
    default:
      guard let value = try? Value(json, as: type) else { return }
      add(json, value.alternatives(type), as: type, at: path, source)
    }
  }

  /// Returns true if a live run compares a part of an answer only where the scenario reads it, and
  /// the scenario reads neither the part nor anything in it.
  private mutating func meansNothing(_ path: FieldPath, _ source: Source) -> Bool {
    source.isIncidental && !options.includesAllFields
      && incidental.contains("\(path)", of: source.call)
  }

  private mutating func add(
    _ elements: [JSON], as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    if !elements.isEmpty {
      count += 1
      keep(.array(elements), as: .array(elements.dropLast()), type, at: path, source)
    }
    for (index, element) in elements.enumerated() {
      add(element, as: type.element, at: path.appending(.index(index)), source)
    }
  }

  private mutating func add(
    _ members: [JSON.Member], as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    guard case .record(let record) = type else {
      for member in members {
        add(
          member.value, as: type.member(member.name), at: path.appending(.field(member.name)),
          source)
      }
      return
    }
    for field in record.fields
    where !field.isVolatile && (options.includesAllFields || !field.isRestated(by: members)) {
      let value = members.first { $0.name == field.name }?.value
      let place = path.appending(.field(field.name))
      var source = source
      if field.comparison == .whenRead { source.isIncidental = true }
      if field.plausible.isEmpty {
        add(value, as: field.type, at: place, source)
      } else if !source.volatile.contains(place), !meansNothing(place, source) {
        let others = field.plausible.filter { JSON($0, as: field.type) != value }
        add(value, others, as: field.type, at: place, source)
      }
    }
  }

  private mutating func add(
    _ recorded: JSON?, _ values: [Value], as type: ValueType, at path: FieldPath,
    _ source: Source
  ) {
    for value in values {
      count += 1
      if first.count == options.limit { continue }
      keep(recorded, as: JSON(value, as: type), type, at: path, source)
    }
  }

  private mutating func keep(
    _ recorded: JSON?, as altered: JSON, _ type: ValueType, at path: FieldPath, _ source: Source
  ) {
    guard first.count < options.limit else { return }
    first.append(
      Alteration(
        call: source.index, address: source.call.address, attempt: source.attempt,
        name: source.call.name, line: source.call.answerLine ?? source.call.line, path: path,
        recorded: recorded, altered: altered, type: type, isIncidental: source.isIncidental))
  }
}

/// A recorded answer with one value altered.
package struct Alteration: Sendable {
  /// The position of the call among all.
  let call: Int
  /// The call's address.
  package let address: Address
  /// The attempt of a repeated call, from 1, or nil for other calls.
  package let attempt: Int?
  /// The called operation, `component.operation`.
  package let name: String
  /// The line of the answer in the transcript, from 1.
  package let line: Int
  /// The place in the line, `ok.items[2].title`.
  ///
  /// The code of an error is `error`.
  package let path: FieldPath
  /// The recorded value, or nil for an absent optional one.
  package let recorded: JSON?
  /// The value in its place.
  package let altered: JSON
  /// The type of both.
  let type: ValueType
  /// True for a value that a live run compares only where the scenario reads it, such as a header.
  package let isIncidental: Bool

  /// `spend#1`, or `spend#1, attempt 2`, with the line of a component's call: the address of requests
  /// with other inputs may be the same.
  package var place: String {
    address.words(ofAttempt: attempt) + (address.calls.isEmpty ? "" : " on line \(line)")
  }

  /// `87.50 -> 88.50`.
  package var text: String { "\(recordedText) -> \(alteredText)" }

  /// The recorded value in words: `87.50`.
  package var recordedText: String { recorded?.summary(as: type) ?? "nothing" }

  /// The altered value in words: `88.50`.
  package var alteredText: String {
    // A summary of bytes contains only their number.
    let isInside = type == .bytes && recorded?.string?.isEmpty == false
    return altered.summary(as: type) + (isInside ? ", the first of them altered" : "")
  }
}

extension Transcript {
  /// The transcript with one value altered.
  package func applying(_ alteration: Alteration) -> Transcript {
    var copy = self
    copy.isAltered = true
    switch calls[alteration.call].answer {
    case .output(let output)?:
      let path = alteration.path.steps.dropFirst()
      let altered = output.served.replacing(path, with: alteration.altered)
      copy.calls.replaceAnswer(of: alteration.call, with: .output(.plain(altered)))
    case .error(_, let message)?:
      let code = alteration.altered.string ?? ""
      copy.calls.replaceAnswer(of: alteration.call, with: .error(code: code, message: message))
    case .cancelled?, nil: break
    }
    return copy
  }
}

extension JSON {
  /// Returns the tree with another value at a place, of which at most the last part is new.
  fileprivate func replacing(_ path: ArraySlice<FieldPath.Step>, with value: JSON) -> JSON {
    let rest = path.dropFirst()
    switch (path.first, self) {
    case (.field(let name)?, .object(var members)):
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index] = Member(name, members[index].value.replacing(rest, with: value))
      } else {
        members.append(Member(name, value))
      }
      return .object(members)
    case (.index(let index)?, .array(var elements)) where index < elements.count:
      elements[index] = elements[index].replacing(rest, with: value)
      return .array(elements)
    default: return value
    }
  }
}

extension RecordType.Field {
  /// True if other fields tell as much.
  fileprivate func isRestated(by members: [JSON.Member]) -> Bool {
    switch mutation {
    case .always: isOtherForm(of: members)
    case .whenPresent:
      isOtherForm(of: members) || !members.contains { $0.name == name && $0.value != .null }
    case .onRequest: true
    }
  }

  /// True if another field has the same content in a form that is altered instead.
  private func isOtherForm(of members: [JSON.Member]) -> Bool {
    guard case .whenReadBeside(let name) = comparison else { return false }
    return members.contains { $0.name == name && $0.value != .null }
  }
}

extension Value {
  /// Other values of the same type, such as the next number, its negation, a changed string or a
  /// flipped boolean.
  ///
  /// None is equal to the value or to another one.
  func alternatives(_ type: ValueType) -> [Value] {
    switch (type, self) {
    case (.enumeration(let names), .string(let name)):
      return names.first { $0 != name }.map { [.string($0)] } ?? []
    case (_, .null): return [.string("x")]
    case (_, .bool(let value)): return [.bool(!value)]
    case (_, .string(let text)): return [.string(text.isEmpty ? "x" : text + "~")]
    case (_, .bytes(let bytes)): return [.bytes(Bytes(Self.altered(Array(bytes.content))))]
    case (_, .timestamp(let instant)):
      let other = instant.advanced(by: .seconds(1)) ?? instant.advanced(by: .seconds(-1))
      return other.map { [.timestamp($0)] } ?? []
    case (_, .int), (_, .uint), (_, .double), (_, .decimal), (_, .duration):
      let others = [next, negated].compactMap { $0 }.filter { $0 != self }
      return others.count == 2 && others[0] == others[1] ? [others[0]] : others
    case (_, .number(let number)): return number.value.alternatives(type)
    default: return []
    }
  }

  private static func altered(_ bytes: [UInt8]) -> [UInt8] {
    guard let first = bytes.first else { return [0] }
    return [first ^ 1] + bytes.dropFirst()
  }

  /// The value plus one, or minus one at the maximum.
  private var next: Value? {
    switch self {
    case .int(let number): .int(number == .max ? number - 1 : number + 1)
    case .uint(let number): .uint(number == .max ? number - 1 : number + 1)
    case .double(let number): .double(number + 1 == number ? number / 2 : number + 1)
    case .decimal(let number): (try? number + Decimal(1)).map(Value.decimal)
    case .duration(let span): .duration(span + .seconds(1))
    default: nil
    }
  }

  private var negated: Value? {
    switch self {
    case .int(let number): number == .min ? nil : .int(-number)
    case .double(let number): .double(-number)
    case .decimal(let number): (try? number.negated()).map(Value.decimal)
    case .duration(let span): .duration(.zero - span)
    default: nil
    }
  }
}

extension RecordedValue {
  /// The value with patterns also in places declared as volatile after the recording.
  fileprivate func marking(_ paths: [ValuePath], as type: ValueType) -> RecordedValue {
    if paths.isEmpty { return self }
    var reader = Reader()
    // These patterns are well formed.
    return (try? reader.value(json.marking(paths, as: type))) ?? self
  }

  /// Returns the places of patterns that accept every value of a type.
  fileprivate func placesOfAny(at path: FieldPath) -> [FieldPath] {
    switch self {
    case .plain, .body: return []
    case .pattern(let pattern):
      if case .any = pattern.demand { return [path] }
      return []
    case .array(let elements):
      return elements.enumerated().flatMap { $1.placesOfAny(at: path.appending(.index($0))) }
    case .object(let members, let isLiteral):
      let path = isLiteral ? path.appending(.field(JSON.literalName)) : path
      return members.flatMap { $0.value.placesOfAny(at: path.appending(.field($0.name))) }
    }
  }
}
