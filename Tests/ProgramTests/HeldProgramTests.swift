import TestKit
import Testing

/// Programs that a replay must neither fail without a cause nor pass with one.
@Suite(.serialized) struct HeldProgramTests {
  /// A program as it was recorded and as it is now, with the declarations of its upstream.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var declared = ""
    let recorded: String
    var now: String?
    /// Texts of the report, or none if the test passes.
    var report: [String] = []
  }

  private static let call = "components/first#1/serve#1/server.exchange"

  private static func reading(_ lines: Int) -> String {
    """
    import http.client, os
    connection = http.client.HTTPConnection(os.environ["FIRST"].split("//")[1], timeout=15)
    connection.request("GET", "/forever")
    answer = connection.getresponse()
    for number in range(\(lines)): answer.readline()
    answer.close(); connection.close()
    print(ask("GET", "/items/1"))
    """
  }

  private static func counting(_ threads: Int) -> String {
    """
    import threading
    found = []
    work = lambda: found.append(int(ask("GET", "/count")))
    threads = [threading.Thread(target=work) for _ in range(\(threads))]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    print(len(set(found)))
    """
  }

  private static let signed = """
    import hashlib, os, urllib.request
    with urllib.request.urlopen(os.environ["FIRST"] + "/signed") as answer:
        body = answer.read()
        assert hashlib.sha256(body).hexdigest() == answer.headers["X-Digest"], body
    print(body)
    """

  private static let pages = """
    import json, os, urllib.request
    place = os.environ["FIRST"] + "/pages/1"
    for _ in range(3):
        assert place.startswith(os.environ["FIRST"]), place
        with urllib.request.urlopen(place) as answer:
            link = answer.headers["Link"].split(">")[0][1:]
            place = json.loads(answer.read())["next"]
            assert link == place
    print(ask("POST", "/seen", json.dumps({"next": place}))) 
    """

  private static func compressed(_ text: String) -> String {
    """
    import gzip, os, random, urllib.request
    body = gzip.compress(b'{"event": "\(text)"}', mtime=random.randrange(2 ** 31))
    headers = {"Content-Type": "application/json", "Content-Encoding": "gzip"}
    urllib.request.urlopen(urllib.request.Request(os.environ["FIRST"] + "/events", body, headers))
    """
  }

  private static func upload(_ text: String) -> String {
    """
    import os, urllib.request, uuid
    mark = uuid.uuid4().hex
    body = f'--{mark}\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n\(text)\\r\\n--{mark}--\\r\\n'
    headers = {"Content-Type": "multipart/form-data; boundary=" + mark}
    urllib.request.urlopen(
        urllib.request.Request(os.environ["FIRST"] + "/upload", body.encode(), headers))
    """
  }

  private static func drawn(_ second: String) -> String {
    """
    import uuid
    key = str(uuid.uuid4())
    ask("POST", f"/orders/{key}", '{"id": "%s"}' % key)
    ask("GET", f"/orders/{\(second)}/lines")
    """
  }

  private static func shuffled(_ ids: String) -> String {
    """
    import json, random
    ids = \(ids)
    random.shuffle(ids)
    ask("POST", "/search", json.dumps({"ids": ids}))
    """
  }

  private static let rows = [
    Row(testDescription: "a stream is closed early", recorded: reading(5)),
    Row(
      testDescription: "a stream is closed a little later", recorded: reading(5), now: reading(6)),
    Row(testDescription: "equal requests at the same time", recorded: counting(9)),
    Row(
      testDescription: "one equal request fewer", recorded: counting(9),
      now: counting(8) + "\nprint(9)", report: ["1 recorded call was never made [F3006]"]),
    Row(testDescription: "a body with a digest", recorded: signed),
    Row(testDescription: "links to the server itself", recorded: pages),
    Row(testDescription: "a compressed body", recorded: compressed("made")),
    Row(
      testDescription: "another content of a compressed body", recorded: compressed("made"),
      now: compressed("lost"), report: [#"json.event: recorded "made", now "lost""#]),
    Row(testDescription: "a body of parts", recorded: upload("one")),
    Row(
      testDescription: "another part", recorded: upload("one"), now: upload("two"),
      report: ["is not in the transcript [F3001]"]),
    Row(
      testDescription: "a parameter without a value",
      recorded: #"ask("GET", "/list?draft&page=2")"#,
      now: #"ask("GET", "/list?page=2&draft")"#),
    Row(
      testDescription: "a parameter with an empty value in its place",
      recorded: #"ask("GET", "/list?draft")"#, now: #"ask("GET", "/list?draft=")"#,
      report: [#"query.draft: recorded null, now """#]),
    Row(
      testDescription: "null in JSON", recorded: #"ask("POST", "/a", '{"b": null}')"#,
      now: #"ask("POST", "/a", '{}')"#, report: ["is not in the transcript [F3001]"]),
    Row(
      testDescription: "a part of the path that is drawn",
      declared:
        #"varies: {server.exchange: {same: ["path=/orders/{id}", "path=/orders/{id}/lines", json.id]}},"#,
      recorded: drawn("key")),
    Row(
      testDescription: "another one in a later path",
      declared:
        #"varies: {server.exchange: {same: ["path=/orders/{id}", "path=/orders/{id}/lines", json.id]}},"#,
      recorded: drawn("key"), now: drawn("uuid.uuid4()"),
      report: ["'\(call).GET-orders--id--lines#1' has changed [F3003]"]),
    Row(
      testDescription: "requests one after the other with credentials of their own",
      recorded: """
        for key in ("f81b2c7a44d1", "0b9e77a1c3d2", "77c1f29bd6e3"): ask("GET", f"/items/1?api_key={key}")
        """),
    Row(
      testDescription: "a list in any order",
      declared: "varies: {server.exchange: {unordered: [json.ids]}},",
      recorded: shuffled("[1, 2, 3, 4, 5]")),
    Row(
      testDescription: "a list without one of its elements",
      declared: "varies: {server.exchange: {unordered: [json.ids]}},",
      recorded: shuffled("[1, 2, 3, 4, 5]"), now: shuffled("[1, 2, 3, 4]"),
      report: ["json.ids: recorded the elements of [", "] in any order, now ["]),
    Row(
      testDescription: "an optional request that is left out",
      declared: "optional: [server.exchange],",
      recorded: #"ask("GET", "/ping"); ask("GET", "/items/1")"#, now: #"ask("GET", "/items/1")"#),
    Row(
      testDescription: "an optional request that is repeated",
      declared: "optional: [server.exchange],",
      recorded: #"ask("GET", "/ping"); ask("GET", "/items/1")"#,
      now: #"ask("GET", "/ping"); ask("GET", "/ping"); ask("GET", "/items/1")"#),
  ]

  @Test(arguments: rows)
  func `a replay fails for what a program does, and for nothing else`(_ row: Row) async throws {
    let upstream = try ShopUpstream()
    try upstream.folder.write(
      ShopUpstream.scenario.replacing(
        existing: "first: {plugin: upstream,", with: "first: {plugin: upstream, \(row.declared)"),
      to: "scenario.yaml")
    let recorded = try await upstream.record(row.recorded)
    try #require(recorded.code == 0, "\(recorded.errors)")
    let connections = upstream.connections

    for _ in 1...(row.report.isEmpty ? 3 : 1) {
      let run = try await upstream.test(row.now ?? row.recorded)
      #expect(run.code == (row.report.isEmpty ? 0 : 1), "\(run.errors)")
      for text in row.report { #expect(run.errors.contains(text), "\(run.errors)") }
    }

    #expect(upstream.connections == connections)
    upstream.stop()
  }

  @Test func `an upstream without a request fails the run that gave out its address`() async throws
  {
    let upstream = try ShopUpstream()
    let recorded = try await upstream.record("print('I know the address of the server')")
    upstream.stop()

    #expect(recorded.code == 1)
    #expect(
      recorded.errors.contains(
        """
        scenario.yaml:9:5: error: 'first' notes the error 'unasked': no request came, although this \
        step gave out the address [F2011]
        """), "\(recorded.errors)")
  }
}
