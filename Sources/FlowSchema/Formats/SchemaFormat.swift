internal import FlowSystem

/// A format of text that can be checked.
package enum SchemaFormat: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date
  case time
  case duration
  case email
  case idnEmail = "idn-email"
  case hostname
  case idnHostname = "idn-hostname"
  case ipv4
  case ipv6
  case uri
  case uriReference = "uri-reference"
  case iri
  case iriReference = "iri-reference"
  case uuid
  case uriTemplate = "uri-template"
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"
  case regex

  /// The formats of text that are checked in descriptions of OpenAPI.
  static let ofOpenAPI: Set<String> = [
    "date", "date-time", "uuid", "email", "ipv4", "ipv6", "uri",
  ]

  /// True for a text in this format.
  ///
  /// - Throws: `LibraryError` for a host name with letters beyond ASCII, without the library for it.
  func allows(_ text: String) throws(LibraryError) -> Bool {
    switch self {
    case .dateTime: DateFormat.isDateTime(text)
    case .date: DateFormat.isDate(text)
    case .time: DateFormat.isTime(text)
    case .duration: DateFormat.isDuration(text)
    case .email: try AddressFormat.isEmail(text, isInternational: false)
    case .idnEmail: try AddressFormat.isEmail(text, isInternational: true)
    case .hostname: try HostName.isHostName(text)
    case .idnHostname: try HostName.isInternational(text)
    case .ipv4: AddressFormat.isIPv4(text)
    case .ipv6: AddressFormat.isIPv6(text)
    case .uri: URIFormat.isURI(text, isInternational: false)
    case .uriReference: URIFormat.isReference(text, isInternational: false)
    case .iri: URIFormat.isURI(text, isInternational: true)
    case .iriReference: URIFormat.isReference(text, isInternational: true)
    case .uuid: AddressFormat.isUUID(text)
    case .uriTemplate: URIFormat.isTemplate(text)
    case .jsonPointer: JSONPointer.tokens(of: text) != nil
    case .relativeJSONPointer: Self.isRelativePointer(text)
    case .regex: SchemaPattern.isValid(text)
    }
  }

  /// `0`, `1/a`, `2#`, and with a change of the index `0+1/a`.
  private static func isRelativePointer(_ text: String) -> Bool {
    var reader = FormatReader(text)
    guard let levels = reader.digits(atLeast: 1), levels == "0" || !levels.hasPrefix("0") else {
      return false
    }
    let rest = reader.rest
    return rest == "#" || JSONPointer.tokens(of: rest) != nil
  }
}

/// A format of whole numbers in OpenAPI.
package enum IntegerRange: String, Sendable {
  case int32
  case int64

  /// True for a number in the range.
  func allows(_ number: SchemaNumber) -> Bool {
    guard number.isWhole else { return true }
    guard let integer = number.integer else { return false }
    return self == .int64 || Int32(exactly: integer) != nil
  }
}
