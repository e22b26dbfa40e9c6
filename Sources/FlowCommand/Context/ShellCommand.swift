internal import FlowCore
internal import FlowRedaction
internal import FlowSystem
internal import FlowTranscript

/// The commands that record a transcript anew.
enum Acceptance {
  /// With the inputs and the seed that its header has.
  static func command(for transcript: String, of scenario: String, _ header: TranscriptHeader)
    -> String
  {
    let command = command(for: transcript, of: scenario)
    // `flow test` keeps them by itself.
    if Path.transcript(of: scenario) == transcript { return command }
    let inputs = header.inputs.map { ($0.name, $0.value.inputText) }
      // A hidden value cannot be given again from what was recorded.
      .filter { !Redactor.hasPlaceholder(.string($0.1)) }.map { name, text in
        " --input " + "\(name)=\(text)".shellWord
      }
    return command + inputs.joined() + (header.seed == 0 ? "" : " --seed \(header.seed)")
  }

  /// With the default inputs; a live run may fail where a replay passes.
  static func command(for transcript: String, of scenario: String, isLive: Bool = false) -> String {
    Path.transcript(of: scenario) == transcript
      ? "flow test \(isLive ? "--live " : "")\(scenario.shellPath) --update failed"
      : "flow run \(scenario.shellPath) --record=\(transcript.shellWord)"
  }
}

extension JSON {
  /// A recorded input as `--input` takes it.
  fileprivate var inputText: String {
    if let string { return string }
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension String {
  /// The text as one word of a POSIX shell's command, in quotes only where it needs them.
  var shellWord: String {
    if !utf8.isEmpty, utf8.allSatisfy(Self.isPlain) { return self }
    return "'" + replacing("'", with: #"'\''"#) + "'"
  }

  /// A path as a word that cannot be mistaken for an option.
  var shellPath: String { (hasPrefix("-") ? "./" + self : self).shellWord }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "_@%+=:,./-".utf8.contains(byte)
    }
  }
}
