import Testing
@testable import HTTPPlugin
