internal import FlowCore
internal import FlowSchema

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
