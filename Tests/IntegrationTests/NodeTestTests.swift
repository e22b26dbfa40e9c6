import TestKit
import Testing

/// The helper for `node:test` in the real runner.
@Suite(.enabled(if: Samples.has("node"), "node is not installed"))
struct NodeTestTests {
  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and each file as well",
      report: ["# pass 4", "# fail 0"],
      talks: [
        """
        begin shop.test.mjs
        GET https://pay.example/file-opens
        begin shop.test.mjs > lamp
        GET https://pay.example/lamp
        GET https://pay.example/cart-goes
        GET https://pay.example/lamp-goes
        end shop.test.mjs > lamp
        begin shop.test.mjs > clients
        GET https://pay.example/https
        GET http://pay.example/http?a=1
        GET http://127.0.0.1:3000/loopback
        POST http://localhost:3000/post
        GET https://pay.example/cart-goes
        end shop.test.mjs > clients
        begin shop.test.mjs > shop@before
        GET https://pay.example/shop-opens
        end shop.test.mjs > shop@before
        begin shop.test.mjs > shop > sofa
        begin shop.test.mjs > shop > sofa > large
        GET https://pay.example/large
        GET https://pay.example/cart-goes
        end shop.test.mjs > shop > sofa > large
        GET https://pay.example/cart-goes
        end shop.test.mjs > shop > sofa
        begin shop.test.mjs > shop@after
        GET https://pay.example/shop-closes
        end shop.test.mjs > shop@after
        GET https://pay.example/file-closes
        end shop.test.mjs
        """
      ], users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a difference fails its test", differing: ["shop.test.mjs > lamp"], code: 1,
      report: ["not ok 1 - lamp", "shop.test.mjs > lamp differs:\n      GET /lämp", "# fail 1"],
      absent: ["not ok 2"], users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a difference in a hook fails its file", differing: ["shop.test.mjs"],
      code: 1, report: ["shop.test.mjs differs:\n      GET /lämp", "# fail 1"],
      users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a difference in a hook of a group fails the group",
      differing: ["shop.test.mjs > shop@after"], code: 1,
      report: ["not ok 3 - shop", "shop.test.mjs > shop@after differs:\n      GET /lämp"],
      users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "tests at the same time fail", options: ["two.test.mjs"], code: 1,
      report: [
        "flow: 'two.test.mjs > at once > one' has not ended, and tests at the same time cannot"
      ], users: "flow-[0-9]+"),
    TapedRun(
      testDescription: "a tape that is not there fails each test", tape: .unreachable, code: 1,
      report: ["error: 'flow: connect ECONNREFUSED 127.0.0.1:1'", "# pass 0"]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none, report: ["# fail 0"],
      talks: [
        """
        GET /file-opens
        GET /lamp
        GET /cart-goes
        GET /lamp-goes
        GET /shop-opens
        GET /large
        GET /cart-goes
        GET /cart-goes
        GET /shop-closes
        GET /file-closes
        """
      ]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws {
    var run = run
    if run.options.isEmpty { run.options = ["shop.test.mjs"] }
    try run.check(Self.sample)
  }

  @Test func `a missing request fails its test on a real tape`() throws {
    var sample = Self.sample
    sample.command.append("shop.test.mjs")
    try sample.checkTape(withoutRequest: "not ok 1 - lamp", "# pass 2\n# fail 1\n")
  }

  private static let sample = Sample(
    name: "node-test",
    command: ["node", "--import", ProjectFiles.root + "/Integrations/node-test/flow-tape.cjs"]
      + ["--test", "--test-reporter", "tap"])
}
