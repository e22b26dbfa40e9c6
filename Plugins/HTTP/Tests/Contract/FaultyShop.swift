import FlowCore
import Synchronization
import TestKit

/// A service of items with a description, which breaks one of its rules.
struct FaultyShop {
  enum Fault: String, CaseIterable, Sendable {
    case none
    /// A count of 100 ends in 500.
    case crash
    /// The id in an answer is a text.
    case textID
    /// An answer has no header `X-Count`.
    case noHeader
    /// A refused change is made.
    case effect
    /// A deleted item is still there.
    case undead
    /// Items are shown without credentials.
    case open
    /// A count above 100 is accepted.
    case lenient
    /// A count of 0 is refused.
    case strict
    /// An item with a count is not kept.
    case forgetful
    /// A deleted item cannot be deleted again, with 500.
    case fragile
    /// A connection is closed in place of an answer to a count of 100.
    case silent
  }

  static let description = """
    openapi: 3.1.0
    info: {title: Items, version: "1"}
    security: [{token: []}]
    paths:
      /items:
        post:
          operationId: makeItem
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/NewItem"}}}
          responses:
            "201":
              description: made
              headers: {X-Count: {required: true, schema: {type: integer}}}
              content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
            "409": {description: twice}
            "422": {description: wrong}
      /items/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          responses:
            "200":
              description: one
              content: {application/json: {schema: {$ref: "#/components/schemas/Item"}}}
            "404": {description: none}
        put:
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/NewItem"}}}
          responses: {"204": {description: changed}, "404": {description: none}, "422": {description: wrong}}
        delete:
          responses: {"204": {description: gone}, "404": {description: none}}
    components:
      securitySchemes: {token: {type: http, scheme: bearer}}
      schemas:
        NewItem:
          type: object
          required: [name]
          properties:
            name: {type: string, minLength: 1, maxLength: 10}
            count: {type: integer, minimum: 0, maximum: 100}
          additionalProperties: false
        Item:
          type: object
          required: [id, name]
          properties: {id: {type: integer}, name: {type: string}, count: {type: integer}}

    """

  let server: TestServer

  /// Starts the service, which may refuse a name that it has already.
  init(_ fault: Fault, hasUniqueNames: Bool = false) throws {
    let items = Items(fault, hasUniqueNames)
    server = try TestServer { request, connection in
      guard let answer = items.answer(request) else { return false }
      return connection.send(answer)
    }
  }

  /// A folder with the description.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(description, to: "items.yaml")
    return folder
  }
}

/// The items of a service, kept in memory.
private final class Items: Sendable {
  private struct State {
    var items: [Int: [(String, Value)]] = [:]
    var deleted: Set<Int> = []
    var count = 0
  }

  private let fault: FaultyShop.Fault
  private let hasUniqueNames: Bool
  private let state = Mutex(State())

  init(_ fault: FaultyShop.Fault, _ hasUniqueNames: Bool) {
    (self.fault, self.hasUniqueNames) = (fault, hasUniqueNames)
  }

  /// The answer, or nil to close the connection.
  func answer(_ request: TestServer.Request) -> String? {
    let path = request.path.split(separator: "/").map(String.init)
    guard path.first == "items", path.count <= 2 else { return TestServer.answer("404 Not Found") }
    let isOpen = fault == .open && request.method == "GET"
    guard isOpen || request.headers["authorization"] == "Bearer sesame" else {
      return TestServer.answer("401 Unauthorized")
    }
    guard path.count == 2 else {
      return request.method == "POST"
        ? make(request) : TestServer.answer("405 Method Not Allowed")
    }
    guard let id = Int(path[1]), isKnown(id) else {
      let isFragile = fault == .fragile && request.method == "DELETE" && wasDeleted(Int(path[1]))
      return TestServer.answer(isFragile ? "500 Internal Server Error" : "404 Not Found")
    }
    switch request.method {
    case "GET": return show(id)
    case "PUT": return change(id, request)
    case "DELETE":
      state.withLock { _ = $0.deleted.insert(id) }
      return TestServer.answer("204 No Content")
    default: return TestServer.answer("405 Method Not Allowed")
    }
  }

  private func isKnown(_ id: Int) -> Bool {
    state.withLock { $0.items[id] != nil && (fault == .undead || !$0.deleted.contains(id)) }
  }

  private func wasDeleted(_ id: Int?) -> Bool {
    state.withLock { state in id.map { state.deleted.contains($0) } ?? false }
  }

  private func make(_ request: TestServer.Request) -> String? {
    guard let members = members(request.body) else {
      return TestServer.answer("422 Unprocessable Content")
    }
    let count = members.first { $0.0 == "count" }?.1
    if hasUniqueNames, isTaken(members) { return TestServer.answer("409 Conflict") }
    if count == .int(100), fault == .silent { return nil }
    if count == .int(100), fault == .crash { return TestServer.answer("500 Internal Server Error") }
    let id = state.withLock { state in
      state.count += 1
      if fault != .forgetful || count == nil { state.items[state.count] = members }
      return state.count
    }
    let headers = fault == .noHeader ? [] : ["X-Count: \(id)"]
    return Self.json("201 Created", headers, item(id, members))
  }

  private func isTaken(_ members: [(String, Value)]) -> Bool {
    let name = members.first { $0.0 == "name" }?.1
    return state.withLock { state in
      state.items.values.contains { $0.contains { $0.0 == "name" && $0.1 == name } }
    }
  }

  private func show(_ id: Int) -> String {
    let members = state.withLock { $0.items[id] ?? [] }
    return Self.json("200 OK", [], item(id, members))
  }

  private func change(_ id: Int, _ request: TestServer.Request) -> String {
    guard let members = members(request.body) else {
      if fault == .effect { state.withLock { $0.items[id] = [("name", .string("changed"))] } }
      return TestServer.answer("422 Unprocessable Content")
    }
    state.withLock { $0.items[id] = members }
    return TestServer.answer("204 No Content")
  }

  private func item(_ id: Int, _ members: [(String, Value)]) -> Value {
    .map(ValueMap([("id", fault == .textID ? .string("\(id)") : .int(id))] + members))
  }

  /// The members of a valid item, or nil.
  private func members(_ body: [UInt8]) -> [(String, Value)]? {
    guard case .map(let map)? = try? Value(json: body), map["name"] != nil else { return nil }
    let members = map.entries.map { ($0.key.interpolated, $0.value) }
    return members.allSatisfy { isValid($0, $1) } ? members : nil
  }

  private func isValid(_ name: String, _ value: Value) -> Bool {
    switch (name, value) {
    case ("name", .string(let text)): return 1...10 ~= text.unicodeScalars.count
    case ("count", .int(let count)):
      if fault == .strict, count == 0 { return false }
      return count >= 0 && (count <= 100 || fault == .lenient)
    default: return false
    }
  }

  private static func json(_ status: String, _ headers: [String], _ value: Value) -> String {
    TestServer.answer(status, ["Content-Type: application/json"] + headers, value.json)
  }
}
