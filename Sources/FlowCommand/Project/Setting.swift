internal import FlowCore

/// A value that is in force, and who says so.
struct Setting<Value: Sendable>: Sendable {
  let value: Value
  let origin: SettingOrigin
}

/// Who says what is in force; what stands first goes before the others.
enum SettingOrigin: Sendable, Equatable {
  /// An option of the command line, `--jobs`.
  case option(String)
  /// An environment variable.
  case environment(String)
  /// The project file, at a place.
  case file(SourceSpan)
  /// Nobody else; why, where it could be otherwise.
  case standard(String? = nil)

  /// `flow.yaml:4`, or how the command line and the environment are called.
  var text: String {
    switch self {
    case .option(let name): "--\(name)"
    case .environment(let name): name
    case .file(let span): "\(span.file):\(span.start.line)"
    case .standard(let reason): "default" + (reason.map { ", \($0)" } ?? "")
    }
  }
}
