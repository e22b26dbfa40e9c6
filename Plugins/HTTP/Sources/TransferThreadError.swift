/// An error in starting an exchange.
enum TransferThreadError: Error, CustomStringConvertible {
  /// The system has no memory, thread or descriptor left.
  case exhausted
  /// The option refused by libcurl, and its reason.
  case refused(String, reason: String)

  var description: String {
    switch self {
    case .exhausted: "the system is out of memory, threads or descriptors"
    case .refused(let what, let reason): "libcurl refuses \(what): \(reason)"
    }
  }
}
