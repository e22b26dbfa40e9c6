internal import FlowCore
internal import FlowSystem
internal import FlowTexts

/// The files of `flow demo`: a small shop with planted bugs, and the commands that find them.
struct DemoShop: Sendable {
  /// A command that finds a bug.
  struct Scene: Sendable {
    /// The arguments as a user types them in the folder.
    let arguments: [String]
    /// The code that it ends with when it has found the bug.
    let code: ExitCode
    /// A part of what it prints about the bug.
    let sign: String
    /// The bug, in a sentence.
    let found: String

    /// The command as a user types it.
    var command: String { (["flow"] + arguments.map(\.shellWord)).joined(separator: " ") }

    /// Returns the reason to say that a command did not find the bug, or nil if it did.
    func problem(_ ended: ExitCode, printed text: String) -> String? {
      if ended != code { return "it ended with \(ended.rawValue), and not with \(code.rawValue)" }
      return text.contains(sign) ? nil : "it did not print '\(sign)'"
    }
  }

  /// The plugins in its scenarios.
  static let plugins = ["balance", "http"]

  static let files: [(path: String, text: String)] = [
    ("flow.yaml", "flow: 1\n"),
    ("basket.yaml", text(Texts.demoBasket)),
    ("basket.transcript.jsonl", text(Texts.demoBasketTranscript)),
    ("checkout.yaml", text(Texts.demoCheckout)),
    ("checkout.transcript.jsonl", text(Texts.demoCheckoutTranscript)),
    ("order.yaml", text(Texts.demoOrder)),
    ("order.transcript.jsonl", text(Texts.demoOrderTranscript)),
    ("refund.yaml", text(Texts.demoRefund)),
  ]

  static let scenes = [
    Scene(
      arguments: ["check"], code: .badInput, sign: "did you mean 'balance'?",
      found: "a misspelt name, before anything ran"),
    Scene(
      arguments: ["test", "basket.yaml", "checkout.yaml", "order.yaml"], code: .failed,
      sign: "steps.basket.json.total is 29.50",
      found: "the shop forgets the second lamp, which its recorded answer shows without the shop"),
    Scene(
      arguments: ["mutate", "order.yaml", "--at-least", "100"], code: .failed,
      sign: "ok.json.total: 49.50 -> 50.50",
      found: "the shop may charge any total: order.yaml passes, and does not look at it"),
    Scene(
      arguments: ["explore", "checkout.yaml"], code: .failed,
      sign: "answers the error 'insufficient'",
      found: "the lamp is refused before the gift comes: checkout.yaml passed in one order only"),
  ]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
