import CUpstream
import Foundation
import TestKit
import Testing

@testable import UpstreamPlugin

/// The folders that killed runs leave behind.
@Suite struct SweptFolderTests {
  @Test func `the next run removes the folders of killed ones, and no others`() throws {
    let folder = try TemporaryFolder()
    let old = Date(timeIntervalSinceNow: -7200)
    for name in ["killed", "living", "recent", "more"] {
      for file in ["ca.pem", "bundle.pem"] {
        try folder.write("", to: "flow-upstream-\(name)/\(file)")
      }
    }
    try folder.write("kept", to: "flow-upstream-more/notes")
    try folder.write("kept", to: "other/ca.pem")
    try folder.link("flow-upstream-link", to: "other")
    for name in ["flow-upstream-killed", "flow-upstream-living", "flow-upstream-more", "other"] {
      try FileManager.default.setAttributes(
        [.modificationDate: old], ofItemAtPath: folder.path(name))
    }
    let hold = unsafe flow_folder_hold(folder.path("flow-upstream-living"))

    CertificateFolder.sweep(folder.path(""))

    flow_folder_release(hold)
    #expect(
      try folder.names(in: "").sorted() == [
        "flow-upstream-link", "flow-upstream-living", "flow-upstream-more",
        "flow-upstream-recent", "other",
      ])
    #expect(try folder.names(in: "flow-upstream-more") == ["notes"])
    #expect(try folder.names(in: "other") == ["ca.pem"])
  }
}
