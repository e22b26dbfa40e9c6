/// What can be wrong with a text; `YAMLError+Message.swift` has the words.
enum YAMLProblem {
  /// libyaml's own verdict, and the lines above it where they may show the cause.
  case syntax(String, in: Construct?, Layout?)

  /// A key that has no ':', though libyaml noticed that only at the next one.
  case missingColon(after: String)

  /// A character that libyaml cannot begin a token with.
  case unexpectedCharacter(Unicode.Scalar)

  case malformedEncoding(String)
  case forbiddenCharacter(UInt32)
  case outOfMemory

  case noDocument
  case manyDocuments

  case duplicateKey(String, firstLine: Int)
  case mergeKey
  case collectionKey(Node.Kind)

  case unknownTag(String)
  case tagOnOtherKind(CoreTag, Node.Kind)
  case tagMismatch(CoreTag, text: String)

  case unknownAlias(String)
  case cyclicAlias(String)

  case exceeded(Limit)

  /// What libyaml was reading, in words such as `while parsing a flow sequence`.
  struct Construct {
    let words: String

    /// Where that began; nil when it is the line of the problem itself.
    let line: Int?
  }

  /// A limit that the text went beyond, and its value.
  enum Limit {
    case depth(Int)
    case bytes(Int)
    case nodes(Int)
    case expansion(Int)
  }
}

extension YAMLProblem {
  /// The code that programs see.
  var code: YAMLError.Code {
    switch self {
    case .syntax, .missingColon, .unexpectedCharacter: .syntax
    case .malformedEncoding, .forbiddenCharacter: .encoding
    case .noDocument: .noDocument
    case .manyDocuments: .manyDocuments
    case .duplicateKey: .duplicateKey
    case .mergeKey: .mergeKey
    case .collectionKey: .collectionKey
    case .unknownTag: .unknownTag
    case .tagOnOtherKind, .tagMismatch: .tagMismatch
    case .unknownAlias: .unknownAlias
    case .cyclicAlias: .cyclicAlias
    case .outOfMemory, .exceeded: .limit
    }
  }
}
