public import FlowSystem

/// The reason that a text could not be read, with its place.
public struct YAMLError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the mistake, for programs that act on some of them.
  public let code: Code
  /// The message: lower case, no full stop, the file's own text in single quotes.
  public let message: String
  /// The message without text of the file, which may be full of secrets.
  package let plainMessage: String
  /// The place of the mistake, or nil if it concerns the text as a whole.
  public let span: Span?

  /// The place to look at, or nil if the error concerns the text as a whole.
  public var mark: Position? { span?.start }

  /// The message after its line and column, such as `3:7: duplicate key 'a', first on line 1`.
  public var description: String {
    guard let mark else { return message }
    return "\(mark.line):\(mark.column): \(message)"
  }

  init(_ problem: YAMLProblem, at span: Span?) {
    code = problem.code
    message = problem.message
    plainMessage = problem.plainMessage
    self.span = span
  }

  /// A kind of mistake.
  ///
  /// Later versions may add kinds, so a `switch` needs a default.
  public struct Code: Sendable, Hashable {
    /// The stable name, such as `duplicate-key`.
    public let name: String
    /// The text breaks the grammar of YAML or JSON.
    public static let syntax: Code = Code(name: "syntax")
    /// The bytes are not UTF-8 or UTF-16, or contain characters that YAML excludes.
    public static let encoding: Code = Code(name: "encoding")
    /// The stream has no document where one is needed.
    public static let noDocument: Code = Code(name: "no-document")
    /// The stream has several documents where one is needed.
    public static let manyDocuments: Code = Code(name: "many-documents")
    /// A mapping has two equal keys.
    public static let duplicateKey: Code = Code(name: "duplicate-key")
    /// A mapping has the plain key `<<`, which is not part of YAML 1.2.
    public static let mergeKey: Code = Code(name: "merge-key")
    /// A mapping has a sequence or a mapping as a key.
    public static let collectionKey: Code = Code(name: "collection-key")
    /// A tag is not of the core schema.
    public static let unknownTag: Code = Code(name: "unknown-tag")
    /// A node does not fit its tag.
    public static let tagMismatch: Code = Code(name: "tag-mismatch")
    /// An alias names no anchor before it in its document.
    public static let unknownAlias: Code = Code(name: "unknown-alias")
    /// An alias is inside its own target.
    public static let cyclicAlias: Code = Code(name: "cyclic-alias")
    /// The text asks for more than `Limits` allows, or for more memory than there is.
    public static let limit: Code = Code(name: "limit")
  }
}

/// The possible mistakes of a text, as data.
///
/// `message` below has the words.
enum YAMLProblem {
  /// libyaml's own verdict, and the lines above it if they may show the cause.
  case syntax(String, in: Construct?, Layout?)
  /// The verdict of the parser of JSON.
  case json(JSONError)
  /// A key without a ':', which libyaml noticed only at the next key.
  case missingColon(after: String)
  /// A character that cannot start a token of libyaml.
  case unexpectedCharacter(Unicode.Scalar)
  case malformedEncoding(String)
  /// Another encoding than can be read, by its name.
  case otherEncoding(String)
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

  /// libyaml's construct, in words such as `while parsing a flow sequence`.
  struct Construct {
    let words: String
    /// The line of its start, or nil for the line of the problem.
    let line: Int?
  }

  enum Limit {
    case depth(Int)
    case bytes(Int)
    case nodes(Int)
    case expansion(Int)

    fileprivate var message: String {
      switch self {
      case .depth(let limit): "collections are nested deeper than \(limit) levels"
      case .bytes(let limit): "the text is longer than \(limit) bytes"
      case .nodes(let limit): "the text has more than \(limit) nodes"
      case .expansion(let limit): "aliases expand to more than \(limit) nodes"
      }
    }
  }

