internal import FlowCore
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
    /// The paths of the steps whose answers are altered, or nil for all calls.
    package var steps: Set<String>?

    /// Creates options with a limit.
    package init(limit: Int) { self.limit = limit }

    fileprivate func includes(_ address: Address) -> Bool {
      steps.map { address.calls.isEmpty && $0.contains(address.path) } ?? true
    }
  }

  private let options: Options
  private var incidental: IncidentalParts
  /// The altered values of the call at hand, by their places.
  private var made: [FieldPath: [JSON?]] = [:]

  /// Creates other possible answers of components: other forms of each value of each output, each
  /// error's code, and the answer of another call of the same operation.
  ///
  /// Volatile fields are left out, because any value of theirs is as good. So are, unless all are
  /// asked for, the fields that restate others, and those that a live run compares only where the
  /// scenario reads them, and it does not. No two alterations of a call make the same answer.
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
    let schemas = AnswerSchemas(plan)
    let others = OtherAnswers(
      Self.answers(of: transcript, plan, types).filter {
        !options.sparing.contains($0.value.call.component)
      })
    for (index, call) in transcript.calls.enumerated() {
      made = [:]
      guard let types = types[call.name], !options.sparing.contains(call.component),
        options.includes(call.address)
      else { continue }
      var source = Source(index: index, call: call, attempt: attempts[index])
      switch call.answer {
      case .output?:
        guard let answer = others[index] else { continue }
        source.volatile = answer.volatile
        source.forms = schemas.forms(of: answer.json, to: call, types)
        add(answer.json, as: .record(types.output), at: Self.root, source)
        if let other = others.answer(besides: index) {
          add(other, to: answer.json, types.output, source)
        }
      case .error(let code, _)?: add(code, types.errors, source)
      case .cancelled?, nil: continue
      }
    }
  }

  /// Returns the outputs that can be altered, by the positions of their calls.
  private static func answers(
    of transcript: Transcript, _ plan: Plan, _ types: CallTypes
  ) -> [Int: OtherAnswers.Answer] {
    var steps = StepFinder(plan)
    var answers: [Int: OtherAnswers.Answer] = [:]
    for (index, call) in transcript.calls.enumerated() {
      guard let type = types[call.name]?.output, case .output(let output)? = call.answer else {
        continue
      }
      let declared =
        call.address.calls.isEmpty ? steps.place(at: call.address.path)?.volatile ?? [] : []
      let marked = output.marking(declared, as: .record(type))
      answers[index] = OtherAnswers.Answer(
        json: output.served, call: call, type: type, volatile: Set(marked.placesOfAny(at: root)))
    }
    return answers
  }

  /// The place of an output in the line.
  private static let root = FieldPath([.field("ok")])

  private struct Source {
    let index: Int
    let call: Transcript.Call
    let attempt: Int?
    /// The places where every value of a type is as good as the recorded one.
    var volatile: Set<FieldPath> = []
    /// The forms that schemas allow, by the places in the answer, without the marks of the format.
    var forms: [FieldPath: [OtherForm]] = [:]
    /// True inside of a field that a live run compares only where the scenario reads it.
    var isIncidental = false

    /// Returns the forms that schemas allow at a place, or nil if they say nothing about it.
    func forms(at path: FieldPath) -> [OtherForm]? {
      forms.isEmpty ? nil : forms[FieldPath(path.partOfAnswer)]
    }
  }

  private mutating func add(_ code: String, _ declared: [String], _ source: Source) {
    let other = declared.first { $0 != code } ?? ErrorCode.unexpected.name
    if other == code { return }
    let form = OtherForm(.error, .string(other))
    add(.string(code), [form], as: .string, at: FieldPath([.field("error")]), source)
  }

  /// Adds the answer of another call, unless an altered value makes the same answer.
  private mutating func add(
    _ other: OtherAnswers.Other, to answer: JSON, _ type: RecordType, _ source: Source
  ) {
    let place = other.before.difference(from: other.after)
    for count in 0...place.count {
      let path = FieldPath(Self.root.steps + place.prefix(count))
      let isMade = (made[path] ?? []).contains { altered in
        other.before.replacing(place.prefix(count), with: altered) == other.after
      }
      if isMade { return }
    }
    count += 1
    keep(
      answer, as: other.json, .answer, .record(type), at: Self.root, source, line: other.line)
  }

  private mutating func add(
    _ json: JSON?, as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    if source.volatile.contains(path) || meansNothing(path, source) { return }
    if case .optional(let wrapped) = type {
      guard let json, json != .null else {
        // The zero of any value is null, which means the same.
        if wrapped.zero == .null { return }
        let form = OtherForm(.present, wrapped.zero)
        return add(json, [form], as: wrapped, at: path, source)
      }
      add(json, [OtherForm(.null, .null)], as: type, at: path, source)
      return add(json, as: wrapped, at: path, source)
    }
    guard let json else { return }
    let described = type == .dynamic ? source.forms(at: path) : nil
    if let described { add(json, described, as: type, at: path, source) }
    switch (json, json.form) {
    case (_, .literal(let members)):
      add(members, as: type, at: path.appending(.field(JSON.literalName)), source)
    case (.array(let elements), _):
      if described == nil { addLengths(of: elements, as: type, at: path, source) }
      for (index, element) in elements.enumerated() {
        add(element, as: type.element, at: path.appending(.index(index)), source)
      }
    case (.object(let members), _) where type != .dynamic || json.tag == nil:
      add(members, as: type, at: path, source)
    default:
      guard described == nil, let value = try? Value(json, as: type) else { return }
      add(json, value.otherForms(type), as: type, at: path, source)
    }
  }

  /// Returns true if a live run compares a part of an answer only where the scenario reads it, and
  /// the scenario reads neither the part nor anything in it.
  private mutating func meansNothing(_ path: FieldPath, _ source: Source) -> Bool {
    source.isIncidental && !options.includesAllFields
      && incidental.contains("\(path)", of: source.call)
  }

  private mutating func addLengths(
    of elements: [JSON], as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    for (change, others) in elements.otherLengths {
      add(.array(elements), .array(others), change, as: type, at: path, source)
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
        let others = field.plausible.map { OtherForm(.named($0), $0) }
        add(value, others, as: field.type, at: place, source)
      }
    }
  }

  private mutating func add(
    _ recorded: JSON?, _ forms: [OtherForm], as type: ValueType, at path: FieldPath,
    _ source: Source
  ) {
    for form in forms {
      let altered = form.value.map { JSON($0, as: type) }
      add(recorded, altered, form.change, as: type, at: path, source)
    }
  }

  private mutating func add(
    _ recorded: JSON?, _ altered: JSON?, _ kind: ValueChange, as type: ValueType,
    at path: FieldPath, _ source: Source
  ) {
    if altered == recorded || made[path]?.contains(altered) == true { return }
    made[path, default: []].append(altered)
    count += 1
    keep(recorded, as: altered, kind, type, at: path, source)
  }

  private mutating func keep(
    _ recorded: JSON?, as altered: JSON?, _ kind: ValueChange, _ type: ValueType,
    at path: FieldPath, _ source: Source, line: Int? = nil
  ) {
    guard first.count < options.limit else { return }
    first.append(
      Alteration(
        call: source.index, address: source.call.address, attempt: source.attempt,
        name: source.call.name, line: source.call.answerLine ?? source.call.line, path: path,
        recorded: recorded, altered: altered, kind: kind, otherLine: line, type: type,
        isIncidental: source.isIncidental))
  }
}

extension RecordType.Field {
  /// True if other fields tell as much.
  func isRestated(by members: [JSON.Member]) -> Bool {
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
