internal import FlowCore
internal import FlowOpenAPI
internal import FlowSystem

/// Draws the requests of an operation: usual ones, and others with one change.
struct CallDrawer: Sendable {
  let operation: OpenAPIOperation
  private let content: OpenAPIContent?

  init(_ operation: OpenAPIOperation) {
    self.operation = operation
    content = operation.body?.contents.min {
      BodyForm($0.mediaType).rawValue < BodyForm($1.mediaType).rawValue
    }
  }

  // MARK: - Usual requests

  /// The requests that the description allows: with what is required, with everything, and with each
  /// example.
  var usual: [DrawnCall] {
    let bodies = bodies
    let bare = call(isBare: true, body: bodies.first ?? .none)
    let full = call(isBare: false, body: bodies.last ?? .none)
    let others = bodies.dropFirst().map { call(isBare: true, body: $0) }
    return ([bare, full] + others).compactMap(\.self).filter(\.isAllowed)
  }

  private func call(isBare: Bool, body: DrawnCall.Body) -> DrawnCall? {
    var arguments: [DrawnCall.Argument] = []
    for parameter in operation.parameters where parameter.isRequired || !isBare {
      guard let value = value(of: parameter) else {
        if parameter.isRequired { return nil }
        continue
      }
      arguments.append(DrawnCall.Argument(parameter: parameter, value: value))
    }
    return DrawnCall(
      operation: operation, method: operation.method, arguments: arguments, body: body)
  }

  private func value(of parameter: OpenAPIParameter) -> Value? {
    let examples = operation.examples(of: parameter)
    guard let schema = parameter.schema else { return examples.first ?? .string("text") }
    return examples.lazy.compactMap { schema.allowed($0) }.first ?? schema.sample()
  }

  /// The bodies: the least one, the examples, and a full one, or none.
  private var bodies: [DrawnCall.Body] {
    guard let content, let body = operation.body else { return [] }
    let examples = operation.examples(of: content)
    var values = examples
    if let schema = content.schema {
      values =
        [schema.leastSample()].compactMap(\.self)
        + examples.prefix(5).compactMap { schema.allowed($0) }
        + [schema.sample()].compactMap(\.self)
    }
    let drawn = values.unique.map {
      DrawnCall.Body.value($0, mediaType: content.concreteType)
    }
    return (body.isRequired ? [] : [.none]) + drawn
  }

  // MARK: - Changes

  /// The requests that differ from a usual one at one place.
  ///
  /// The description allows some of them.
  func changed(_ call: DrawnCall) -> [DrawnCall] {
    changedBodies(call) + changedArguments(call)
  }

  private func changedBodies(_ call: DrawnCall) -> [DrawnCall] {
    guard let content, case .value(let value, let mediaType) = call.body else { return [] }
    let form = BodyForm(mediaType)
    var calls = (content.schema?.variants(of: value) ?? []).map { variant in
      var copy = call
      copy.body = .value(variant.value, mediaType: mediaType)
      let tokens = variant.pointer.split(separator: "/").map(String.init)
      copy.bodyLinks.removeAll { $0.tokens.starts(with: tokens) || tokens.starts(with: $0.tokens) }
      copy.change = DrawnCall.Change(
        place: form.name + variant.pointer, text: variant.change, isBound: variant.isBound)
      return copy
    }
    // A form has only texts, and of parts only the names are known.
    if form != .json { calls = form == .form ? calls.filter(\.hasTextsOnly) : [] }
    var without = call
    (without.body, without.bodyLinks) = (.none, [])
    without.change = DrawnCall.Change(place: "the body", text: "is left out")
    calls.append(without)
    if form == .json {
      var broken = call
      (broken.body, broken.bodyLinks) = (.text("{", mediaType: mediaType), [])
      broken.change = DrawnCall.Change(place: "the body", text: "is '{', no JSON")
      calls.append(broken)
      var other = call
      (other.body, other.bodyLinks) = (.text(value.json, mediaType: "text/plain"), [])
      other.change = DrawnCall.Change(
        place: "the media type", text: "is text/plain", isUsuallyAccepted: true)
      calls.append(other)
    }
    return calls
  }

  private func changedArguments(_ call: DrawnCall) -> [DrawnCall] {
    var calls: [DrawnCall] = []
    for (index, argument) in call.arguments.enumerated() {
      let place = "\(argument.parameter.place.rawValue) \(argument.parameter.name)"
      for variant in argument.parameter.schema?.variants(of: argument.value) ?? []
      where variant.pointer.isEmpty && variant.value.isText(like: argument.value) {
        var copy = call
        (copy.arguments[index].value, copy.arguments[index].link) = (variant.value, nil)
        copy.change = DrawnCall.Change(
          place: place, text: variant.change, isBound: variant.isBound)
        if argument.link == nil || !variant.value.isLikelyID || !copy.isAllowed {
          calls.append(copy)
        }
      }
      guard argument.parameter.place != .path else { continue }
      var without = call
      without.arguments.remove(at: index)
      without.change = DrawnCall.Change(place: place, text: "is left out")
      calls.append(without)
    }
    return calls.filter { $0.placed.problems.isEmpty && !$0.hasOddHeader }
  }
}

extension OpenAPIContent {
  /// The media type, or a concrete one for a range.
  fileprivate var concreteType: String {
    guard mediaType.contains("*") else { return mediaType }
    return BodyForm(mediaType) == .json ? "application/json" : "text/plain"
  }
}

extension BodyForm {
  /// The name of its field in a scenario.
  var name: String {
    switch self {
    case .json: "json"
    case .form: "form"
    case .text: "body"
    case .parts: "multipart"
    }
  }
}

extension DrawnCall {
  /// True if a header has a character that HTTP has no place for, or an empty text, which clients leave out.
  fileprivate var hasOddHeader: Bool {
    placed.headers.contains { _, text in
      text.isEmpty || text != text.trimming(while: { $0 == " " })
        || text.unicodeScalars.contains { !(0x20..<0x7F ~= $0.value) }
    }
  }

  /// True if all members of a form are texts that stay what they are when they are read again.
  fileprivate var hasTextsOnly: Bool {
    guard case .value(.map(let map), _) = body else { return false }
    return map.entries.allSatisfy { entry in
      switch entry.value {
      case .map, .list, .null: false
      default: true
      }
    }
  }
}

extension Value {
  /// True for a value whose text in a parameter is not that of another type.
  fileprivate func isText(like other: Value) -> Bool {
    switch (self, other) {
    case (.string, _): true
    case (.null, _), (.map, _), (.list, _), (_, .string): false
    default: true
    }
  }

  /// True for a value that some resource may have as its id, which is none of the search's own.
  fileprivate var isLikelyID: Bool {
    switch self {
    case .int(let number): 0...1_000_000 ~= number
    case .string(let text): Int(text) != nil
    default: false
    }
  }
}
