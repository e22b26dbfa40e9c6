import FlowCommand
import FlowCore
import HTTPPlugin
import TestKit
import Testing

/// Imports into a folder, repeated after changes on both sides.
@Suite struct FolderImportTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("flow: 1\n", to: "flow.yaml")
    try collection(["Carts": ["a", "b", "c", "d"], "Items": ["x"]])
  }

  private func collection(_ folders: KeyValuePairs<String, [String]>) throws {
    let items = folders.map { name, paths in
      let requests = paths.map { "{\"name\": \"\($0)\", \"request\": \"http://x.org/\($0)\"}" }
      return "{\"name\": \"\(name)\", \"item\": [\(requests.joined(separator: ", "))]}"
    }
    try folder.write(
      "{\"info\": {\"name\": \"S\"}, \"item\": [\(items.joined(separator: ",\n"))]}", to: "s.json")
  }

  private func flow(_ options: String...) async throws -> FlowCommandRun {
    try await FlowCommandRun(
      ["import", "@/s.json", "-o", "@/out/"] + options, in: folder, components: [HTTP.self])
  }

  private func replace(_ old: String, _ new: String, in file: String) throws {
    let text = try folder.text("out/" + file)
    try #require(text.contains(old))
    try folder.write(text.replacing(old, with: new), to: "out/" + file)
  }

  @Test func `each state of a file is reported`() async throws {
    let first = try await flow()
    let second = try await flow()
    // A request more, one changed and a folder less in the collection.
    try collection(["Carts": ["a", "b", "c2", "d"], "News": ["n"]])
    try replace("  - name: a\n", "  # mine\n  - name: a\n", in: "carts.yaml")
    let third = try await flow()

    #expect(first.output == "new        @/out/carts.yaml\nnew        @/out/items.yaml\n")
    #expect(second.output == "unchanged  @/out/carts.yaml\nunchanged  @/out/items.yaml\n")
    #expect(
      third.output == """
        merged     @/out/carts.yaml
        new        @/out/news.yaml
        gone       @/out/items.yaml: nobody edited it; '--prune' removes it

        """)
    #expect(first.code == .passed && second.code == .passed && third.code == .passed)
    let carts = try folder.text("out/carts.yaml")
    #expect(carts.contains("  # mine\n  - name: a\n") && carts.contains("path: c2"))
    #expect(
      try folder.names(in: "out") == ["carts.yaml", "import.lock", "items.yaml", "news.yaml"])
  }

  @Test func `a change without an edit is written, and an edit without a change stays`()
    async throws
  {
    _ = try await flow()
    try collection(["Carts": ["a2"], "Items": ["x"]])
    try replace("- name: x", "- name: mine", in: "items.yaml")
    let run = try await flow()

    #expect(run.output == "changed    @/out/carts.yaml\nkept       @/out/items.yaml\n")
    #expect(try folder.text("out/carts.yaml").contains("path: a2"))
    #expect(try folder.text("out/items.yaml").contains("- name: mine"))
  }

  @Test func `two changes of one line put the new version beside the file`() async throws {
    _ = try await flow()
    try collection(["Carts": ["a", "b2", "c", "d"], "Items": ["x"]])
    try replace("{path: b}", "{path: mine}", in: "carts.yaml")
    let mine = try folder.text("out/carts.yaml")
    let conflict = try await flow()
    let again = try await flow()

    #expect(
      conflict.output == """
        conflict   @/out/carts.yaml: line 12 changed on both sides; merge 'carts.yaml.new', then \
        remove it
        unchanged  @/out/items.yaml

        """)
    #expect(again.output == conflict.output)
    #expect(conflict.code == .failed && again.code == .failed)
    #expect(try folder.text("out/carts.yaml") == mine)
    #expect(try folder.text("out/carts.yaml.new").contains("path: b2"))

    // Removing the version beside the file says that it was merged.
    try folder.remove("out/carts.yaml.new")
    let resolved = try await flow()

    #expect(resolved.output == "kept       @/out/carts.yaml\nunchanged  @/out/items.yaml\n")
    #expect(resolved.code == .passed)
    #expect(try folder.text("out/carts.yaml") == mine)
  }

  @Test func `an edited version beside a file is not replaced`() async throws {
    _ = try await flow()
    try collection(["Carts": ["a2"], "Items": ["x"]])
    try replace("{path: a}", "{path: mine}", in: "carts.yaml")
    _ = try await flow()
    try folder.write("# mine\n", to: "out/carts.yaml.new")
    try collection(["Carts": ["a3"], "Items": ["x"]])
    let run = try await flow()

    #expect(
      run.output.hasPrefix(
        "conflict   @/out/carts.yaml: lines 7 to 16 changed on both sides; 'carts.yaml.new' was "
          + "edited and stays: merge it, remove it, and import again\n"), "\(run.output)")
    #expect(try folder.text("out/carts.yaml.new") == "# mine\n")
  }

  @Test func `a file of another origin is never replaced`() async throws {
    try folder.write("# mine\n", to: "out/carts.yaml")
    try folder.link("out/items.yaml", to: "../flow.yaml")
    let run = try await flow()

    #expect(
      run.output == """
        conflict   @/out/carts.yaml: it was not imported; merge 'carts.yaml.new', then remove it
        conflict   @/out/items.yaml: it is not a file of text; merge 'items.yaml.new', then remove it

        """)
    #expect(try folder.text("out/carts.yaml") == "# mine\n")
    #expect(try folder.text("flow.yaml") == "flow: 1\n")
  }

  @Test func `a removed file stays removed`() async throws {
    _ = try await flow()
    try folder.remove("out/items.yaml")
    try collection(["Carts": ["a", "b", "c", "d"], "Items": ["x2"]])
    let run = try await flow()

    #expect(run.output == "unchanged  @/out/carts.yaml\ndeleted    @/out/items.yaml\n")
    #expect(try folder.names(in: "out") == ["carts.yaml", "import.lock"])
  }

  @Test func `only unedited files of what is gone are removed, if that is asked for`() async throws
  {
    try collection(["Carts": ["a"], "Items": ["x"], "News": ["n"]])
    _ = try await flow()
    try replace("- name: x", "- name: mine", in: "items.yaml")
    try collection(["Carts": ["a"]])
    let run = try await flow("--prune")
    let again = try await flow("--prune")

    #expect(
      run.output == """
        unchanged  @/out/carts.yaml
        gone       @/out/items.yaml: it was edited and stays
        removed    @/out/news.yaml

        """)
    #expect(again.output == run.output.replacing("removed    @/out/news.yaml\n", with: ""))
    #expect(try folder.names(in: "out") == ["carts.yaml", "import.lock", "items.yaml"])
  }

  @Test func `a dry run prints the differences and writes nothing`() async throws {
    let new = try await flow("--dry-run")
    #expect(new.output == "new        @/out/carts.yaml\nnew        @/out/items.yaml\n")
    #expect(new.code == .failed)
    #expect(!folder.directory.contains("out"))

    _ = try await flow()
    let same = try await flow("--dry-run")
    try collection(["Carts": ["a", "b", "c", "d2"], "Items": ["x"]])
    let changed = try await flow("--dry-run")

    #expect(same.code == .passed)
    #expect(
      changed.output == """
        changed    @/out/carts.yaml
          ...
                uses: api.get
                with: {path: c}
          -   - name: d
          +   - name: d2
                uses: api.get
          -     with: {path: d}
          +     with: {path: d2}
        unchanged  @/out/items.yaml

        """)
    #expect(changed.code == .failed)
    #expect(try !folder.text("out/carts.yaml").contains("d2"))
  }

  @Test func `both versions stay apart if they pass no check together`() async throws {
    _ = try await flow()
    // The new version has inputs, too, and a mapping has no key twice.
    try replace(
      "flow: 1\n", "flow: 1\ninputs: {mine: {type: string, default: a}}\n", in: "carts.yaml")
    try collection(["Carts": ["a", "b", "c", "{{d}}"], "Items": ["x"]])
    let mine = try folder.text("out/carts.yaml")
    let run = try await flow()

    #expect(
      run.output == """
        conflict   @/out/carts.yaml: both versions together do not pass 'flow check'; merge \
        'carts.yaml.new', then remove it
        unchanged  @/out/items.yaml

        """)
    #expect(try folder.text("out/carts.yaml") == mine)
  }

  @Test func `line ends changed by version control are no edit`() async throws {
    _ = try await flow()
    let text = try folder.text("out/carts.yaml").replacing("\n", with: "\r\n")
    try folder.write(text, to: "out/carts.yaml")
    try collection(["Carts": ["a2"], "Items": ["x"]])
    let run = try await flow()

    #expect(run.output == "changed    @/out/carts.yaml\nunchanged  @/out/items.yaml\n")
    let bytes = try folder.text("out/carts.yaml").utf8
    #expect(bytes.count { $0 == 0x0A } == bytes.count { $0 == 0x0D })
  }

  @Test func `several files have their scenarios in one folder`() async throws {
    _ = try await flow()
    try folder.write("GET http://x.org/carts\n", to: "carts.hurl")
    let other = try await FlowCommandRun(
      ["import", "@/carts.hurl", "-o", "@/out"], in: folder, components: [HTTP.self])
    try collection(["Carts": ["a"], "Flow": ["f"]])
    let again = try await flow()

    #expect(other.output == "new        @/out/carts-2.yaml\n")
    #expect(
      again.output == """
        changed    @/out/carts.yaml
        new        @/out/flow-2.yaml
        gone       @/out/items.yaml: nobody edited it; '--prune' removes it

        """)
  }

  @Test(arguments: [
    ("{", "@/out/import.lock:1:2: error: the text ends too early [F1701]\n"),
    (
      "{\"flow-import\": 2}",
      "@/out/import.lock:1:1: error: expected a record of imports, version 1 [F1701]\n"
    ),
    (
      "{\"flow-import\": 1, \"scenarios\": [\n{\"source\": \"S\", \"id\": \"a\", \"file\": \"../a.yaml\"}]}",
      "@/out/import.lock:2:1: error: expected an entry with 'source', a new 'id' and a new 'file' "
        + "in this folder [F1701]\n"
    ),
  ]) func `a broken record is an error, and nothing is written`(
    _ record: String, _ error: String
  ) async throws {
    try folder.write(record, to: "out/import.lock")
    let run = try await flow()

    #expect(run.errors == error)
    #expect(run.code == .badInput)
    #expect(try folder.names(in: "out") == ["import.lock"])
  }

  @Test(arguments: [
    (["--force"], "'--force' needs '--output' with a file, not a folder"),
    (["--transcript"], "'--transcript' needs '--output' with a file, not a folder"),
  ]) func `options for a file are refused with a folder`(
    _ options: [String], _ error: String
  ) async throws {
    let run = try await FlowCommandRun(
      ["import", "@/s.json", "-o", "@/out/"] + options, in: folder, components: [HTTP.self])

    #expect(run.errors == "flow: \(error)\nsee 'flow help import'\n")
    #expect(run.code == .badCommandLine)
  }

  @Test(arguments: ["dry-run", "prune"]) func `options for a folder are refused without one`(
    _ option: String
  ) async throws {
    let run = try await FlowCommandRun(
      ["import", "@/s.json", "-o", "@/x.yaml", "--\(option)"], in: folder, components: [HTTP.self])

    #expect(
      run.errors == "flow: '--\(option)' needs '--output' with a folder\nsee 'flow help import'\n")
  }
}
