import Foundation
// <- import Foundation
import struct UIKit.UIColor
// <- import UIKit.UIColor
@testable import App
// <- import App
// ~ type testable

let limit = 10
//  ^ definition.constant
typealias Names = [String]
//        ^ definition.type
// ~ type String

/// A shape.
@objc
// ~ type objc
public class Shape<T>: Base<T>, Drawable {
//           ^ definition.class (doc, body)
// ~ type T, base Base, type T, base Drawable
    /// The size.
    @Published var size: Int = 0
    //             ^ definition.field in Shape (doc)
    // ~ type Published, type Int
    static let kind = "shape"
    //         ^ definition.field in Shape
    var area: Double { return compute(size) }
    //  ^ definition.field in Shape (body)
    // ~ type Double, call compute

    init(size: Int) {
    // <- definition.constructor in Shape (body)
    // ~ type Int
        self.size = size
        let local = Point(x: 1)
        // ~ call Point
    }

    subscript(at: Int) -> T {
    // <- definition.method in Shape (body)
    // ~ type Int, type T
        get { lookup(at) }
        // ~ call lookup
        set {
            let inner = newValue
        }
    }

    deinit { close() }
    // <- definition.method in Shape (body)
    // ~ call close

    @discardableResult
    // ~ type discardableResult
    func draw(on canvas: Canvas) -> Result<Int, Error> {
    //   ^ definition.method in Shape (body)
    // ~ type Canvas, type Result, type Int, type Error
        canvas.paint(size) { x in let inner = x; inner.run() }
        // ~ call paint, call run
        return helper()
        // ~ call helper
    }

    enum Mode { case fast, slow(Int) }
    //   ^ definition.enum in Shape (body)
    //               ^ definition.constant in Shape.Mode
    //                     ^ definition.constant in Shape.Mode
    // ~ type Int
}

struct Point: Equatable { let x: Int }
//     ^ definition.class (body)
//                            ^ definition.field in Point
// ~ base Equatable, type Int

protocol Drawable: AnyObject {
//       ^ definition.interface (body)
// ~ base AnyObject
    var name: String { get }
    //  ^ definition.field in Drawable
    // ~ type String
    func draw(on canvas: Canvas)
    //   ^ definition.method in Drawable
    // ~ type Canvas
}

extension Shape: Sized {
//        ^ definition.implementation (body)
// ~ type Shape, base Sized
    func grow() {}
    //   ^ definition.method in Shape (body)
}

// Adds.
func add(_ a: Int, b: Int) -> Int { a + b }
//   ^ definition.function (doc, body)
// ~ type Int, type Int, type Int

actor Store {}
//    ^ definition.class (body)

protocol Container {
//       ^ definition.interface (body)
    associatedtype Item: Equatable
    //             ^ definition.type in Container
    // ~ type Equatable
}
