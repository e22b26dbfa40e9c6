import FlowCommand
import FlowCore
import TestKit
import Testing

@testable import GRPCPlugin

struct DeclarationTests {
  @Test(arguments: [
    ("grpc: ''", "'' is not a path or a URL"),
    ("grpc: 'http://'", "'http://' is not an address such as http://127.0.0.1:50051"),
    ("grpc: 'http://a:1/b'", "'http://a:1/b' has a path, which a server of gRPC does not"),
    ("grpc: a.proto, state: some", "'state' is none, memory or external, not 'some'"),
    ("grpc: a.binpb, imports: [b]", "'imports' are for a .proto file"),
  ]) func `a wrong declaration is an error of the project file`(
    _ fields: String, _ expected: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.write("flow: 1\nplugins:\n  test: {\(fields)}\n", to: "flow.yaml")
    try folder.write("flow: 1\nsteps: []\n", to: "s.yaml")

    let run = try await FlowCommandRun(
      ["check", "@/s.yaml"], in: folder, components: [], families: [GRPC.self])

    #expect(run.code == .badInput)
    #expect(run.errors.contains("@/flow.yaml:3:"), "\(run.errors)")
    #expect(run.errors.contains(expected), "\(run.errors)")
  }

  @Test func `a server that is gone has no description`() async throws {
    let project = try CallProject("http://127.0.0.1:1", steps: "  []")

    let lock = try await project.lock()

    #expect(lock.code != .passed)
    #expect(
      lock.errors.contains("http://127.0.0.1:1: cannot connect: Connection refused"),
      "\(lock.errors)")
  }

  @Test(arguments: [
    ("  - {uses: it.Get, with: {message: {user_id: 1}}}", "'user_id'"),
    ("  - {uses: it.Get, with: {message: {userId: x}}}", "int"),
    ("  - {uses: it.Get, with: {message: {kind: OTHER}}}", "'NONE' or 'SOME'"),
    (
      "  - {uses: it.Get, with: {message: {a: x, b: y}}}",
      "only one of 'a' and 'b' can have a value"
    ),
    ("  - {uses: it.Get, with: {metadata: {grpc-x: y}}}", "the metadata 'grpc-x' cannot be sent"),
    ("  - {uses: it.Gat}", "'it' has no operation 'Gat'; did you mean 'Get'?"),
    ("  - {uses: it.Get, expect: {message: {userIds: 1}}}", "userIds"),
  ]) func `a step that contradicts flow.lock is found before the run`(
    _ step: String, _ expected: String
  ) async throws {
    let project = try CallProject("http://127.0.0.1:1", grpc: "t.binpb", steps: step)
    try project.folder.write(Self.lock, to: "flow.lock")

    let check = try await project.flow("check", "@/s.yaml")

    #expect(check.code == .badInput, "\(check.output)")
    #expect(check.errors.contains(expected), "\(check.errors)")
  }

  static let lock = """
    flow-lock: 1
    plugins:
      test:
        enums: {t.Kind: ["NONE = 0", "SOME = 1"]}
        messages:
          t.All:
            user_id: int64 = 1
            kind: t.Kind = 2
            a: "string = 3 [oneof: choice]"
            b: "string = 4 [oneof: choice]"
        services: {t.Calls: {Get: t.All -> t.All}}

    """

  @Test func `a server that cannot be reached is the error unavailable`() async throws {
    let project = try CallProject(
      "http://127.0.0.1:1", grpc: "t.binpb",
      steps: "  - {uses: it.Get, expect: {error: unavailable}}")
    try project.folder.write(Self.lock, to: "flow.lock")

    let run = try await project.flow("run", "@/s.yaml")

    #expect(run.code == .passed, "\(run.errors)")
  }
}
