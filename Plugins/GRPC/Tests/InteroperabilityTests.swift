import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import GRPCPlugin

/// The cases of gRPC's interoperability tests without authentication, against grpcio
/// (https://github.com/grpc/grpc/blob/master/doc/interop-test-descriptions.md).
@Suite(.enabled(if: TestPython.path != nil, Comment(rawValue: TestPython.absence)))
struct InteroperabilityTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let id: String
    var inputs = "{}"
    var settings = ""
    let steps: String
    var testDescription: String { id }
  }

  private static func payload(_ count: Int) -> String {
    "{body: \"${{ b'\(String(repeating: "a", count: count))' }}\"}"
  }

  private static let cases = [
    Case(id: "empty_unary", steps: "  - {uses: it.EmptyCall, expect: {message: {}}}"),
    Case(
      id: "large_unary",
      inputs: "{text: {type: string, default: \(String(repeating: "a", count: 271_828))}}",
      steps: """
          - id: call
            uses: it.UnaryCall
            with:
              message: {responseSize: 314159, payload: {body: "${{ bytes(inputs.text) }}"}}
          - assert: ["${{ size(steps.call.message.payload.body) == 314159 }}"]
        """),
    Case(
      id: "client_compressed_unary", settings: ", compress: true",
      steps: """
          - id: call
            uses: it.UnaryCall
            with: {message: {responseSize: 3, payload: \(payload(5_000)), expectCompressed: {value: true}}}
          - assert: ["${{ size(steps.call.message.payload.body) == 3 }}"]
        """),
    Case(
      id: "server_compressed_unary",
      steps: """
          - id: call
            uses: it.UnaryCall
            with: {message: {responseSize: 314159, responseCompressed: {value: true}}}
          - assert: ["${{ size(steps.call.message.payload.body) == 314159 }}"]
        """),
    Case(
      id: "client_streaming",
      steps: """
          - uses: it.StreamingInputCall
            with:
              messages: [{payload: \(payload(27_182))}, {payload: \(payload(8))}, {payload: \(payload(1_828))}, {payload: \(payload(45_904))}]
            expect: {message: {aggregatedPayloadSize: 74922}}
        """),
    Case(
      id: "server_streaming",
      steps: """
          - id: call
            uses: it.StreamingOutputCall
            with: {message: {responseParameters: [{size: 31415}, {size: 9}, {size: 2653}, {size: 58979}]}}
          - assert: ["${{ steps.call.messages.map(m, size(m.payload.body)) == [31415, 9, 2653, 58979] }}"]
        """),
    Case(
      id: "ping_pong",
      steps: "  - {id: open, uses: it.open, with: {method: FullDuplexCall}}\n"
        + [(31_415, 27_182), (9, 8), (2_653, 1_828), (58_979, 45_904)].map { asked, sent in
          """
            - uses: it.send
              with:
                stream: ${{ steps.open.stream }}
                message: {responseParameters: [{size: \(asked)}], payload: \(payload(sent))}
            - {id: m\(asked), await: it.message, timeout: 10s}
            - assert: ["${{ size(steps.m\(asked).message.payload.body) == \(asked) }}"]
          """
        }.joined(separator: "\n")
        + "\n"
          + """
            - {uses: it.finish, with: {stream: "${{ steps.open.stream }}"}}
            - {id: end, await: it.ended, timeout: 10s}
            - assert: ["${{ steps.end.status == 'ok' }}"]
          """),
    Case(
      id: "empty_stream",
      steps: """
          - {id: open, uses: it.open, with: {method: FullDuplexCall}}
          - {uses: it.finish, with: {stream: "${{ steps.open.stream }}"}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.status == 'ok' }}"]
        """),
    Case(
      id: "custom_metadata",
      steps: """
          - uses: it.UnaryCall
            with:
              message: {responseSize: 1}
              metadata:
                x-grpc-test-echo-initial: test_initial_metadata_value
                x-grpc-test-echo-trailing-bin: ${{ b'\\xab\\xab\\xab' }}
            expect:
              metadata: {x-grpc-test-echo-initial: test_initial_metadata_value}
              trailers:
                x-grpc-test-echo-trailing-bin: ${{ b'\\xab\\xab\\xab' }}
        """),
    Case(
      id: "status_code_and_message",
      steps: """
          - uses: it.UnaryCall
            with: {message: {responseStatus: {code: 2, message: test status message}}}
            expect: {error: unknown, message: test status message}
          - {id: open, uses: it.open, with: {method: FullDuplexCall}}
          - uses: it.send
            with:
              stream: ${{ steps.open.stream }}
              message: {responseStatus: {code: 2, message: test status message}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.status == 'unknown' && steps.end.message == 'test status message' }}"]
        """),
    Case(
      id: "special_status_message",
      steps: """
          - {id: open, uses: it.open, with: {method: FullDuplexCall}}
          - uses: it.send
            with:
              stream: ${{ steps.open.stream }}
              message: {responseStatus: {code: 2, message: "\\t\\ntest with whitespace\\r\\nand Unicode BMP ☺ and non-BMP 😈\\t\\n"}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.message == '\\\\t\\\\ntest with whitespace\\\\r\\\\nand Unicode BMP ☺ and non-BMP 😈\\\\t\\\\n' }}"]
        """),
    Case(
      id: "unimplemented_method",
      steps: "  - {uses: it.TestService-UnimplementedCall, expect: {error: unimplemented}}"),
    Case(
      id: "unimplemented_service",
      steps: "  - {uses: it.UnimplementedService-UnimplementedCall, expect: {error: unimplemented}}"
    ),
    Case(
      id: "cancel_after_begin",
      steps: """
          - {id: open, uses: it.open, with: {method: StreamingInputCall}}
          - {uses: it.cancel, with: {stream: "${{ steps.open.stream }}"}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.status == 'cancelled' }}"]
        """),
    Case(
      id: "cancel_after_first_response",
      steps: """
          - {id: open, uses: it.open, with: {method: FullDuplexCall}}
          - uses: it.send
            with: {stream: "${{ steps.open.stream }}", message: {responseParameters: [{size: 31415}]}}
          - {await: it.message, timeout: 10s}
          - {uses: it.cancel, with: {stream: "${{ steps.open.stream }}"}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.status == 'cancelled' }}"]
          - uses: it.EmptyCall
            with: {metadata: {ask: cancelled}}
            expect: {error: aborted, message: cancelled}
        """),
    Case(
      id: "timeout_on_sleeping_server",
      steps: """
          - {id: open, uses: it.open, with: {method: FullDuplexCall, deadline: 1ms}}
          - {id: end, await: it.ended, timeout: 10s}
          - assert: ["${{ steps.end.status == 'deadline_exceeded' }}"]
        """),
  ]

  private static let passedOn = [
    Case(
      id: "a whole call",
      steps: """
          - uses: it.exchange
            with: {method: grpc.testing.TestService/UnaryCall, message: {response_size: 2}}
            expect: {status: ok, reason: null, stream: null, message: {payload: {body: "${{ b'\\x00\\x00' }}"}}}
          - uses: it.exchange
            with:
              method: grpc.testing.TestService/UnaryCall
              written: ${{ b'\\x3a\\x04\\x08\\x05\\x12\\x00' }}
            expect: {status: not_found, reason: "", message: null}
          - id: details
            uses: it.exchange
            with:
              method: grpc.testing.TestService/UnaryCall
              message: {response_status: {code: 5, message: details}}
            expect: {status: not_found, reason: it is closed}
          - assert: ["${{ steps.details.details[0].reason == 'CLOSED' }}"]
          - uses: it.exchange
            with: {method: grpc.testing.TestService/Nothing}
            expect: {error: unimplemented}
        """),
    Case(
      id: "a call with streams of both sides",
      steps: """
          - id: call
            uses: it.exchange
            with: {method: grpc.testing.TestService/FullDuplexCall}
            expect: {status: null, message: null}
          - uses: it.exchange-send
            with: {stream: "${{ steps.call.stream }}", message: {responseParameters: [{size: 1}, {size: 2}]}}
          - {id: first, uses: it.piece, with: {stream: "${{ steps.call.stream }}"}, expect: {end: false}}
          - {id: second, uses: it.piece, with: {stream: "${{ steps.call.stream }}"}, expect: {end: false}}
          - {uses: it.exchange-send, with: {stream: "${{ steps.call.stream }}", end: true}}
          - uses: it.piece
            with: {stream: "${{ steps.call.stream }}"}
            expect: {end: true, status: ok, message: null}
          - uses: it.piece
            with: {stream: "${{ steps.call.stream }}"}
            expect: {error: failed_precondition}
          - assert: ["${{ size(steps.second.message.payload.body) == 2 }}"]
        """),
    Case(
      id: "a call that is stopped",
      steps: """
          - id: call
            uses: it.exchange
            with: {method: grpc.testing.TestService/FullDuplexCall}
          - uses: it.piece
            with: {stream: "${{ steps.call.stream }}", stop: true}
            expect: {end: true, status: cancelled}
        """),
  ]

  /// One server for all cases, which share nothing.
  static let server = Result { try TestServer() }

  @Test(arguments: cases) func `a case of the interoperability tests passes`(
    _ test: Case
  ) async throws {
    let project = try CallProject(
      Self.server.get().address, inputs: test.inputs, settings: test.settings,
      steps: test.steps)

    let run = try await project.run()

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test(arguments: passedOn) func `a call of another program is passed on`(
    _ test: Case
  ) async throws {
    let project = try CallProject(Self.server.get().address, steps: test.steps)

    let run = try await project.run()

    #expect(run.code == .passed, "\(run.output)\(run.errors)")
  }

  @Test func `a server with TLS is called if its certificate is accepted`() async throws {
    let keys = try TemporaryFolder()
    let made = try ChildProcess(
      "/usr/bin/env",
      [
        "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj",
        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", "key.pem", "-out",
        "cert.pem",
      ], in: keys.directory.path
    ).ending()
    let server = try TestServer("tls", keys.directory.path)
    let address = "https://localhost:\(server.port)"
    var results: [String] = []
    for (settings, expected) in [
      (", ca_file: cert.pem", "{message: {}}"), (", insecure: true", "{message: {}}"),
      ("", "{error: unavailable}"),
    ] {
      let project = try CallProject(
        address, settings: settings, declaration: ", ca_file: cert.pem",
        steps: "  - {uses: it.EmptyCall, expect: \(expected)}")
      try project.folder.write(try keys.text("cert.pem"), to: "cert.pem")
      let run = try await project.run()
      results.append(run.code == .passed ? "passed" : "\(run.output)\(run.errors)")
    }

    #expect(made.code == 0, "\(made.errors)")
    #expect(results == ["passed", "passed", "passed"])
  }

  @Test func `a recording is replayed fifty times without the server`() async throws {
    let server = try TestServer()
    let steps = Self.cases.filter { ["ping_pong", "custom_metadata"].contains($0.id) }.map(\.steps)
      .joined(separator: "\n")
    let project = try CallProject(server.address, steps: steps)
    let recording = try await project.run("--record")
    server.process.send(9)
    _ = server.process.ending()

    var codes: Set<ExitCode> = []
    for _ in 0..<50 { codes.insert(try await project.flow("test", "@/s.yaml").code) }

    #expect(recording.code == .passed, "\(recording.output)\(recording.errors)")
    #expect(codes == [.passed])
  }
}
