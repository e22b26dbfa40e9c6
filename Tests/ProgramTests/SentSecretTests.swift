import TestKit
import Testing

/// Secrets in every place of requests, of a program and of steps, which no output shows.
@Suite struct SentSecretTests {
  /// All reports, each in a file of its own.
  private static let reports = [
    "html", "junit", "junit-steps=steps.xml", "jsonl", "tap", "markdown", "trace", "usage",
    "usage-json",
  ].flatMap { ["--report", $0] }

  private static let count = Stress.count(300, full: 20_000)

  @Test func `a recording of requests, its replay and a live comparison show no secret`()
    async throws
  {
    let requests = try SecretRequests(count: Self.count)
    defer { requests.stop() }

    let run = try await requests.record("-vv", Self.reports)
    let replay = try await requests.flow(["test", "s.yaml"] + Self.reports)
    let part = try await requests.flow(
      ["replay", "s.transcript.jsonl", "--live=programs,up", "-vv"])
    let shown = try await requests.flow(["transcript", "show", "--full", "s.transcript.jsonl"])

    #expect(
      [run, replay, part, shown].map(\.code) == [0, 0, 0, 0], "\(run.errors)\(replay.errors)")
    let sightings = try requests.sightings()
    #expect(sightings == [], "\(sightings.joined(separator: "\n"))")
  }

  @Test func `a program that sends something else than recorded shows no secret`() async throws {
    let requests = try SecretRequests(count: 150)
    defer { requests.stop() }
    let run = try await requests.record("-q", [])

    var codes: [Int32] = []
    for change in [
      (#"{"a": [{"b": v}]}"#, #"{"a": [{"c": v}]}"#), (#""<" + v"#, #""<<" + v"#),
      (#""/a/" + safe(v)"#, #""/b/" + safe(v)"#), ("x-key", "x-kee"), ("x=1&t", "x=2&t"),
    ] {
      try requests.change(existing: change.0, to: change.1)
      codes.append(try await requests.flow(["test", "s.yaml"] + Self.reports).code)
    }
    codes.append(try await requests.flow(["test", "s.yaml", "--format", "json"]).code)
    codes.append(
      try await requests.flow(["replay", "s.transcript.jsonl", "--live=up,programs"]).code)

    #expect(run.code == 0, "\(run.errors)")
    #expect(codes == [1, 1, 1, 1, 1, 1, 1])
    let sightings = try requests.sightings()
    #expect(sightings == [], "\(sightings.joined(separator: "\n"))")
  }

  @Test func `every form of a secret would be seen`() {
    let secrets = SecretRequests.secrets.values.sorted()

    for secret in secrets { #expect(!SecretRequests.sightings(in: Array(secret.utf8)).isEmpty) }
    #expect(
      SecretRequests.sightings(in: Array("c4n-2Bary-2F-22one-22-5C-20-26-C3-A9-3E-3F--".utf8)) != []
    )
    #expect(SecretRequests.sightings(in: Array("no secret".utf8)) == [])
  }
}
