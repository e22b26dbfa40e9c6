import FlowCore
import FlowTesting
import TestKit
import Testing

@testable import HTTPPlugin

@Suite struct SettingsTests {
  private static func auth(_ way: String, _ value: Value) -> Value {
    .map(ValueMap([(way, value)]))
  }

  private static func auth(_ way: String, _ fields: KeyValuePairs<String, String>) -> Value {
    auth(way, .map(ValueMap(fields.map { ($0.key, Value.string($0.value)) })))
  }

  static let mistakes: [(settings: [String: any FieldValue & Sendable], text: String)] = [
    (["base": "example.org"], "'base': 'example.org' does not start with http:// or https://"),
    (["base": "http://a/?b"], "'base' cannot have a query"),
    (["headers": ["a b": "c"]], "'headers': 'a b' is not the name of a header"),
    (
      ["headers": ["a": "b\nc: d"]],
      "'headers': the header 'a' has a line break or a control character"
    ),
    (["bearer": "abcd", "user": "a"], "'bearer' cannot be combined with 'user' and 'password'"),
    (["user": "a"], "'user' and 'password' must be given together"),
    (["password": "abcd"], "'user' and 'password' must be given together"),
    (["client_cert": "a"], "'client_cert' and 'client_key' must be given together"),
    (["bearer": "token\r\nX-Admin: 1"], "'bearer' has a line break or a control character"),
    (["user": "a\0b", "password": "abcd"], "'user' has a line break or a control character"),
    (["user": "a", "password": "abcd\n"], "'password' has a line break or a control character"),
    (
      ["client_key_password": "open"],
      "'client_key_password' needs 'client_key' or 'client_pkcs12'"
    ),
    (
      ["client_pkcs12": "a", "client_cert": "a", "client_key": "a"],
      "'client_pkcs12' cannot be combined with 'client_cert' and 'client_key'"
    ),
    (
      ["auth": auth("bearer", .string("token-1234")), "user": "a", "password": "abcd"],
      "'auth' cannot be combined with 'bearer', 'user' and 'password'"
    ),
    (
      ["auth": auth("bearer", .string("token\r\nX: 1"))],
      "'auth': the header 'bearer' has a line break or a control character"
    ),
    (
      ["auth": auth("basic", ["user": "ann:lee", "password": "letmein"])],
      "'auth': the user 'ann:lee' of 'basic' has a colon, which ends the name"
    ),
    (
      [
        "auth": auth(
          "oauth2", ["token_url": "id", "client_id": "me", "client_secret": "open sesame"])
      ],
      "'auth': 'token_url': 'id' does not start with http:// or https://"
    ),
    (
      [
        "auth": auth(
          "sigv4",
          ["region": "a:b", "service": "s3", "access_key": "AK", "secret_key": "open sesame"])
      ],
      "'auth': 'region' of 'sigv4' is 'a:b'; it has letters, digits and '-' alone"
    ),
    (["unix_socket": "a.sock"], "'unix_socket' needs 'base'"),
    (
      ["unix_socket": "a.sock", "base": "http://a", "proxy": "http://b"],
      "'unix_socket' cannot be combined with 'proxy'"
    ),
    (
      ["proxy": "http://a", "proxy_user": "ann"],
      "'proxy_user' and 'proxy_password' must be given together"
    ),
    (["proxy_user": "ann", "proxy_password": "letmein"], "'proxy_user' needs 'proxy'"),
    (["proxy": "http://ann:secret@a"], "'proxy': a URL with a user or a password is not accepted"),
    (["proxy": "socks5h://"], "'proxy': '' is not a host"),
    (
      ["proxy": "localhost:3128"],
      "'proxy': 'localhost:3128' does not start with http:// or https:// or socks4:// or "
        + "socks4a:// or socks5:// or socks5h://"
    ),
    (["max_redirects": 1001], "'max_redirects' is 1001; it must be 0 to 1000"),
    (["max_redirects": -1], "'max_redirects' is -1; it must be 0 to 1000"),
    (["max_redirects": 3, "follow": false], "'max_redirects' needs 'follow'"),
    (["max_bytes": 0], "'max_bytes' is 0; it must be above 0"),
    (["timeout": Duration.zero], "'timeout' is 0s; it must be above 0s"),
    (["connect_timeout": Duration.seconds(-1)], "'connect_timeout' is -1s; it must be above 0s"),
  ]

  @Test(arguments: mistakes.indices)
  func `a setting without a meaning is found before the start, and fails it`(
    _ index: Int
  ) async throws {
    let mistake = Self.mistakes[index]
    let plugin = try #require(try Registry([HTTP.self]).plugin(named: "http"))
    let settings = mistake.settings.map { ($0.key, $0.value.encoded) }

    #expect(throws: ComponentError(.settings, mistake.text)) {
      try plugin.check(.map(ValueMap(settings.sorted { $0.0 < $1.0 })))
    }
    await #expect(throws: ComponentError(.settings, mistake.text)) {
      try await OpenComponent(HTTP.self, with: mistake.settings)
    }
  }

  @Test func `a certificate that is not there fails the start`() async throws {
    await #expect(throws: FileError.self) {
      try await OpenComponent(HTTP.self, with: ["ca_file": "none.pem"])
    }
  }

  @Test(arguments: [
    (["ca_file": "long.pem"], "'ca_file', which needs version 7.77"),
    (
      ["client_cert": "long.pem", "client_key": "long.pem"],
      "'client_cert' and 'client_key', which need version 7.71"
    ),
  ])
  func `a certificate that libcurl refuses fails the start`(
    _ settings: [String: String], what: String
  ) async throws {
    let folder = try TemporaryFolder()
    // Longer than any text may be for libcurl, whose older versions refuse every certificate like this.
    try folder.write(String(repeating: "a", count: 8_000_001), to: "long.pem")

    let error = await #expect(throws: TransferThreadError.self) {
      try await OpenComponent(HTTP.self, with: settings, in: folder.directory.path)
    }

    #expect(
      error.map { "\($0)" }
        == "libcurl refuses \(what): A libcurl function was given a bad argument")
  }
}
