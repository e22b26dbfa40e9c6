import AlbumPlugin
import CatalogPlugin
import FlowCore
import FlowTesting
import ImagesPlugin
import TestKit
import Testing

@Suite struct AlbumTests {
  @Test func `a picture is asked for once, and again when it could not be read`() async throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      flow: 1
      components:
        album: {plugin: album, using: {catalog: catalog, images: images}}
        catalog: {plugin: catalog, with: {file: rows.json}}
        images: {plugin: images}
      steps:
        - {uses: album.collect, with: {count: 2}, expect: {asked: 1, entries: [&lost {problem: unavailable}, *lost]}}
        - {uses: album.collect, with: {count: 2}, expect: {asked: 1, entries: [&seen {width: 3}, *seen]}}
        - {uses: album.collect, with: {count: 2}, expect: {asked: 0, entries: [*seen, *seen]}}

      """, to: "album.yaml")
    let row = #"{"title": "", "city": "", "state": "", "image": "a.png"}"#
    try folder.write("[\(row), \(row)]", to: "rows.json")
    let images = try StandIn(
      for: Images.self,
      [
        "fetch": .sequence([
          .error("unavailable"),
          .answer([
            "path": "a.png", "format": "png", "width": 3, "height": 2, "bytes": 1, "sha256": "",
            "cached": false, "hits": 0, "misses": 2,
          ]),
        ])
      ])

    try await ScenarioFile(folder.path("album.yaml")).run(
      try Registry([Album.self, Catalog.self]), with: [.standIn(images)])

    #expect(images.calls.count == 2)
  }
}
