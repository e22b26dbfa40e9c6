internal import FlowCore
internal import ProtobufCoding
internal import Subprocess

/// A `.proto` file, which `protoc` reads.
struct ProtoFile: Sendable {
  private let path: String
  private let imports: [String]
  private let folder: Directory
  private static let greatestCount = 64 << 20

  init(_ path: String, _ declared: DeclaredPlugin<GRPCDeclaration>) {
    (self.path, folder) = (path, declared.folder)
    imports = declared.declaration.imports
  }

  /// Returns the types of the file and of all files that it imports.
  ///
  /// - Throws: `GRPCError`, with the words of `protoc`.
  func schema(_ context: Context) async throws -> ProtobufSchema {
    // A missing file is an error of its own, with the path.
    _ = try folder.read(path)
    let environment = try Environment.inherited.without(context.secrets.variables).adding([:])
    let output = try await context.outside { [self] in try run(environment) }
    return try ProtobufSchema(descriptorSet: output)
  }

  private var parent: String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  private func run(_ environment: [[UInt8]]) throws(GRPCError) -> [UInt8] {
    let folders = (imports + [parent]).map { "-I\($0)" }
    let arguments =
      ["protoc"] + folders + ["--include_imports", "--descriptor_set_out=/dev/stdout", path]
    let process: Subprocess
    do throws(StartError) {
      process = try Subprocess(
        "protoc", arguments: arguments, environment: environment, in: .init(path: folder.path),
        hasInput: false)
    } catch {
      let reason =
        error.isMissing
        ? "there is no program 'protoc', which a .proto file needs; install the package "
          + "protobuf-compiler, or declare a compiled set of files"
        : "cannot start 'protoc': \(error.reason)"
      throw .invalid(reason)
    }
    return try Self.output(of: process)
  }

  /// Reads the output of a program to its end.
  private static func output(of process: Subprocess) throws(GRPCError) -> [UInt8] {
    var streams = SubprocessStreams(process, keepsInput: false)
    defer { streams.closeAll() }
    var (output, errors) = ([UInt8](), [UInt8]())
    while streams.areOutputsOpen {
      let watched = streams.descriptors.filter { $0.source == .output || $0.source == .errors }
      for index in SubprocessStreams.ready(among: watched, nil, until: nil) {
        let source = watched[index].source
        let bytes = streams.read(source) ?? []
        if source == .output { output += bytes } else { errors += bytes }
        guard output.count + errors.count <= greatestCount else {
          throw .invalid("'protoc' wrote more than \(greatestCount) bytes")
        }
      }
    }
    while !streams.hasEnded {
      let watched = streams.descriptors.filter { $0.source == .exit }
      _ = SubprocessStreams.ready(among: watched, nil, until: nil)
    }
    var end = SubprocessEnd(process.pid)
    end.reap(.zero, .now)
    guard end.exit?.status == 0 else {
      throw .invalid(
        "protoc: \(GRPCText.line(String(decoding: errors, as: UTF8.self), limit: 2_000))")
    }
    return output
  }
}
