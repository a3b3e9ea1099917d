local json = require("json")
--           ^ import json as json
-- ~ call require
local util = require 'lib.util'
--           ^ import lib.util as util
-- ~ call require
require "side.effect"
-- <- import side.effect
-- ~ call require

local M = {}
--    ^ definition.constant
LIMIT = 10
-- <- definition.constant
M.kind = "shape"
--^ definition.field

--- A shape.
-- Two lines.
function M.new(size)
--         ^ definition.function (doc, body)
  local self = setmetatable({}, M)
  -- ~ call setmetatable
  self.size = size
  return self
end

function M:draw(canvas)
--         ^ definition.method (body)
  canvas:paint(self.size)
  -- ~ call paint
  helper(function() local inner = 1 end)
  -- ~ call helper
end

local function helper(x)
--             ^ definition.function (body)
  return x
end

M.run = function(x) return helper(x) end
--^ definition.function (body)
-- ~ call helper

local handlers = {
--    ^ definition.constant
  open = function() end,
  -- <- definition.method in handlers
  close = 1,
}

return M
