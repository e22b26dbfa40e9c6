/// A small scenario over the probe component with every kind of step and of option.
enum EveryStep {
  static let scenario = """
    flow: 1
    name: Every step
    inputs:
      amount: {type: decimal, default: 12.50}
      many: {type: bool, default: true}
    components:
      p: {plugin: probe, with: {start: 3, title: "from ${{ inputs.amount }}"}}
    steps:
      - {id: first, name: Count once, uses: p.count, expect: {value: 4}}
      - {uses: p.fail, with: {code: refused}, expect: {error: refused}}
      - id: echo
        if: ${{ inputs.many }}
        uses: p.echo
        with: {value: {text: "is ${{ steps.first.value }}", all: [1, "${{ inputs.amount }}"], "a key": null}}
        expect: {value: {all: [1, "${{ inputs.amount }}"]}}
        retry: {attempts: 3, backoff: 500ms, factor: 2, max: 10s, jitter: 0.5}
        timeout: 2s
        continue-on-error: true
      - id: turns
        repeat: {until: "${{ steps.turn.value > 8 }}", limit: 5}
        timeout: 1m
        do:
          - {id: turn, uses: p.count, with: {by: "${{ loop.index }}"}, retry: {attempts: 2, on: [too-many]}}
        outputs: {values: "${{ steps.turn.value }}"}
      - for: x
        in: ${{ steps.turns.values }}
        do:
          - {set: {total: 0, next: "${{ x + 1 }}"}}
          - {wait: 10ms, if: "${{ x > 1 }}"}
      - {assert: ["${{ steps.turns.values.size() > 0 }}", "${{ steps.first.value == 4 }}"]}
      - id: together
        name: At the same time
        parallel:
          late:
            needs: [quick, events]
            do:
              - {assert: ["${{ steps.one.value < steps.more.value }}"]}
          quick: [{id: one, uses: p.count}]
          events:
            - {id: more, await: p.counted, where: "${{ event.value > 3 }}", timeout: 5s}
            - {wait: 1s}
        fail-fast: false
        finally:
          - {if: "${{ has(steps.one) }}", uses: p.echo, with: {value: "${{ steps.one }}"}}
      - if: ${{ inputs.many }}
        timeout: 10s
        do:
          - {id: two, uses: p.count}
        else:
          - {id: three, uses: p.random}
          - {wait: 2s}
      - if: ${{ inputs.many }}
        do:
          - {uses: p.echo, with: {value: "${{ steps.two.value }}"}}
      - for: y
        in: ${{ [1, 2, 3] }}
        parallel: 2
        fail-fast: false
        do:
          - {uses: p.count, with: {by: "${{ y }}"}}
      - {set: {rest: 3}}
      - repeat: {while: "${{ rest > 0 }}", limit: 9}
        do:
          - {set: {rest: "${{ rest - 1 }}"}}
        finally:
          - {uses: p.count}
    finally:
      - {uses: p.crash}
    outputs: {count: "${{ steps.first.value }}", kind: probe}
    """
}
