internal import FlowCore
internal import FlowOpenAPI

/// The resources that earlier calls have made or listed, as sources of values for later calls.
struct KnownResources: Sendable {
  /// The calls that lead to an answer with values.
  struct Source: Sendable {
    /// The last one has the answer.
    let calls: [DrawnCall]
    let answer: ServiceAnswer
  }

  /// The calls in front of another one, and its arguments that come from them.
  struct Way: Sendable {
    var calls: [DrawnCall] = []
    var arguments: [String: DrawnCall.Argument] = [:]
    var bodyLinks: [(tokens: [String], link: AnswerLink)] = []
  }

  /// The sources by the name of the last call's operation.
  private var sources: [String: Source] = [:]

  /// Remembers a successful call with the calls before it, unless one with fewer is known.
  mutating func note(_ calls: [DrawnCall], _ answer: ServiceAnswer) {
    guard let last = calls.last, answer.isSuccess, last.method == last.operation.method,
      ["GET", "POST", "PUT"].contains(last.method)
    else { return }
    if let known = sources[last.name], known.calls.count <= calls.count { return }
    sources[last.name] = Source(calls: calls, answer: answer)
  }

  /// Returns true if an earlier call has made the resource of an operation.
  func hasMade(_ operation: OpenAPIOperation) -> Bool {
    operation.parameters.last { $0.place == .path }.flatMap { source(of: $0.name, operation) }
      .map { $0.source.calls.last?.method != "GET" } ?? false
  }

  /// Returns the operation that makes what an operation's last parameter names, if its answer names it
  /// in the same way.
  func maker(of operation: OpenAPIOperation) -> OpenAPIOperation? {
    guard let parameter = operation.parameters.last(where: { $0.place == .path }),
      operation.path.hasSuffix("{\(parameter.name)}"),
      let (source, place) = source(of: parameter.name, operation), let last = source.calls.last,
      last.method == "POST", case .json(let steps) = place, case .field(let name)? = steps.last
    else { return nil }
    let isSame = name.plainName == parameter.name.plainName
    let areIDs = [name, parameter.name].allSatisfy { $0.plainName.hasSuffix("id") }
    return isSame || areIDs ? last.operation : nil
  }

  // MARK: - The way to a call

  /// Returns the calls that make the resources that an operation's path and body name.
  func way(to operation: OpenAPIOperation, body: DrawnCall.Body) -> Way {
    var way = Way()
    for parameter in operation.parameters.reversed()
    where parameter.place == .path && way.arguments[parameter.name] == nil {
      guard let (source, place) = source(of: parameter.name, operation) else { continue }
      let link = add(source, place, to: &way)
      way.arguments[parameter.name] = DrawnCall.Argument(
        parameter: parameter, value: AnswerLink.value(at: place, in: source.answer) ?? .null,
        link: link)
      adopt(source, from: way.calls.count - source.calls.count, for: operation, &way)
    }
    addBodyLinks(of: operation, body, to: &way)
    return way
  }

  /// Adds the calls of a source, and returns the link to a place in its answer.
  private func add(_ source: Source, _ place: AnswerLink.Place, to way: inout Way) -> AnswerLink {
    let start = way.calls.count
    way.calls += source.calls.map { call in
      var call = call
      call.renumber { $0 + start }
      return call
    }
    return AnswerLink(call: way.calls.count - 1, place: place)
  }

  /// Takes over the arguments that the source's last call shares with an operation: the outer resources.
  private func adopt(
    _ source: Source, from start: Int, for operation: OpenAPIOperation, _ way: inout Way
  ) {
    guard let last = way.calls.last else { return }
    for argument in last.arguments where argument.parameter.place == .path {
      let name = argument.parameter.name
      let isShared =
        operation.path.prefix(through: "{\(name)}")
        == last.operation.path.prefix(through: "{\(name)}")
      if isShared, way.arguments[name] == nil { way.arguments[name] = argument }
    }
  }

  /// Links members such as `customerId` to an answer of `POST /customers`.
  private func addBodyLinks(
    of operation: OpenAPIOperation, _ body: DrawnCall.Body, to way: inout Way
  ) {
    guard case .value(.map(let map), _) = body else { return }
    for entry in map.entries {
      let name = entry.key.interpolated
      let plain = name.plainName
      guard plain.hasSuffix("id"), plain.count > 2, !entry.value.isCollection else { continue }
      let stem = String(plain.dropLast(2))
      guard let source = sources.values.filter({ $0.makes(stem) }).min(by: { $0.name < $1.name }),
        let place = source.place(of: "id", resource: stem),
        let value = AnswerLink.value(at: place, in: source.answer),
        value.kindName == entry.value.kindName
      else { continue }
      way.bodyLinks.append(([name], add(source, place, to: &way)))
    }
  }

