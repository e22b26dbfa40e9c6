import FlowCore
import FlowSystem
import Testing

@testable import FlowTranscript

/// Lines of a transcript that are looked over instead of parsed.
@Suite struct PlainLineTests {
  static let plain = [
    #"{"at":"spend#1","invoke":"balance.add","input":{"amount":12.50,"why":"a, b"}}"#,
    #"{"at":"rows/cell#2.5","ok":{"list":[1,-0.5,2e10,[],{}],"is":true,"no":null,"f":false}}"#,
    #"{"at":"spend#1","error":"late","message":"too \"late\"\n\t\\"}"#,
    #"{"at":"rows/cell#2.5","cancelled":true}"#,
    #"{"at":"spend#1","emit":"balance.changed","payload":{"a":{"b":{"c":[{"d":1}]}},"b":""}}"#,
  ]

  static let parsed = [
    #"{"at":"é#1","ok":{}}"#, #"{"at":"a#1","ok":{"a":"\u0041"}}"#,
    #"{"at":"a#1","ok":{"\n":1}}"#, #"{"at":"a#1","error":"e","message":1}"#,
    #"{"at":"a#1","cancelled":false}"#, #"{"at":"a#1","ok":{"$any":1}}"#,
    #"{"at":"a#1","ok":{"a":1,"a":2}}"#, #"{"at":"a#1", "ok":{}}"#, #"{"at":"a#1","ok":{}} "#,
    #"{"at":"a#1","ok":01}"#, #"{"at":"a#1","ok":1.}"#, #"{"at":"a#1","ok":-}"#,
    #"{"at":"a#1","ok":}"#,
    #"{"at":"a#1","ok":[1,]}"#, #"{"at":"a#1","ok":{"a":1,}}"#, #"{"at":"a#1","ok":nul}"#,
    #"{"at":"a#1","ok":"#, #"{"at":"a#1","#, #"{"at":"steps","end":"passed","outputs":{}}"#,
    #"{"at":"a#1","invoke":"b.c","input":{},"lane":1}"#, #"{"at":"a#1/store.add#1","ok":{}}"#, "",
    #"{"at":"a","ok":{}}"#, #"{"at":"a#01","ok":{}}"#, #"{"at":"a#1.","ok":{}}"#,
    #"{"at":"a#12345678901234567890","ok":{}}"#,
  ]

  /// The line as the JSON parser reads it, or nil if it is not a plain line.
  private static func parse(_ bytes: [UInt8]) -> (kind: PlainLine.Kind, address: String)? {
    guard let (json, hasSigns) = try? JSONParser.parseSigned(bytes[...]), !hasSigns else {
      return nil
    }
    guard let line = TranscriptLine(json) else { return nil }
    switch line.kind {
    case .invoke(_, let marks) where !marks.isOfComponent && marks.added == nil:
      return (.invoke, line.at)
    case .emit: return (.emit, line.at)
    case .answer, .error, .cancelled: return (.ok, line.at)
    default: return nil
    }
  }

  private static func agrees(_ bytes: [UInt8]) -> Bool {
    var reader = PlainLineReader()
    guard let line = reader.line(bytes[...]) else { return true }
    guard let (kind, address) = parse(bytes) else { return false }
    return line.kind == kind && line.address == address && Address(address)?.description == address
      && Address(address)?.calls.isEmpty == true
  }

  @Test(arguments: plain)
  func `a line as a recorder writes it is looked over`(_ line: String) {
    var reader = PlainLineReader()

    #expect(reader.line(Array(line.utf8)[...]) != nil)
    #expect(Self.agrees(Array(line.utf8)))
  }

  @Test(arguments: parsed)
  func `any other line is parsed`(_ line: String) {
    var reader = PlainLineReader()

    #expect(reader.line(Array(line.utf8)[...]) == nil)
  }

  @Test(arguments: plain)
  func `a line with any other byte in it is looked over only if parsing says the same`(
    _ line: String
  ) {
    let bytes = Array(line.utf8)

    for index in bytes.indices {
      for byte in UInt8.min...UInt8.max {
        var changed = bytes
        changed[index] = byte
        #expect(Self.agrees(changed), "\(String(decoding: changed, as: UTF8.self))")
      }
      #expect(Self.agrees(Array(bytes[..<index])))
      #expect(Self.agrees(Array(bytes[..<index]) + bytes[(index + 1)...]))
    }
  }

  @Test func `a value that is nested deeper than any reader allows is parsed`() {
    var reader = PlainLineReader()
    let line = { (depth: Int) in
      Array(
        (#"{"at":"a#1","ok":"# + String(repeating: "[", count: depth)
          + String(repeating: "]", count: depth) + "}").utf8)
    }

    #expect(reader.line(line(JSONParser.depthLimit - 1)[...]) != nil)
    #expect(Self.agrees(line(JSONParser.depthLimit - 1)))
    #expect(reader.line(line(JSONParser.depthLimit)[...]) == nil)
  }
}
