import FlowCore
import Foundation
import TestKit
import Testing

/// The description for assistants, whose commands work as written.
@Suite struct SkillTests {
  /// A fenced text, and the path in the line before it.
  private struct Block {
    let language: String
    let path: String?
    let lines: [String]
  }

  private static func blocks(_ page: String) -> [Block] {
    var blocks: [Block] = []
    var (path, language, lines): (String?, String?, [String]) = (nil, nil, [])
    for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let open = language {
        if line == "```" {
          blocks.append(Block(language: open, path: path, lines: lines))
          (path, language, lines) = (nil, nil, [])
        } else {
          lines.append(line)
        }
      } else if line.hasPrefix("```") {
        language = String(line.dropFirst(3))
      } else if line.hasPrefix("`"), line.hasSuffix("`:") {
        path = String(line.dropFirst().dropLast(2))
      }
    }
    return blocks
  }

  @Test func `each command of the description works, in its order`() throws {
    let page = try ProjectFiles.text("Docs/SKILL.md")
    let folder = try TemporaryFolder()
    let flow = BuiltProgram.url("flow").path
    _ = try sh("\(flow) init", flow, in: folder)
    var count = 0

    for block in Self.blocks(page) {
      if block.language == "sh" {
        for line in block.lines where !line.isEmpty {
          let ending = try sh(line, flow, in: folder)
          #expect(ending.code == 0, "\(line)\n\(ending.output)\(ending.errors)")
          count += 1
        }
      } else {
        try folder.write(
          block.lines.map { $0 + "\n" }.joined(), to: try #require(block.path))
      }
    }

    #expect(count > 12)
    #expect(page.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test func `a new project and an existing one get it`() throws {
    let page = try ProjectFiles.text("Docs/SKILL.md")
    let flow = BuiltProgram.url("flow").path
    let (new, existing) = (try TemporaryFolder(), try TemporaryFolder())
    try existing.write("flow: 1\n", to: "flow.yaml")

    let created = try sh("flow init --assistant", flow, in: new)
    let added = try sh("flow init --assistant", flow, in: existing)
    let again = try sh("flow init --assistant", flow, in: existing)

    #expect([created.code, added.code, again.code] == [0, 0, 73])
    #expect(try new.text(".agents/skills/flow/SKILL.md") == page)
    #expect(try existing.text(".agents/skills/flow/SKILL.md") == page)
    #expect(added.output == "wrote .agents/skills/flow/SKILL.md\n")
    #expect(try existing.names == [".agents", "flow.yaml"])
  }

  private func sh(
    _ command: String, _ flow: String, in folder: TemporaryFolder
  ) throws -> ChildProcess.Ending {
    let folders = URL(filePath: flow).deletingLastPathComponent().path
    let path = "\(folders):" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    return try ChildProcess(
      "/bin/sh", ["-c", command], in: folder.directory.path, environment: ["PATH": path]
    ).ending()
  }
}
