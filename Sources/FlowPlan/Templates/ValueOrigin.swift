package import FlowCore
package import FlowRedaction

/// The point of a run at which a value came about, and the values from which it was made.
public struct ValueOrigin: Sendable, Hashable {
  /// The kind of such a point.
  package enum Kind: Sendable, Hashable {
    /// A component answered, reported or refused something.
    case answer
    /// A `set` assigned a variable.
    case set
    /// A loop took the element of this number, from 1, from its list.
    case element(Int)
    /// A step gave an included scenario its input.
    case given
    /// A loop or an included scenario gave an output.
    case output
    /// The scenario has it from outside, or the origin is no longer known.
    case other
  }

  /// The value as an expression reads it: `steps.load.items[2].price`.
  package var text: String
  /// The value, long enough to find secrets in it, or nil if it is no longer known.
  package var value: String?
  /// The kind of the point.
  package internal(set) var kind = Kind.other
  /// The place in a file, or nil if there is none.
  package internal(set) var place: SourceSpan?
  /// The address of the step, or nil.
  package internal(set) var address: Address?
  /// The iterations, from 1, of the loops that the reader of the value is not in.
  package internal(set) var iterations: [Int] = []
  /// The values from which it was made, only some of very many.
  package internal(set) var sources: [ValueOrigin] = []
  /// The secret input behind the value, which is hidden whatever it looks like, or nil.
  package var secret: String?

  /// Creates the origin of a value from outside.
  package init(_ text: String, _ value: Value?) {
    self.text = text
    self.value = value?.summary(limit: OperandText.longest)
  }

  /// Returns the origin at a point.
  package func with(
    _ kind: Kind, at place: SourceSpan?, _ address: Address, in iterations: [Int] = []
  ) -> ValueOrigin {
    var copy = self
    (copy.kind, copy.place, copy.address) = (kind, place, address)
    copy.iterations = iterations
    return copy
  }

  /// Returns the origin with the values behind it, hidden if one of these is.
  package func made(of sources: [ValueOrigin]) -> ValueOrigin {
    var copy = self
    copy.sources = sources
    copy.secret = secret ?? sources.lazy.compactMap(\.secret).first
    return copy
  }

  /// Returns the origin with placeholders for hidden text.
  package func redacted(by redactor: Redactor) -> ValueOrigin {
    var copy = self
    copy.text = redactor.redacted(text)
    copy.value = value.map(redactor.redacted)
    if let secret, value != nil { copy.value = Redactor.placeholder(for: secret) }
    copy.sources = sources.map { $0.redacted(by: redactor) }
    return copy
  }
}
