/// The stable name of a kind of problem, such as `F1203`, explained in `Docs/rules.md`.
public struct DiagnosticCode: Sendable, Hashable {
  /// The name as it is printed.
  public let name: String

  /// A code of this name.
  public init(_ name: String) { self.name = name }
}

extension DiagnosticCode: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates the code of a literal name, for comparisons in tests.
  ///
  /// Flow's own code uses the names below.
  public init(stringLiteral name: String) { self.init(name) }

  /// The name.
  public var description: String { name }
}

// All codes of flow in order, named by the problem. A new one is the next of its group.
extension DiagnosticCode {
  // MARK: - Files of scenarios

  package static let unreadableScenario = DiagnosticCode("F1001")
  package static let malformedYAML = DiagnosticCode("F1002")

  // MARK: - The form of a scenario

  package static let missingVersion = DiagnosticCode("F1101")
  package static let unknownKey = DiagnosticCode("F1102")
  package static let missingKey = DiagnosticCode("F1103")
  package static let malformedValue = DiagnosticCode("F1104")
  package static let unexpectedTag = DiagnosticCode("F1105")
  package static let unusableName = DiagnosticCode("F1106")
  package static let repeatedID = DiagnosticCode("F1107")
  package static let emptyStep = DiagnosticCode("F1108")
  package static let severalActions = DiagnosticCode("F1109")
  package static let conflictingKeys = DiagnosticCode("F1110")
  package static let malformedLimit = DiagnosticCode("F1111")
  package static let unknownNeed = DiagnosticCode("F1112")
  package static let circularNeeds = DiagnosticCode("F1113")
  package static let unknownComparison = DiagnosticCode("F1114")
  package static let unsuitableSecretInput = DiagnosticCode("F1120")

  // MARK: - Plugins, components and inclusion

  package static let unknownPlugin = DiagnosticCode("F1201")
  package static let unknownComponent = DiagnosticCode("F1202")
  package static let unknownOperation = DiagnosticCode("F1203")
  package static let unknownField = DiagnosticCode("F1204")
  package static let missingField = DiagnosticCode("F1205")
  package static let wrongFieldType = DiagnosticCode("F1206")
  package static let undeclaredError = DiagnosticCode("F1207")
  package static let unknownInputType = DiagnosticCode("F1208")
  package static let unknownEvent = DiagnosticCode("F1209")
  package static let unreadableInclusion = DiagnosticCode("F1210")
  package static let endlessInclusion = DiagnosticCode("F1211")
  package static let unknownRole = DiagnosticCode("F1212")
  package static let unfilledRole = DiagnosticCode("F1213")
  package static let unfitRole = DiagnosticCode("F1214")
  package static let circularUse = DiagnosticCode("F1215")
  package static let deniedReach = DiagnosticCode("F1216")
  package static let unfitComponent = DiagnosticCode("F1217")
  package static let refusedSettings = DiagnosticCode("F1218")
  package static let unknownOptionalCall = DiagnosticCode("F1219")
  package static let refusedInput = DiagnosticCode("F1220")
  package static let unreadableSchema = DiagnosticCode("F1221")
  package static let malformedSchema = DiagnosticCode("F1222")
  package static let contradictedContract = DiagnosticCode("F1223")
  package static let unlockedPlugin = DiagnosticCode("F1224")
  package static let unusableDescription = DiagnosticCode("F1225")

  // MARK: - Expressions

  package static let malformedExpression = DiagnosticCode("F1301")
  package static let undeclaredName = DiagnosticCode("F1302")
  package static let unsuitableOperand = DiagnosticCode("F1303")
  package static let unknownAnswerField = DiagnosticCode("F1304")
  package static let wrongExpressionType = DiagnosticCode("F1305")
  package static let missingExpression = DiagnosticCode("F1306")
  package static let openExpression = DiagnosticCode("F1307")
  package static let excessiveExpression = DiagnosticCode("F1309")
  package static let skippedStep = DiagnosticCode("F1311")
  package static let answerOfFailure = DiagnosticCode("F1312")
  package static let laterStep = DiagnosticCode("F1313")
  package static let stepInsideLoop = DiagnosticCode("F1314")
  package static let unawaitedBranch = DiagnosticCode("F1315")
  package static let sharedVariable = DiagnosticCode("F1316")

  // MARK: - Inputs

  package static let unknownInput = DiagnosticCode("F1401")
  package static let missingInput = DiagnosticCode("F1402")
  package static let malformedInput = DiagnosticCode("F1403")
  package static let secretTooShort = DiagnosticCode("F1404")
  package static let hiddenInput = DiagnosticCode("F1405")
  package static let secretInFile = DiagnosticCode("F1406")
  package static let unreadableInputs = DiagnosticCode("F1407")

  // MARK: - What is probably meant otherwise

