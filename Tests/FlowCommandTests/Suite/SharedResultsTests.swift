import TestKit
import Testing

/// Parts of one suite in processes of their own, at the same time, in one fresh folder.
@Suite struct SharedResultsTests {
  /// 400 live scenarios: the first kills its `flow` the first time, and one fails.
  private static let project = #"""
    mkdir s && echo 'flow: 1' > flow.yaml
    i=100
    while [ $i -lt 500 ]; do
      command='exit 0'
      [ $i = 100 ] && command='mkdir ../killed 2>/dev/null && kill -9 $PPID; exit 0'
      [ $i = 277 ] && command='exit 1'
      cat > s/$i.yaml <<END
    flow: 1
    name: Number $i
    components: {p: {plugin: process}}
    steps: [{uses: p.run, with: {argv: [sh, -c, '$command']}, expect: {status: 0}}]
    END
      i=$((i + 1))
    done
    """#

  private static let parts = #"""
    part() {
      "$0" test s --update never --live --shard $1/8 --results results --run r >/dev/null 2>&1
    }
    for n in 1 2 3 4 5 6 7 8; do part $n & done
    wait
    ls results/r; ls .flow; "$0" merge results .; echo "code $?"
    """#

  private func run(_ lines: String, in folder: TemporaryFolder) throws -> BuiltFlow {
    try BuiltFlow(lines, in: folder)
  }

  @Test func `a part that is killed is missing, and run again the merge is as one run`() throws {
    let folder = try TemporaryFolder()
    let first = try run(Self.project + "\n" + Self.parts, in: folder)

    #expect(first.output == (2...8).map { "\($0).1.json\n" }.joined() + "code 65\n")
    #expect(
      first.errors.contains("flow: the part 1/8 is missing; it crashed or was killed while '"))
    #expect(first.errors.contains(" running\n"))

    let again = try run(
      Self.parts.replacing("1 2 3 4 5 6 7 8", with: "1 5") + "\nmv .flow merged", in: folder)
    let whole = try run(#""$0" test s --update never --live"#, in: folder)
    let names =
      ["1.1.json", "2.1.json", "3.1.json", "4.1.json", "5.1.json", "5.2.json"]
      + ["6.1.json", "7.1.json", "8.1.json"]

    #expect(
      again.output.withoutDurations
        == (names + [whole.output.withoutDurations + "code 1\n"]).joined(separator: "\n"))
    let failed =
      #"grep '"failed":true' merged/last-failed | cut -d, -f1; wc -l < merged/last-failed"#
    #expect(try run(failed, in: folder).output == "{\"path\":\"s/277.yaml\"\n401\n")
  }
}