  var code: YAMLError.Code {
    switch self {
    case .json(let error) where error.reason == .encoding: .encoding
    case .syntax, .json, .missingColon, .unexpectedCharacter: .syntax
    case .malformedEncoding, .otherEncoding, .forbiddenCharacter: .encoding
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

  /// The words for people.
  ///
  /// Only this file words mistakes.
  var message: String {
    switch self {
    case .syntax(let problem, let construct, let layout): syntaxMessage(problem, construct, layout)
    case .json(let error): error.message
    case .missingColon(let key): "expected a ':' after \(quoted(key))"
    case .unexpectedCharacter("\t"): "a tab cannot be used for indentation; use spaces"
    case .unexpectedCharacter(let scalar):
      "plain text cannot start with \(quoted(String(Character(scalar)))); put it in quotes"
    case .otherEncoding(let name): "the text is in \(name), not UTF-8"
    case .malformedEncoding(let reason): "the bytes are not text: \(reason)"
    case .forbiddenCharacter(let value):
      "character U+\(hexadecimal(value, width: 4)) is not allowed"
    case .outOfMemory: "out of memory"
    case .noDocument: "expected a document, found none"
    case .manyDocuments: "expected one document, found a second"
    case .duplicateKey(let key, let line): "duplicate key \(quoted(key)), first on line \(line)"
    case .mergeKey: "merge key '<<' is not supported; write its entries out"
    case .collectionKey(let kind): "a key must be a scalar, not a \(kind.noun)"
    case .unknownTag(let tag):
      "unknown tag \(quoted(shorthand(tag))); only core tags such as '!!str' are known"
    case .tagOnOtherKind(let tag, let kind):
      "tag '\(tag.shorthand)' cannot be applied to a \(kind.noun)"
    case .tagMismatch(let tag, let text): "\(quoted(text)) does not fit its tag '\(tag.shorthand)'"
    case .unknownAlias(let name):
      "unknown alias \(quoted("*" + name)), no anchor before it; " + quotedSign("*", "an alias")
    case .cyclicAlias(let name): "alias \(quoted("*" + name)) refers to the node that contains it"
    case .exceeded(let limit): limit.message
    }
  }
}

extension Node.Kind {
  fileprivate var noun: String {
    switch self {
    case .scalar: "scalar"
    case .sequence: "sequence"
    case .mapping: "mapping"
    }
  }
}

// MARK: - Syntax

/// libyaml's verdict in our words: the problem, its construct, and the fix if there is one.
private func syntaxMessage(
  _ problem: String, _ construct: YAMLProblem.Construct?, _ layout: Layout?
) -> String {
  let words =
    rewording[problem] ?? dropping(["did not find ", "could not find ", "found "], problem)
  let hint = (indicatorHint(problem, construct) ?? hint(problem, layout)).map { "; " + $0 } ?? ""
  guard let construct, problem != missingColon else { return words + hint }
  let verbs = ["while parsing a ", "while parsing an ", "while scanning a ", "while scanning an "]
  let place = construct.line.map { " started on line \($0)" } ?? ""
  return words + " in the " + dropping(verbs, construct.words) + place + hint
}

/// Returns the right form for a scalar that starts with a sign of YAML.
private func indicatorHint(_ problem: String, _ construct: YAMLProblem.Construct?) -> String? {
  guard problem == "did not find expected alphabetic or numeric character" else { return nil }
  switch construct?.words {
  case "while scanning an alias": return quotedSign("*", "an alias")
  case "while scanning an anchor": return quotedSign("&", "an anchor")
  default: return nil
  }
}

private func quotedSign(_ sign: String, _ meaning: String) -> String {
  "'\(sign)' starts \(meaning), so put text that starts with it in quotes"
}

private func hint(_ problem: String, _ layout: Layout?) -> String? {
  if let alignment = layout?.alignment {
    return (problem == strayColon ? "quote the text, or " : "") + alignment.advice
  }
  // In the middle of a line it cannot be the indentation.
  if indentationProblems.contains(problem), layout?.isAtStart == false { return nil }
  return hints[problem]
}

extension Layout.Alignment {
  fileprivate var advice: String {
    let (what, other) = (key.map(quoted) ?? "the '-'", like.map(quoted) ?? "the one")
    return "start \(what) in column \(column), like \(other) on line \(line)"
  }
}

/// The problem that libyaml notices only after the key in question.
let missingColon = "could not find expected ':'"

/// The problem of a ':' after text that cannot be a key.
let strayColon = "mapping values are not allowed in this context"

/// libyaml's problems with a line in the wrong column.
private let indentationProblems: Set<String> = [
  "did not find expected key", "did not find expected '-' indicator",
]

/// The problems explained by the lines above.
let layoutProblems: Set<String> = indentationProblems.union([
  strayColon, "did not find expected <document start>",
])

/// libyaml's problems whose own words describe the parser's state.
private let rewording = [
  missingColon: "expected a ':' after this key",
  strayColon: "a ':' is not allowed here",
  "block sequence entries are not allowed in this context": "a '-' is not allowed here",
  "mapping keys are not allowed in this context": "a '?' is not allowed here",
  "did not find expected <document start>": "expected the end of the document or '---'",
  "did not find expected key": "expected a key",
  "did not find expected '-' indicator": "expected a '-'",
  "did not find expected node content": "expected a value",
  "did not find expected hexdecimal number": "expected a hexadecimal digit",
  "found invalid Unicode character escape code": "the escape is not a valid character",
  "found undefined tag handle": "undefined tag handle",
  "found incompatible YAML document": "only YAML 1.1 and 1.2 are supported",
]

private let hints = [
  strayColon: "quote the text or check the indentation",
  "block sequence entries are not allowed in this context": "start the sequence on its own line",
  "mapping keys are not allowed in this context": "quote the text or check the indentation",
  "did not find expected key": "check the indentation",
  "did not find expected '-' indicator": "check the indentation",
  "found unknown escape character":
    "in \"...\" a backslash is written '\\\\'; in '...' it needs no escape",
  // JSON writes such a character as two escapes, which YAML does not know.
  "found invalid Unicode character escape code":
    "write the character itself, or one escape such as '\\U0001F600'",
]

private func dropping(_ prefixes: [String], _ text: String) -> String {
  let prefix = prefixes.first { text.hasPrefix($0) } ?? ""
  return String(text.dropFirst(prefix.count))
}

extension YAMLProblem {
  /// The message without the file's own text.
  fileprivate var plainMessage: String {
    switch self {
    case .syntax(let problem, let construct, _): syntaxMessage(problem, construct, nil)
    case .missingColon: "expected a ':' after a name"
    case .duplicateKey(_, let line): "duplicate key, first on line \(line)"
    case .unknownTag: "unknown tag; put text that starts with '!' in quotes"
    case .tagMismatch(let tag, _): "the text does not fit its tag '\(tag.shorthand)'"
    case .unknownAlias: "unknown alias; put text that starts with '*' in quotes"
    case .cyclicAlias: "an alias refers to the node that contains it"
    case .json, .unexpectedCharacter, .malformedEncoding, .otherEncoding, .forbiddenCharacter,
      .outOfMemory, .noDocument, .manyDocuments, .mergeKey, .collectionKey, .tagOnOtherKind,
      .exceeded:
      message
    }
  }
}

// MARK: - The file's own text

private func shorthand(_ tag: String) -> String {
  let core = "tag:yaml.org,2002:"
  if tag.hasPrefix(core) { return "!!" + tag.dropFirst(core.count) }
  return tag.hasPrefix("!") ? tag : "!<\(tag)>"
}

/// The file's own text in single quotes, on one line and not longer than a line.
private func quoted(_ text: String) -> String {
  let limit = 60
  var result = ""
  for scalar in Ellipsis.shortened(text, to: limit + 1).unicodeScalars { result += escaped(scalar) }
  return "'\(result)'"
}

/// A scalar as it is, or its escape when it would not show or would move the cursor.
private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\n": return "\\n"
  case "\r": return "\\r"
  case "\t": return "\\t"
  default: break
  }
  switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator:
    return "\\u{\(hexadecimal(scalar.value, width: 1))}"
  default: return String(Character(scalar))
  }
}

private func hexadecimal(_ value: UInt32, width: Int) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
