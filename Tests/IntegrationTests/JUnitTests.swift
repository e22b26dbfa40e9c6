import TestKit
import Testing

/// The helper for JUnit in the real JUnit, by its console.
@Suite(
  .enabled(if: Samples.has("javac"), "default-jdk-headless is not installed"),
  .enabled(if: Samples.hasJUnit, "junit5 is not installed"))
struct JUnitTests {
  private static func talk(_ name: String, _ requests: String...) -> String {
    let lines = ["cart-comes"] + requests + ["cart-goes"]
    let asked = lines.map { $0.contains(":") ? "GET \($0)\n" : "GET https://pay.example/\($0)\n" }
    return "begin shop.ShopTest.\(name)\n" + asked.joined() + "end shop.ShopTest.\(name)\n"
  }

  static let runs = [
    TapedRun(
      testDescription: "each test has its scope, and the methods for all as well",
      report: ["[         4 tests successful      ]", "[         1 tests skipped         ]"],
      talks: [
        """
        begin shop.ShopTest@opens
        GET https://pay.example/opens
        end shop.ShopTest@opens

        """ + talk("colour [1] red", "colour") + talk("colour [2] \"blue\"", "colour")
          + talk("lamp", "lamp", "http://127.0.0.1:1/loopback") + talk("old", "old")
            + """
            begin shop.ShopTest@closes
            GET https://pay.example/closes
            end shop.ShopTest@closes
            """
      ]),
    TapedRun(
      testDescription: "a difference fails its test",
      differing: ["shop.ShopTest.colour [2] \"blue\""], code: 1,
      report: [
        "[2] \"blue\" ✘ shop.ShopTest.colour [2] \"blue\" differs:",
        "=> java.lang.AssertionError: shop.ShopTest.colour [2] \"blue\" differs:\n  GET /lämp",
        "[         1 tests failed          ]", "[         3 tests successful      ]",
      ]),
    TapedRun(
      testDescription: "a difference in a method for all fails the class",
      differing: ["shop.ShopTest@closes"], code: 1,
      report: [
        "ShopTest ✘ shop.ShopTest@closes differs:", "[         1 containers failed     ]",
      ]),
    TapedRun(
      testDescription: "a tape that is not there fails", tape: .unreachable, code: 1,
      report: ["java.lang.AssertionError: flow: Connection refused"],
      absent: ["[         4 tests successful      ]"]),
    TapedRun(
      testDescription: "nothing happens without a tape", tape: .none,
      report: ["[         4 tests successful      ]"],
      talks: [
        """
        GET /opens
        GET /cart-comes
        GET /colour
        GET /cart-goes
        GET /cart-comes
        GET /colour
        GET /cart-goes
        GET /cart-comes
        GET /lamp
        GET /cart-goes
        GET /cart-comes
        GET /old
        GET /cart-goes
        GET /closes
        """
      ]),
  ]

  @Test(arguments: runs)
  func `each test has its scope`(_ run: TapedRun) throws { try run.check(Self.sample) }

  @Test func `a missing request fails its test on a real tape`() throws {
    try Self.sample.checkTape(
      withoutRequest: "lamp() ✘ 1 recorded call was never made [F3006]",
      "[         1 tests failed          ]")
  }

  private static let sample: Sample = {
    let helper = ProjectFiles.root + "/Integrations/junit"
    // One process compiles, and its successor runs the tests.
    let script = """
      classes=$(ls \(Samples.jars)/*.jar | grep -E '/(junit-(jupiter|platform)|opentest4j|apiguardian-api|\
      picocli|univocity-parsers)[a-z-]*[.]jar' | grep -v standalone | tr '\\n' ':')
      javac -nowarn -d classes -cp "$classes" \(helper)/flow/*.java shop/*.java &&
      exec java -cp "$classes:classes:\(helper)" \
        -Djunit.jupiter.extensions.autodetection.enabled=true \
        org.junit.platform.console.ConsoleLauncher --disable-banner --details tree \
        --disable-ansi-colors --select-package shop
      """
    return Sample(name: "junit", command: ["sh", "-c", script])
  }()
}
