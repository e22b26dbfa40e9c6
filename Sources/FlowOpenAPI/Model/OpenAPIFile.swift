internal import FlowCore
internal import FlowSchema
internal import FlowSystem

/// A place in the files of a description.
struct OpenAPIPlace: Sendable, Hashable {
  /// The file's URI relative to the first file's folder.
  let uri: String
  let pointer: JSONPointer

  /// The reference to the place, as schemas have it.
  ///
  /// The signs of a percent-encoded fragment are escaped.
  var reference: String { uri + "#" + pointer.description.replacing("%", with: "%25") }

  func appending(_ name: String) -> OpenAPIPlace {
    OpenAPIPlace(uri: uri, pointer: pointer.appending(name))
  }

  func appending(_ index: Int) -> OpenAPIPlace {
    OpenAPIPlace(uri: uri, pointer: pointer.appending(index))
  }
}

/// A file that was read.
struct OpenAPIFile: Sendable {
  let path: String
  let document: Document
  /// The plain value, in which all keys are texts.
  let value: Value
  /// The number of files before it.
  let order: Int

  /// The position of the value at a pointer, or of the nearest one around it.
  func position(of pointer: String) -> Position? {
    var (steps, value) = ([FieldPath.Step](), value)
    for token in JSONPointer.tokens(of: pointer) ?? [] {
      guard let part = value.part(token) else { break }
      let isList = if case .list = value { true } else { false }
      steps.append(isList ? .index(Int(token) ?? 0) : .field(token))
      value = part
    }
    return document.position(of: FieldPath(steps))
  }
}
