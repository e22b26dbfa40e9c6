internal import FlowCore
internal import FlowMarkup

extension EvaluationError {
  static let notAToken = Self(
    .invalidArgument, "the string is not a JSON Web Token: three parts with points between")
  /// Creates the problem of a token whose part is something else, without its content.
  static func tokenPart(_ name: String) -> Self {
    Self(.invalidArgument, "the \(name) of the token is not a JSON object")
  }

  static func tooMuchMarkup(bytes: Int) -> Self {
    Self(.limit, "the found texts have more than \(bytes >> 20) MiB")
  }

  private static func names(_ prefixes: [String]) -> String {
    if prefixes.isEmpty { return "none" }
    return prefixes.map { "'\($0)'" }.joined(separator: ", ").shortened(to: 200)
  }

  static func markup(_ problem: MarkupSearch.Problem) -> Self {
    switch problem {
    case .library(let error): Self(.invalidArgument, error.description)
    case .path(let reason):
      Self(.invalidArgument, "the path is not one of XPath 1.0: \(reason.shortened(to: 60))")
    case .prefix(let prefix, let declared):
      Self(
        .invalidArgument,
        "the prefix '\(prefix.shortened(to: 60))' of the path is not declared in the document, "
          + "which declares " + names(declared))
    case .selector(let reason): Self(.invalidArgument, "not a selector of CSS: \(reason)")
    case .document(let reason, let line):
      Self(.invalidArgument, "the text is not XML: line \(line): \(reason.shortened(to: 60))")
    case .entities:
      Self(.invalidArgument, "the XML declares entities, which are not read")
    case .declarations(let limit):
      Self(.limit, "the document type of the XML is longer than \(limit >> 10) KiB")
    case .declaredAttributes:
      Self(.limit, "the XML declares attributes for too many elements")
    case .attributes(let limit): Self(.limit, "an element has more than \(limit) attributes")
    case .namespaces(let limit):
      Self(.limit, "an element of the XML is in the scope of more than \(limit) namespaces")
    case .page(let loss, let line):
      Self(
        .invalidArgument,
        "the page cannot be read to its end: line \(line): \(loss.reason.shortened(to: 60))")
    case .tooManySteps: .tooManySteps
    case .tooLong(let limit): Self(.limit, "the text is longer than \(limit >> 20) MiB")
    }
  }
}

extension PageLoss {
  fileprivate var reason: String {
    switch self {
    case .tooDeep: "an element is inside of more than 256 others"
    case .tooLarge: "it takes too much memory"
    case .openValue: "an attribute's value has no closing quote"
    case .openComment: "a comment is not closed"
    case .openTag: "a tag is not closed"
    }
  }
}
