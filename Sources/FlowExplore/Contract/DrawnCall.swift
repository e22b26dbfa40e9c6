internal import FlowCore
internal import FlowOpenAPI
internal import FlowSystem

/// A request drawn from a description.
struct DrawnCall: Sendable {
  /// The credentials that go with a request.
  enum Credentials: Sendable {
    /// Those of the component, if it has some.
    case given
    case none
    case wrong
  }

  /// A parameter with its value.
  struct Argument: Sendable {
    let parameter: OpenAPIParameter
    var value: Value
    /// The place of the value in an earlier answer, or nil for the written one.
    var link: AnswerLink?
  }

  /// The content of a request.
  enum Body: Sendable {
    case none
    case value(Value, mediaType: String)
    /// A text that is no content of its media type.
    case text(String, mediaType: String)
  }

  let operation: OpenAPIOperation
  /// The method, which may be one that the path does not have.
  var method: String
  var arguments: [Argument]
  var body: Body
  /// The members of the body that are values of earlier answers, by their tokens.
  var bodyLinks: [(tokens: [String], link: AnswerLink)] = []
  var credentials = Credentials.given
  /// The difference from a usual request, or nil: `json/quantity is -1`.
  var change: Change?

  /// The changed part of a request, and its new state.
  struct Change: Sendable, Hashable {
    /// `json/quantity`, `query limit`.
    let place: String
    /// The places of changes before this one.
    var others: [String] = []
    /// `is -1`.
    let text: String
    /// True for a bound that the description names.
    var isBound = false
    /// True for a change that many services accept on purpose.
    var isUsuallyAccepted = false
  }

  /// `POST /orders`.
  var name: String { method + " " + operation.path }

  /// `POST /orders, json/quantity is -1`.
  var title: String {
    let login =
      switch credentials {
      case .given: ""
      case .none: ", without credentials"
      case .wrong: ", with wrong credentials"
      }
    return name + (change.map { ", \($0.place) \($0.text)" } ?? "") + login
  }

  /// The links to earlier answers.
  var links: [AnswerLink] { arguments.compactMap(\.link) + bodyLinks.map(\.link) }

  /// Changes the number of each call that it takes a value from.
  mutating func renumber(_ number: (Int) -> Int) {
    for index in arguments.indices {
      if let call = arguments[index].link?.call { arguments[index].link?.call = number(call) }
    }
    for index in bodyLinks.indices {
      bodyLinks[index].link.call = number(bodyLinks[index].link.call)
    }
  }

  /// Returns the call with the values of earlier answers, or nil if one of them is missing.
  func resolved(by answers: [ServiceAnswer]) -> DrawnCall? {
    var copy = self
    for (index, argument) in arguments.enumerated() {
      guard let link = argument.link else { continue }
      guard let value = link.value(in: answers) else { return nil }
      copy.arguments[index].value = value
    }
    guard case .value(var value, let mediaType) = body else { return copy }
    for (tokens, link) in bodyLinks {
      guard let part = link.value(in: answers) else { return nil }
      value = value.replacing(tokens[...], by: part)
    }
    copy.body = .value(value, mediaType: mediaType)
    return copy
  }

  // MARK: - The request

  /// The parameters at their places, with the links' latest values.
  var placed: PlacedParameters { placed { $0.value } }

  /// The parameters at their places, with other values.
  func placed(_ value: (Argument) -> Value) -> PlacedParameters {
    let names = arguments.map(\.parameter.name)
    let values = Dictionary(
      zip(names, arguments.map(value)), uniquingKeysWith: { first, _ in first })
    return PlacedParameters(
      KnownFields(entries: ["parameters": values], names: ["parameters": names]), operation)
  }

  /// True if the description allows the request.
  var isAllowed: Bool { mistakes == 0 }

  /// The number of the request's contradictions of the description.
  var mistakes: Int {
    let placed = placed
    return placed.problems.count + operation.problems(in: request(placed)).count
  }

  private func request(_ placed: PlacedParameters) -> OpenAPIRequest {
    var request = OpenAPIRequest(
      path: placed.path, query: placed.query, headers: placed.headers)
    switch body {
    case .none: break
    case .text(let text, let mediaType):
      (request.body, request.contentType) = (.text(text), mediaType)
    case .value(let value, let mediaType):
      request.contentType = mediaType
      request.body =
        switch BodyForm(mediaType) {
        case .json: .json(value)
        case .form: .form(value.fields)
        case .parts: .multipart(value.fields.map(\.name))
        case .text: .text(value.interpolated)
        }
    }
    return request
  }
}

/// The form of a body in a scenario.
enum BodyForm: Int {
  case json
  case form
  case text
  case parts

  /// The form for a media type, `.text` for an unknown one.
  init(_ mediaType: String) {
    let type = mediaType.prefix { $0 != ";" }.lowercased()
    switch type {
    case "*/*", "application/*": self = .json
    case "application/x-www-form-urlencoded": self = .form
    case "multipart/form-data": self = .parts
    default: self = type.hasSuffix("/json") || type.hasSuffix("+json") ? .json : .text
    }
  }
}

/// A value in the answer to an earlier call.
struct AnswerLink: Sendable, Hashable {
  enum Place: Sendable, Hashable {
    /// The names and the numbers that lead to a part of the JSON.
    case json([FieldPath.Step])
    /// The last segment of the header `Location`.
    case location
  }

  /// The number of the call in its trial, from 0.
  var call: Int
  let place: Place

  func value(in answers: [ServiceAnswer]) -> Value? {
    guard answers.indices.contains(call) else { return nil }
    return Self.value(at: place, in: answers[call])
  }

  static func value(at place: Place, in answer: ServiceAnswer) -> Value? {
    switch place {
    case .json(let steps): return answer.json?.part(at: steps).flatMap { $0 == .null ? nil : $0 }
    case .location:
      guard let last = answer.header("location")?.split(separator: "/").last else { return nil }
      return .string(String(last))
    }
  }
}

extension Value {
  /// The part that names and numbers lead to, or nil.
  func part(at steps: some Collection<FieldPath.Step>) -> Value? {
    guard let first = steps.first else { return self }
    switch (first, self) {
    case (.field(let name), .map(let map)): return map[name]?.part(at: steps.dropFirst())
    case (.index(let index), .list(let values)) where values.indices.contains(index):
      return values[index].part(at: steps.dropFirst())
    default: return nil
    }
  }

  /// The value with another part at the place that tokens lead to, or unchanged without this place.
  func replacing(_ tokens: ArraySlice<String>, by part: Value?) -> Value {
    guard let first = tokens.first else { return part ?? self }
    let rest = tokens.dropFirst()
    switch self {
    case .map(var map):
      guard let member = map[first] else { return self }
      map[.string(first)] = rest.isEmpty ? part : member.replacing(rest, by: part)
      return .map(map)
    case .list(var values):
      guard let index = Int(first), values.indices.contains(index) else { return self }
      if rest.isEmpty, part == nil {
        values.remove(at: index)
      } else {
        values[index] = values[index].replacing(rest, by: part)
      }
      return .list(values)
    default: return self
    }
  }

  /// The fields of a form: a list has one for each element.
  var fields: [(name: String, value: String)] {
    guard case .map(let map) = self else { return [] }
    return map.entries.flatMap { entry -> [(name: String, value: String)] in
      let name = entry.key.interpolated
      guard case .list(let values) = entry.value else { return [(name, entry.value.fieldText)] }
      return values.map { (name, $0.fieldText) }
    }
  }

  private var fieldText: String {
    switch self {
    case .null: ""
    case .map, .list: json
    default: interpolated
    }
  }
}
