/// What a scalar means by the core schema of YAML 1.2 (chapter 10.3 of the specification).
public enum Scalar: Sendable, Hashable {
  /// Nothing, `~`, `null`, `Null` or `NULL`.
  case null

  /// `true` or `false`, in lower case, capitalised or in upper case.
  case bool(Bool)

  /// A decimal integer, or one written `0o17` or `0xF`.
  case int(Int64)

  /// An integer beyond the range of `Int64`; the node's text has its digits.
  case bigInt

  /// A decimal number with a point or an exponent, `.inf` or `.nan`.
  ///
  /// The nearest `Double`, so infinite where the written number is too large. The node's text keeps
  /// every digit.
  case float(Double)

  /// Anything else; the node's text is the value.
  case string
}
