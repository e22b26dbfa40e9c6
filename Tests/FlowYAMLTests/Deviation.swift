import FlowYAML

/// A case of the YAML test suite that FlowYAML does not read as the suite demands.
struct Deviation {
  enum Cause: Equatable {
    /// libyaml reads it so; it follows YAML 1.1, or is wrong.
    case libyaml(reason: String)

    /// FlowYAML refuses it on purpose.
    case refused(YAMLError.Code)
  }

  let cause: Cause
  let ids: [String]

  static func cause(of id: String) -> Cause? {
    all.first { $0.ids.contains(id) }?.cause
  }

  private static func libyaml(_ reason: String, _ ids: String...) -> Deviation {
    Deviation(cause: .libyaml(reason: reason), ids: ids)
  }

  private static func refused(_ code: YAMLError.Code, _ ids: String...) -> Deviation {
    Deviation(cause: .refused(code), ids: ids)
  }

  static let all = [
    libyaml(
      "a key left out before ':' is rejected in block style",
      "2JQS", "6M2F", "NHX8", "S3PD", "SM9W/01", "UKK6/00"),
    libyaml(
      "a reserved directive is an error instead of being ignored",
      "2LFX", "6LVF", "MUS6/05"),
    libyaml(
      "the name of an anchor ends at ':'",
      "2SXE", "Y2GN"),
    libyaml(
      "the name of an anchor may only have ASCII letters, digits, '-' and '_'",
      "8XYN"),
    libyaml(
      "a key and its ':' must be on one line in flow style",
      "4MUZ/00", "5MUD", "K3WX"),
    libyaml(
      "a plain key must be on one line in flow style",
      "NJ66"),
    libyaml(
      "a ':' before ',' does not end a key in flow style",
      "4ABK"),
    libyaml(
      "a plain scalar cannot begin with ':' in flow style",
      "58MP", "HM87/00"),
    libyaml(
      "a '?' is always a key indicator in flow style",
      "HM87/01"),
    libyaml(
      "lines that are not indented may continue a flow sequence",
      "9C9N"),
    libyaml(
      "lines that are not indented, or by tabs, may continue a quoted scalar",
      "DK95/01", "QB6E"),
    libyaml(
      "a comment needs no space before it",
      "CVW2", "MUS6/00", "SU5Z"),
    libyaml(
      "a tab cannot separate a block indicator from what follows",
      "A2M4", "Y79Y/010"),
    libyaml(
      "a tab cannot stand in a line's leading space",
      "DK95/00", "DK95/03", "DK95/04"),
    libyaml(
      "a tab cannot stand in the first lines of a block scalar",
      "R4YG"),
    libyaml(
      "version 1.3 is an error instead of a warning",
      "BEC7"),
    libyaml(
      "a directive needs no '...' before it",
      "EB22", "MUS6/01", "RHX7"),
    libyaml(
      "a block scalar at the root must be indented",
      "FP8R"),
    libyaml(
      "a '%' at the start of a line begins a directive even in a block scalar",
      "W4TN"),
    libyaml(
      "a '...' without a document before it is rejected",
      "HWV9"),
    libyaml(
      "spaces on a last line without a line break are not a line",
      "JEF9/02", "L24T/01"),
    libyaml(
      "empty lines before a block scalar's first line may be indented deeper",
      "S98Z"),
    refused(
      .unknownTag, "2XXW", "6WLZ", "9WXW", "CC74", "CUP7", "J7PZ", "P76L", "Z9M4"),
    refused(
      .collectionKey, "9MMW", "KK5P", "M2N8/00", "M2N8/01", "M5DY", "Q9WF", "RZP5", "V9D5", "X38W",
      "XW4D"),
  ]
}
