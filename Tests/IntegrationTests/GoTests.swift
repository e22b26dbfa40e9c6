import TestKit
import Testing

/// The helper for Go in the real `go test`.
@Suite(.enabled(if: Samples.has("go", "version"), "golang-go is not installed"))
struct GoTests {
  private static let lamp = """
    begin example.com/work/shop.TestLamp
    GET https://pay.example/lamp
    begin example.com/work/shop.TestLamp/large
    GET https://pay.example/large
    end example.com/work/shop.TestLamp/large
    GET https://pay.example/lamp-goes
    end example.com/work/shop.TestLamp
    """

  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and each package a user",
      options: ["-parallel", "1", "./..."],
      report: ["ok  \texample.com/work/pay", "ok  \texample.com/work/shop"],
      talks: [
        lamp,
        """
        begin example.com/work/pay.TestOne
        GET http://127.0.0.1:1/loopback
        end example.com/work/pay.TestOne
        begin example.com/work/pay.TestTwo
        GET http://127.0.0.1:1/loopback
        end example.com/work/pay.TestTwo
        """,
      ], users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a difference fails its test",
      differing: ["example.com/work/shop.TestLamp/large"], options: ["-v", "./shop"], code: 1,
      report: [
        "    --- FAIL: TestLamp/large", "example.com/work/shop.TestLamp/large differs:",
        "GET /lämp", "--- SKIP: TestSkipped", "FAIL\texample.com/work/shop",
      ], talks: [lamp], users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a tape that is not there fails each test", tape: .unreachable,
      options: ["-parallel", "1", "./pay"], code: 1,
      report: [
        "--- FAIL: TestOne", "--- FAIL: TestTwo", "flow: Post \"http://127.0.0.1:1/begin\": ",
      ]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none, options: ["./..."],
      talks: ["GET /loopback\nGET /loopback\nGET /lamp\nGET /large\nGET /lamp-goes"]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws { try run.check(Self.sample) }

  @Test func `a missing request fails its test on a real tape`() throws {
    var sample = Self.sample
    sample.command += ["-parallel", "1", "./..."]
    try sample.checkTape(
      withoutRequest: "--- FAIL: TestLamp", "ok  \texample.com/work/pay",
      "FAIL\texample.com/work/shop")
  }

  private static let sample = Sample(
    name: "go", command: ["go", "test", "-count=1", "-p", "1"],
    links: ["flowtape": ProjectFiles.root + "/Integrations/go"])
}
