internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// Collects the contradictions of one call.
struct ContractCheck {
  let operation: OpenAPIOperation
  let direction: OpenAPISchema.Direction
  private(set) var problems: [CallProblem] = []

  private static let mostProblems = 200

  init(_ operation: OpenAPIOperation, _ direction: OpenAPISchema.Direction) {
    self.operation = operation
    self.direction = direction
  }

  /// Adds a contradiction of the operation itself, or of a part of it.
  mutating func add(
    _ fault: ContractFault, in field: String, actual: Value? = nil, at rule: String? = nil
  ) {
    add(
      CallProblem(
        field: field, pointer: "", message: fault.message, actual: actual,
        rule: rule ?? operation.rule))
  }

  private mutating func add(_ problem: CallProblem) {
    if problems.count < Self.mostProblems { problems.append(problem) }
  }

  /// The nodes of a schema, nil without one, and for one that cannot be compiled.
  func reader(_ schema: OpenAPISchema?) -> TextReader? {
    guard let schema, let compiled = try? schema.schema(in: direction) else { return nil }
    return TextReader(code: compiled.code)
  }

  /// The place of a part of the operation for messages.
  func rule(_ place: OpenAPIPlace) -> String {
    operation.store.rule(place.uri, place.pointer.description)
  }

  /// Checks a value by a schema.
  mutating func check(_ value: Value, _ schema: OpenAPISchema?, in field: String) {
    guard let schema else { return }
    do throws(SchemaError) {
      let violations = try schema.schema(in: direction).validate(value)
      for violation in violations.all {
        add(
          CallProblem(
            field: field, pointer: violation.instance.description, message: violation.message,
            actual: violation.isWithheld ? nil : violation.value,
            rule: schema.store.rule(violation.location)))
      }
      if violations.more > 0 { add(.more(violations.more), in: field) }
    } catch {
      let text = error.problems.map(\.description).joined(separator: "; ")
      add(.unusable(text), in: field, actual: value, at: schema.store.rule(schema.location))
    }
  }

  /// Checks a text in a media type by a schema.
  mutating func check(
    _ text: String, as mediaType: String, _ schema: OpenAPISchema?, in field: String
  ) {
    guard MediaType(mediaType).isJSON else {
      let reader = reader(schema)
      // OpenAPI does not say which text a list or an object is.
      if let reader, reader.isList(reader.code.root) || reader.isObject(reader.code.root) { return }
      let value = reader.map { $0.value(of: text, $0.code.root) } ?? .string(text)
      return check(value, schema, in: field)
    }
    guard let value = try? Value(json: Array(text.utf8)) else {
      return add(
        .noJSON, in: field, actual: .string(text),
        at: schema.map { $0.store.rule($0.location) })
    }
    check(value, schema, in: field)
  }
}

extension OpenAPIOperation {
  /// The place of the operation for messages.
  var rule: String { store.rule(place.uri, place.pointer.description) }
}
