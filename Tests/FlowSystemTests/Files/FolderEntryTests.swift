import FlowCore
import Foundation
import TestKit
import Testing

@testable import FlowSystem

@Suite struct FolderEntryTests {
  private let folder: TemporaryFolder
  private let root: String

  init() throws {
    folder = try TemporaryFolder()
    root = folder.directory.path
    try folder.write("", to: "folder/deep/file")
    try folder.link("link", to: "folder")
    try folder.link("short", to: "folder/deep/file")
    try folder.link("lost", to: "none")
    try folder.makePipe("pipe")
  }

  @Test func `a folder that was found and is gone has no entries`() throws {
    let gone = root + "/gone"

    #expect(throws: FileError(.missing, path: gone)) { try FileSystem.entries(of: gone) }
    #expect(try FileSystem.entries(ifThere: gone) == [])
    #expect(try FileSystem.entries(ifThere: root + "/folder").map(\.name) == ["deep"])
  }

  @Test
  func `what stands in a folder is known where the file system does not say it`() throws {
    let names = ["folder", "link", "lost", "pipe", "short"]
    let kinds: [FolderEntry.Kind] = [.folder, .other, .brokenLink, .other, .file]

    #expect(try FileSystem.entries(of: root).sorted { $0.name < $1.name }.map(\.kind) == kinds)
    #expect(names.map { FileSystem.kind(of: root + "/" + $0, CInt(DT_UNKNOWN)) } == kinds)
  }

  @Test
  func `a folder is removed with its content, and a link is not followed`() throws {
    try folder.link("folder/deep/out", to: "../../pipe")
    try folder.link("folder/deep/up", to: "../..")

    #expect(
      text { try FileSystem.removeFolder(root + "/folder", recursively: false) }
        == "cannot remove '\(root)/folder': directory not empty")
    #expect(
      text { try FileSystem.removeFolder(root + "/link/", recursively: true) }
        .hasPrefix("cannot remove '\(root)/link/': "))
    #expect(try folder.names(in: "folder/deep") == ["file", "out", "up"])
    try FileSystem.removeFolder(root + "/folder/", recursively: true)
    #expect(try folder.names == ["link", "lost", "pipe", "short"])
  }

  @Test
  func `a folder that is not there cannot be left`() throws {
    #expect(
      text { try FileSystem.makeFolders(root + "/new/../link/made") }
        == "cannot write '\(root)/new/..': the path is outside the scenario's folder")
    #expect(try folder.names == ["folder", "link", "lost", "pipe", "short"])
  }
}
