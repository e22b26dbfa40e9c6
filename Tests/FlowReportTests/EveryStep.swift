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
    finally:
      - {uses: p.crash}
    outputs: {count: "${{ steps.first.value }}", kind: probe}
    """
}
