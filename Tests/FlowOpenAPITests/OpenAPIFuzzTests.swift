import FlowCore
import FlowOpenAPI
import Testing

/// Descriptions with changes at random places.
@Suite struct OpenAPIFuzzTests {
  /// A generator with a seed, SplitMix64.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  static let strange: [Value] = [
    .null, .bool(true), .int(-1), .string(""), .string("#/"), .string("#"), .list([]),
    .map(ValueMap()), .list([.null]), .string("a/{b}{c}"), .string("deepObject"),
    .map(ValueMap([("$ref", .string("#/components/schemas/Order"))])),
    .map(ValueMap([("$ref", .string("#/paths"))])), .map(ValueMap([("$ref", .string("#"))])),
    .map(
      ValueMap([
        ("allOf", .list([.map(ValueMap([("$ref", .string("#/components/schemas/Order"))]))]))
      ])),
  ]

  @Test(arguments: 0..<4)
  func `a changed description is refused, or can be used`(_ seed: Int) throws {
    var generator = Generator(state: UInt64(seed))
    let document = try OpenAPIDescription.document(Shop.text)
    var used = 0
    for number in 0..<500 {
      let changed = mutate(
        document.value, &generator, changes: 1 + Int.random(in: 0..<3, using: &generator))
      if try use(changed, wholly: number.isMultiple(of: 4)) { used += 1 }
    }
    #expect(used > 50)
  }

  /// True if a description could be read.
  private func use(_ value: Value, wholly: Bool) throws -> Bool {
    let description: OpenAPIDescription
    do {
      description = try OpenAPIDescription("a b%.yaml") { Document.plain($0, value) }
    } catch let error as OpenAPIError {
      #expect(!error.problems.isEmpty && !error.description.isEmpty)
      return false
    }
    let body = Value.map(ValueMap([("items", .list([.map(ValueMap())])), ("id", .string("7"))]))
    let request = OpenAPIRequest(
      path: "/orders/7", query: [("limit", "x"), ("tag[a]", "1")], headers: [("cookie", "a;b=")],
      body: .json(body))
    for operation in description.operations {
      _ = operation.problems(in: request)
      for status in [200, 404] {
        let answer = OpenAPIResponseValue(
          status: status, headers: [("etag", "")], body: .json(.list([body, body])))
        _ = operation.problems(in: answer)
        _ = operation.covered(by: request, answer)
      }
      guard wholly else { continue }
      _ = (operation.jsonType(), operation.jsonBodyType(as: nil), operation.faults())
    }
    _ = description.match(method: "GET", path: [.unknown, .text("%")])
    return true
  }

  private func mutate(_ value: Value, _ generator: inout Generator, changes: Int) -> Value {
    (0..<changes).reduce(value) { value, _ in mutate(value, &generator) }
  }

  private func mutate(_ value: Value, _ generator: inout Generator) -> Value {
    let stop = Int.random(in: 0..<8, using: &generator) == 0
    switch value {
    case .map(let map) where !map.isEmpty && !stop:
      let index = Int.random(in: 0..<map.count, using: &generator)
      let entry = map.entries[index]
      var copy = map
      switch Int.random(in: 0..<20, using: &generator) {
      case 0: copy[entry.key] = nil
      case 1: copy[.string("renamed")] = entry.value
      case 2: copy[.int(7)] = entry.value
      default: copy[entry.key] = mutate(entry.value, &generator)
      }
      return .map(copy)
    case .list(var values) where !values.isEmpty && !stop:
      let index = Int.random(in: 0..<values.count, using: &generator)
      values[index] = mutate(values[index], &generator)
      return .list(values)
    default: return Self.strange.randomElement(using: &generator) ?? .null
    }
  }
}

extension Document {
  /// A document without positions.
  fileprivate static func plain(_ path: String, _ value: Value) -> Document {
    Document(path: path, value: value) { _ in nil }
  }
}
