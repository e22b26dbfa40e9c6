private import CUpstream
internal import FlowCore

/// A reason for a failed start of a listener.
enum ListenerError: Error, CustomStringConvertible {
  /// An unavailable port.
  case port(Int, reason: String)
  /// A missing or outdated library.
  case library(LibraryError)
  /// An authority without memory or randomness for its keys.
  case authority
  /// An unwritable file of certificates.
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
