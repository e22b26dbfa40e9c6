package import FlowCore
internal import FlowSchema
internal import FlowSystem

// The parts of a description for requests of it: examples, servers and credentials. They are read when
// they are asked for, since only an import needs them.

/// A raw part of a description, with references followed into the files that were read.
struct RawPart {
  private static let longestChain = 50

  let value: Value
  private let uri: String
  private let store: SchemaStore

  init(_ value: Value, in uri: String, _ store: SchemaStore) {
    var (value, uri) = (value, uri)
    for _ in 0..<Self.longestChain {
      guard case .map(let map) = value, let text = map["$ref"]?.text,
        let target = store.target(of: text, from: uri)
      else { break }
      (uri, value) = target
    }
    (self.value, self.uri, self.store) = (value, uri, store)
  }

  init?(at place: OpenAPIPlace, _ store: SchemaStore) {
    guard let value = store.value(at: place) else { return nil }
    self.init(value, in: place.uri, store)
  }

  func member(_ name: String) -> RawPart? {
    guard case .map(let map) = value, let value = map[name] else { return nil }
    return RawPart(value, in: uri, store)
  }

  /// The members of a map, none for another value.
  var members: [(name: String, part: RawPart)] {
    guard case .map(let map) = value else { return [] }
    return map.entries.map { ($0.key.interpolated, RawPart($0.value, in: uri, store)) }
  }

  /// The elements of a list, none for another value.
  var elements: [RawPart] {
    guard case .list(let values) = value else { return [] }
    return values.map { RawPart($0, in: uri, store) }
  }

  /// The values of `example` and of `examples`, which are named outside of schemas.
  var examples: [Value] {
    let named = member("examples")?.members.compactMap { $0.part.member("value")?.value } ?? []
    let listed = member("examples")?.elements.map(\.value) ?? []
    return (member("example").map { [$0.value] } ?? []) + named + listed
  }
}

extension OpenAPIOperation {
  /// The examples beside a parameter's schema, in file order.
  package func examples(of parameter: OpenAPIParameter) -> [Value] {
    guard let part = RawPart(at: parameter.origin, store) else { return [] }
    return part.examples + (part.member("content")?.members.first?.part.examples ?? [])
  }

  /// The examples beside a body's schema, in file order.
  package func examples(of content: OpenAPIContent) -> [Value] {
    RawPart(at: content.origin, store)?.examples ?? []
  }

  /// The tags, in file order.
  package var tags: [String] {
    RawPart(at: place, store)?.member("tags")?.elements.compactMap(\.value.text) ?? []
  }

  /// The address of the nearest first server with the defaults of its variables, or nil without one.
  package var server: String? {
    let root = OpenAPIPlace(uri: origin.path.uri, pointer: .root)
    for place in [place, origin.path, root] {
      guard let server = RawPart(at: place, store)?.member("servers")?.elements.first,
        var url = server.member("url")?.value.text
      else { continue }
      for (name, variable) in server.member("variables")?.members ?? [] {
        url = url.replacing("{\(name)}", with: variable.member("default")?.value.interpolated ?? "")
      }
      return url
    }
    return nil
  }

  /// The names of its parts that no request has: callbacks, and the links of answers.
  package var otherParts: [(name: String, line: Int)] {
    guard let part = RawPart(at: place, store) else { return [] }
    let callbacks = part.member("callbacks")?.members.map { callback in
      ("the callback '\(callback.name)'", line(of: place.appending("callbacks")))
    }
    let links = part.member("responses")?.members.flatMap { status, response in
      (response.member("links")?.members ?? []).map { link in
        ("the link '\(link.name)'", line(of: place.appending("responses").appending(status)))
      }
    }
    return (callbacks ?? []) + (links ?? [])
  }
}

// MARK: - Lines

extension OpenAPIOperation {
  /// The line of the operation in the first file, from 1.
  package var line: Int { line(of: place) }
  /// The line of a parameter, or that of the operation for one in another file.
  package func line(of parameter: OpenAPIParameter) -> Int { line(of: parameter.origin) }
  /// The line of a content, or that of the operation for one in another file.
  package func line(of content: OpenAPIContent) -> Int { line(of: content.origin) }

  private func line(of place: OpenAPIPlace) -> Int {
    let places = [place, origin.method, origin.path]
    let own = places.first { $0.uri == origin.path.uri } ?? origin.path
    return store.position(of: own)?.line ?? 1
  }
}

extension SchemaStore {
  /// The position of a place, or nil in an unknown file.
  fileprivate func position(of place: OpenAPIPlace) -> Position? {
    file(place.uri)?.position(of: place.pointer.description)
  }
}

extension OpenAPIDescription {
  /// The names of the webhooks in the first file, with the line of the list.
  package func webhooks() -> [(name: String, line: Int)] {
    guard let first = operations.first else { return [] }
    let root = OpenAPIPlace(uri: first.origin.path.uri, pointer: .root)
    let line = first.store.position(of: root.appending("webhooks"))?.line ?? 1
    let names = RawPart(at: root, first.store)?.member("webhooks")?.members.map(\.name) ?? []
    return names.map { ("the webhook '\($0)'", line) }
  }
}

// MARK: - Credentials

/// A scheme of an operation's security.
package struct OpenAPICredential: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A token in `Authorization`.
    case bearer
    /// A user with a password in `Authorization`.
    case basic
    /// A key in a header, a parameter of the query or a cookie.
    case key(OpenAPIParameter.Place, name: String)
    /// Another kind, by its name.
    case other(String)
  }

  /// The name of the scheme.
  package let name: String
  package let kind: Kind
}

extension OpenAPIOperation {
  /// The first set of credentials that the operation accepts, if possible one of known kinds.
  package var credentials: [OpenAPICredential] {
    let root = RawPart(at: OpenAPIPlace(uri: origin.path.uri, pointer: .root), store)
    let own = RawPart(at: place, store)?.member("security")
    let schemes = root?.member("components")?.member("securitySchemes")
    let sets = (own ?? root?.member("security"))?.elements.map { set in
      set.members.map { name, _ in
        OpenAPICredential(name: name, kind: .init(schemes?.member(name)))
      }
    }
    let known = sets?.first { !$0.isEmpty && $0.allSatisfy(\.isKnown) }
    return known ?? sets?.first { !$0.isEmpty } ?? []
  }
}

extension OpenAPICredential {
  fileprivate var isKnown: Bool { if case .other = kind { false } else { true } }
}

extension OpenAPICredential.Kind {
  fileprivate init(_ scheme: RawPart?) {
    func text(_ name: String) -> String { scheme?.member(name)?.value.text ?? "" }
    let place = OpenAPIParameter.Place(rawValue: text("in"))
    switch (text("type"), text("scheme").lowercased()) {
    case ("http", "bearer"), ("oauth2", _), ("openIdConnect", _): self = .bearer
    case ("http", "basic"): self = .basic
    case ("apiKey", _):
      self = place.map { .key($0, name: text("name")) } ?? .other("apiKey")
    case ("http", let scheme): self = .other(scheme)
    case (let type, _): self = .other(type)
    }
  }
}
