package import FlowCore
package import FlowRedaction
package import FlowScenario
internal import FlowSystem

/// Problems for people, with the lines of the files they are about.
///
///     race.yaml:9:26: error: 'balance' has no operation 'lod'; did you mean 'load'? [F1203]
///         9 |         - {uses: balance.lod, expect: {balance: 10.00}}
///           |                          ^^^
package enum DiagnosticText {
  private static let mostShown = 100

  /// The source of the lines quoted with problems.
  package enum Quotes {
    /// Nowhere.
    case nothing
    /// The files with the problems.
    case files
    /// A source that cannot be read again, and the other files.
    case source(ScenarioSource)

    /// Returns the bytes of the files with problems.
    func sources(of diagnostics: [Diagnostic]) -> [String: [UInt8]] {
      if case .nothing = self { return [:] }
      let files = Set(diagnostics.compactMap { $0.span?.file })
      guard case .source(let source) = self else { return DiagnosticText.sources(files) }
      return DiagnosticText.sources(files.subtracting([source.file]))
        .merging([source.file: source.bytes]) { $1 }
    }
  }

  /// Returns the problems in their order, counting those beyond the first 100 of a file.
  ///
  /// `isBrief` prints a failure of several steps by one call once, and if several cases failed,
  /// shortens each of them.
  /// `subject` is the file of a problem without a place, if several are possible.
  package static func text(
    of diagnostics: [Diagnostic], about subject: String? = nil, quoting quotes: Quotes = .files,
    hasColors: Bool = false, isBrief: Bool = false, _ redactor: Redactor
  ) -> String {
    let renderer = renderer(
      quoting: quotes.sources(of: diagnostics), about: subject, hasColors: hasColors, redactor)
    let hasManyCases = isBrief && Set(diagnostics.compactMap(\.caseNote)).count > 1
    var counts: [String?: Int] = [:]
    var text = ""
    for diagnostic in isBrief ? diagnostics.withoutRepeatedCauses : diagnostics {
      let count = counts[diagnostic.span?.file, default: 0] + 1
      counts[diagnostic.span?.file] = count
      if count > mostShown { continue }
      let shown = hasManyCases ? diagnostic.ofManyCases : diagnostic
      text += renderer.render(shown.redacted(by: redactor))
    }
    if hasManyCases {
      text += notes(
        ["each failed case has its input and answer in '--report html'"], hasColors: hasColors)
    }
    return text + notes(rest(counts), hasColors: hasColors)
  }

  /// Returns a line for each note, whatever it contains.
  package static func notes(_ notes: [String], hasColors: Bool = false) -> String {
    let label = "note:".painted(.boldCyan, if: hasColors)
    return notes.map { "\(label) \($0.onOneLine)\n" }.joined()
  }

  /// Returns a renderer of problems that quotes the lines of these files, with secrets hidden.
  static func renderer(
    quoting sources: [String: [UInt8]], about subject: String? = nil, hasColors: Bool = false,
    _ redactor: Redactor
  ) -> DiagnosticRenderer {
    // Converted to UTF-8 first, the encoding in which the redactor looks for secrets.
    let sources = sources.mapValues(SourceText.utf8).mapValues(redactor.masked)
    return DiagnosticRenderer(sources: sources, hasColors: hasColors, subject: subject)
  }

  /// Returns the bytes of files, without files that cannot be read again.
  static func sources(_ files: Set<String>) -> [String: [UInt8]] {
    var sources: [String: [UInt8]] = [:]
    for file in files {
      sources[file] = try? FileSystem.contents(of: file, limit: ScenarioSource.largest)
    }
    return sources
  }

  /// Returns the number of left out problems of each file, in the order of the files.
  private static func rest(_ counts: [String?: Int]) -> [String] {
    counts.filter { $0.value > mostShown }.sorted { ($0.key ?? "") < ($1.key ?? "") }
      .map { file, count in
        "\(file.map { "\($0): " } ?? "")\(count - mostShown) further problems are not shown"
      }
  }
}
