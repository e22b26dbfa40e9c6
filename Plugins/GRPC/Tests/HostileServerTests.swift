import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import GRPCPlugin

/// Servers that break the protocol, in bytes that no library would send.
struct HostileServerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    let code: String
    let message: String
    var testDescription: String { id }
  }

  @Test(arguments: [
    Case(
      id: "HTTP/1.1", code: "unavailable", message: "@: the server does not speak HTTP/2"),
    Case(id: "garbage", code: "unavailable", message: "@: the server does not speak HTTP/2"),
    Case(id: "silence", code: "deadline_exceeded", message: "there was no answer in time"),
    Case(
      id: "html", code: "unimplemented",
      message: "the server answered with the status 404 of HTTP and the type 'text/html'"),
    Case(
      id: "unavailable", code: "unavailable",
      message: "the server answered with the status 503 of HTTP"),
    Case(id: "no status", code: "unknown", message: "the server ended the call without a status"),
    Case(id: "half a message", code: "internal", message: "the body ends inside of a message"),
    Case(
      id: "two messages", code: "internal",
      message: "the server returned 2 messages in place of one"),
    Case(
      id: "no message", code: "internal",
      message: "the server returned 0 messages in place of one"),
    Case(
      id: "a large message", code: "resource_exhausted",
      message: "a message has more than 4194304 bytes"),
    Case(id: "a wrong flag", code: "internal", message: "the body has no messages of gRPC"),
    Case(
      id: "a compressed message", code: "internal",
      message: "a message is compressed, and 'grpc-encoding' does not say how"),
    Case(
      id: "a broken message", code: "malformed",
      message: "the server's message t.All cannot be read: the message ends too early"),
    Case(
      id: "reset", code: "resource_exhausted",
      message: "@: the server reset the stream: ENHANCE_YOUR_CALM"),
    Case(
      id: "refused", code: "unavailable",
      message: "@: the server reset the stream: REFUSED_STREAM"),
    Case(
      id: "going away", code: "unavailable",
      message: "@: the server reset the stream: REFUSED_STREAM"),
    Case(id: "an unknown status", code: "unknown", message: "odd%zz"),
    Case(
      id: "a status that is no number", code: "unknown",
      message: "the server ended the call without a status"),
    Case(id: "a head in between", code: "", message: ""),
  ]) func `a server that breaks the protocol is an error of the call`(_ test: Case) async throws {
    let server = try ChildProcess(
      "/usr/bin/env", ["python3", "hostile.py", test.id], in: TestPython.folder, hasInput: true)
    let address = "http://127.0.0.1:\(server.firstLine())"
    let expected =
      test.code.isEmpty
      ? "{message: {userId: 0}}"
      : "{error: \(test.code), message: \"\(test.message.replacing("@", with: address))\"}"
    let project = try CallProject(
      address, grpc: "t.binpb", settings: test.id == "silence" ? ", timeout: 100ms" : "",
      steps: "  - {uses: it.Get, expect: \(expected)}")
    try project.folder.write(DeclarationTests.lock, to: "flow.lock")

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }
}
