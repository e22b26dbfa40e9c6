/// A request that cannot be made.
enum RequestError: Error, Sendable, Hashable, CustomStringConvertible {
  case address(WebAddressError)
  case noAddress
  case twoAddresses
  case wholeAddress(String)
  case method(String)
  case headWithBody
  case bodies([String])
  case part(String)
  case headerName(String)
  case headerValue(String)
  case notText(String, isElement: Bool, kind: String)

  var description: String {
    switch self {
    case .address(let error): "\(error)"
    case .noAddress: "there is no 'url', and the component has no 'base'"
    case .twoAddresses: "'path' cannot be combined with 'url'"
    case .wholeAddress(let url): "'\(url)' is no path; a whole URL is given as 'url'"
    case .method(let name): "'\(name)' is not a method"
    case .headWithBody: "a request with the method HEAD has no body"
    case .bodies(let names):
      "a request has one body: " + names.map { "'\($0)'" }.joined(separator: " and ")
        + " cannot be combined"
    case .part(let name): "the part '\(name)' needs either 'value' or 'file'"
    case .headerName(let name): "'\(name)' is not the name of a header"
    case .headerValue(let name): "the header '\(name)' has a line break or a control character"
    case .notText(let name, let isElement, let kind):
      "\(isElement ? "an element of " : "")'\(name)' is of type \(kind), which has no text here"
    }
  }
}
