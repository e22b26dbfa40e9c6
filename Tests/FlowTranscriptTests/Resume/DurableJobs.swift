/// The jobs, by what they show.
extension DurableJobTests {
  // MARK: - Calls

  static let calls = [
    Job(
      testDescription: "calls in their order",
      steps: """
          - {uses: account.subtract, with: {amount: 1.00}}
          - {uses: purse.add, with: {amount: 2.00}}
          - {uses: account.add, with: {amount: 3.00}}
        """,
      outputs: "kept 12.00, held 3.00"),
    Job(
      testDescription: "an answer that a later call uses",
      steps: """
          - {id: a, uses: account.subtract, with: {amount: 1.00}}
          - {uses: purse.add, with: {amount: "${{ steps.a.balance }}"}}
        """,
      outputs: "kept 9.00, held 10.00"),
    Job(
      testDescription: "an answer of memory that a call outside uses",
      steps: """
          - {id: a, uses: purse.add, with: {amount: 2.00}}
          - {uses: account.add, with: {amount: "${{ steps.a.balance }}"}}
        """,
      outputs: "kept 13.00, held 3.00"),
    Job(
      testDescription: "an expected error",
      steps: """
          - {uses: account.subtract, with: {amount: 100.00}, expect: {error: insufficient}}
          - {uses: account.subtract, with: {amount: 1.00}}
        """,
      outputs: "kept 9.00, held 1.00"),
    Job(
      testDescription: "an error that is ignored",
      steps: """
          - {uses: account.subtract, with: {amount: 100.00}, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "the code of an error that is read later",
      steps: """
          - {id: t, uses: account.subtract, with: {amount: 100.00}, continue-on-error: true}
          - {if: "${{ has(steps.t.error) && steps.t.error.code == 'insufficient' }}", uses: account.add, with: {amount: 2.00}}
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "an alternative after a failure",
      steps: """
          - {id: t, uses: account.subtract, with: {amount: 100.00}, continue-on-error: true}
          - {if: "${{ has(steps.t.error) }}", uses: purse.add, with: {amount: 5.00}}
          - {if: "${{ !has(steps.t.error) }}", uses: purse.add, with: {amount: 7.00}}
        """,
      outputs: "kept 10.00, held 6.00"),
    Job(
      testDescription: "a call that is tried three times",
      steps: """
          - {uses: account.subtract, with: {amount: 100.00}, retry: {attempts: 3, backoff: 1ms}, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a call that is tried without a pause",
      steps: """
          - {uses: account.subtract, with: {amount: 100.00}, retry: {attempts: 4}, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a call in memory that is tried again",
      steps: """
          - {uses: purse.subtract, with: {amount: 100.00}, retry: {attempts: 3, backoff: 1ms}, continue-on-error: true}
          - {uses: purse.add, with: {amount: 1.00}}
        """,
      outputs: "kept 10.00, held 2.00"),
    Job(
      testDescription: "a block that succeeds at its second attempt",
      steps: """
          - retry: {attempts: 3, backoff: 1ms}
            do:
              - {id: p, uses: purse.add, with: {amount: 1.00}}
              - {uses: account.add, with: {amount: 1.00}}
              - {assert: ["${{ steps.p.balance > 2 }}"]}
        """,
      outputs: "kept 12.00, held 3.00"),
    Job(
      testDescription: "a block whose attempts all fail",
      steps: """
          - retry: {attempts: 2, backoff: 1ms}
            continue-on-error: true
            do:
              - {uses: account.add, with: {amount: 1.00}}
              - {uses: account.subtract, with: {amount: 100.00}}
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "an attempt that takes back what it did",
      steps: """
          - retry: {attempts: 2, backoff: 1ms}
            continue-on-error: true
            do:
              - do:
                  - {uses: account.subtract, with: {amount: 4.00}}
                  - {uses: account.subtract, with: {amount: 100.00}}
                finally:
                  - {uses: account.add, with: {amount: 4.00}}
        """,
      outputs: "kept 10.00, held 1.00"),
  ]

  // MARK: - Compensations

  static let compensations = [
    Job(
      testDescription: "a compensation",
      steps: """
          - continue-on-error: true
            do:
              - {uses: account.subtract, with: {amount: 5.00}}
              - {uses: account.subtract, with: {amount: 100.00}}
            finally:
              - {uses: account.add, with: {amount: 5.00}}
        """,
      outputs: "kept 10.00, held 1.00"),
    Job(
      testDescription: "compensations from the inside out",
      steps: """
          - continue-on-error: true
            do:
              - {uses: account.subtract, with: {amount: 1.00}}
              - do:
                  - {uses: account.subtract, with: {amount: 2.00}}
                  - {uses: account.subtract, with: {amount: 100.00}}
                finally: [{uses: account.add, with: {amount: 2.00}}]
            finally: [{uses: account.add, with: {amount: 1.00}}]
        """,
      outputs: "kept 10.00, held 1.00"),
    Job(
      testDescription: "a compensation that waits",
      steps: """
          - continue-on-error: true
            do:
              - {uses: account.subtract, with: {amount: 5.00}}
              - {uses: account.subtract, with: {amount: 100.00}}
            finally:
              - {wait: 1ms}
              - {uses: account.add, with: {amount: 5.00}}
        """,
      outputs: "kept 10.00, held 1.00"),
    Job(
      testDescription: "a compensation after success",
      steps: """
          - do: [{uses: account.subtract, with: {amount: 5.00}}]
            finally: [{uses: account.add, with: {amount: 5.00}}]
        """,
      outputs: "kept 10.00, held 1.00"),
    Job(
      testDescription: "a finally of the run",
      steps: """
          - {uses: account.subtract, with: {amount: 1.00}}
        """,
      finally:
        #"{uses: account.add, with: {amount: 1.00}}, {uses: purse.add, with: {amount: 1.00}}"#,
      outputs: "kept 9.00, held 1.00"),
    Job(
      testDescription: "a finally of the run that waits",
      steps: """
          - {uses: account.subtract, with: {amount: 1.00}}
        """,
      finally: #"{wait: 1ms}, {uses: account.add, with: {amount: 1.00}}"#,
      outputs: "kept 9.00, held 1.00"),
  ]

  // MARK: - Timers

  static let timers = [
    Job(
      testDescription: "a timer",
      steps: """
          - {uses: account.subtract, with: {amount: 1.00}}
          - {wait: 1ms}
          - {uses: account.add, with: {amount: 2.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a timer first",
      steps: """
          - {wait: 1ms}
          - {uses: account.add, with: {amount: 2.00}}
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "a timer in each round of a loop",
      steps: """
          - for: x
            in: ${{ [1, 2, 3] }}
            do:
              - {wait: 1ms}
              - {uses: account.add, with: {amount: "${{ x }}"}}
        """,
      outputs: "kept 16.00, held 1.00"),
    Job(
      testDescription: "timers at the same time",
      steps: """
          - parallel:
              one: [{wait: 1ms}, {uses: purse.add, with: {amount: 1.00}}]
              two: [{wait: 2ms}, {uses: account.add, with: {amount: 1.00}}]
        """,
      outputs: "kept 11.00, held 2.00"),
    Job(
      testDescription: "many timers at the same time",
      steps: """
          - for: x
            in: ${{ lists.range(6) }}
            parallel: 6
            do:
              - {wait: 1ms}
              - {uses: account.add, with: {amount: 0.50}}
        """,
      outputs: "kept 13.00, held 1.00"),
    Job(
      testDescription: "a timer that a timeout cuts off",
      steps: """
          - {wait: 1h, timeout: 1ms, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a timeout with a compensation",
      steps: """
          - continue-on-error: true
            do:
              - {uses: account.subtract, with: {amount: 2.00}}
              - {wait: 1h, timeout: 1ms}
            finally: [{uses: account.add, with: {amount: 2.00}}]
        """,
      outputs: "kept 10.00, held 1.00"),
  ]

  // MARK: - Events

  static let events = [
    Job(
      testDescription: "an event that never comes",
      steps: """
          - {await: account.changed, where: "${{ event.balance > 500 }}", timeout: 1ms, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "an event of another branch",
      steps: """
          - parallel:
              sends: [{uses: purse.add, with: {amount: 4.00}}]
              waits:
                - {await: purse.changed, where: "${{ event.balance > 4 }}", timeout: 1h}
                - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 5.00"),
    Job(
      testDescription: "an event whose value is used",
      steps: """
          - {uses: purse.add, with: {amount: 4.00}}
          - {id: e, await: purse.changed, timeout: 1h}
          - {uses: account.add, with: {amount: "${{ steps.e.balance }}"}}
        """,
      outputs: "kept 15.00, held 5.00"),
    Job(
      testDescription: "events one after another",
      steps: """
          - {uses: purse.add, with: {amount: 1.00}}
          - {uses: purse.add, with: {amount: 2.00}}
          - {id: first, await: purse.changed, timeout: 1h}
          - {id: second, await: purse.changed, timeout: 1h}
          - {uses: account.add, with: {amount: "${{ steps.second.balance - steps.first.balance }}"}}
        """,
      outputs: "kept 12.00, held 4.00"),
  ]

  // MARK: - Branches

  static let branches = [
    Job(
      testDescription: "the results of all branches",
      steps: """
          - parallel:
              one: [{uses: account.subtract, with: {amount: 1.00}}]
              two: [{uses: purse.add, with: {amount: 2.00}}]
        """,
      outputs: "kept 9.00, held 3.00"),
    Job(
      testDescription: "a branch after another one",
      steps: """
          - parallel:
              first: [{uses: account.subtract, with: {amount: 1.00}}]
              then:
                needs: [first]
                do: [{uses: account.add, with: {amount: 3.00}}]
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "a branch after two others",
      steps: """
          - parallel:
              one: [{uses: account.subtract, with: {amount: 1.00}}]
              two: [{uses: purse.add, with: {amount: 1.00}}]
              then:
                needs: [one, two]
                do: [{uses: account.add, with: {amount: 3.00}}]
        """,
      outputs: "kept 12.00, held 2.00"),
    Job(
      testDescription: "a failed branch that cancels a timer",
      steps: """
          - continue-on-error: true
            parallel:
              fails: [{uses: account.subtract, with: {amount: 100.00}}]
              waits: [{wait: 1h}]
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a cancelled branch with a compensation",
      steps: """
          - continue-on-error: true
            parallel:
              fails: [{uses: account.subtract, with: {amount: 100.00}}]
              waits:
                - do: [{wait: 1h}]
                  finally: [{uses: account.add, with: {amount: 2.00}}]
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "a cancelled branch that waited for an event",
      steps: """
          - continue-on-error: true
            parallel:
              fails: [{uses: account.subtract, with: {amount: 100.00}}]
              waits: [{await: purse.changed, timeout: 1h}]
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a failed branch whose failure is ignored",
      steps: """
          - parallel:
              fails: [{uses: account.subtract, with: {amount: 100.00}, continue-on-error: true}]
              works: [{uses: purse.add, with: {amount: 1.00}}]
        """,
      outputs: "kept 10.00, held 2.00"),
    Job(
      testDescription: "a failed branch beside one that is tried again",
      steps: """
          - continue-on-error: true
            parallel:
              fails: [{wait: 1ms}, {uses: account.subtract, with: {amount: 100.00}}]
              again: [{uses: account.subtract, with: {amount: 200.00}, retry: {attempts: 50, backoff: 1h}}]
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "branches inside of branches",
      steps: """
          - parallel:
              one:
                - parallel:
                    a: [{uses: account.add, with: {amount: 1.00}}]
                    b: [{uses: purse.add, with: {amount: 1.00}}]
              two: [{uses: account.add, with: {amount: 2.00}}]
        """,
      outputs: "kept 13.00, held 2.00"),
    Job(
      testDescription: "a loop of branches",
      steps: """
          - for: x
            in: ${{ [1, 2] }}
            do:
              - parallel:
                  a: [{uses: account.add, with: {amount: "${{ x }}"}}]
                  b: [{uses: purse.add, with: {amount: "${{ x }}"}}]
        """,
      outputs: "kept 13.00, held 4.00"),
  ]

  // MARK: - Loops

  static let loops = [
    Job(
      testDescription: "elements at the same time, some at once",
      steps: """
          - for: x
            in: ${{ [1, 2, 3, 4] }}
            parallel: 2
            do: [{uses: account.add, with: {amount: "${{ x }}"}}]
        """,
      outputs: "kept 20.00, held 1.00"),
    Job(
      testDescription: "the results of elements at the same time, in order",
      steps: """
          - id: all
            for: x
            in: ${{ [1, 2, 3] }}
            parallel: 3
            do: [{uses: account.add, with: {amount: "${{ x }}"}}]
            outputs: {value: "${{ x }}"}
          - {uses: purse.add, with: {amount: "${{ steps.all.value[1] }}"}}
        """,
      outputs: "kept 16.00, held 3.00"),
    Job(
      testDescription: "a loop over a list",
      steps: """
          - for: x
            in: ${{ [1, 2, 3] }}
            do: [{uses: account.add, with: {amount: "${{ x }}"}}]
        """,
      outputs: "kept 16.00, held 1.00"),
    Job(
      testDescription: "a loop over an empty list",
      steps: """
          - for: x
            in: ${{ lists.range(0) }}
            do: [{uses: account.add, with: {amount: 1.00}}]
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a loop inside of a loop",
      steps: """
          - for: x
            in: ${{ [1, 2] }}
            do:
              - for: y
                in: ${{ [1, 2] }}
                do: [{uses: account.add, with: {amount: "${{ x * y }}"}}]
        """,
      outputs: "kept 19.00, held 1.00"),
    Job(
      testDescription: "a loop with a failure in one round",
      steps: """
          - for: x
            in: ${{ [1, 100, 2] }}
            do: [{uses: account.subtract, with: {amount: "${{ x }}"}, continue-on-error: true}]
        """,
      outputs: "kept 7.00, held 1.00"),
    Job(
      testDescription: "a long loop",
      steps: """
          - for: x
            in: ${{ lists.range(20) }}
            do: [{uses: account.add, with: {amount: 0.10}}]
        """,
      outputs: "kept 12.00, held 1.00"),
    Job(
      testDescription: "a poll until an answer",
      steps: """
          - repeat: {until: "${{ steps.look.balance > 12 }}", limit: 9}
            do:
              - {id: look, uses: account.add, with: {amount: 1.00}}
              - {wait: 1ms}
        """,
      outputs: "kept 13.00, held 1.00"),
    Job(
      testDescription: "a loop to its limit, that is ignored",
      steps: """
          - continue-on-error: true
            repeat: {until: "${{ steps.look.balance > 99 }}", limit: 3}
            do: [{id: look, uses: account.add, with: {amount: 1.00}}]
        """,
      outputs: "kept 13.00, held 1.00"),
  ]

  // MARK: - Values

  static let values = [
    Job(
      testDescription: "a condition by an answer",
      steps: """
          - {id: a, uses: account.subtract, with: {amount: 1.00}}
          - {if: "${{ steps.a.balance < 10 }}", uses: account.add, with: {amount: 2.00}}
          - {if: "${{ steps.a.balance > 10 }}", uses: account.add, with: {amount: 3.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a condition of a block",
      steps: """
          - {id: a, uses: purse.add, with: {amount: 1.00}}
          - if: "${{ steps.a.balance < 10 }}"
            do:
              - {uses: account.add, with: {amount: 2.00}}
              - {uses: purse.add, with: {amount: 2.00}}
        """,
      outputs: "kept 12.00, held 4.00"),
    Job(
      testDescription: "a value that is kept between calls",
      steps: """
          - {id: a, uses: account.subtract, with: {amount: 1.00}}
          - set: {twice: "${{ steps.a.balance + steps.a.balance }}"}
          - {wait: 1ms}
          - {uses: purse.add, with: {amount: "${{ twice }}"}}
        """,
      outputs: "kept 9.00, held 19.00"),
    Job(
      testDescription: "an assertion between calls",
      steps: """
          - {id: a, uses: account.subtract, with: {amount: 1.00}}
          - {assert: ["${{ steps.a.balance < 10 }}"]}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 10.00, held 1.00"),
  ]

  // MARK: - Children

  static let children = [
    Job(
      testDescription: "the result of a child",
      steps: """
          - {id: child, scenario: child.yaml, with: {by: 2.00}}
          - {uses: account.add, with: {amount: "${{ steps.child.held }}"}}
        """,
      outputs: "kept 13.00, held 1.00"),
    Job(
      testDescription: "children one after another",
      steps: """
          - {scenario: child.yaml, with: {by: 1.00}}
          - {scenario: child.yaml, with: {by: 2.00}}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "children at the same time",
      steps: """
          - id: all
            for: x
            in: ${{ [1, 2, 3] }}
            parallel: 3
            do: [{id: child, scenario: child.yaml, with: {by: "${{ x }}"}}]
            outputs: {held: "${{ steps.child.held }}"}
          - {uses: account.add, with: {amount: "${{ steps.all.held[2] }}"}}
        """,
      outputs: "kept 14.00, held 1.00"),
    Job(
      testDescription: "a child that fails, and is ignored",
      steps: """
          - {id: child, scenario: child.yaml, with: {by: -5.00}, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a child that is tried again",
      steps: """
          - {scenario: child.yaml, with: {by: -5.00}, retry: {attempts: 2, backoff: 1ms}, continue-on-error: true}
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a child that a failed branch cancels",
      steps: """
          - continue-on-error: true
            parallel:
              fails: [{uses: account.subtract, with: {amount: 100.00}}]
              child: [{scenario: slow.yaml}]
          - {uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
    Job(
      testDescription: "a child in a compensation",
      steps: """
          - continue-on-error: true
            do: [{uses: account.subtract, with: {amount: 100.00}}]
            finally:
              - {id: child, scenario: child.yaml, with: {by: 2.00}}
              - {uses: account.add, with: {amount: "${{ steps.child.held }}"}}
        """,
      outputs: "kept 13.00, held 1.00"),
    Job(
      testDescription: "a long value",
      steps: """
          - set: {text: "${{ lists.range(2000).map(i, string(i)).join(',') }}"}
          - {if: "${{ size(text) > 4096 }}", uses: account.add, with: {amount: 1.00}}
        """,
      outputs: "kept 11.00, held 1.00"),
  ]
}
