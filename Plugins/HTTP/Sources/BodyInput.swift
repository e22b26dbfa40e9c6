internal import FlowCore

/// The body of a request as given in a step: at most one of these fields.
struct BodyInput: Sendable {
  var json: Value?
  var form: NamedValues?
  var text: String?
  var file: String?
  var multipart: [Part]?
  var bytes: Bytes?

  /// Returns the bytes with their type, or nil without a body.
  ///
  /// Reads files, and therefore blocks.
  ///
  /// - Throws: `HTTPError`.
  func encoded(in context: Context) throws(HTTPError) -> EncodedBody? {
    guard given.count <= 1 else { throw .request(.bodies(given)) }
    if let json {
      if let path = json.pathOfNoJSON { throw .request(.notJSON(path)) }
      return EncodedBody(.json, json.json)
    }
    if let text {
      return EncodedBody(
        kind: .opaque, type: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }
    if let file {
      return EncodedBody(
        kind: .opaque, type: EncodedBody.Kind.opaque.type,
        bytes: try context.directory.bytes(of: file))
    }
    if let bytes {
      return EncodedBody(
        kind: .opaque, type: EncodedBody.Kind.opaque.type, bytes: bytes.content)
    }
    if let multipart { return try Part.encode(multipart, in: context) }
    guard let form else { return nil }
    do {
      return EncodedBody(.form, PercentEncoding.form(try form.pairs))
    } catch { throw .request(error) }
  }

  /// The input fields for a body, at most one of which can be given.
  static let names = ["json", "form", "body", "file", "multipart", "bytes"]

  /// True if there is a body.
  var isGiven: Bool { !given.isEmpty }

  private var given: [String] {
    let isGiven = [
      json != nil, form != nil, text != nil, file != nil, multipart != nil, bytes != nil,
    ]
    return zip(Self.names, isGiven).compactMap { $1 ? $0 : nil }
  }
}

/// The bytes of a body with their media type.
struct EncodedBody: Sendable, Hashable {
  /// The source field of a body, as far as it decides on the type.
  enum Kind: Sendable, Hashable {
    case json, form
    case multipart(boundary: String)
    /// A string or a file, which may have any type.
    case opaque

    /// Creates the kind of an input field from its name.
    init(field: String) {
      switch field {
      case "json": self = .json
      case "form": self = .form
      case "multipart": self = .multipart(boundary: "")
      default: self = .opaque
      }
    }

    /// The type of the body, only a default for a string or a file.
    var type: String {
      switch self {
      case .json: "application/json"
      case .form: "application/x-www-form-urlencoded"
      case .multipart(let boundary): "multipart/form-data; boundary=\(boundary)"
      case .opaque: "application/octet-stream"
      }
    }

    /// The name of the field.
    var name: String {
      switch self {
      case .json: "json"
      case .form: "form"
      case .multipart: "multipart"
      case .opaque: "body"
      }
    }
  }

  var kind: Kind
  var type: String
  var bytes: [UInt8]
}

extension EncodedBody {
  fileprivate init(_ kind: Kind, _ text: String) {
    self.init(kind: kind, type: kind.type, bytes: Array(text.utf8))
  }
}

extension Value {
  /// The path of a number without a form in JSON, such as infinity: `x.y[2]`, or nil.
  fileprivate var pathOfNoJSON: FieldPath? {
    switch self {
    case .double(let number): number.isFinite ? nil : FieldPath()
    case .list(let elements):
      elements.enumerated().lazy.compactMap { index, element in
        element.pathOfNoJSON?.inside(.index(index))
      }.first
    case .map(let map):
      map.entries.lazy.compactMap { entry in
        entry.value.pathOfNoJSON?.inside(.field(entry.key.interpolated))
      }.first
    case .optional(let value?): value.pathOfNoJSON
    default: nil
    }
  }
}

extension Directory {
  func bytes(of file: String) throws(HTTPError) -> [UInt8] {
    do { return try read(file) } catch { throw .file(error) }
  }
}
