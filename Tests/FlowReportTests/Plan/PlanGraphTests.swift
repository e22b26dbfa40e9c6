import FlowPlan
import FlowReport
import TestKit
import Testing

/// Plans in the languages of Mermaid and Graphviz.
@Suite struct PlanGraphTests {
  @Test func `Mermaid gets every step, loop, condition and reading`() throws {
    let graph = PlanGraph(try ProbeRun.plan(EveryStep.scenario))

    #expect(graph.mermaidText == Self.mermaid)
  }

  @Test func `Graphviz gets every step, loop, condition and reading`() throws {
    let graph = PlanGraph(try ProbeRun.plan(EveryStep.scenario))

    #expect(graph.dotText == Self.dot)
  }

  @Test func `another scenario is a group the first time and a node from then on`() throws {
    let plan = try ProbeRun.plan(PlanTreeTests.nested, files: PlanTreeTests.nestedFiles)

    #expect(
      PlanGraph(plan).mermaidText == """
        ---
        title: "Two of them"
        ---
        flowchart TD
          subgraph g1["first"]
            n1["scenario a.yaml"]
            subgraph g2["scenario"]
              n2["scenario b.yaml"]
              n3["wait<br/>wait 1s"]
            end
            n4["echo<br/>p.count"]
            subgraph g3["finally"]
              n5["finally/p.crash<br/>p.crash"]
            end
          end
          n6["second<br/>scenario a.yaml"]
          n7["assert<br/>assert steps.second.y == 1"]
          n1 --> n2
          n2 --> n3
          n3 --> n4
          n4 --> n5
          n5 --> n6
          n6 --> n7
          n1 -.-> n6
          n6 -.-> n7

        """)
  }

  private static let mermaid = #"""
    ---
    title: "Every step"
    ---
    flowchart TD
      n1["Count once<br/>p.count"]
      n2["p.fail"]
      n3{"inputs.many"}
      n4["echo<br/>p.echo"]
      subgraph g1["turns"]
        n5{{"repeat until steps.turn.value #62; 8, limit 5"}}
        n6["turns/turn<br/>p.count"]
      end
      subgraph g2["for"]
        n7{{"for x in steps.turns.values"}}
        n8["for/set<br/>set total, next"]
        n9{"x #62; 1"}
        n10["for/wait<br/>wait 0.01s"]
      end
      n11["assert<br/>assert steps.turns.values.size() #62; 0, steps.first.value == 4"]
      subgraph g3["At the same time"]
        subgraph g6["late"]
          n15["together/late/assert<br/>assert steps.one.value #60; steps.more.value"]
        end
        subgraph g4["quick"]
          n12["together/quick/one<br/>p.count"]
        end
        subgraph g5["events"]
          n13["together/events/more<br/>await p.counted"]
          n14["together/events/wait<br/>wait 1s"]
        end
      end
      subgraph g7["finally"]
        n16{"has(steps.one)"}
        n17["together/finally/p.echo<br/>p.echo"]
      end
      subgraph g8["do"]
        n18{"inputs.many"}
        n19["do/two<br/>p.count"]
        n20["do/else/three<br/>p.random"]
        n21["do/else/wait<br/>wait 2s"]
      end
      n22{"inputs.many"}
      subgraph g9["do[2]"]
        n23["do[2]/p.echo<br/>p.echo"]
      end
      subgraph g10["for[2]"]
        n24{{"for y in [1, 2, 3], 2 at once"}}
        n25["for[2]/p.count<br/>p.count"]
      end
      n26["set<br/>set rest"]
      subgraph g11["repeat"]
        n27{{"repeat while rest #62; 0, limit 9"}}
        n28["repeat/set<br/>set rest"]
      end
      subgraph g12["finally"]
        n29["repeat/finally/p.count<br/>p.count"]
      end
      subgraph g13["finally"]
        n30["finally/p.crash<br/>p.crash"]
      end
      n1 --> n2
      n2 --> n3
      n3 -->|"true"| n4
      n4 --> n5
      n3 -->|"false"| n5
      n5 --> n6
      n6 --> n5
      n5 -->|"done"| n7
      n7 --> n8
      n8 --> n9
      n9 -->|"true"| n10
      n10 --> n7
      n9 -->|"false"| n7
      n7 -->|"done"| n11
      n11 --> n12
      n11 --> n13
      n13 --> n14
      n12 --> n15
      n14 --> n15
      n15 --> n16
      n16 -->|"true"| n17
      n17 --> n18
      n16 -->|"false"| n18
      n18 -->|"true"| n19
      n18 -->|"false"| n20
      n20 --> n21
      n19 --> n22
      n21 --> n22
      n22 -->|"true"| n23
      n23 --> n24
      n22 -->|"false"| n24
      n24 --> n25
      n25 --> n24
      n24 -->|"done"| n26
      n26 --> n27
      n27 --> n28
      n28 --> n27
      n27 -->|"done"| n29
      n29 --> n30
      n1 -.-> n4
      n6 -.-> n5
      n5 -.-> n7
      n5 -.-> n11
      n1 -.-> n11
      n12 -.-> n15
      n13 -.-> n15
      n12 -.-> n16
      n12 -.-> n17
      n19 -.-> n23

    """#

  private static let dot = #"""
    digraph flow {
      label="Every step";
      labelloc=t;
      node [shape=box];
      n1 [label="Count once\np.count"];
      n2 [label="p.fail"];
      n3 [shape=diamond, label="inputs.many"];
      n4 [label="echo\np.echo"];
      subgraph cluster_g1 {
        label="turns";
        n5 [shape=hexagon, label="repeat until steps.turn.value > 8, limit 5"];
        n6 [label="turns/turn\np.count"];
      }
      subgraph cluster_g2 {
        label="for";
        n7 [shape=hexagon, label="for x in steps.turns.values"];
        n8 [label="for/set\nset total, next"];
        n9 [shape=diamond, label="x > 1"];
        n10 [label="for/wait\nwait 0.01s"];
      }
      n11 [label="assert\nassert steps.turns.values.size() > 0, steps.first.value == 4"];
      subgraph cluster_g3 {
        label="At the same time";
        subgraph cluster_g6 {
          label="late";
          n15 [label="together/late/assert\nassert steps.one.value < steps.more.value"];
        }
        subgraph cluster_g4 {
          label="quick";
          n12 [label="together/quick/one\np.count"];
        }
        subgraph cluster_g5 {
          label="events";
          n13 [label="together/events/more\nawait p.counted"];
          n14 [label="together/events/wait\nwait 1s"];
        }
      }
      subgraph cluster_g7 {
        label="finally";
        n16 [shape=diamond, label="has(steps.one)"];
        n17 [label="together/finally/p.echo\np.echo"];
      }
      subgraph cluster_g8 {
        label="do";
        n18 [shape=diamond, label="inputs.many"];
        n19 [label="do/two\np.count"];
        n20 [label="do/else/three\np.random"];
        n21 [label="do/else/wait\nwait 2s"];
      }
      n22 [shape=diamond, label="inputs.many"];
      subgraph cluster_g9 {
        label="do[2]";
        n23 [label="do[2]/p.echo\np.echo"];
      }
      subgraph cluster_g10 {
        label="for[2]";
        n24 [shape=hexagon, label="for y in [1, 2, 3], 2 at once"];
        n25 [label="for[2]/p.count\np.count"];
      }
      n26 [label="set\nset rest"];
      subgraph cluster_g11 {
        label="repeat";
        n27 [shape=hexagon, label="repeat while rest > 0, limit 9"];
        n28 [label="repeat/set\nset rest"];
      }
      subgraph cluster_g12 {
        label="finally";
        n29 [label="repeat/finally/p.count\np.count"];
      }
      subgraph cluster_g13 {
        label="finally";
        n30 [label="finally/p.crash\np.crash"];
      }
      n1 -> n2;
      n2 -> n3;
      n3 -> n4 [label="true"];
      n4 -> n5;
      n3 -> n5 [label="false"];
      n5 -> n6;
      n6 -> n5;
      n5 -> n7 [label="done"];
      n7 -> n8;
      n8 -> n9;
      n9 -> n10 [label="true"];
      n10 -> n7;
      n9 -> n7 [label="false"];
      n7 -> n11 [label="done"];
      n11 -> n12;
      n11 -> n13;
      n13 -> n14;
      n12 -> n15;
      n14 -> n15;
      n15 -> n16;
      n16 -> n17 [label="true"];
      n17 -> n18;
      n16 -> n18 [label="false"];
      n18 -> n19 [label="true"];
      n18 -> n20 [label="false"];
      n20 -> n21;
      n19 -> n22;
      n21 -> n22;
      n22 -> n23 [label="true"];
      n23 -> n24;
      n22 -> n24 [label="false"];
      n24 -> n25;
      n25 -> n24;
      n24 -> n26 [label="done"];
      n26 -> n27;
      n27 -> n28;
      n28 -> n27;
      n27 -> n29 [label="done"];
      n29 -> n30;
      n1 -> n4 [style=dashed, constraint=false];
      n6 -> n5 [style=dashed, constraint=false];
      n5 -> n7 [style=dashed, constraint=false];
      n5 -> n11 [style=dashed, constraint=false];
      n1 -> n11 [style=dashed, constraint=false];
      n12 -> n15 [style=dashed, constraint=false];
      n13 -> n15 [style=dashed, constraint=false];
      n12 -> n16 [style=dashed, constraint=false];
      n12 -> n17 [style=dashed, constraint=false];
      n19 -> n23 [style=dashed, constraint=false];
    }

    """#

  @Test func `the same plan gives the same graphs`() throws {
    let first = PlanGraph(try ProbeRun.plan(EveryStep.scenario))
    let second = PlanGraph(try ProbeRun.plan(EveryStep.scenario))

    #expect(first.mermaidText == second.mermaidText)
    #expect(first.dotText == second.dotText)
  }

  @Test func `ids of earlier loops are not those of later ones`() throws {
    let loop =
      "{for: i, in: \"${{ [1] }}\", do: [{id: a, uses: p.count}, {assert: [\"${{ steps.a.value > 0 }}\"]}]}"
    let graph = PlanGraph(try Self.plan("steps: [\(loop), \(loop)]"))

    let readings = graph.mermaidText.split(separator: "\n").filter { $0.contains("-.->") }
    #expect(readings == ["  n2 -.-> n3", "  n5 -.-> n6"])
  }

  private static let hostile = #"""
    name: "a\"b</svg>\\N&amp;\n%%{init}%%\u2028`#quot;"
    steps: [{name: "\"]; end\n x --> y \\ <br> [{(|é👍", uses: p.count}]
    """#

  @Test func `a hostile label stays a label of Mermaid`() throws {
    let graph = PlanGraph(try Self.plan(Self.hostile))

    #expect(
      graph.mermaidText == #"""
        ---
        title: "a\x22b\x3C/svg\x3E\x5CN\x26amp\x3B\x5Cn\x25\x25\x7Binit\x7D\x25\x25\x5Cu\x7B2028\x7D\x60\x23quot\x3B"
        ---
        flowchart TD
          n1["#34;]#59; end#92;n x --#62; y #92; #60;br#62; [#123;(#124;é👍<br/>p.count"]

        """#)
  }

  @Test func `a hostile label stays a label of Graphviz`() throws {
    let graph = PlanGraph(try Self.plan(Self.hostile))

    #expect(
      graph.dotText == #"""
        digraph flow {
          label="a\"b</svg>\\N&amp;amp;\\n%%{init}%%\\u{2028}`#quot;";
          labelloc=t;
          node [shape=box];
          n1 [label="\"]; end\\n x --> y \\ <br> [{(|é👍\np.count"];
        }

        """#)
  }

  @Test func `long labels are shortened`() throws {
    let long = String(repeating: "x", count: 1_000)
    let graph = PlanGraph(try Self.plan("steps: [{name: \(long), uses: p.count}]"))

    #expect(graph.dotText.contains("[label=\"\(long.prefix(79))…\\np.count\"];"))
  }

  private static func plan(_ text: String) throws -> Plan {
    try ProbeRun.plan("flow: 1\ncomponents: {p: {plugin: probe}}\n" + text)
  }
}
