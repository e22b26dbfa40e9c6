import FlowCore
import ProtobufCoding
import TestKit
import Testing

/// Random messages of every kind of field, in proto2, proto3 and an edition, as Python writes them.
@Suite(.enabled(if: TestPython.path != nil, Comment(rawValue: TestPython.absence)))
struct RandomMessageTests {
  /// A message of Python's, and the forms that it has for Python.
  private struct Sample {
    let type: String
    let bytes: [UInt8]
    let json: Value

    init(_ line: some Collection<UInt8>) throws {
      let value = try Value(json: Array(line))
      type = value["type"]?.string ?? ""
      bytes = Bytes(base64: value["bytes"]?.string ?? "")?.content ?? []
      json = value["json"] ?? .null
    }

    /// The forms in which flow writes other bytes for the message.
    func differences(_ schema: ProtobufSchema, _ type: ValueType) throws -> [String] {
      let read = try schema.read(bytes, as: self.type)
      var forms = [("read", read.value), ("JSON", json)]
      // A record has null for an absent field.
      if read.value["knownValue"] != .null {
        forms.append(("typed", try read.value.converted(to: type)))
      }
      var names = read.unknownCount == 0 ? [] : ["unknown fields"]
      for (name, value) in forms where try schema.written(value, as: self.type) != bytes {
        names.append(name)
      }
      return names
    }
  }

  @Test func `thousands of messages are read and written as Python writes them`() throws {
    let folder = try TemporaryFolder()
    let run = try TestPython.run("messages.py", folder.directory.path, "2000")
    let schema = try ProtobufSchema(descriptorSet: try folder.directory.read("all.binpb"))
    var types = MessageValueTypes(schema, isInput: false)

    var (count, problems) = (0, [String]())
    for line in try folder.directory.read("messages.jsonl").split(separator: UInt8(ascii: "\n")) {
      let sample = try Sample(line)
      count += 1
      let differences = try sample.differences(schema, types.type(of: sample.type))
      if !differences.isEmpty { problems.append("\(count): \(sample.type) \(differences)") }
    }

    #expect(run.errors.isEmpty)
    #expect(count == 2_000)
    #expect(problems == [])
  }

  @Test func `the text of a schema in flow.lock is read as the same schema`() throws {
    let folder = try TemporaryFolder()
    _ = try TestPython.run("messages.py", folder.directory.path, "0")
    let schema = try ProtobufSchema(descriptorSet: try folder.directory.read("all.binpb"))

    let again = try ProtobufSchema(lock: .map(schema.lockEntry))

    #expect(again.messages == schema.messages)
    #expect(again.enums == schema.enums)
    #expect(again.services == schema.services)
  }
}
