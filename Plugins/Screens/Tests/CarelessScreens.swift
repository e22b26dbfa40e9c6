import FlowCore

@testable import ScreensPlugin

/// What the screens can fail to take care of, and a scenario that fails because of it under some schedule.
enum Carelessness: String, CaseIterable, FieldValue {
  case nothing
  case stalePicture = "stale-picture"
  case stuckLoading = "stuck-loading"
  case twoAppends = "two-appends"
  case staleBalance = "stale-balance"
  case requestNotBegun = "request-not-begun"
  case outlivedOwner = "outlived-owner"
  case outlivedTable = "outlived-table"
  case fixedOrder = "fixed-order"

  var care: Care {
    var care = Care()
    switch self {
    case .nothing: break
    case .stalePicture: care.checksPaths = false
    case .stuckLoading: care.clearsLoading = false
    case .twoAppends: care.asksOnce = false
    case .staleBalance: care.keepsAnswers = false
    case .requestNotBegun: care.beginsRequests = false
    case .outlivedOwner, .outlivedTable: care.endsWithOwner = false
    case .fixedOrder: care.fillsInAnyOrder = false
    }
    return care
  }
}

/// The screens with one fault, which are the real ones otherwise.
struct CarelessScreens: Component {
  static let plugin = Plugin(
    "careless-screens", version: "1.0", "Screens with a fault.", state: .memory,
    settings: Parameter<Carelessness>("fault", "What is not taken care of.", default: .nothing),
    Screens.pageSetting, Screens.heightSetting, uses: Roles.uses,
    operations: Screens.operations { (careless: CarelessScreens) in careless.screens }
  ) { context, fault, page, height in
    CarelessScreens(screens: Screens(context, page: page, height: height, fault.care))
  }

  fileprivate let screens: Screens
}

extension Carelessness {
  /// Steps for a `ScreenShop` that pass with careful screens, whatever the schedule.
  var steps: String {
    switch self {
    case .nothing: ""
    case .stalePicture:
      """
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog, text: 6 rows, settled: false}}
        - {uses: screens.scroll, with: {to: 120}}
        - {uses: screens.read, with: {screen: catalog}, expect: {rows: [{row: 2, width: 2}]}}

      """
    case .stuckLoading:
      """
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog}, expect: {count: 0, problem: no answer}}
        - {uses: screens.scroll, with: {to: 0}}
        - {uses: screens.read, with: {screen: catalog}, expect: {count: 6, waiting: false}}

      """
    case .twoAppends:
      """
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog}}
        - {uses: screens.scroll, with: {to: 270}}
        - {uses: screens.scroll, with: {to: 280}}
        - {uses: screens.read, with: {screen: catalog}, expect: {count: 12}}

      """
    case .staleBalance:
      """
        - {uses: screens.open, with: {screen: balance}}
        - {uses: screens.read, with: {screen: balance}}
        - {uses: screens.type, with: {text: "60"}}
        - {uses: screens.submit}
        - {uses: screens.read, with: {screen: balance}, expect: {label: "40.00"}}
        - {uses: screens.type, with: {text: "60"}}
        - {uses: screens.submit, expect: {alert: {title: Illegal value}}}

      """
    case .requestNotBegun:
      """
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog}, expect: {rows: [{picture: shown}]}}

      """
    case .outlivedOwner:
      """
        - {uses: screens.open, with: {screen: balance}}
        - {uses: screens.read, with: {screen: balance}}
        - {uses: screens.type, with: {text: "10"}}
        - {uses: screens.submit}
        - {uses: screens.close, with: {screen: balance}}
        - {uses: screens.open, with: {screen: balance}}
        - {uses: screens.type, with: {text: "500"}}
        - {uses: screens.submit, expect: {alert: {title: Illegal value}}}
        - {uses: screens.read, with: {screen: balance}, expect: {field: "500"}}

      """
    case .outlivedTable:
      """
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog}}
        - {uses: screens.scroll, with: {to: 270}}
        - {uses: screens.close, with: {screen: catalog}}
        - {uses: screens.open, with: {screen: catalog}}
        - {uses: screens.read, with: {screen: catalog}, expect: {count: 6}}

      """
    case .fixedOrder:
      """
        - {uses: balance.add, with: {amount: 10}}
        - {uses: screens.open, with: {screen: balance}}
        - {uses: screens.read, with: {screen: balance}, expect: {label: "110.00"}}

      """
    }
  }

  /// The calls that have to fail for it.
  var failing: Set<String> { self == .stuckLoading ? ["page 0#1"] : [] }
}
