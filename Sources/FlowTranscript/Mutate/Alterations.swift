internal import FlowCore
package import FlowScenario

/// The alterations of a transcript's answers, in its order.
package struct Alterations: Sendable {
  /// The first ones, as many as were asked for.
  package private(set) var first: [Alteration] = []
  /// How many there are.
  package private(set) var count = 0

  private let limit: Int

  /// What a component might have answered instead: each value of each output, and each error's code.
  ///
  /// Volatile fields are left out, since everything is as good as what they hold.
  ///
  /// - Parameters:
  ///   - transcript: What was recorded.
  ///   - plan: The scenario, which knows the types.
  ///   - limit: How many are kept.
  package init(of transcript: Transcript, _ plan: Plan, limit: Int) {
    self.limit = limit
    let types = CallTypes(plan)
    for (index, call) in transcript.calls.enumerated() {
      guard let types = types[call.name] else { continue }
      let source = Source(index: index, call: call)
      switch call.answer {
      case .output(let output)?:
        add(output, as: .record(types.output), at: FieldPath([.field("ok")]), source)
      case .error(let code, _)?: add(code, types.errors, source)
      case .cancelled?, nil: continue
      }
    }
  }

  private struct Source {
    let index: Int
    let call: Transcript.Call
  }

  private mutating func add(_ code: String, _ declared: [String], _ source: Source) {
    let other = declared.first { $0 != code } ?? ErrorCode.unexpected.name
    if other == code { return }
    add(.string(code), [.string(other)], .string, FieldPath([.field("error")]), source)
  }

  private mutating func add(
    _ json: JSON?, as type: ValueType, at path: FieldPath, _ source: Source
  ) {
    if case .optional(let wrapped) = type {
      guard let json, json != .null else {
        return add(json, [wrapped.zero], wrapped, path, source)
      }
      add(json, [.null], type, path, source)
      return add(json, as: wrapped, at: path, source)
    }
    guard let json else { return }
    switch (json, json.form) {
    case (_, .literal(let members)):
      add(members, type, path.appending(.field(JSON.literalName)), source)
    case (.array(let elements), _): add(elements, type, path, source)
    case (.object(let members), _) where type != .dynamic || json.tag == nil:
      add(members, type, path, source)
    default:
      guard let value = try? Value(json, as: type) else { return }
      add(json, value.alternatives(type), type, path, source)
    }
  }

  private mutating func add(
    _ elements: [JSON], _ type: ValueType, _ path: FieldPath, _ source: Source
  ) {
    if !elements.isEmpty {
      count += 1
      keep(.array(elements), .array(elements.dropLast()), type, path, source)
    }
    for (index, element) in elements.enumerated() {
      add(element, as: type.element, at: path.appending(.index(index)), source)
    }
  }

  private mutating func add(
    _ members: [JSON.Member], _ type: ValueType, _ path: FieldPath, _ source: Source
  ) {
    guard case .record(let record) = type else {
      for member in members {
        add(
          member.value, as: type.member(member.name), at: path.appending(.field(member.name)),
          source)
      }
      return
    }
    for field in record.fields where !field.isVolatile {
      let value = members.first { $0.name == field.name }?.value
      add(value, as: field.type, at: path.appending(.field(field.name)), source)
    }
  }

  private mutating func add(
    _ recorded: JSON?, _ values: [Value], _ type: ValueType, _ path: FieldPath, _ source: Source
  ) {
    for value in values {
      count += 1
      if first.count == limit { continue }
      var writer = JSONWriter()
      writer.value(value, as: type)
      guard let altered = try? JSONParser.parse(writer.bytes[...]) else { continue }
      keep(recorded, altered, type, path, source)
    }
  }

  private mutating func keep(
    _ recorded: JSON?, _ altered: JSON, _ type: ValueType, _ path: FieldPath, _ source: Source
  ) {
    guard first.count < limit else { return }
    first.append(
      Alteration(
        call: source.index, address: source.call.address, name: source.call.name,
        line: source.call.answerLine ?? source.call.line, path: path, recorded: recorded,
        altered: altered, type: type))
  }
}
