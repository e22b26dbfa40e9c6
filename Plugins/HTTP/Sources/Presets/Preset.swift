internal import FlowCore

/// A file of presets.
struct PresetFile: RecordRepresentable {
  let presets: [String: Preset]

  static let record = Record(
    PresetFile.init(presets:), Field("presets", \.presets, "The presets by their names."))
}

/// The description of an API, as a file of presets has it.
struct Preset: RecordRepresentable {
  let summary: String
  let base: String?
  let hosts: [String]
  let environment: [String: String]
  let unrecorded: [String]
  let varies: Varying?
  let lists: [List]
  let usage: UsagePlaces?
  let prices: PriceList?

  static let record = Record(
    Preset.init(summary:base:hosts:environment:unrecorded:varies:lists:usage:prices:),
    Field("summary", \.summary, "The API, in one sentence.", default: ""),
    Field("base", \.base, "The 'base' of a component that has none of its own."),
    Field(
      "hosts", \.hosts, "The hosts of the API, some with a port, by which 'by-host' finds it.",
      default: []),
    Field(
      "environment", \.environment,
      "The variables by which a program finds the API, with {url} for its address.", default: [:]),
    Field(
      "unrecorded", \.unrecorded,
      "The headers of requests that are passed on, and neither recorded nor compared. A '*' at the end of a name stands for any rest.",
      default: []),
    Field("varies", \.varies, "The parts of requests and answers that differ from run to run."),
    Field("lists", \.lists, "The lists whose elements have names.", default: []),
    Field("usage", \.usage, "The places of the usage in answers."),
    Field("prices", \.prices, "The prices of the models."))

  /// The parts of requests and answers that differ from run to run.
  struct Varying: RecordRepresentable {
    let same: [String]
    let any: [String]
    let answer: [String]

    static let record = Record(
      Varying.init(same:any:answer:),
      Field(
        "same", \.same, "Places in requests with any value, equal where the recorded ones are.",
        default: []),
      Field("any", \.any, "Places in requests with any value.", default: []),
      Field("answer", \.answer, "Places in answers with any value.", default: []))
  }

  /// A list with named elements.
  struct List: RecordRepresentable {
    let path: String
    let element: String
    let names: [String]

    static let record = Record(
      List.init(path:element:names:),
      Field("path", \.path, "The place in a request, such as json.messages."),
      Field("element", \.element, "The word for an element."),
      Field("names", \.names, "The members of an element that name it.", default: []))

    /// The list as an operation declares it.
    var named: NamedList { NamedList(path, element: element, names: names) }
  }
}

/// A preset with its name and its place in a file.
struct NamedPreset: Sendable {
  let name: String
  let preset: Preset
  private let document: Document

  /// Creates the preset that a document has under a name, or nil for an unknown name.
  private init?(_ name: String, _ file: PresetFile, in document: Document) {
    guard let preset = file.presets[name] else { return nil }
    (self.name, self.preset, self.document) = (name, preset, document)
  }

  /// Returns the presets that a setting names, of which there are several for `by-host`.
  ///
  /// - Throws: `ComponentError` for an unknown name, `FileError`, or `DocumentError`.
  static func all(named setting: String, _ sources: TraitSources) throws -> [NamedPreset] {
    let parts = setting.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, !parts.contains("") else {
      throw ComponentError(.settings, "'\(setting)' is no name, and not FILE#NAME")
    }
    let document = try parts.count == 2 ? sources.file(parts[0]) : sources.own()
    let file = try document.decode(PresetFile.self)
    let name = parts[parts.count - 1]
    if name == byHost, file.presets[name] == nil {
      return file.presets.keys.sorted().compactMap { NamedPreset($0, file, in: document) }
    }
    guard let preset = NamedPreset(name, file, in: document) else {
      let known = file.presets.keys.sorted() + [byHost]
      let ending = Suggestion.ending(for: name, among: known)
      let place = parts.count == 2 ? " in '\(document.path)'" : ""
      throw ComponentError(.settings, "there is no preset '\(name)'\(place)\(ending)")
    }
    return [preset]
  }

  /// The name that stands for all presets of a file, each for its hosts.
  private static let byHost = "by-host"

  /// Returns the places of a list of the preset, with theirs in the file.
  func places(_ paths: [String], under keys: String...) -> [ComponentTraits.Place] {
    paths.enumerated().map { index, path in
      ComponentTraits.Place(path, from: source(keys, index))
    }
  }

  private func source(_ keys: [String], _ index: Int) -> String {
    let steps = (["presets", name] + keys).map(FieldPath.Step.field) + [.index(index)]
    let position = document.position(of: FieldPath(steps))
    return document.path + (position.map { ":\($0.line):\($0.column)" } ?? "")
  }
}
