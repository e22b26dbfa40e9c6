import Testing

@testable import FlowImport

/// Servers in the place of others.
@Suite struct ImportedRouteTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let route: String
    let url: String
    /// The address with the header `Host`, or the reason for none.
    let expected: String
    var testDescription: String { "\(route) \(url)" }
  }

  static let cases = [
    Case(
      route: "barn:80:127.0.0.1", url: "http://barn/a?b",
      expected: "http://127.0.0.1:80/a?b barn"),
    Case(
      route: "+BARN:8000:::1,127.0.0.1", url: "http://barn:8000",
      expected: "http://[::1]:8000 barn:8000"),
    Case(route: "*:80:10.0.0.1", url: "http://shed/", expected: "http://10.0.0.1:80/ shed"),
    Case(route: "barn:81:10.0.0.1", url: "http://barn/", expected: "other"),
    Case(route: "barn:443:10.0.0.1", url: "https://barn/", expected: "impossible"),
    Case(route: "barn:80:", url: "http://barn/", expected: "no route"),
    Case(route: "barn", url: "http://barn/", expected: "no route"),
    Case(
      route: "barn:80:shed:8000", url: "http://barn/a", expected: "http://shed:8000/a barn"),
    Case(route: ":::9000", url: "http://barn:7/a", expected: "http://barn:9000/a barn:7"),
    Case(
      route: "[::1]:80:[::2]:90", url: "http://[::1]/a",
      expected: "http://[::2]:90/a [::1]"),
    Case(route: "barn:x:shed:1", url: "http://barn/a", expected: "no route"),
  ]

  @Test(arguments: cases) func `a request is led to the other server`(_ sample: Case) {
    let isConnecting =
      sample.expected.contains("shed:8000") || sample.route.hasPrefix(":")
      || sample.route.contains("[::2]") || sample.route.contains("x:shed")
    let route =
      isConnecting
      ? ImportedRoute(connecting: sample.route) : ImportedRoute(resolving: sample.route)
    var request = ImportedRequest(line: 1, method: "GET", url: ImportedText(sample.url))

    let outcome = route.map { route in
      switch route.lead(&request) {
      case .other: "other"
      case .impossible: "impossible"
      case .led: "\(request.url.template) \(request.header("host")?.template ?? "")"
      }
    }

    #expect(outcome ?? "no route" == sample.expected)
  }
}