  // MARK: - Sources

  /// Returns the source of a path's parameter: an answer that links to it, the collection before it, or a list.
  private func source(
    of parameter: String, _ operation: OpenAPIOperation
  ) -> (source: Source, place: AnswerLink.Place)? {
    if let linked = linked(parameter, operation) { return linked }
    guard let before = operation.path.prefix(before: "/{\(parameter)}") else { return nil }
    let resource = before.split(separator: "/").last { !$0.hasPrefix("{") }.map(String.init) ?? ""
    for name in ["POST \(before)", "POST \(before)/", "GET \(before)", "GET \(before)/"] {
      guard let source = sources[name],
        let place = source.place(of: parameter, resource: resource.singular)
      else { continue }
      return (source, place)
    }
    return nil
  }

  private func linked(
    _ parameter: String, _ operation: OpenAPIOperation
  ) -> (source: Source, place: AnswerLink.Place)? {
    let start = "$response.body#/"
    for source in sources.values.sorted(by: { $0.name < $1.name }) {
      for link in source.calls.last?.operation.links ?? []
      where link.operation != nil && link.operation == operation.id {
        let text = link.parameters.first { $0.name == parameter }?.expression
        guard let text, text.hasPrefix(start) else { continue }
        let steps = text.dropFirst(start.count).split(separator: "/").map { token in
          Int(token).map(FieldPath.Step.index) ?? .field(String(token))
        }
        let place = AnswerLink.Place.json(steps)
        if AnswerLink.value(at: place, in: source.answer) != nil { return (source, place) }
      }
    }
    return nil
  }
}

extension KnownResources.Source {
  fileprivate var name: String { calls.last?.name ?? "" }

  /// True for a call that makes a resource of a name in the singular.
  fileprivate func makes(_ resource: String) -> Bool {
    guard let last = calls.last, last.method == "POST" else { return false }
    return last.operation.path.split(separator: "/").last.map { String($0).singular } == resource
  }

  /// The place in the answer with the value of a parameter.
  fileprivate func place(of parameter: String, resource: String) -> AnswerLink.Place? {
    let names =
      [parameter.plainName, resource + parameter.plainName, "id", resource + "id"]
      + (parameter.plainName.hasPrefix(resource)
        ? [String(parameter.plainName.dropFirst(resource.count))] : []) + ["uuid", "key"]
    if let json = answer.json, let steps = json.steps(to: names, levels: 2) { return .json(steps) }
    return calls.last?.method == "POST" && answer.header("location") != nil ? .location : nil
  }
}

extension Value {
  fileprivate var isCollection: Bool {
    switch self {
    case .map, .list: true
    default: false
    }
  }

  /// The way to the first member with one of some names, the first of them before the others.
  fileprivate func steps(to names: [String], levels: Int) -> [FieldPath.Step]? {
    switch self {
    case .list(let values):
      return values.first?.steps(to: names, levels: levels).map { [.index(0)] + $0 }
    case .map(let map):
      for name in names {
        let entry = map.entries.first { entry in
          entry.key.interpolated.plainName == name && !entry.value.isCollection
            && entry.value != .null
        }
        if let entry { return [.field(entry.key.interpolated)] }
      }
      guard levels > 0 else { return nil }
      return map.entries.lazy.compactMap { entry in
        entry.value.steps(to: names, levels: levels - 1)
          .map { [.field(entry.key.interpolated)] + $0 }
      }.first
    default: return nil
    }
  }
}

extension String {
  /// The name in lower case, without signs between its words.
  fileprivate var plainName: String { lowercased().filter { $0 != "_" && $0 != "-" && $0 != "." } }

  /// `order` for `orders`, `category` for `categories`.
  fileprivate var singular: String {
    let plain = plainName
    if plain.hasSuffix("ies") { return plain.dropLast(3) + "y" }
    if plain.hasSuffix("sses") || plain.hasSuffix("xes") { return String(plain.dropLast(2)) }
    return plain.hasSuffix("s") && !plain.hasSuffix("ss") ? String(plain.dropLast()) : plain
  }

  fileprivate func prefix(before part: String) -> String? {
    range(of: part).map { String(self[..<$0.lowerBound]) }
  }

  fileprivate func prefix(through part: String) -> String? {
    range(of: part).map { String(self[..<$0.upperBound]) }
  }

  private func range(of part: String) -> Range<String.Index>? {
    ranges(of: part).first
  }
}
