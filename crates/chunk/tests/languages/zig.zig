//! A module.
const std = @import("std");
//          ^ import std as std
const util = @import("lib/util.zig");
//           ^ import lib/util.zig as util
const Allocator = std.mem.Allocator;
//    ^ definition.constant

/// The most.
pub const limit: usize = 10;
//        ^ definition.constant (doc)
var counter: u32 = 0;
//  ^ definition.constant

/// A shape.
pub const Shape = struct {
//        ^ definition.class (doc, body)
    /// The size.
    size: u32 = 0,
    // <- definition.field in Shape (doc)
    name: []const u8,
    // <- definition.field in Shape

    pub const kind = "shape";
    //        ^ definition.constant in Shape

    pub fn init(allocator: Allocator, size: u32) !Shape {
    //     ^ definition.method in Shape (body)
    // ~ type Allocator, type Shape
        const local = try allocator.create(Point);
        // ~ call create
        return Shape{ .size = helper(size) };
        // ~ type Shape, call helper
    }
};

const Color = enum { red, green };
//    ^ definition.enum (body)
//                   ^ definition.field in Color
//                        ^ definition.field in Color
const Value = union(enum) { int: i32, none };
//    ^ definition.class (body)
//                          ^ definition.field in Value
//                                    ^ definition.field in Value
const Error = error{ NotFound, Denied };
//    ^ definition.enum (body)
//                   ^ definition.constant in Error
//                             ^ definition.constant in Error

fn helper(x: u32) u32 {
// ^ definition.function (body)
    std.debug.print("{}", .{x});
    // ~ call print
    return @intCast(x);
}

/// Shapes of a type.
fn List(comptime T: type) type {
// ^ definition.class (doc, body)
    return struct {
        items: []T,
        // <- definition.field in List
        pub fn append(self: *Shapes, it: T) void {
        //     ^ definition.method in List (body)
        // ~ type Shapes, type T
            self.items[0] = it;
        }
    };
}

test "helper doubles" {
//    ^ definition.function (body)
    try std.testing.expect(helper(1) == 1);
    // ~ call expect, call helper
}
