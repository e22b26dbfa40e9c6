private import CUpstream

/// An error for a listener that cannot start.
enum ListenerError: Error, CustomStringConvertible {
  /// A port that the system does not give.
  case port(Int, reason: String)
  /// A library that is missing or too old.
  case library(ServerLibraryError)
  /// An authority without memory or randomness for its keys.
  case authority
  /// A file of certificates that cannot be written.
  case file(String, reason: String)

  var description: String {
    switch self {
    case .port(let port, let reason): "cannot listen on port \(port): \(reason)"
    case .library(let error): error.description
    case .file(let path, let reason): "cannot write '\(path)': \(reason)"
    case .authority: "cannot make the keys of a certificate authority"
    }
  }
}

/// Returns the system's text of an error number.
func systemText(_ failure: Int32) -> String {
  unsafe String(cString: flow_error_text(failure))
}
