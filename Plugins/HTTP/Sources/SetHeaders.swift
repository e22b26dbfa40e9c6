internal import FlowCore
private import Synchronization

/// The headers that steps have set for the requests after them.
///
/// They are added after those of the component's settings, as those of a request are.
final class SetHeaders: Sendable {
  private let headers = Mutex(NamedValues())

  /// The headers in the order in which they were set, with null for one that is left out.
  var current: NamedValues { headers.withLock { $0 } }

  /// Sets headers, and leaves out those whose value is null.
  ///
  /// - Throws: `RequestError` for what cannot be a header. Then nothing changes.
  func set(_ new: NamedValues) throws(RequestError) {
    _ = try new.headers
    headers.withLock { headers in
      let names = new.names
      var map = ValueMap()
      for entry in headers.map.entries
      where !names.contains(where: { Header.isSame($0, entry.key.interpolated) }) {
        map[entry.key] = entry.value
      }
      for entry in new.map.entries { map[entry.key] = entry.value }
      headers = NamedValues(map)
    }
  }
}

extension HTTP {
  /// The operation for headers that are known only during the run, such as a token of a page.
  static let setHeaders = Operation<HTTP>(
    "set_headers", "Sets headers for the requests after it, besides those of the component.",
    Parameter<NamedValues>(
      "headers",
      "The headers by their names, in place of those set before. Null leaves a header out."),
    answers: .none, errors: [.invalid], retry: .safe
  ) { http, _, headers in
    do throws(RequestError) { try http.client.set.set(headers) } catch {
      throw HTTPError.request(error)
    }
  }
}
