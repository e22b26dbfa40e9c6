import TestKit
import Testing

/// The helper for Vitest on a stand-in for its hooks.
///
/// It was not run in the real Vitest, which comes from npm only.
@Suite(.enabled(if: Samples.has("node"), "node is not installed"))
struct VitestTests {
  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and each file as well",
      report: ["PASS lamp\nPASS sofa\n"],
      talks: [
        """
        begin shop.test.mjs
        GET https://pay.example/file-opens
        begin shop.test.mjs > lamp
        GET https://pay.example/lamp
        GET https://pay.example/cart-goes
        end shop.test.mjs > lamp
        begin shop.test.mjs > shop > sofa
        GET https://pay.example/sofa
        GET https://pay.example/shop-goes
        GET https://pay.example/cart-goes
        end shop.test.mjs > shop > sofa
        GET https://pay.example/file-closes
        end shop.test.mjs
        """
      ], users: "flow-3"),
    TapedRun(
      testDescription: "a difference fails its test", differing: ["shop.test.mjs > lamp"], code: 1,
      report: ["FAIL lamp\nshop.test.mjs > lamp differs:\n  GET /lämp\nPASS sofa\n"],
      users: "flow-3"),
    TapedRun(
      testDescription: "a difference in a hook fails its file", differing: ["shop.test.mjs"],
      code: 1, report: ["PASS sofa\nFAIL shop.test.mjs\nshop.test.mjs differs:\n"], users: "flow-3"),
    TapedRun(
      testDescription: "a tape that is not there fails", tape: .unreachable, code: 1,
      report: ["FAIL shop.test.mjs\nflow: connect ECONNREFUSED 127.0.0.1:1\n"], absent: ["PASS"]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none, report: ["PASS sofa\n"],
      talks: [
        """
        GET /file-opens
        GET /lamp
        GET /cart-goes
        GET /sofa
        GET /shop-goes
        GET /cart-goes
        GET /file-closes
        """
      ]),
  ]

  @Test(arguments: runs)
  func `each test has its scope on the stand-in`(_ run: TapedRun) throws {
    try run.check(Self.sample)
  }

  @Test func `a missing request fails its test on a real tape, on the stand-in`() throws {
    try Self.sample.checkTape(withoutRequest: "FAIL lamp\n", "PASS sofa\n")
  }

  private static let sample: Sample = {
    // In the project, as the page says, so that it finds `vitest` there.
    let script = """
      mkdir -p tests node_modules/vitest
      cp -R \(ProjectFiles.root)/Integrations/node \(ProjectFiles.root)/Integrations/vitest tests
      cp vitest.mjs node_modules/vitest/index.mjs
      echo '{"name": "vitest", "exports": "./index.mjs"}' > node_modules/vitest/package.json
      exec node run.mjs shop.test.mjs
      """
    return Sample(
      name: "vitest", command: ["sh", "-c", script], variables: ["VITEST_POOL_ID": "3"])
  }()
}
