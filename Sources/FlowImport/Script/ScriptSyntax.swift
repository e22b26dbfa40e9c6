/// An expression of a script.
indirect enum ScriptExpression: Equatable {
  case null
  case undefined
  case bool(Bool)
  case number(String)
  case text(String)
  case pattern(String, flags: String)
  /// Texts and expressions of a template, joined.
  case template([ScriptExpression])
  case name(String)
  case member(ScriptExpression, String)
  case index(ScriptExpression, ScriptExpression)
  case call(ScriptExpression, [ScriptExpression])
  case new(ScriptExpression, [ScriptExpression])
  case list([ScriptExpression])
  case object([Member])
  case unary(String, ScriptExpression)
  case binary(String, ScriptExpression, ScriptExpression)
  case choice(ScriptExpression, ScriptExpression, ScriptExpression)
  /// An assignment, with its sign.
  case assignment(String, ScriptExpression, ScriptExpression)
  case function(ScriptFunction)

  struct Member: Equatable {
    let name: String
    let value: ScriptExpression
  }
}

/// A function written as an expression.
struct ScriptFunction: Equatable {
  let parameters: [String]
  let body: [ScriptStatement]

  /// The value of a function that only returns one, or nil.
  var result: ScriptExpression? {
    guard body.count == 1 else { return nil }
    return switch body[0].kind {
    case .expression(let value), .end(let value?): value
    default: nil
    }
  }
}

/// A statement of a script.
struct ScriptStatement: Equatable {
  enum Kind: Equatable {
    case expression(ScriptExpression)
    case declaration([Declared])
    case branch(ScriptExpression, then: [ScriptStatement], otherwise: [ScriptStatement])
    /// A loop over the elements of a list.
    case each(String, of: ScriptExpression, [ScriptStatement])
    /// The end of the function around, with its value.
    case end(ScriptExpression?)
    case failure
    case function(String, ScriptFunction)
    /// Statements whose failure the script ignores or handles.
    case attempt([ScriptStatement])
    /// Anything else.
    case other
  }

  struct Declared: Equatable {
    let name: String
    let value: ScriptExpression?
  }

  /// The index of its line in the script, from 0.
  let line: Int
  /// The names at its start, such as `pm.sendRequest` and `var user`.
  let name: String
  /// The names that it may change.
  let changed: Set<String>
  /// True if it has a word that ends a function.
  var hasEnd = false
  let kind: Kind
}

extension ScriptExpression {
  /// A link of a chain: a member, or the call of a member.
  struct Link: Equatable {
    /// The name, empty for the call of what stands before.
    let name: String
    /// The arguments of a call, or nil for a member.
    let arguments: [ScriptExpression]?
  }

  /// The name at its start and the links behind it, such as `pm`, `expect(…)`, `to`, `be`, `true`.
  ///
  /// Nil for an expression of another form.
  var chain: (start: String, links: [Link])? {
    switch self {
    case .name(let name): return (name, [])
    case .member(let object, let name):
      guard let (start, links) = object.chain else { return nil }
      return (start, links + [Link(name: name, arguments: nil)])
    case .call(.member(let object, let name), let arguments):
      guard let (start, links) = object.chain else { return nil }
      return (start, links + [Link(name: name, arguments: arguments)])
    case .call(let function, let arguments):
      guard let (start, links) = function.chain else { return nil }
      return (start, links + [Link(name: "", arguments: arguments)])
    default: return nil
    }
  }
}
