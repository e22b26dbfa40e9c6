import TestKit
import Testing

/// The plugin of pytest in the real pytest.
@Suite(.enabled(if: Python.having("pytest") != nil, "python3-pytest is not installed"))
struct PytestTests {
  private static let lamp = """
    begin test_shop.py::test_lamp
    begin @shop
    GET http://pay.example/shop-opens
    end @shop
    GET http://pay.example/cart-comes
    GET http://pay.example/lamp
    GET http://pay.example/cart-goes
    begin @shop teardown
    GET http://pay.example/shop-closes
    end @shop teardown
    end test_shop.py::test_lamp
    """
  private static let collection = """
    begin collection
    end collection
    begin test_shop.py
    GET http://pay.example/import
    end test_shop.py

    """

  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and each shared fixture as well",
      report: ["4 passed, 1 skipped"],
      talks: [
        collection + """
          begin test_shop.py::test_lamp
          begin @shop
          GET http://pay.example/shop-opens
          end @shop
          GET http://pay.example/cart-comes
          GET http://pay.example/lamp
          GET http://pay.example/cart-goes
          end test_shop.py::test_lamp
          begin test_shop.py::test_colour[red]
          begin test_shop.py@colour[0]
          GET http://pay.example/red-comes
          end test_shop.py@colour[0]
          GET http://pay.example/red
          end test_shop.py::test_colour[red]
          begin test_shop.py::test_colour[blue]
          begin test_shop.py@colour[0] teardown
          GET http://pay.example/red-goes
          end test_shop.py@colour[0] teardown
          begin test_shop.py@colour[1]
          GET http://pay.example/blue-comes
          end test_shop.py@colour[1]
          GET http://pay.example/blue
          end test_shop.py::test_colour[blue]
          begin test_shop.py::test_sofa
          GET http://pay.example/sofa
          begin test_shop.py@colour[1] teardown
          GET http://pay.example/blue-goes
          end test_shop.py@colour[1] teardown
          begin @shop teardown
          GET http://pay.example/shop-closes
          end @shop teardown
          end test_shop.py::test_sofa
          """
      ]),
    TapedRun(
      testDescription: "a choice of tests moves no requests", options: ["-k", "lamp"],
      report: ["1 passed, 4 deselected"], talks: [collection + lamp]),
    TapedRun(
      testDescription: "a difference fails its test", differing: ["test_shop.py::test_lamp"],
      code: 1,
      report: [
        "F..s.", "= FAILURES =", "_ test_lamp _",
        "\ntest_shop.py::test_lamp differs:\n  GET /lämp\n",
        "FAILED test_shop.py::test_lamp", "1 failed, 3 passed, 1 skipped",
      ], absent: ["ERROR"]),
    TapedRun(
      testDescription: "the report of JUnit's form has it",
      differing: ["test_shop.py::test_lamp"], options: ["--junitxml", "/dev/stdout"], code: 1,
      report: [
        "errors=\"1\" failures=\"0\" skipped=\"1\"",
        "test_shop.py::test_lamp differs:\n  GET /lämp</error>",
      ]),
    TapedRun(
      testDescription: "a difference in a shared fixture fails the test that sets it up",
      differing: ["@shop"], options: ["-k", "lamp or sofa"], code: 1,
      report: [
        "E.", "_ ERROR at setup of test_lamp _", "\n@shop differs:\n  GET /lämp\n",
        "1 passed, 3 deselected, 1 error",
      ]),
    TapedRun(
      testDescription: "a difference in an import is an error of the file",
      differing: ["test_shop.py"], code: 2,
      report: ["_ ERROR collecting test_shop.py _", "test_shop.py differs:\n  GET /lämp"]),
    TapedRun(
      testDescription: "a tape that is not there fails", tape: .unreachable, code: 2,
      report: ["flow: ConnectionRefusedError"], absent: ["passed"]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none,
      report: ["4 passed, 1 skipped"],
      talks: [
        """
        GET /import
        GET /shop-opens
        GET /cart-comes
        GET /lamp
        GET /cart-goes
        GET /red-comes
        GET /red
        GET /red-goes
        GET /blue-comes
        GET /blue
        GET /sofa
        GET /blue-goes
        GET /shop-closes
        """
      ]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws { try run.check(Self.sample) }

  @Test func `a missing request fails its test on a real tape`() throws {
    try Self.sample.checkTape(
      withoutRequest: "F..s.", "FAILED test_shop.py::test_lamp", "1 failed, 3 passed, 1 skipped")
  }

  @Test(.enabled(if: Python.having("xdist") != nil, "python3-pytest-xdist is not installed"))
  func `each worker has a user, and a difference fails its test there`() throws {
    try TapedRun(
      testDescription: "", differing: ["test_shop.py::test_lamp"],
      options: ["-n", "2", "--dist", "loadfile"], code: 1,
      report: [
        "test_shop.py::test_lamp differs:\n  GET /lämp\n", "FAILED test_shop.py::test_lamp",
        "1 failed, 3 passed, 1 skipped",
      ], users: "flow-gw[01]"
    ).check(Self.sample)
  }

  private static let sample = Sample(
    name: "pytest",
    command: [Python.having("pytest") ?? "python3", "-B", "-m", "pytest", "-q", "-p", "flow_tape"]
      + ["-p", "no:cacheprovider", "-p", "no:randomly"],
    variables: ["PYTHONPATH": ProjectFiles.root + "/Integrations/pytest"])
}
