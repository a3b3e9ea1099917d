import Foundation

/// A.
@objc public final class A: B, C {
    let x: Int = 1
    init(y: String) { super.init() }
    func f(_ a: Int, b c: Int?) throws -> [String] {
        guard let d = c else { return [] }
        return ["\(a)\(d)"]
    }
}

extension A { var y: Int { 1 } }