  package static let unusedID = DiagnosticCode("F1501")
  package static let unusedInput = DiagnosticCode("F1502")
  package static let unusedComponent = DiagnosticCode("F1503")
  package static let textLikeExpression = DiagnosticCode("F1514")
  package static let valueInCode = DiagnosticCode("F1515")
  package static let uselessExpression = DiagnosticCode("F1516")
  package static let unknownSchemaKeyword = DiagnosticCode("F1517")
  package static let nothingToRun = DiagnosticCode("F1518")
  package static let closedReplay = DiagnosticCode("F1519")
  package static let undeclaredField = DiagnosticCode("F1520")

  // MARK: - The project file

  package static let unreadableProject = DiagnosticCode("F1601")
  package static let malformedProjectYAML = DiagnosticCode("F1602")
  package static let missingProjectVersion = DiagnosticCode("F1603")
  package static let unknownProjectKey = DiagnosticCode("F1604")
  package static let malformedProjectValue = DiagnosticCode("F1605")
  package static let missingProjectPath = DiagnosticCode("F1606")
  package static let malformedPattern = DiagnosticCode("F1607")
  package static let unknownLiveComponent = DiagnosticCode("F1608")
  package static let secondProjectFile = DiagnosticCode("F1613")
  package static let unmadeState = DiagnosticCode("F1614")

  // MARK: - Imported files

  package static let unreadableImport = DiagnosticCode("F1701")

  // MARK: - Runs

  package static let unexpectedAnswer = DiagnosticCode("F2001")
  package static let unexpectedError = DiagnosticCode("F2002")
  package static let missingError = DiagnosticCode("F2003")
  package static let failedAssertion = DiagnosticCode("F2004")
  package static let failedExpression = DiagnosticCode("F2005")
  package static let exhaustedRepeat = DiagnosticCode("F2006")
  package static let unopenedComponent = DiagnosticCode("F2008")
  package static let cancelled = DiagnosticCode("F2009")
  package static let timedOut = DiagnosticCode("F2010")
  package static let notedFailure = DiagnosticCode("F2011")
  package static let brokenContract = DiagnosticCode("F2012")
  package static let failedTrials = DiagnosticCode("F2013")

  // MARK: - Replays

  package static let unrecordedCall = DiagnosticCode("F3001")
  package static let otherOperation = DiagnosticCode("F3002")
  package static let changedInput = DiagnosticCode("F3003")
  package static let unfitRecordedInput = DiagnosticCode("F3004")
  package static let unfitRecordedAnswer = DiagnosticCode("F3005")
  package static let unusedCalls = DiagnosticCode("F3006")
  package static let otherEnd = DiagnosticCode("F3007")
  package static let otherOutputs = DiagnosticCode("F3008")
  package static let otherLiveRun = DiagnosticCode("F3009")
  package static let otherOrder = DiagnosticCode("F3010")
  package static let otherEvent = DiagnosticCode("F3011")
  package static let unreportedEvent = DiagnosticCode("F3012")
  package static let tiedCalls = DiagnosticCode("F3013")
  package static let stale = DiagnosticCode("F3014")

  // MARK: - Transcripts

  package static let unreadableTranscript = DiagnosticCode("F3101")
  package static let emptyTranscript = DiagnosticCode("F3102")
  package static let longLine = DiagnosticCode("F3103")
  package static let malformedLine = DiagnosticCode("F3104")
  package static let unknownTranscriptVersion = DiagnosticCode("F3105")
  package static let incompleteHeader = DiagnosticCode("F3106")
  package static let unknownLine = DiagnosticCode("F3107")
  package static let answerWithoutCall = DiagnosticCode("F3108")
  package static let callWithoutAnswer = DiagnosticCode("F3109")
  package static let cutOffTranscript = DiagnosticCode("F3110")
  package static let linesAfterEnd = DiagnosticCode("F3111")
  package static let unfitInputs = DiagnosticCode("F3112")
  package static let missingRun = DiagnosticCode("F3113")
  package static let malformedMatcher = DiagnosticCode("F3114")
  package static let unservableMatcher = DiagnosticCode("F3115")
  package static let wrongBody = DiagnosticCode("F3116")
  package static let brokenSeal = DiagnosticCode("F3117")
  package static let excessiveBodies = DiagnosticCode("F3118")
  package static let sharedTranscript = DiagnosticCode("F3119")
  package static let distantScenario = DiagnosticCode("F3120")
  package static let brokenChecksum = DiagnosticCode("F3121")
  package static let lostScenario = DiagnosticCode("F3126")
  package static let callWithoutCaller = DiagnosticCode("F3127")
  package static let missingTranscript = DiagnosticCode("F3128")

  // MARK: - Resumed runs

  package static let otherResumedAnswer = DiagnosticCode("F3201")
  package static let unknownOutcome = DiagnosticCode("F3202")
  package static let unopenedAgain = DiagnosticCode("F3203")
  package static let unwrittenJournal = DiagnosticCode("F3204")
  package static let hiddenAnswer = DiagnosticCode("F3205")

  // MARK: - Altered answers

  package static let unnoticedAlteration = DiagnosticCode("F3301")
  package static let lostCheck = DiagnosticCode("F3302")
  package static let provesNothing = DiagnosticCode("F3303")
}
