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
