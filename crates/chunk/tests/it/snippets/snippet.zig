const std = @import("std");

/// S.
pub const S = struct {
    a: u32 = 1,

    pub fn f(self: *S, b: []const u8) !void {
        for (b) |c| try std.io.print("{}", .{c});
        defer self.a += 1;
    }
};

test "t" {}
