import FlowCore
import FlowTesting
import Testing

/// Runs with secrets from a test.
@Suite struct SecretRunTests {
  private let workshop: Workshop

  init() throws {
    workshop = try Workshop(
      "  - uses: it.open\n    with: {key: \"${{ inputs.key }}\"}",
      plugin: "safe, with: {password: \"a password\"}",
      head: "inputs: {key: {type: string, secret: true}}\n")
  }

  private func run(
    _ secrets: [String: String], inputs: [String: any FieldValue] = [:]
  ) async throws -> ScenarioRun {
    await workshop.scenario.attempt(
      try Registry([Safe.self]), inputs: inputs, options: LiveOptions(secrets: secrets))
  }

  @Test func `a run has its secrets for components and for inputs, and shows neither`()
    async throws
  {
    let run = try await run(["token": "t0ken", "key": "k3y-"])

    #expect(run.failures == "")
    #expect(
      run.calls.map(\.description) == [
        "it.open#1 it.open {key: \"${secret:key}\"} -> {text: "
          + "\"${secret:it.password}, ${secret:token}, ${secret:key}\", token: \"${secret:it.token}\"}"
      ])
    #expect(run.reports.map(\.description) == ["it.open#1 it.opened {text: \"${secret:key}\"}"])
    let transcript = String(decoding: run.transcript, as: UTF8.self)
    #expect(!transcript.contains("t0ken"))
    #expect(transcript.contains("${secret:token}"))
  }

  @Test func `what a test prints shows no secret`() async throws {
    let safe = try StandIn(
      for: Safe.self,
      ["open": .answer(["text": "t", "token": "made of it"])])
    let options = LiveOptions(isVirtualTime: true, secrets: ["key": "k3y-sesame"])
    _ = await workshop.scenario.attempt(with: [.standIn(safe)], options: options)

    #expect(
      safe.calls.map(\.description) == [
        #"it.open#1 safe.open {key: "${secret:key}"} -> {text: "t", token: "${secret:token}"}"#
      ])
    #expect("\(options)" == "virtual time, seed 0, secrets key")
    var text = ""
    dump(options, to: &text)
    #expect(!text.contains("sesame"))
    let wrong = await workshop.scenario.attempt(
      try Registry([Safe.self]), inputs: ["key": 12_345_678], options: LiveOptions())
    #expect(
      wrong.failures
        == "error: the input 'key': expected string, got a value of type int [F1403]")
  }

  @Test func `a secret that is not given, or empty, is missing`() async throws {
    let input = try await run(["token": "t0ken", "key": ""])
    let asked = try await run(["token": "", "key": "k3y-"])

    #expect(input.failures.contains("error: the secret input 'key' is missing [F1402]"))
    #expect(asked.failures.contains("the secret 'token' is missing"))
  }

  @Test func `secrets that cannot be used are problems, all at once`() async throws {
    let run = try await run(
      ["token": "abc", "api-token": "t0ken", "key": "k3y-"], inputs: ["key": "k3y-"])

    #expect(
      run.failures == """
        error: 'api-token' cannot be the name of a secret: use letters, digits and '_' [secrets]
        error: 'key' is given as an input and as a secret [secrets]
        error: the secret 'token' has fewer than 4 bytes and cannot be hidden [F1404]
        """)
    #expect(run.calls == [])
  }
}
