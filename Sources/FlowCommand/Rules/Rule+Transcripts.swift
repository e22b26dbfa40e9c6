extension Rule {
  /// What is wrong with a transcript or its replay.
  static let transcriptRules: [Rule] = [
    Rule(
      "F3001", "calls are in the transcript",
      """
      The scenario makes a call that was not recorded, or makes it more often.
      """),
    Rule(
      "F3002", "the same operations are called",
      """
      At this address another operation was recorded.
      """),
    Rule(
      "F3003", "inputs are as recorded",
      """
      The call has another input than when it was recorded; each changed field is told.
      """),
    Rule(
      "F3004", "recorded inputs fit",
      """
      The operation takes other fields or types than when it was recorded.
      """),
    Rule(
      "F3005", "recorded answers fit",
      """
      The operation answers other fields or types than when it was recorded, or declares neither the recorded error nor
      the recorded event.
      """),
    Rule(
      "F3006", "recorded calls are made",
      """
      A call was recorded that the scenario does not make any more.
      """),
    Rule(
      "F3007", "the run ends as recorded",
      """
      The recorded run passed and the replayed one failed, or the other way round.
      """),
    Rule(
      "F3008", "the outputs are as recorded",
      """
      The scenario's outputs differ from the recorded ones; each changed one is told.
      """),
    Rule(
      "F3009", "the components do what the transcript says",
      """
      'flow test --live' ran the components, and they did otherwise than recorded; each difference is told.
      """),
    Rule(
      "F3010", "calls come in their recorded order",
      """
      One call comes after another in the run, and did not when it was recorded. Branches have orders of their own;
      'compare: set' on a step frees the order of its calls, 'compare: exact' orders them across branches.
      """),
    Rule(
      "F3011", "recorded events are those that are waited for",
      """
      The payload that a step received when it was recorded does not fulfil its 'where'.
      """),
    Rule(
      "F3012", "received events were reported",
      """
      A step received an event that no component reported, according to the rest of the transcript: it was altered. Each
      reported event is received once.
      """),
    Rule(
      "F3101", "the transcript can be read",
      """
      The file is missing, a folder, too large, or the system refuses to read it.
      """),
    Rule(
      "F3102", "the transcript is not empty",
      """
      A transcript has at least a header and an end.
      """),
    Rule(
      "F3103", "lines have bounds",
      """
      A line of a transcript has at most 16 MiB, and is nested at most 128 deep. What is longer or deeper is
      not recorded.
      """),
    Rule(
      "F3104", "lines are JSON",
      """
      Each line is one JSON value in UTF-8, by RFC 8259.
      """),
    Rule(
      "F3105", "the version is known",
      """
      The first line has 'transcript', the version of the format.
      """),
    Rule(
      "F3106", "the header is complete",
      """
      The first line names scenario, digest, plugins, inputs and seed, each of its type.
      """),
    Rule(
      "F3107", "lines are known",
      """
      Each line is an invoke, emit, ok, error or end, with exactly its members.
      """),
    Rule(
      "F3108", "answers follow calls",
      """
      A call with the same address stands before every answer and every event.
      """),
    Rule(
      "F3109", "calls are answered",
      """
      An answer with the same address stands behind every call.
      """),
    Rule(
      "F3110", "the transcript has an end",
      """
      A transcript without its last line was cut off.
      """),
    Rule(
      "F3111", "nothing follows the end",
      """
      The end is the last line.
      """),
    Rule(
      "F3112", "recorded inputs fit the scenario",
      """
      The scenario has other inputs or types than when it was recorded.
      """),
    Rule(
      "F3114", "matchers are written as such",
      """
      An object with '$any', '$match' or '$near' accepts values that vary: {"$any":"string"}, {"$match":"^a+$"} or \
      {"$near":[12.5,0.1]}. A map that has such a key and is none is written as {"$literal":{...}}.
      """),
    Rule(
      "F3115", "answers can be served",
      """
      A matcher in a recorded answer or event has no value of its own; {"$any":"string","example":"abc"} serves 'abc'.
      """),
    Rule(
      "F3113", "a journal names its run",
      """
      Only what 'flow run --journal' wrote can be resumed; a transcript can be replayed.
      """),
    Rule(
      "F3116", "bodies of transcripts are what their names say",
      """
      Texts and bytes of more than 4 KiB stand in files of the folder 'blobs' beside the transcript, named by their
      SHA-256 digest. Bring the file back, or record again.
      """),
    Rule(
      "F3117", "transcripts are as they were recorded",
      """
      The last line has a digest of everything before it, so that a damaged or badly merged transcript cannot pass. After
      a change by hand, 'flow transcript seal FILE' writes the digest anew; a transcript without one is taken as it is.
      """),
    Rule(
      "F3118", "the bodies of a transcript are not too many",
      """
      All bodies of a transcript may have 1 GiB together; one that is named twice counts twice, since it is used twice.
      Record less of what is large, or mark a field that nobody looks at as volatile.
      """),
    Rule(
      "F3119", "scenarios have transcripts of their own",
      """
      The transcript of both 'shop.yaml' and 'shop.yml' is 'shop.transcript.jsonl'. 'flow test' runs neither, since one would
      replay or replace what the other one recorded. Rename one of them.
      """),
    Rule(
      "F3120", "transcripts name scenarios that lie near",
      """
      A transcript or journal may come from anybody, and the scenario that it names is read and run. It must lie in the
      file's folder, in the project around the working directory, in the working directory, or below one of them, also
      behind links. '--scenario PATH' uses one from elsewhere.
      """),
    Rule(
      "F3121", "journals are as they were written",
      """
      Each line of a journal ends with a checksum of everything before it, so that a damaged one cannot make a resumed run
      do something else. After a change by hand, 'flow transcript seal FILE' writes the checksums anew.
      """),
  ]

  /// What keeps a run with a journal from going on.
  static let journalRules: [Rule] = [
    Rule(
      "F3201", "components answer again as they did",
      """
      A component whose state is in memory is rebuilt by making its recorded calls again. Another answer
      means that it has another state now: it, or something it depends on, has changed.
      """),
    Rule(
      "F3202", "unknown calls are safe to repeat",
      """
      The process ended while the call was made, so nobody knows whether it was done. Its operation is not
      declared safe to repeat. Find out, and resume with --retry-unknown to do it again.
      """),
    Rule(
      "F3203", "components open again",
      """
      A component was open when the run was interrupted and cannot be opened now. The journal is as it was:
      resume it when the cause is gone.
      """),
    Rule(
      "F3204", "the journal can be written",
      """
      What cannot be written is not done. Resume when there is room on the disk again.
      """),
    Rule(
      "F3205", "recorded answers can be used again",
      """
      A journal holds placeholders for what is secret. Where the secret is known, as that of an input is, it is put
      back. Where nobody knows it any more, such as a token that a component answered, a pattern's match, or a
      secret in base 64, the steps that follow would work on the placeholder. Run the scenario anew.
      """),
  ]
}
