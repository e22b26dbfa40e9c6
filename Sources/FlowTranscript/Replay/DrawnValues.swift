internal import FlowCore
internal import FlowEngine
internal import FlowPlan

extension ReplayFailure {
  /// The line to declare values that look as if the program draws them, or none.
  static func declaration(
    onDrawn fields: [FieldChange], of invocation: Invocation, _ owner: String
  ) -> [String] {
    guard !fields.isEmpty, invocation.isFromOutside, let call = invocation.role?.name
    else { return [] }
    let places = fields.map { ProposedPlace(of: $0, at: $0.place) }
    let areDrawn = places.allSatisfy { place in
      place.values.allSatisfy { $0.dropFirst().dropLast().description.looksDrawn }
    }
    guard areDrawn else { return [] }
    return [
      "if the program draws it anew each time, declare 'varies: {\(call): {same: "
        + "\(ValuePath.list(places.map(\.path).unique))}}' in the component '\(owner)'"
    ]
  }
}

extension String {
  /// True for a text that is hardly written by hand: an id, a token, a date.
  ///
  /// It has at least eight characters, of which a quarter are digits, and neither white space nor
  /// a letter that is no digit of base 64.
  fileprivate var looksDrawn: Bool {
    let digits = utf8.filter { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
    return utf8.count >= 8 && digits * 4 >= utf8.count
      && unicodeScalars.allSatisfy {
        $0.isASCII && $0.value > 0x20 && !"\"'<>{}[]()".contains(Character($0))
      }
  }
}
