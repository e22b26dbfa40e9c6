internal import FlowCore
internal import FlowReport
internal import FlowSystem

/// The reports requested from a command in addition to its printed output.
struct ReportRequests: Sendable {
  static let option = Option(
    "report", .required("FORMAT[=PATH]"),
    "Writes a report to a file, or to standard output if PATH is '-', as "
      + "\(ReportFormat.all.map(\.name).alternatives). Can be repeated.",
    completion: .words(ReportFormat.all.map(\.name)))

  /// The name of annotations in the output of a job of GitHub Actions.
  static let annotations = "github"

  /// Returns the option of a command that writes only some formats, and annotations.
  static func option(offering formats: [String]) -> Option {
    let names = formats + [annotations]
    return Option(
      option.name, .required("FORMAT[=PATH]"),
      "Writes a report to a file, or to standard output if PATH is '-', as "
        + "\(formats.alternatives), or prints annotations for \(annotations). Can be repeated.",
      completion: .words(names))
  }

  /// The name of standard output.
  static let output = "-"

  /// A requested report.
  private struct Request {
    let format: String
    let path: String
    /// True if the user gave the path, false for the default path of the format.
    let isNamed: Bool
  }

  private let requests: [Request]
  /// True if annotations mark the findings of a scenario.
  let annotates: Bool

  /// Reads the requests for reports of any format.
  init(_ arguments: ParsedArguments) throws(UsageError) {
    try self.init(arguments, offering: ReportFormat.all.map(\.name), annotating: false)
  }

  /// Reads the requests for reports of some formats, and for annotations if these are offered.
  init(
    _ arguments: ParsedArguments, offering formats: [String], annotating: Bool
  ) throws(UsageError) {
    var requests: [Request] = []
    let texts = arguments.values(Self.option.name)
    annotates = annotating && texts.contains(Self.annotations)
    for text in texts where !(annotates && text == Self.annotations) {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard formats.contains(String(parts[0])), parts.last != "",
        let format = ReportFormat.all.first(where: { $0.name == parts[0] })
      else {
        let names = (formats + (annotating ? [Self.annotations] : [])).alternatives
        throw .malformed(
          option: Self.option.name, value: text,
          expected: "FORMAT or FORMAT=PATH, where FORMAT is \(names)")
      }
      let path = parts.count == 2 ? Self.place(String(parts[1])) : format.file
      if requests.contains(where: { $0.path == path }) {
        throw .samePath(option: Self.option.name, path: path)
      }
      requests.append(Request(format: format.name, path: path, isNamed: parts.count == 2))
    }
    self.requests = requests
    if usesOutput, arguments.has("format") {
      throw .conflict(option: "report=\(Self.output)", with: "format")
    }
  }

  /// Returns a path in its normal form.
  ///
  /// All names of standard output become the one of the option.
  private static func place(_ text: String) -> String {
    let path = Path.plain(text)
    return FileSystem.outputDescriptor(named: path) == 1 ? output : path
  }

  var isEmpty: Bool { requests.isEmpty && !annotates }

  /// The paths of the files to write.
  var paths: [String] {
    requests.map(\.path).filter {
      $0 != Self.output && FileSystem.outputDescriptor(named: $0) == nil
    }
  }

  /// The names of the requested formats.
  var formats: Set<String> { Set(requests.map(\.format)) }

  /// Returns the path of a page that is the only report, and true if the user gave this path.
  func placeOfPage(
    unlessNamed path: String
  ) throws(UsageError) -> (path: String, isNamed: Bool) {
    if let other = requests.first(where: { $0.format != ReportFormat.pageName }) {
      throw .conflict(option: "report=\(other.format)", with: "compare")
    }
    if requests.count > 1 { throw .repeated(option: Self.option.name) }
    return requests.first.map { ($0.path, $0.isNamed) } ?? (path, false)
  }

  /// True if a report goes to standard output, in place of the text for people.
  var usesOutput: Bool { requests.contains { $0.path == Self.output } }

  /// Creates the files, empty.
  func files(
    in job: GitHubJob?, _ flow: CommandContext, permissions: Int
  ) throws(FileError) -> [ReportFile] {
    var files: [ReportFile] = []
    let formats = ReportFormat.all(in: job)
    for request in requests {
      guard let format = formats.first(where: { $0.name == request.format }) else { continue }
      let destination = try destination(of: request, flow)
      files.append(
        try ReportFile(format, to: destination, flow.redactor, permissions: permissions))
    }
    return files
  }

  private func destination(
    of request: Request, _ flow: CommandContext
  ) throws(FileError) -> ReportFile.Destination {
    if request.path == Self.output { return .stream(flow.process.reportOutput) }
    if let descriptor = FileSystem.outputDescriptor(named: request.path) {
      return .descriptor(descriptor)
    }
    try OutputPlace.check(report: request.path, followsLinks: request.isNamed)
    return .file(request.path, followsLinks: request.isNamed)
  }
}
