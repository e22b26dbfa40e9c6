/// A selector of CSS.
///
/// Knows the selectors of Selectors Level 3 that a stored page has an answer for, `:not()` of simple
/// selectors, and at the end `::text` and `::attr(name)` for the parts of the chosen elements.
struct Selector: Sendable {
  /// The reason why a text is no selector.
  struct Problem: Error {
    let message: String
  }

  /// One of the selectors between the commas.
  struct Alternative: Sendable {
    let first: Compound
    /// The compound selectors behind it, each with the relation to the one before.
    let rest: [(combinator: Combinator, compound: Compound)]
    let part: Part
  }

  /// The relation between two elements.
  enum Combinator: Sendable {
    case descendant, child
    /// The second element is the next one beside the first, or a later one.
    case next, later
  }

  /// A part of the chosen elements.
  enum Part: Sendable, Hashable {
    case whole
    /// The texts in the element itself, not those of elements in it.
    case text
    case attribute(String)
  }

  /// A type and the conditions after it, as in `a.next[href]`.
  struct Compound: Sendable {
    /// The name of the element in lower case, or nil for every element.
    var type: String?
    var conditions: [Condition] = []
  }

  /// A condition on one element.
  enum Condition: Sendable {
    case attribute(String, Test)
    case place(Place)
    /// It has no elements and no text.
    case empty
    case not(Compound)
  }

  /// A condition on the value of an attribute.
  enum Test: Sendable {
    case exists
    case equals(String), hasWord(String), isOrStartsWithDash(String)
    case starts(String), ends(String), contains(String)
  }

  /// A condition on the position among the elements beside it, counted from 1.
  struct Place: Sendable {
    let isFromEnd: Bool
    /// True if only elements with the same name count.
    let isOfType: Bool
    let progression: Progression
  }

  /// The numbers `step * n + first` of all n from 0 on.
  struct Progression: Sendable {
    let step: Int
    let first: Int

    func contains(_ number: Int) -> Bool {
      let distance = number - first
      if step == 0 { return distance == 0 }
      return distance % step == 0 && distance / step >= 0
    }
  }

  let alternatives: [Alternative]

  init(_ text: String) throws(Problem) {
    var reader = SelectorReader(text)
    alternatives = try reader.alternatives()
  }

  /// The number of its types, conditions and parts, each of which is checked for every element.
  var weight: Int {
    alternatives.reduce(0) { sum, alternative in
      alternative.rest.reduce(sum + 1 + alternative.first.weight) { $0 + $1.compound.weight }
    }
  }
}

extension Selector.Compound {
  fileprivate var weight: Int {
    conditions.reduce(1) { sum, condition in
      if case .not(let inner) = condition { sum + inner.weight } else { sum + 1 }
    }
  }
}

extension Selector.Test {
  /// The test of a value in lower case, for an attribute whose letters are compared without case.
  var lowered: Self {
    switch self {
    case .exists: self
    case .equals(let value): .equals(value.lowercased())
    case .hasWord(let value): .hasWord(value.lowercased())
    case .isOrStartsWithDash(let value): .isOrStartsWithDash(value.lowercased())
    case .starts(let value): .starts(value.lowercased())
    case .ends(let value): .ends(value.lowercased())
    case .contains(let value): .contains(value.lowercased())
    }
  }

  /// The attributes of HTML whose values are compared without case
  /// (https://html.spec.whatwg.org/multipage/semantics-other.html#case-sensitivity-of-selectors).
  static let caselessAttributes = Set(
    """
    accept accept-charset align alink axis bgcolor charset checked clear codetype color compact
    declare defer dir direction disabled enctype face frame hreflang http-equiv lang language link
    media method multiple nohref noresize noshade nowrap readonly rel rev rules scope scrolling
    selected shape target text type valign valuetype vlink
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  /// Returns true if the value of an attribute passes.
  func holds(for value: String) -> Bool {
    let bytes = value.utf8
    return switch self {
    case .exists: true
    case .equals(let other): bytes.elementsEqual(other.utf8)
    case .hasWord(let word):
      bytes.split(whereSeparator: \.isBlank).contains { $0.elementsEqual(word.utf8) }
    case .isOrStartsWithDash(let start):
      bytes.elementsEqual(start.utf8) || bytes.starts(with: "\(start)-".utf8)
    // Nothing starts with, ends with or contains an empty text, as selectors define it.
    case .starts(let part): !part.isEmpty && bytes.starts(with: part.utf8)
    case .ends(let part): !part.isEmpty && bytes.reversed().starts(with: part.utf8.reversed())
    case .contains(let part): !part.isEmpty && bytes.firstRange(of: part.utf8) != nil
    }
  }
}

extension UInt8 {
  /// True for a blank of HTML.
  fileprivate var isBlank: Bool { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(self) }
}
