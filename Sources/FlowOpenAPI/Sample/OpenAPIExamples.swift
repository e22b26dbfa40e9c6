package import FlowCore
internal import FlowSchema
internal import FlowSystem

// The parts of a description for requests of it: examples, servers and credentials. They are read when
// they are asked for, since only an import needs them.

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
    /// A user with a password, which is proved without sending it.
    case digest
    /// The credentials of a client, for which a URL gives tokens, with the scopes that are needed.
    case client(tokenURL: String, scopes: [String])
    /// A certificate of the client.
    case certificate
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
      set.members.map { name, needs in
        let scopes = needs.elements.compactMap(\.value.text)
        return OpenAPICredential(name: name, kind: .init(schemes?.member(name), scopes))
      }
    }
    let known = sets?.first { !$0.isEmpty && $0.allSatisfy(\.isKnown) }
    return known ?? sets?.first { !$0.isEmpty } ?? []
  }
}

extension OpenAPIOperation {
  /// True if no request without credentials is allowed.
  package var needsCredentials: Bool {
    let root = RawPart(at: OpenAPIPlace(uri: origin.path.uri, pointer: .root), store)
    let own = RawPart(at: place, store)?.member("security")
    let sets = (own ?? root?.member("security"))?.elements ?? []
    return !sets.isEmpty && sets.allSatisfy { !$0.members.isEmpty }
  }

  /// The links of its answers, in file order.
  package var links: [OpenAPILink] {
    let responses = RawPart(at: place, store)?.member("responses")?.members ?? []
    return responses.flatMap { $0.part.member("links")?.members ?? [] }.map { OpenAPILink($0.part) }
  }
}

/// A link from an answer to another operation.
package struct OpenAPILink: Sendable {
  /// The `operationId` of the target, or nil.
  package let operation: String?
  /// The names of its parameters, with runtime expressions such as `$response.body#/id`.
  package let parameters: [(name: String, expression: String)]

  fileprivate init(_ part: RawPart) {
    operation = part.member("operationId")?.value.text
    parameters = (part.member("parameters")?.members ?? []).compactMap { name, part in
      part.value.text.map { (String(name.split(separator: ".").last ?? ""), $0) }
    }
  }
}

extension OpenAPICredential {
  fileprivate var isKnown: Bool { if case .other = kind { false } else { true } }
}

extension OpenAPICredential.Kind {
  fileprivate init(_ scheme: RawPart?, _ scopes: [String]) {
    func text(_ name: String) -> String { scheme?.member(name)?.value.text ?? "" }
    let place = OpenAPIParameter.Place(rawValue: text("in"))
    switch (text("type"), text("scheme").lowercased()) {
    case ("oauth2", _):
      let flow = scheme?.member("flows")?.member("clientCredentials")
      let url = flow?.member("tokenUrl")?.value.text ?? ""
      // A relative one counts from the address of the description, which is unknown.
      let isWhole = ["http://", "https://"].contains(where: url.lowercased().hasPrefix)
      self = isWhole ? .client(tokenURL: url, scopes: scopes) : .bearer
    case ("http", "bearer"), ("openIdConnect", _): self = .bearer
    case ("http", "basic"): self = .basic
    case ("http", "digest"): self = .digest
    case ("mutualTLS", _): self = .certificate
    case ("apiKey", _):
      self = place.map { .key($0, name: text("name")) } ?? .other("apiKey")
    case ("http", let scheme): self = .other(scheme)
    case (let type, _): self = .other(type)
    }
  }
}
