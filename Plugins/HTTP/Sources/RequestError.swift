internal import FlowCore

/// An invalid request.
enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  case address(WebAddressError)
  case noAddress
  case noBase
  case twoAddresses
  case wholeAddress(String)
  case method(String)
  case headWithBody
  case bodies([String])
  case part(String)
  /// A header of a part that has a field of its own.
  case headerOfPart(String)
  case headerName(String)
  case headerValue(String)
  case headerTwice(String, String)
  case notText(String, isElement: Bool, kind: String)
  /// The path of a number in the body without a form in JSON.
  case notJSON(FieldPath)
  /// A content type of a header in conflict with the body, the body's field, and its type.
  case type(String, String, of: String)
  case length(String, Int)
  case transferCoding(String)
  /// The name of a stream that is not open.
  case noStream(String)
  /// Several ways of authentication.
  case logins([String])
  /// A user of basic authentication with a colon.
  case colon(String)
  /// An invalid region or service of a signature.
  case scope(String, String)
  /// A server of tokens with an invalid URL.
  case tokenAddress(WebAddressError)
  /// A cookie that cannot be set, and the reason.
  case cookie(String, String)
  /// The host that would receive a secret by a redirect.
  case secretBody(String)

  var description: String {
    switch self {
    case .address(let error): "\(error)"
    case .noAddress: "'url' is missing, and the component has no 'base'"
    case .noBase: "the component has no 'base' to pass a request on to"
    case .twoAddresses: "'path' cannot be combined with 'url'"
    case .wholeAddress(let url): "'\(url)' is not a path; give a whole URL in 'url'"
    case .method(let name): "'\(name)' is not a method"
    case .headWithBody: "a request with the method HEAD has no body"
    case .bodies(let names):
      "a request has one body: " + names.map { "'\($0)'" }.joined(separator: " and ")
        + " cannot be combined"
    case .part(let name): "the part '\(name)' needs one of 'value', 'bytes' and 'file'"
    case .headerOfPart(let name):
      "'\(name)' is no further header of a part; give 'name', 'filename' or 'type'"
    case .headerName(let name): "'\(name)' is not the name of a header"
    case .headerValue(let name): "the header '\(name)' has a line break or a control character"
    case .headerTwice(let first, let second):
      "'\(first)' and '\(second)' are the same header; give it once"
    case .notJSON(let path):
      (path.isEmpty ? "" : "'\(path)' in ") + "'json' is"
        + " an infinite number or NaN, which JSON cannot contain"
    case .type(let given, let field, let type):
      "the header 'Content-Type' says '\(given.excerpt)', but '\(field)' sends '\(type)'; "
        + "leave the header out"
    case .length(let given, let count):
      "the header 'Content-Length' says '\(given.excerpt)', but the body has \(count) bytes; "
        + "leave the header out"
    case .transferCoding(let given):
      "the header 'Transfer-Encoding' is '\(given.excerpt)'; only 'chunked' is allowed, and only with a body"
    case .noStream(let name): "the stream '\(name)' is not open, or is being read"
    case .logins(let names):
      "'auth' has one way: " + names.map { "'\($0)'" }.joined(separator: " and ")
        + " cannot be combined"
    case .colon(let user): "the user '\(user.excerpt)' of 'basic' has a colon, which ends the name"
    case .scope(let name, let text):
      "'\(name)' of 'sigv4' is '\(text.excerpt)'; it has letters, digits and '-' alone"
    case .tokenAddress(let error): "'token_url': \(error)"
    case .cookie(let name, let reason): "the cookie '\(name.excerpt)' cannot be set: \(reason)"
    case .secretBody(let host):
      "a redirect would send the body, which contains a secret, to '\(host)'; "
        + "to receive the redirect as the response, set 'follow: false'"
    case .notText(let name, let isElement, let kind):
      "\(isElement ? "an element of " : "")'\(name)' is of type \(kind), which cannot be sent as text"
    }
  }
}
