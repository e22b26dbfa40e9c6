import FlowYAML

/// Cases of the YAML test suite that FlowYAML does not read as the suite demands.
///
/// Those that have nothing to do with tags and keys are libyaml's, which reads them just so without
/// FlowYAML: it follows YAML 1.1, or is wrong.
struct Deviation {
  let reason: String
  let outcome: ConformanceOutcome
  let ids: [String]

  static func of(_ id: String) -> Deviation? {
    all.first { $0.ids.contains(id) }
  }

  /// Valid texts that do not load.
  private static func rejected(
    _ reason: String, _ ids: String..., code: YAMLError.Code = .syntax
  ) -> Deviation {
    Deviation(reason: reason, outcome: .rejected(code), ids: ids)
  }

  /// Texts that the suite calls invalid, and that load.
  private static func accepted(_ reason: String, _ ids: String...) -> Deviation {
    Deviation(reason: reason, outcome: .accepted, ids: ids)
  }

  /// A valid text that loads as something else.
  private static func misread(_ reason: String, _ id: String, as value: String) -> Deviation {
    Deviation(reason: reason, outcome: .otherValue(value), ids: [id])
  }

  static let all = [
    // MARK: Refused on purpose
    rejected(
      "only core tags are known",
      "2XXW", "565N", "5TYM", "6CK3", "6WLZ", "7FWL", "9WXW", "C4HZ", "CC74", "CUP7", "J7PZ",
      "M5C3", "P76L", "UGM3", "Z67P", "Z9M4", code: .unknownTag),
    rejected(
      "a key must be a scalar",
      "4FJ6", "6BFJ", "6PBE", "9MMW", "KK5P", "LX3P", "M2N8/00", "M2N8/01", "M5DY", "Q9WF", "RZP5",
      "SBG9", "V9D5", "X38W", "XW4D", code: .collectionKey),

    // MARK: libyaml rejects
    rejected(
      "a key left out before ':' is rejected",
      "2JQS", "6M2F", "CFD4", "FRK4", "NHX8", "NKF9", "S3PD", "SM9W/01", "UKK6/00"),
    rejected(
      "a reserved directive is an error instead of being ignored",
      "2LFX", "6LVF", "MUS6/05", "MUS6/06"),
    rejected("the name of an anchor ends at ':'", "2SXE"),
    rejected(
      "the name of an anchor may only have ASCII letters, digits, '-' and '_'",
      "8XYN", "W5VH"),
    rejected(
      "a key and its ':' must be on one line in flow style",
      "4MUZ/00", "4MUZ/01", "4MUZ/02", "5MUD", "9SA2", "K3WX", "NJ66", "VJP3/01"),
    rejected("a ':' before ',' does not end a key in flow style", "4ABK"),
    rejected(
      "a plain scalar cannot begin with ':' in flow style",
      "58MP", "5T43", "DBG4", "HM87/00"),
    rejected(
      "a tab cannot separate a block indicator from what follows", "6BCT", "A2M4", "Y79Y/010"),
    rejected(
      "a tab cannot stand in a line's leading space",
      "6CA3", "DK95/00", "DK95/03", "DK95/04", "Q5MG"),
    rejected(
      "a tab cannot stand in the first lines of a block scalar",
      "96NN/00", "96NN/01", "R4YG", "Y79Y/001"),
    rejected("version 1.3 is an error instead of a warning", "BEC7"),
    rejected("a block scalar at the root must be indented", "DK3J", "FP8R"),
    rejected(
      "a '%' at the start of a line begins a directive even inside a document", "UT92", "W4TN"),
    rejected("a '...' without a document before it is rejected", "HWV9", "QT73"),
    rejected("a document after '...' must begin with '---'", "7Z25", "M7A3"),

    // MARK: libyaml accepts
    accepted(
      "lines that are not indented, or by tabs, may continue a flow sequence", "9C9N", "Y79Y/003"),
    accepted(
      "lines that are not indented, or by tabs, may continue a quoted scalar", "DK95/01", "QB6E"),
    accepted(
      "a comment needs no space before it", "9JBA", "CVW2", "MUS6/00", "SU5Z", "X4QW"),
    accepted("a directive needs no '...' before it", "EB22", "MUS6/01", "RHX7"),
    accepted("a lone '-' is text in flow style", "G5U8", "YJV2"),
    accepted(
      "empty lines before a block scalar's first line may be indented deeper", "S98Z"),

    // MARK: libyaml reads something else
    misread(
      "a '?' is always a key indicator in flow style", "652Z", as: #"{"bar":42.0,"foo":"bar"}"#),
    misread("a '?' is always a key indicator in flow style", "HM87/01", as: #"[{"x":null}]"#),
    misread("the name of an anchor ends at ':'", "Y2GN", as: #"{"key":":chor value"}"#),
    misread(
      "spaces on a last line without a line break are not a line", "JEF9/02", as: #"[""]"#),
    misread(
      "spaces on a last line without a line break are text", "L24T/01", as: #"{"foo":"x\n "}"#),
  ]
}
