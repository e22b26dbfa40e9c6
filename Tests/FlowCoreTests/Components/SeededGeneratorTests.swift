import FlowCore
import Testing

struct SeededGeneratorTests {
  private func numbers(_ seed: UInt64, _ label: String, count: Int = 3) -> [UInt64] {
    var generator = SeededGenerator(seed: seed, label: label)
    return (0..<count).map { _ in generator.next() }
  }

  /// Computed by another program from the definitions of FNV-1a and SplitMix64.
  @Test
  func `the numbers never change from version to version`() {
    #expect(
      numbers(0, "")
        == [0xc381_7c01_6ba4_ff30, 0x100c_daac_c0bc_9316, 0x54c3_a569_ecf6_1b1b])
    #expect(
      numbers(0, "spend#1")
        == [0xc258_b13a_bef4_a80f, 0xe466_5b19_b559_f92e, 0xfe35_86c6_f641_f8e3])
    #expect(
      numbers(1, "spend#1")
        == [0x637b_cab6_fd60_b007, 0xf67e_7da0_965a_876f, 0x34d1_d912_812c_93dc])
    #expect(
      numbers(.max, "browse/page#3")
        == [0x48b4_f9a2_92fc_7c54, 0x04d4_a2b6_142c_5d47, 0x51eb_7b30_63d5_a7a8])
  }

  @Test
  func `seed and label decide all numbers`() {
    #expect(numbers(7, "a#1", count: 100) == numbers(7, "a#1", count: 100))
  }

  @Test
  func `another label or seed gives other numbers`() {
    let all = [(7, "a#1"), (7, "a#2"), (7, "b#1"), (8, "a#1"), (7, ""), (8, "")].map {
      numbers($0.0, $0.1, count: 1)
    }

    #expect(Set(all).count == all.count)
  }

  @Test
  func `a copy draws the same numbers again`() {
    var first = SeededGenerator(seed: 7, label: "a#1")
    var second = first

    #expect(first.next() == second.next())
  }
}
