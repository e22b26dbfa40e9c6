internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A problem of a description, without its place.
enum OpenAPIFault: Sendable {
  case noDescription(Value)
  case noVersion
  case swagger(String)
  case version(Value)
  case dialect(String)
  case shape(String, Value)
  case missing(String)
  case choice(String, [String])
  case path(String)
  case samePath(String, String)
  case twice(String, JSONPointer)
  case undeclared(String, String, [String])
  case notInPath(String, String, [String])
  case sameParameter(String, String)
  case status(String)
  case depth
  case tooMany(String, Int)
  case unknownKeyword(String, [String])
  case uncheckedPattern(String)
  case reference(Reference)

  /// The problems of references, with the references' texts.
  enum Reference: Sendable {
    case remote(String)
    case unreadable(String, String)
    case badPointer(String)
    case noPart(String, String, String, [String])
    case circle(String)
    case tooManyFiles(Int)
  }

  /// The message: lower case, no full stop.
  var message: String {
    switch self {
    case .noDescription(let value):
      "a description of OpenAPI is a map, not \(Messages.short(value))"
    case .noVersion: "not an OpenAPI description: 'openapi' is missing"
    case .swagger(let version):
      "this is Swagger \(version.onOneLine), not OpenAPI 3: convert it to OpenAPI 3.0"
    case .version(let version):
      "the version \(Messages.short(version)) is not supported; there are 3.0 and 3.1"
    case .dialect(let uri):
      "the dialect '\(uri.onOneLine)' is unknown; there are that of OpenAPI 3.1 and draft 2020-12"
    case .shape(let expected, let value): "expected \(expected), got \(Messages.short(value))"
    case .missing(let name): "'\(name)' is missing"
    case .choice(let text, let names):
      "'\(text.onOneLine)' is not allowed here" + Suggestion.ending(for: text, among: names)
    case .path(let path):
      "'\(path.onOneLine)' is no path: it begins with '/', and each '{' has its '}'"
    case .samePath(let path, let other):
      "the paths '\(path.onOneLine)' and '\(other.onOneLine)' are the same"
    case .twice(let id, let place):
      "two operations have the id '\(id.onOneLine)'; the first is \(place.description.onOneLine)"
    case .undeclared(let name, let path, let declared):
      "the parameter '\(name.onOneLine)' of the path '\(path.onOneLine)' is not declared"
        + Self.ending(name, declared)
    case .notInPath(let name, let path, let names):
      "the path '\(path.onOneLine)' has no parameter '\(name.onOneLine)'"
        + Self.ending(name, names)
    case .sameParameter(let place, let name):
      "two parameters of the \(place) have the name '\(name.onOneLine)'"
    case .status(let name):
      "'\(name.onOneLine)' is no status: there are '404', '4XX' and 'default'"
    case .depth: "the file is nested more than \(PlainValue.greatestDepth) levels deep"
    case .tooMany(let things, let limit): "there are more than \(limit) \(things)"
    case .unknownKeyword(let name, let names):
      "unknown keyword '\(name.onOneLine)'" + Self.ending(name, names)
    case .uncheckedPattern(let reason): "nothing is checked here: \(reason)"
    case .reference(let problem): Self.message(of: problem)
    }
  }

  private static func message(of problem: Reference) -> String {
    switch problem {
    case .remote(let text): "'\(text.onOneLine)' is on the web: nothing is fetched"
    case .unreadable(let text, let error): "cannot follow '\(text.onOneLine)': \(error.onOneLine)"
    case .badPointer(let text):
      "'\(text.onOneLine)' is no reference: its pointer is malformed"
    case .noPart(let text, let token, let file, let names):
      "'\(text.onOneLine)' refers to nothing: '\(file.onOneLine)' has no '\(token.onOneLine)'"
        + ending(token, names)
    case .circle(let text): "'\(text.onOneLine)' leads back to itself"
    case .tooManyFiles(let limit): "the description has more than \(limit) files"
    }
  }

  private static func ending(_ name: String, _ names: [String]) -> String {
    Suggestion.phrase(Suggestion.nearest(to: name, among: names)).map { "; " + $0 } ?? ""
  }
}

/// A contradiction between a call and its description, without its place.
enum ContractFault: Sendable {
  case otherPath(String)
  case badEscape
  case style(String, explodes: Bool)
  case repeated(Int)
  case noParameter(String, [String])
  case lacks(String, String)
  case noPart(String, [String])
  case noBody([String])
  case undeclaredBody(String)
  case mediaType(String, [String])
  case noMediaType([String])
  case noJSON
  case undecoded(String)
  case status(Int, [String])
  case more(Int)
  case unusable(String)

  /// The message: lower case, no full stop.
  var message: String {
    switch self {
    case .otherPath(let path): "the path is not that of '\(path.onOneLine)'"
    case .badEscape: "the percent-encoding is malformed"
    case .style(let style, let explodes):
      "expected text in the style '\(style)'" + (explodes ? " with explode" : "")
    case .repeated(let count): "expected one value, got \(count)"
    case .noParameter(let name, let names):
      "the description has no query parameter '\(name.onOneLine)'"
        + Suggestion.ending(for: name, among: names)
    case .lacks(let kind, let name): "lacks the required \(kind) '\(name.onOneLine)'"
    case .noPart(let name, let names):
      "the description has no part '\(name.onOneLine)'" + Suggestion.ending(for: name, among: names)
    case .noBody(let types): "there is no body; the description has \(Self.list(types))"
    case .undeclaredBody(let name): "the description has no body for \(name)"
    case .mediaType(let type, let types):
      "the description has no media type '\(type.onOneLine)'; it has \(Self.list(types))"
    case .noMediaType(let types):
      "there is no media type; the description has \(Self.list(types))"
    case .noJSON: "expected JSON, got other text"
    case .undecoded(let reason): "the body could not be decoded: \(reason.onOneLine)"
    case .status(let status, let names):
      "the description has no status \(status); it has \(Self.list(names))"
    case .more(let count): "there are \(count) more contradictions"
    case .unusable(let reason): "the schema cannot be checked: \(reason.onOneLine)"
    }
  }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map(\.onOneLine).joined(separator: ", ")
  }
}

/// The words for requests without an operation.
enum NoOperation {
  /// No operation has a method and a path.
  static func reason(_ method: String, _ path: String, has methods: [String], near: [String])
    -> String
  {
    "the description has no operation '\(method.onOneLine) \(path.onOneLine)'"
      + (methods.isEmpty
        ? Suggestion.ending(near) : "; the path has " + methods.joined(separator: ", "))
  }

  /// No operation has a name.
  static func reason(_ name: String, among names: [String]) -> String {
    "the description has no operation '\(name.onOneLine)'"
      + Suggestion.ending(Suggestion.nearest(to: name, among: names))
  }
}
