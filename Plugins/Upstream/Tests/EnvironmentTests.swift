import FlowCore
import FlowTesting
import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// Programs that reach their hosts by the variables of `environment`.
@Suite(.serialized) struct EnvironmentTests {
  private static let stubs = [
    #"{"host": "pay.example", "path": "/a", "answer": {"text": "pay\n"}}"#,
    #"{"host": "pay.example:8443", "path": "/a", "answer": {"text": "other port\n"}}"#,
    #"{"host": "shop.example", "path": "/a", "answer": {"text": "shop\n"}}"#,
  ]
  private static let hosts = #"{"hosts": {"pay.example": "server", "Shop.example:80": "second"}}"#

  private static func variables(
    _ upstream: OpenUpstream, _ input: String = "{}"
  ) async throws -> ProxyEnvironment {
    try ProxyEnvironment.record.decode(
      await upstream.component.call("environment", OpenUpstream.fields(input)))
  }

  struct Client: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    let expected: String
    var testDescription: String { name }
  }

  private static let python = """
    import urllib.request
    for url in ["https://pay.example/a", "https://pay.example:8443/a", "http://shop.example/a"]:
        print(urllib.request.urlopen(url).read().decode(), end="")
    """
  @Test(arguments: [
    Client(
      name: "curl",
      arguments: [
        "curl", "-sS", "https://pay.example/a", "https://pay.example:8443/a",
        "http://shop.example/a",
      ], expected: "pay\nother port\nshop\n"),
    Client(
      name: "Python", arguments: ["python3", "-c", python], expected: "pay\nother port\nshop\n"),
  ]) func `clients follow the variables`(_ client: Client) async throws {
    let upstream = try await OpenUpstream(Self.hosts, stubs: Self.stubs)
    let environment = try await Self.variables(upstream)

    let ending = try await run(
      client.arguments[0], Array(client.arguments.dropFirst()), environment.variables)
    let count = try await upstream.text("received", #"{"host": "pay.example:8443", "path": "/z"}"#)
    await upstream.component.close()

    #expect(ending.errors == "")
    #expect(ending.output == client.expected)
    #expect(count == "{count: 0, requests: [], answers: []}")
    #expect(upstream.component.events == [])
  }

  @Test func `the variables name the proxy and its certificates, until the end`() async throws {
    let upstream = try await OpenUpstream(
      #"{"hosts": {"a": "server"}, "direct": ["localhost", "127.0.0.1"]}"#)
    let environment = try await Self.variables(
      upstream, #"{"add": {"PORT": "1", "no_proxy": "*"}}"#)
    let folder = URL(filePath: environment.certificate).deletingLastPathComponent()
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions]
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let texts = try files.map {
      try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
    }
    await upstream.component.close()

    let bundle = folder.appending(path: "bundle.pem").path
    #expect(
      environment.variables == [
        "HTTP_PROXY": environment.url, "http_proxy": environment.url,
        "HTTPS_PROXY": environment.url, "https_proxy": environment.url,
        "NO_PROXY": "localhost,127.0.0.1", "no_proxy": "*", "PORT": "1",
        "SSL_CERT_FILE": bundle, "REQUESTS_CA_BUNDLE": bundle, "CURL_CA_BUNDLE": bundle,
        "NODE_EXTRA_CA_CERTS": environment.certificate, "NODE_USE_ENV_PROXY": "1",
        "FLOW_TAPE": environment.url,
      ])
    #expect(environment.url.hasPrefix("http://flow:\(environment.token)@127.0.0.1:"))
    #expect(mode as? Int == 0o700)
    #expect(files == ["bundle.pem", "ca.pem"])
    #expect(texts.filter { $0.contains("PRIVATE KEY") } == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `nobody without the token is served, and the run goes on`() async throws {
    let upstream = try await OpenUpstream(
      #"{"hosts": {"pay.example": "server"}}"#, stubs: [#"{"path": "/**", "answer": {}}"#])
    let environment = try await Self.variables(upstream)

    let ending = try await run(
      "curl",
      ["-sS", "https://pay.example/", "http://pay.example/", "-w", "%{http_code}"],
      environment.variables.mapValues { $0.replacing(environment.token, with: "guessed") })
    let received = try await upstream.text("received")
    await upstream.component.close()

    #expect(ending.output.hasSuffix("407"), "\(ending.output)")
    #expect(ending.errors.contains("407"), "\(ending.errors)")
    #expect(received == "{count: 0, requests: [], answers: []}")
    #expect(upstream.component.events == [])
  }

  @Test func `both ports are on the loopback address only`() async throws {
    let upstream = try await OpenUpstream(#"{"hosts": {"pay.example": "server"}}"#)
    let environment = try await Self.variables(upstream)

    var answers: [String] = []
    for url in [upstream.url, environment.url] {
      let port = url.split(separator: ":").last ?? ""
      // A listener on all addresses would be there as well.
      for host in ["127.0.0.2", "[::1]"] {
        answers.append(try await curl("http://\(host):\(port)/"))
      }
      _ = try await onThread { try RawSocket(Int(port) ?? 0) }
    }
    await upstream.component.close()

    #expect(answers.count == 4)
    #expect(answers.filter { !$0.hasPrefix("curl: (7) ") } == [])
  }

  @Test func `settings and operations without a meaning are errors`() async throws {
    let upstream = try await OpenUpstream()
    let texts = [try await upstream.text("environment")]
    let settings = ["https://a/", "a b", ""].map { #"{"hosts": {"\#($0)": "server"}}"# }
    await upstream.component.close()

    var errors: [String] = []
    for text in settings + [#"{"hosts": {"b.example": "a role"}}"#] {
      do { _ = try await OpenUpstream(text) } catch { errors.append("\(error)") }
    }

    #expect(texts == ["no_proxy: there is no proxy; name the hosts in the setting 'hosts'"])
    #expect(
      errors == ["https://a/", "a b", ""].map {
        "settings: '\($0)' in 'hosts' is not a host, such as pay.example or pay.example:8443"
      } + [
        "settings: 'b.example' has the role 'a role' in 'hosts'; a name is a letter, followed by "
          + "letters, digits, '_' and '-'"
      ])
  }

  private static let scenario = """
    flow: 1
    components:
      one: {plugin: echo, with: {name: one}}
      two: {plugin: echo, with: {name: two}}
      up:
        plugin: upstream
        using: {server: one, twice-a-day: two}
        with: {hosts: {one.example: server, two.example: twice-a-day}}
        optional: [twice-a-day.exchange]
        varies: {twice-a-day.exchange: {any: [headers.x-time]}}
      program: {plugin: shell}
    steps:
      - {id: proxy, uses: up.environment}
      - uses: program.run
        with:
          line: curl -sS https://one.example/a https://two.example/a; echo "${https_proxy%@*}"
          env: "${{ steps.proxy.variables }}"

    """

  @Test func `each host has the calls of its role, and no token is recorded`() async throws {
    let scenario = try UpstreamScenario(Self.scenario)

    let run = await scenario.run()
    let problems = try await scenario.replay(run, live: ["up", "program"])

    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(scenario.messages(run) == [])
    #expect(
      run.calls.map { "\($0.address)" }.filter { $0.contains("exchange") }.sorted() == [
        "components/up#1/proxy#1/server.exchange.GET-a#1",
        "components/up#1/proxy#1/twice-a-day.exchange.GET-a#1",
      ])
    #expect(transcript.contains("flow:${secret:up.token}@127.0.0.1"))
    #expect(
      transcript.contains(#""output":"one /a\ntwo /a\nhttp://flow:${secret:up.token}\n""#))
    #expect(transcript.matches(of: /\b[0-9a-f]{32}\b/).map { String($0.0) } == [])
    #expect(problems == [])
  }

  @Test(arguments: [
    ("sever", "'up' has no role 'sever'; did you mean 'server'? [F1212]"),
    ("a role", "'up' has no role 'a role' [F1212]"),
  ])
  func `a name that is nearly that of a role left out is a mistake`(
    _ name: String, _ message: String
  ) async throws {
    let scenario = try UpstreamScenario(
      Self.scenario.replacing("{server: one, ", with: "{\(name): one, "))

    let run = await scenario.run()

    #expect(scenario.messages(run) == [":7:13: error: " + message])
  }

  @Test func `another host is refused, and fails the run`() async throws {
    let scenario = try UpstreamScenario(
      Self.scenario.replacing("https://two.example", with: "https://evil.example"))

    let run = await scenario.run()

    #expect(
      scenario.messages(run) == [
        ":14:5: error: 'up' notes the error 'other_host': the request 'GET evil.example/a' is "
          + "refused: 'hosts' has only one.example, two.example [F2011]"
      ])
  }
}
