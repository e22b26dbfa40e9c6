import TestKit
import Testing

/// The helper for Jest in the real Jest.
@Suite(.enabled(if: Samples.has("jest"), "jest is not installed"))
struct JestTests {
  private static let shop = """
    begin shop.test.js
    GET https://pay.example/file-opens
    begin shop.test.js > lamp
    GET https://pay.example/lamp
    GET https://pay.example/cart-goes
    end shop.test.js > lamp
    begin shop.test.js > shop@beforeAll
    GET https://pay.example/shop-opens
    end shop.test.js > shop@beforeAll
    begin shop.test.js > shop has red
    GET https://pay.example/red
    GET https://pay.example/cart-goes
    end shop.test.js > shop has red
    begin shop.test.js > shop has blue
    GET https://pay.example/blue
    GET https://pay.example/cart-goes
    end shop.test.js > shop has blue
    begin shop.test.js > shop@afterAll
    GET https://pay.example/shop-closes
    end shop.test.js > shop@afterAll
    begin shop.test.js > clients
    GET https://pay.example/https
    GET https://pay.example/cart-goes
    end shop.test.js > clients
    GET https://pay.example/file-closes
    end shop.test.js
    """
  private static let sofa = """
    begin sofa.test.js
    begin sofa.test.js > sofa
    GET http://127.0.0.1:3000/sofa
    end sofa.test.js > sofa
    end sofa.test.js
    """

  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and each file as well",
      options: ["-i", "shop.test.js"], report: ["Tests:       1 skipped, 4 passed, 5 total"],
      talks: [shop], users: "flow-1"),
    TapedRun(
      testDescription: "a choice of tests moves no requests",
      options: ["-i", "shop.test.js", "-t", "lamp"],
      report: ["Tests:       4 skipped, 1 passed, 5 total"],
      talks: [
        """
        begin shop.test.js
        GET https://pay.example/file-opens
        begin shop.test.js > lamp
        GET https://pay.example/lamp
        GET https://pay.example/cart-goes
        end shop.test.js > lamp
        GET https://pay.example/file-closes
        end shop.test.js
        """
      ], users: "flow-1"),
    TapedRun(
      testDescription: "each worker has a user", options: ["-w", "2"],
      report: ["Tests:       1 skipped, 5 passed, 6 total"], users: "flow-[12]"),
    TapedRun(
      testDescription: "the same worker runs another file", options: ["-i", "sofa.test.js"],
      report: ["Tests:       1 passed, 1 total"], talks: [sofa], users: "flow-1"),
    TapedRun(
      testDescription: "a difference fails its test", differing: ["shop.test.js > shop has red"],
      options: ["-i"], code: 1,
      report: [
        "● shop › has red\n\n    shop.test.js > shop has red differs:", "GET /lämp",
        "Tests:       1 failed, 1 skipped, 4 passed, 6 total",
      ], users: "flow-1"),
    TapedRun(
      testDescription: "a difference in a hook fails its file", differing: ["shop.test.js"],
      options: ["-i"], code: 1,
      report: [
        "● Test suite failed to run\n\n    shop.test.js differs:", "GET /lämp",
        "Test Suites: 1 failed, 1 passed, 2 total",
      ], users: "flow-1"),
    TapedRun(
      testDescription: "a tape that is not there fails each test", tape: .unreachable,
      options: ["-i", "sofa.test.js"], code: 1,
      report: ["flow: connect ECONNREFUSED 127.0.0.1:1", "Tests:       1 failed, 1 total"]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none,
      options: ["-i", "sofa.test.js"], report: ["Tests:       1 passed, 1 total"],
      talks: ["GET /sofa"]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws { try run.check(Self.sample) }

  @Test func `a missing request fails its test on a real tape`() throws {
    try Self.sample.checkTape(
      withoutRequest: "● lamp\n", "Tests:       1 failed, 2 skipped, 3 passed, 6 total")
  }

  private static let sample = Sample(
    name: "jest",
    command: ["jest", "--ci", "--setupFilesAfterEnv"]
      + [ProjectFiles.root + "/Integrations/jest/flow-tape.cjs"])
}
