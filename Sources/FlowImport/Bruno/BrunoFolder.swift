internal import FlowSystem
internal import FlowYAML

/// A collection of Bruno: a folder of files, one for each request.
struct BrunoFolder {
  private let files: [ImportSource.File]
  private(set) var lines = SourceLines()
  private var folders: [String: Folder] = [:]
  private var collection = BrunoParts()

  private struct Folder {
    var parts = BrunoParts()
    var requests: [BrunoParts] = []
    var folders: Set<String> = []
  }

  /// Returns true for a file that only a collection of Bruno has.
  static func isMark(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return ["bruno.json", "opencollection.yml", "opencollection.yaml"].contains(String(name))
      || name.hasSuffix(".bru")
  }

  /// Reads the requests, the folders and the collection.
  ///
  /// - Throws: `ImportError` for a file that cannot be read.
  init(_ files: [ImportSource.File]) throws(ImportError) {
    self.files = files
    folders[""] = Folder()
    for file in files {
      do throws(ImportError) { try read(file) } catch {
        throw ImportError(
          line: 1, column: 1,
          message: "'\(file.path.onOneLine)', line \(error.line): \(error.message)")
      }
    }
  }

  private mutating func read(_ file: ImportSource.File) throws(ImportError) {
    let parts = file.path.split(separator: "/").map(String.init)
    guard let name = parts.last, !parts.dropLast().contains("environments") else { return }
    let folder = parts.dropLast().joined(separator: "/")
    if name == "bruno.json" {
      return try readSettings(file)
    }
    guard let read = try self.parts(of: file) else { return }
    switch name {
    case "collection.bru", "opencollection.yml", "opencollection.yaml":
      let known = collection
      collection = read
      if !known.name.isEmpty { collection.name = known.name }
      collection.leftOut = known.leftOut + read.leftOut
    case "folder.bru", "folder.yml", "folder.yaml":
      enter(folder)
      folders[folder]?.parts = read
    default:
      let isRequest = !read.address.isEmpty || !read.method.isEmpty
      guard isRequest || !["", "http"].contains(read.kind) else { return }
      enter(folder)
      var request = read
      if request.name.isEmpty { request.name = String(name.prefix { $0 != "." }) }
      folders[folder]?.requests.append(request)
    }
  }

  /// Reads `bruno.json`: the name of the collection, and settings that need a note.
  private mutating func readSettings(_ file: ImportSource.File) throws(ImportError) {
    let offset = lines.add(file.path, count: file.bytes.count { $0 == 0x0A } + 1)
    guard let json = try? PlacedJSON.read(file.bytes) else { return }
    collection.name = json["name"]?.text ?? ""
    if let proxy = json["proxy"], proxy["enabled"]?.bool == true {
      collection.leftOut.append((proxy.line + offset, "the proxy of the collection"))
    }
    let certificates = json["clientCertificates"]
    guard certificates?["enabled"]?.bool != false else { return }
    for certificate in certificates?["certs"]?.elements ?? [] {
      collection.leftOut.append(
        (certificate.line + offset, "a certificate of the collection"))
    }
  }

  /// Makes a folder known to the folders around it.
  private mutating func enter(_ path: String) {
    if folders[path] != nil { return }
    folders[path] = Folder()
    let outer = path.split(separator: "/").dropLast().joined(separator: "/")
    enter(outer)
    folders[outer]?.folders.insert(path)
  }

  /// Returns the content of a file, or nil for one of another kind.
  private mutating func parts(of file: ImportSource.File) throws(ImportError) -> BrunoParts? {
    let text = try ImportSource.text(of: file.bytes)
    let offset = lines.add(file.path, count: text.utf8.count { $0 == 0x0A } + 1)
    if file.path.hasSuffix(".bru") { return BrunoParts(try BruFile(text), offset: offset) }
    guard file.path.hasSuffix(".yml") || file.path.hasSuffix(".yaml") else { return nil }
    let node: Node
    do { node = try Node(parsing: Array(text.utf8)) } catch {
      throw ImportError(line: 1, column: 1, message: "\(error)".onOneLine)
    }
    let isPart = ["info", "http", "graphql", "opencollection"].contains { node[$0] != nil }
    return isPart ? BrunoParts(node, offset: offset) : nil
  }

  // MARK: - Postman's form

  /// The collection in Postman's form.
  func collection(named name: String) -> PlacedJSON {
    let name = collection.name.isEmpty ? name : collection.name
    return collection.folder(named: name, items(of: "", collection.headers))
  }

  /// Returns the folders in a folder and then its requests, in Bruno's order, with the headers that
  /// are handed down.
  private func items(of path: String, _ headers: [BrunoParts.Pair]) -> [PlacedJSON] {
    guard let folder = folders[path] else { return [] }
    let inner = folder.folders.sorted().map {
      path -> (place: Int, name: String, item: PlacedJSON) in
      let parts = folders[path]?.parts ?? BrunoParts()
      let last = path.split(separator: "/").last.map(String.init) ?? path
      let name = parts.name.isEmpty ? last : parts.name
      let all = parts.inheriting(headers)
      return (parts.sequence ?? .max, name, parts.folder(named: name, items(of: path, all.headers)))
    }
    let requests = folder.requests.map {
      ($0.sequence ?? .max, $0.name, $0.inheriting(headers).item)
    }
    return inner.sorted { ($0.place, $0.name) < ($1.place, $1.name) }.map(\.item)
      + requests.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }
}
