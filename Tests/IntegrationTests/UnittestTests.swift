import TestKit
import Testing

/// The helper for unittest in the real unittest.
@Suite(.enabled(if: Samples.has("python3"), "python3 is not installed"))
struct UnittestTests {
  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and classes and modules as well",
      report: ["OK (skipped=2)"],
      talks: [
        """
        begin test_shop@setUpModule
        GET http://pay.example/module-opens
        end test_shop@setUpModule
        begin test_shop.Shop@setUpClass
        GET http://pay.example/class-opens
        end test_shop.Shop@setUpClass
        begin test_shop.Shop.test_lamp
        GET http://pay.example/cart-comes
        GET http://pay.example/lamp
        GET http://pay.example/cart-goes
        end test_shop.Shop.test_lamp
        begin test_shop.Shop.test_skips
        GET http://pay.example/cart-comes
        GET http://pay.example/look
        GET http://pay.example/cart-goes
        end test_shop.Shop.test_skips
        begin test_shop.Shop@tearDownClass
        GET http://pay.example/class-closes
        end test_shop.Shop@tearDownClass
        begin test_shop.Sofa.test_sofa
        GET http://pay.example/sofa
        end test_shop.Sofa.test_sofa
        begin test_shop@tearDownModule
        GET http://pay.example/module-closes
        end test_shop@tearDownModule
        """
      ]),
    TapedRun(
      testDescription: "a difference fails its test", differing: ["test_shop.Shop.test_lamp"],
      code: 1,
      report: [
        "FAIL: test_lamp (test_shop.Shop",
        "\nAssertionError: test_shop.Shop.test_lamp differs:\n  GET /lämp\n\n",
        "FAILED (failures=1, skipped=2)",
      ], absent: ["Traceback"]),
    TapedRun(
      testDescription: "a difference in a class fails for it",
      differing: ["test_shop.Shop@setUpClass", "test_shop@tearDownModule"], code: 1,
      report: [
        "FAIL: test_shop.Shop@setUpClass\n", "FAIL: test_shop@tearDownModule\n",
        "FAILED (failures=2, skipped=2)",
      ]),
    TapedRun(
      testDescription: "a tape that is not there fails each test", tape: .unreachable,
      options: ["test_shop.Sofa"], code: 1,
      report: [
        "FAIL: test_sofa", "AssertionError: flow: ConnectionRefusedError", "FAILED (failures=3)",
      ]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none,
      options: ["test_shop.Sofa"], report: ["OK"],
      talks: ["GET /module-opens\nGET /sofa\nGET /module-closes"]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws { try run.check(Self.sample) }

  @Test func `a missing request fails its test on a real tape`() throws {
    try Self.sample.checkTape(
      withoutRequest: "FAIL: test_lamp (test_shop.Shop", "FAILED (failures=1, skipped=2)")
  }

  private static let sample = Sample(
    name: "unittest", command: ["python3", "-B", "-m", "flow_unittest"],
    variables: ["PYTHONPATH": ProjectFiles.root + "/Integrations/unittest"])
}
