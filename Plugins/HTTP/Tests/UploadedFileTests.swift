import FlowCommand
import HTTPPlugin
import TestKit
import Testing

@Suite struct UploadedFileTests {
  @Test(arguments: [
    "file: photo.png", "multipart: [{name: a, value: b}, {name: photo, file: photo.png}]",
  ]) func `a replay fails if a file that was sent has changed`(_ body: String) async throws {
    let server = try TestServer { _ in TestServer.answer() }
    defer { server.close() }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components: {web: {plugin: http, with: {base: "\(server.url)"}}}
      steps: [{id: send, uses: web.post, with: {path: photos, \(body)}}]

      """, to: "s.yaml")
    try folder.write("a picture", to: "photo.png")
    let record = try await flow(["run", "@/s.yaml", "--record"], folder)
    let same = try await flow(["test", "@/s.yaml"], folder)
    try folder.write("another", to: "photo.png")
    let edited = try await flow(["test", "@/s.yaml"], folder)

    #expect([record.code, same.code, edited.code] == [.passed, .passed, .failed])
    #expect(
      edited.errors.contains("error: 'photo.png' has changed since 'send' was recorded [F3014]"),
      "\(edited.errors)")
    #expect(server.requests.count == 1)
  }

  private func flow(
    _ arguments: [String], _ folder: TemporaryFolder
  ) async throws -> FlowCommandRun {
    try await FlowCommandRun(arguments, in: folder, components: [HTTP.self])
  }
}
