import CLibrary
import FlowSystem
import Testing

@Suite struct SystemLibraryTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var newer: String?
    let homebrew: String?
    let isMissing: Bool
    let message: String

    static let table = [
      Case(
        testDescription: "a missing file", homebrew: "some", isMissing: true,
        message: """
          figures need libsome.so.1, which cannot be loaded: REASON; Debian and Ubuntu have it in the \
          package 'libsome1', Homebrew in 'some'
          """),
      Case(
        testDescription: "a missing file that macOS always has", homebrew: nil, isMissing: true,
        message: """
          figures need libsome.so.1, which cannot be loaded: REASON; Debian and Ubuntu have it in the \
          package 'libsome1'
          """),
      Case(
        testDescription: "a missing file whose package has another name in each release",
        newer: "libsome-dev", homebrew: "some", isMissing: true,
        message: """
          figures need libsome.so.1, which cannot be loaded: REASON; Debian and Ubuntu have it in the \
          package 'libsome1', newer ones by 'libsome-dev', Homebrew in 'some'
          """),
      Case(
        testDescription: "a file that cannot be loaded", homebrew: "some", isMissing: false,
        message: "figures need libsome.so.1, which cannot be loaded: REASON"),
    ]
  }

  @Test(arguments: Case.table)
  func `only a missing file comes with the packages that contain it`(_ each: Case) {
    let library = SystemLibrary(
      "figures need", debian: "libsome1", newerDebian: each.newer, homebrew: each.homebrew)

    let error = library.error("libsome.so.1", "REASON", isMissing: each.isMissing)

    #expect(error.description == each.message)
  }

  @Test(arguments: [
    ("none", "flow_none", true, "no such file"),
    ("c", "flow_none", false, "it is too old: it has no flow_none"),
    ("c", "strlen", false, nil),
  ])
  func `the loader tells a missing file from an old one`(
    _ name: String, _ symbol: String, _ isMissing: Bool, _ reason: String?
  ) {
    var problem = flow_library_problem()
    let isLoaded = unsafe name.withCString { name in
      unsafe symbol.withCString { symbol in
        unsafe withUnsafePointer(to: (Optional(symbol), nil as UnsafePointer<CChar>?)) { symbols in
          let symbols = unsafe UnsafeRawPointer(symbols)
            .assumingMemoryBound(to: UnsafePointer<CChar>?.self)
          var library = unsafe flow_library(
            name: name, versions: (5, 6, 0, 0), size: MemoryLayout<Int>.size, symbols: symbols)
          guard let table = unsafe flow_library_load(&library, &problem) else { return false }
          unsafe table.deallocate()
          return true
        }
      }
    }

    #expect(isLoaded == (reason == nil))
    #expect(problem.is_missing == isMissing)
    let text = unsafe withUnsafeBytes(of: problem.reason) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    #expect(text.lowercased().contains(reason ?? ""))
  }
}
