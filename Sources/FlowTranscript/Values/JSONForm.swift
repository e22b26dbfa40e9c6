internal import FlowSystem

extension JSON {
  /// The names of a pattern's first member.
  static let patternNames = ["$any", "$same", "$match", "$near", "$unordered"]
  /// The name of the member of a literal map, which may have any names.
  static let literalName = "$literal"
  /// The name of a blob's member.
  static let blobName = "$blob"

  /// Returns true if a map with a key of this name has to be escaped.
  static func isReserved(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "$")
      && (patternNames.contains(name) || name == literalName || name == blobName)
  }

  /// The meaning of an object by the names of its members.
  enum Form {
    /// An object as it stands, or something else.
    case plain
    /// A map with these members, whatever their names are.
    case literal([Member])
    /// A pattern in place of a value.
    case pattern([Member])
  }

  /// True if it has no parts.
  var isScalar: Bool {
    switch self {
    case .object, .array: false
    case .null, .bool, .number, .string: true
    }
  }

  /// The form of an object.
  ///
  /// Everything else is plain.
  var form: Form {
    guard case .object(let members) = self, members.contains(where: { Self.isReserved($0.name) })
    else { return .plain }
    if members.count == 1, members[0].name == Self.literalName,
      case .object(let inner) = members[0].value
    {
      return .literal(inner)
    }
    return .pattern(members)
  }

  /// Visits the strings and the names in it.
  func visitTexts(_ visit: (String) -> Void) {
    switch self {
    case .null, .bool, .number: return
    case .string(let text): visit(text)
    case .array(let elements): for element in elements { element.visitTexts(visit) }
    case .object(let members):
      for member in members {
        visit(member.name)
        member.value.visitTexts(visit)
      }
    }
  }
}
